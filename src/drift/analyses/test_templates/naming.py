"""Names of tests as a project writes them."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal

from drift.analyses.test_templates.rows import Convention
from drift.kernel.words import split_words

NameStyle = Literal["snake", "camel", "Pascal", "Pascal_Parts", "camel_parts"]

_LEADING: Final = frozenset({"test", "should", "it"})


def learn_naming(names: Iterable[str]) -> Convention | None:
    """How most tests are named: the case, and the word they begin with; None without any."""
    counts = Counter(filter(None, map(_style_of, names)))
    if not counts:
        return None
    style, count = max(counts.items(), key=lambda each: (each[1], each[0]))
    return Convention(style, count, counts.total())


def _style_of(name: str) -> str | None:
    text = name.rpartition(".")[2]
    if not text.isidentifier():
        words = text.split()
        return "sentences: should …" if words[:1] == ["should"] else "sentences"
    lead = split_words(text)[:1]
    mark = f"{lead[0]}: " if lead and lead[0] in _LEADING else ""
    return f"{mark}{_case_of(text)}"


def _case_of(text: str) -> NameStyle:
    bare = text.strip("_")
    if bare == bare.lower():
        return "snake"
    if "_" in bare:
        return "Pascal_Parts" if bare[0].isupper() else "camel_parts"
    return "Pascal" if bare[0].isupper() else "camel"


def name_test(subject: str, case: str, naming: Convention | None, *, fallback: str) -> str:
    """A name for the test of `subject` in a case, such as `raises ValueError`; in the project's style."""
    style = naming.value if naming is not None and "sentence" not in naming.value else fallback
    lead, _, form = style.rpartition(": ")
    first = (lead,) if lead else ()
    words = (*first, *split_words(subject), *split_words(case)) or ("test",)
    if words[0].isdigit():
        words = ("test", *words)
    if form == "snake":
        return "_".join(words)
    parts = [_pascal((*first, *split_words(subject))), _pascal(split_words(case))]
    whole = ("_" if "arts" in form else "").join(part for part in parts if part)
    return whole if form.startswith("Pascal") else whole[:1].lower() + whole[1:]


def _pascal(words: Iterable[str]) -> str:
    return "".join(word[:1].upper() + word[1:] for word in words)


def class_name(path: str) -> str:
    """The name of a test class after its file, as far as a class can have it."""
    stem = path.rpartition("/")[2].rpartition(".")[0]
    name = "".join(part for part in re.split(r"\W+", stem) if part)
    return name if name.isidentifier() else re.sub(r"^[\d_]+", "", name) or "SubjectTests"


def root_of(path: str, namespace: str, step: str) -> tuple[str, str]:
    """The folder from which on namespaces are named after folders, and its namespace."""
    folders, names = path.split("/")[:-1], namespace.split(step)
    while folders and len(names) > 1 and folders[-1] == names[-1]:
        folders, names = folders[:-1], names[:-1]
    return "/".join(folders), step.join(names)
