"""What a finder is: rows of the index in bulk, tests that narrow them down, and texts to classify."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from drift.dimensions import SiteRule, compiled_globs
from drift.index.site_queries import Run, SiteQueries
from drift.index.site_records import SiteFile

Text = str | tuple[str, ...] | None
"""One text, several that are a site each, or none: nothing was decided."""
Rests = Literal["file", "ancestors", "folders"]
"""On what the sites of a file rest: on the file alone, also on what its types descend from, or on which folders have code."""
TextOf = Callable[[Any], Text]
Test = Callable[[Any, tuple[str, ...]], bool]


@dataclass(frozen=True, slots=True)
class Source:
    """What a finder looks through."""

    sites: SiteQueries
    files: Mapping[int, SiteFile]
    rules: tuple[SiteRule, ...]
    """All rules that use the finder, so that it need not read what none of them asks for."""
    around: SiteQueries | None = None
    """The project that a text stands in which is looked through; None where a whole project is."""


@dataclass(frozen=True, slots=True)
class Finder:
    """Rows with the tests and texts that finders.toml names; each row has a file_id, a line and an end_line."""

    rows: Callable[[Source, Run], Iterable[Any]]
    texts: Mapping[str, TextOf]
    tests: Mapping[str, Test] = field(default_factory=dict)
    kind_of: Callable[[Any], str] | None = None
    """What `kinds` asks for; rows of other kinds are passed over at once."""
    rests_on: Rests = "file"
    """What is looked at again when a file has changed."""


def is_within(run: Run, file: int) -> bool:
    """Whether a file is among those that are asked for."""
    return run[0] <= file <= run[1]


@lru_cache(maxsize=65_536)
def fits(patterns: tuple[str, ...], text: str) -> bool:
    """Whether one of some patterns with `*` and `?` fits the whole text."""
    return compiled_globs(patterns).match(text) is not None


def fits_one(get: Callable[[Any], str | None]) -> Test:
    """A test by patterns of a text of the row; no text is an empty one."""
    return lambda row, values: fits(values, get(row) or "")


def fits_none(get: Callable[[Any], str | None]) -> Test:
    """A test that no pattern fits."""
    return lambda row, values: not fits(values, get(row) or "")


def is_one(get: Callable[[Any], str | None]) -> Test:
    """A test that a text of the row is among some."""
    return lambda row, values: (get(row) or "") in values


def is_true(get: Callable[[Any], object]) -> Test:
    """A test of something that holds or does not."""
    return lambda row, values: ("true" if get(row) else "false") in values


def last_name(name: str) -> str:
    """The last part of a name with dots, colons or backslashes, without type arguments."""
    plain = name.split("<", 1)[0].split("[", 1)[0].split("(", 1)[0]
    for mark in (".", "::", "\\", "->", "?."):
        plain = plain.rpartition(mark)[2] or plain
    return plain.strip(" &*?:")


def wanted(rules: Iterable[SiteRule], key: str) -> tuple[str, ...] | None:
    """All values that some rules give for a part of `where`; None where one of them gives none and wants all."""
    found: set[str] = set()
    for rule in rules:
        if key not in rule.where:
            return None
        found.update(rule.where[key])
    return tuple(sorted(found))
