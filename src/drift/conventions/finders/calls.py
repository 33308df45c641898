"""Calls by what is called."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from drift.conventions.finders.form import Finder, Source, fits, fits_none, fits_one, last_name, wanted
from drift.index.site_queries import Run
from drift.languages.facts import CallTrait

_TRAITS: Final = {each.name.lower(): int(each) for each in CallTrait if each.name}
_FIRST: Final = re.compile(r"[\w$@/-]{1,100}")


class _Called(NamedTuple):
    """A call with the texts of what is called."""

    file_id: int
    line: int
    end_line: int
    kind: str
    callee: str
    written: str
    arguments: int
    traits: int
    keyword: str | None
    literal: str | None


def _rows(source: Source, run: Run) -> Iterator[_Called]:
    patterns = wanted(source.rules, "callees")
    words = dict(source.sites.call_words(run))
    chosen = [number for number, text in words.items() if patterns is None or fits(patterns, text)]
    for call in source.sites.calls(run, chosen):
        written = words[call.written]
        callee = words[call.external] if call.external is not None else written
        yield _Called(
            call.file_id, call.line, call.end_line, call.kind, callee, written, call.arguments, call.traits,
            call.keyword, call.literal,
        )  # fmt: skip


def _traits(row: _Called) -> str:
    return " ".join(name for name, bit in _TRAITS.items() if row.traits & bit)


def _has_trait(row: _Called, values: tuple[str, ...]) -> bool:
    return any(row.traits & _TRAITS[value] for value in values)


def _receiver(row: _Called) -> str:
    name = last_name(row.written)
    return row.written[: row.written.rfind(name)].rstrip(".:>-?\\") if name else ""


def _package(row: _Called) -> str | None:
    first = _FIRST.match(row.callee.lstrip("\\"))
    return first[0] if first else None


CALLS: Final = Finder(
    rows=_rows,
    kind_of=lambda row: str(row.kind),
    texts={
        "callee": lambda row: row.callee,
        "written": lambda row: row.written,
        "name": lambda row: last_name(row.callee),
        "receiver": _receiver,
        "package": _package,
        "literal": lambda row: row.literal or "",
        "keyword": lambda row: row.keyword or "",
        "traits": _traits,
        "arguments": lambda row: str(row.arguments),
    },
    tests={
        "callees": fits_one(lambda row: row.callee),
        "not_callees": fits_none(lambda row: row.callee),
        "traits": _has_trait,
        "not_traits": lambda row, values: not _has_trait(row, values),
        "arguments": lambda row, values: str(row.arguments) in values,
    },
)
