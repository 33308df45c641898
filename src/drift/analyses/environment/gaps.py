"""What does not fit together: declared and read nowhere, read and declared nowhere, read with different defaults."""

import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.dead_code.mentions import find_mentions
from drift.analyses.environment.naming import outside_reader_of, provider_of
from drift.analyses.environment.variables import Environment, Variable, folded, gather
from drift.analyses.index_cache import PerState
from drift.analyses.usages.texts import Texts, project_texts
from drift.index import IndexReader

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{1,200}")
_CI: Final = frozenset({"github-ci", "gitlab-ci"})
_EMPTY: Final = frozenset({"", "none", "null", "nil", "undefined"})


_Mentioned = tuple[set[str], dict[str, str]]
_kept: Final = PerState[dict[tuple[int, frozenset[str]], _Mentioned]]()


class Gap(NamedTuple):
    """A variable, and what speaks against its being a fault; null where nothing does."""

    variable: Variable
    doubt: str | None = None


class Gaps(NamedTuple):
    """What does not fit together. `has_declarations` is false where no document of the project declares anything."""

    unread: tuple[Gap, ...]
    undeclared: tuple[Gap, ...]
    differing: tuple[Variable, ...]
    has_declarations: bool


def find_gaps(reader: IndexReader, root: Path, environment: Environment) -> Gaps:
    """All of them, those without a doubt first. Names are looked for in the texts of the project as they are now."""
    variables = environment.variables.values()
    patterns = [each.name for each in variables if each.is_pattern and each.reads]
    settings = {folded(each) for each in gather(reader, "setting").variables}
    open_ends = [
        each
        for each in variables
        if each.declarations and not each.reads and not _is_read_elsewhere(each, patterns, settings)
    ]
    undeclared = [
        each
        for each in variables
        if each.product_reads
        and not (each.declarations or each.requests or each.is_pattern or provider_of(each.name))
    ]
    mentioned, documented = _mentions(reader, root, [*open_ends, *undeclared])
    images = {
        (item.file, item.name): item.type
        for item in reader.documents.items(("service",))
        if item.type is not None
    }
    return Gaps(
        _doubtful_last(Gap(each, _doubt(each, images)) for each in open_ends if each.name not in mentioned),
        _doubtful_last(Gap(each, documented.get(each.name) or _known(each.name)) for each in undeclared),
        tuple(each for each in variables if len({plain_default(one) for one in each.defaults} - _EMPTY) > 1),
        any(each.declarations for each in variables),
    )


def plain_default(written: str) -> str:
    """A default without its quotes, so that "5" and 5 are one."""
    text = written.strip().strip("\"'`")
    return text if text.lower() not in _EMPTY else ""


def _is_read_elsewhere(variable: Variable, patterns: Iterable[str], settings: set[str]) -> bool:
    name = variable.name
    return (
        not _NAME.fullmatch(name)
        or outside_reader_of(name) is not None
        or provider_of(name) is not None
        or folded(name) in settings
        or any(fnmatchcase(name, pattern) for pattern in patterns)
    )


def _mentions(reader: IndexReader, root: Path, variables: Iterable[Variable]) -> _Mentioned:
    """The names that stand somewhere else than where they are declared, and those that a page for people tells of."""
    declared = {
        each.name: {(row.file, row.line) for row in (*each.declarations, *each.requests)}
        for each in variables
    }
    if not declared:
        return set(), {}
    texts = project_texts(reader, root)
    # Reading all words of all texts is nearly all that a question costs.
    known = _kept.get(reader, dict)
    key = (texts.stamp(), frozenset(declared))
    found = known.get(key)
    if found is None:
        found = _look_for(declared, texts)
        known.clear()  # what stood there before is never asked for again
        known[key] = found
    return found


def _look_for(declared: Mapping[str, set[tuple[str, int]]], texts: Texts) -> _Mentioned:
    kinds: dict[str, str] = {}

    def contents() -> Iterable[tuple[str, bytes]]:
        for one in texts:
            kinds[one.path] = one.kind
            yield one.path, one.content

    found = find_mentions(dict.fromkeys(declared, ()), contents())
    mentioned: set[str] = set()
    documented: dict[str, str] = {}
    for name, places in found.items():
        for place in places:
            if kinds[place.path] == "doc":
                documented.setdefault(name, f"{place.path}:{place.line} tells of it")
            elif (place.path, place.line) not in declared[name] and not _is_env_file(place.path):
                mentioned.add(name)
                if kinds[place.path] in {"config", "other"}:
                    documented[name] = f"{place.path}:{place.line} names it"
    return mentioned, documented


def _is_env_file(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name.startswith((".env", "env.")) or name.endswith(".env")


def _known(name: str) -> str | None:
    by = outside_reader_of(name)
    return f"known to {by}" if by else None


def _doubt(variable: Variable, images: Mapping[tuple[str, str], str | None]) -> str | None:
    """Who outside the code may read it: told where that holds for every place that declares it."""
    doubts = []
    for row in variable.declarations:
        image = images.get((row.file, row.owner or ""))
        if row.document == "compose" and image:
            doubts.append(f"the image {image} may read it")
        elif row.document in _CI:
            doubts.append("a command that CI runs may read it")
        elif row.document == "kubernetes":
            doubts.append("the image of its container may read it")
        else:
            return None
    return doubts[0] if doubts else None


def _doubtful_last(gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    return tuple(sorted(gaps, key=lambda each: (each.doubt is not None, each.variable.name)))
