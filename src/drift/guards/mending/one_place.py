"""A function that stands in two files word for word: one of them imports it from the other.

What it does: takes the function out of the file and imports the one that is there, under the name it had.
Known limits: Python, functions at the top of both files, where each name from outside the function comes by the same import
in both, the other file does not need this one, and somebody imports the other file by a whole name already.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

from drift.guards.text_checks import Subject
from drift.index import IndexReader
from drift.index.ids import FileId
from drift.index.path_text import path_to_text, text_to_path
from drift.kernel.reading import read_text
from drift.languages.facts import FileFacts, Symbol
from drift.quality.findings import Finding

_WORD: Final = re.compile(r"[A-Za-z_]\w{0,200}")
_MOST_BYTES: Final = 1_000_000
_DOC: Final = re.compile(r'\A\s{0,100}[rRuU]{0,2}("""|\'\'\').{0,20000}?\1', re.DOTALL)


def import_existing(subject: Subject, found: Finding) -> Iterator[tuple[str, str]]:
    """The import of a function in the place of its copy."""
    evidence = found.evidence or {}
    path, name = str(evidence.get("path", "")), evidence.get("function")
    own = _top_function(subject.file.facts, found.line)
    record = subject.overlay.reader.files.at(path)
    if subject.file.facts.language != "python" or own is None or record is None:
        return
    reader = subject.overlay.reader
    there = (one for one in reader.symbols.of_file(record.id) if one.name == name and one.kind == "function")
    other = next(there, None)
    module = _module_of(reader, record.id)
    if other is None or module is None or other.qualname != other.name:
        return
    try:
        lines = read_text(subject.root, text_to_path(path), _MOST_BYTES, follow_links=False).split("\n")
    except (OSError, ValueError):
        return
    copied = subject.file.lines[own.line - 1 : own.end_line]
    theirs = lines[other.line - 1 : other.end_line]
    if _text(copied, own.name) != _text(theirs, other.name):
        return
    facts = subject.overlay.linking.sources.facts_of(text_to_path(path))
    words = {word for line in copied for word in _WORD.findall(line)} - {own.name}
    if not _are_same(words, subject.file.facts, facts) or _needs(reader, record.id, subject.path):
        return
    alias = "" if other.name == own.name else f" as {own.name}"
    after = _without(subject, own, words)
    if after is not None:
        yield (
            f"Import {other.name} from {path}",
            _with_import(after, f"from {module} import {other.name}{alias}"),
        )


def _top_function(facts: FileFacts, line: int) -> Symbol | None:
    fitting = (one for one in facts.symbols[1:] if one.line == line and one.kind == "function")
    found = next(fitting, None)
    is_plain = found is not None and not found.parent and not found.decorators
    return found if is_plain else None


def _module_of(reader: IndexReader, file: FileId) -> str | None:
    """The whole name by which most others import from a file."""
    names = Counter(
        one.module
        for one in reader.facts.importers_of_file(file)
        if one.name and not one.module.startswith(".")
    )
    return names.most_common(1)[0][0] if names else None


def _text(lines: list[str], name: str) -> str:
    """A function without its name, its documentation and the ends of its lines."""
    head = re.sub(rf"\bdef {re.escape(name)}\b", "def", lines[0], count=1)
    body = _DOC.sub("", "\n".join(lines[1:]))
    return "\n".join(line.rstrip() for line in (head, *body.split("\n")) if line.strip())


def _are_same(words: set[str], mine: FileFacts, theirs: FileFacts) -> bool:
    """Whether names of a function mean the same at the tops of two files: nothing, or the same import."""

    def top(facts: FileFacts) -> dict[str, tuple[str, str | None] | None]:
        found: dict[str, tuple[str, str | None] | None] = {
            one.name: None for one in facts.symbols[1:] if not one.parent
        }
        for one in facts.imports:
            if not one.scope and one.alias:
                found[one.alias] = None if one.module.startswith(".") else (one.module, one.name)
        return found

    own, other = top(mine), top(theirs)
    if any(each.name == "*" for each in (*mine.imports, *theirs.imports)):
        return False
    at_top = [word for word in words if word in own or word in other]
    return all(own.get(word) is not None and own.get(word) == other.get(word) for word in at_top)


def _needs(reader: IndexReader, file: FileId, path: str) -> bool:
    """Whether a file imports another, directly or through others: then that cannot import it."""
    wanted = reader.files.at(path_to_text(path))
    imports: dict[int, list[int]] = defaultdict(list)
    for one in reader.packages.imports_between_files():
        imports[one.source].append(one.target)
    waiting, seen = [int(file)], {int(file)}
    while waiting:
        new = [one for one in imports[waiting.pop()] if one not in seen]
        seen.update(new)
        waiting += new
    return wanted is None or wanted.id in seen


def _without(subject: Subject, own: Symbol, words: set[str]) -> str | None:
    """The text without a function and imports that it alone used; None where such an import brings more."""
    lines: list[str | None] = list(subject.file.lines)
    first = own.line - 1
    while first and not (lines[first - 1] or "").strip():
        first -= 1
    lines[first : own.end_line] = [None] * (own.end_line - first)
    rest = Counter(word for line in lines if line is not None for word in _WORD.findall(line))
    for one in subject.file.facts.imports:
        is_left = one.alias is not None and one.alias in words and not one.scope and rest[one.alias] == 1
        if not is_left:
            continue
        beside = [each for each in subject.file.facts.imports if each.line == one.line]
        if len(beside) != 1 or (lines[one.line - 1] or "").rstrip().endswith(("(", "\\")):
            return None
        lines[one.line - 1] = None
    return "\n".join(line for line in lines if line is not None)


def _with_import(text: str, statement: str) -> str:
    lines = text.split("\n")
    heads = [number for number, line in enumerate(lines) if line.startswith(("import ", "from "))]
    at = heads[-1] + 1 if heads else 0
    if heads and lines[heads[-1]].rstrip().endswith("("):
        at = next((number + 1 for number in range(at, len(lines)) if lines[number].startswith(")")), at)
    return "\n".join([*lines[:at], statement, *lines[at:]])
