"""Rows of library models by the names they are about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, Generic, NamedTuple, TypeVar

from drift.flow.values import EMPTY, Unknown, Value
from drift.libraries import (
    Check,
    Condition,
    Library,
    Object,
    Propagator,
    Sanitizer,
    Scalar,
    Selector,
    Sink,
    Source,
)

Row = TypeVar("Row")
_MOST_KNOWN: Final = 50_000
_SECRET_WORDS: Final = (
    "passw(?:or)?d",
    "passphrase",
    "secret",
    "api_?key",
    "private_?key",
    "credentials",
    "pwd",
)
_VERSION: Final = re.compile(r"v\d{1,3}")
_ROOTS: Final = frozenset({"php", "globalThis", "window", "global", "ruby", "java.lang"})


def segments_of(name: str) -> tuple[str, ...]:
    """The parts of a name from its end; whatever a language writes between them, and without roots everything has."""
    plain = (
        name.replace("::", ".").replace("\\", ".").replace("/", ".").replace("->", ".").removeprefix("node:")
    )
    parts = [
        each
        for each in plain.split(".")
        if each
        and each not in {"__enter__", "__aenter__", "default", "promises"}
        and not _VERSION.fullmatch(each)
    ]
    while len(parts) > 1 and parts[0] in _ROOTS:
        parts.pop(0)
    return tuple(reversed(parts[-10:]))


class Pattern(NamedTuple, Generic[Row]):
    """A row and the name that it is about."""

    segments: tuple[str, ...]
    is_any: bool  # whatever stands before the name
    row: Row


class Names(Generic[Row]):
    """Rows of one kind by the last part of their names."""

    def __init__(self, rows: Iterable[tuple[str, Row]]) -> None:
        self._by_last: dict[str, list[Pattern[Row]]] = {}
        for name, row in rows:
            segments = segments_of(name.removeprefix("*."))
            self._by_last.setdefault(segments[0], []).append(Pattern(segments, name.startswith("*."), row))
        self._known: dict[tuple[str, ...], tuple[Row, ...]] = {}

    def ends(self) -> Iterable[tuple[str, str]]:
        """The last parts of all names, each with the one before it; empty where there is none."""
        for last, patterns in self._by_last.items():
            for pattern in patterns:
                yield (
                    last,
                    pattern.segments[1] if len(pattern.segments) > 1 else "*" if pattern.is_any else "",
                )

    def find(self, names: tuple[str, ...]) -> tuple[Row, ...]:
        """The rows about any of these names, those of whole names first."""
        found = self._known.get(names)
        if found is None:
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            found = self._known[names] = self._find(names)
        return found

    def _find(self, names: tuple[str, ...]) -> tuple[Row, ...]:
        sure: dict[int, Row] = {}
        others: dict[int, Row] = {}
        for name in names:
            segments = segments_of(name)
            for pattern in self._by_last.get(segments[0], ()) if segments else ():
                count = len(pattern.segments)
                if pattern.is_any:
                    if len(segments) > 1 and segments[:count] == pattern.segments:
                        others[id(pattern.row)] = pattern.row
                elif segments[:count] == pattern.segments and (count > 1 or _is_whole(segments)):
                    sure[id(pattern.row)] = pattern.row
        return (*sure.values(), *(row for key, row in others.items() if key not in sure))


def _is_whole(segments: tuple[str, ...]) -> bool:
    """Whether one word names a thing: a function on its own, or a class of whatever package."""
    return len(segments) == 1 or segments[0][:1].isupper()


class Models:
    """What is known of the libraries a language's files use."""

    def __init__(self, libraries: Iterable[Library]) -> None:
        self.libraries = tuple(libraries)
        each = self.libraries
        self.sources: Names[Source] = Names(
            (n, row) for one in each for row in one.sources for n in row.names
        )
        self.sinks: Names[Sink] = Names(
            (n, row) for one in each for row in one.sinks for n in row.names if not row.assigned
        )
        self.assigned: Names[Sink] = Names(
            (n, row) for one in each for row in one.sinks for n in row.names if row.assigned
        )
        self.sanitizers: Names[Sanitizer] = Names(
            (n, row) for one in each for row in one.sanitizers for n in row.names
        )
        self.propagators: Names[Propagator] = Names(
            (n, row) for one in each for row in one.propagators for n in row.names
        )
        self.results: Names[Object] = Names(
            (n, row) for one in each for row in one.objects for n in row.results
        )
        self.checks: Names[Check] = Names((n, row) for one in each for row in one.checks for n in row.names)
        self.keys: Mapping[str, list[Check]] = _by_key(each)
        self.objects = tuple(row for one in each for row in one.objects)
        self.parameter_types = {name: row.type for row in self.objects for name in row.parameter_names}
        self.parameter_sources = tuple(
            row
            for one in each
            for row in one.sources
            if row.decorators or row.handler_parameters or row.types
        )
        self.decorated = {name: row for row in self.parameter_sources for name in row.decorators}
        self.source_types = {name: row for row in self.parameter_sources for name in row.types}
        self.handler_sources = tuple(row for row in self.parameter_sources if row.handler_parameters)

    def matters(self, name: str) -> bool:
        """Whether a function that calls something of a name is looked at even if no data is known to get there."""
        names = (name,)
        if self.sources.find(names) or self.checks.find(names):
            return True
        # Names that anything may have, such as `filter`, are looked at where data gets to them.
        return any(
            row.confidence == "high" or (row.kind == "sql" and row.confidence == "medium")
            for row in self.sinks.find(names)
        )

    @cached_property
    def _written(self) -> frozenset[str]:
        found = {re.escape(each) for each in (*self.decorated, *self.source_types)}
        members: dict[frozenset[str], set[str]] = {}
        for last, owner in self.sources.ends():
            if not owner:
                found.add(re.escape(last))
                continue
            holders = {name for name, kind in self.parameter_types.items() if segments_of(kind)[0] == owner}
            if owner != "*" and not owner[0].isupper():
                holders.add(owner)
            members.setdefault(frozenset(holders), set()).add(last)
        found |= {_member_pattern(holders, names) for holders, names in members.items()}
        for last, owner in self.assigned.ends():
            found.add(rf"\.{re.escape(last)}\b" if owner else re.escape(last))
        for key, rows in self.keys.items():
            for row in rows:
                texts = [each.strip("*") for each in row.values if isinstance(each, str)]
                found |= {re.escape(each) for each in texts if len(each) > 1} or {
                    rf"\b{re.escape(key)}[\"']?\]?\s{{0,8}}[:=]"
                }
        loud = sorted({re.escape(last) for last, _owner in self._exposing()})
        if loud:  # a secret that is logged on the line it is named in
            found.add(rf"\b(?:{'|'.join(loud)})\b[ (][^\n]{{0,120}}(?i:{'|'.join(sorted(_SECRET_WORDS))})")
        return frozenset(found)

    def _exposing(self) -> Iterable[tuple[str, str]]:
        names = [
            (name, row)
            for one in self.libraries
            for row in one.sinks
            if row.kind == "secret-exposure"
            for name in row.names
        ]
        return Names(names).ends()

    def written(self) -> frozenset[str]:
        """Patterns of what stands in a file that reads a source or sets something that is checked."""
        return self._written


def _member_pattern(holders: frozenset[str], names: set[str]) -> str:
    """Members of one of these; of none, of anything."""
    before = f"(?:{'|'.join(sorted(map(re.escape, holders)))})\\s{{0,8}}" if holders else ""
    return rf"{before}\.\s{{0,8}}(?:{'|'.join(sorted(map(re.escape, names)))})\b"


def _by_key(libraries: Iterable[Library]) -> dict[str, list[Check]]:
    found: dict[str, list[Check]] = {}
    for library in libraries:
        for row in library.checks:
            for key in row.keys:
                found.setdefault(key, []).append(row)
    return found


class Given(NamedTuple):
    """What a call is given."""

    values: tuple[Value, ...]  # by place
    keywords: Mapping[str, Value]
    receiver: Value | None

    def at(self, selector: Selector) -> Value | None:
        if isinstance(selector, int):
            return self.values[selector] if selector < len(self.values) else None
        if selector == "receiver":
            return self.receiver
        return self.keywords.get(selector)

    def chosen(self, selectors: Iterable[Selector]) -> list[Value]:
        """The arguments that are selected; of a table that is given, the entries of selected names."""
        wanted = tuple(selectors)
        names = [each for each in wanted if isinstance(each, str) and each not in {"*", "receiver"}]
        found: list[Value] = []
        for selector in wanted:
            if selector == "*":
                found += [*self.values, *self.keywords.values()]
                continue
            value = self.option(selector) if selector in names else self.at(selector)
            if value is not None and not (value.fields and any(each in value.fields for each in names)):
                found.append(value)
        return found

    def option(self, selector: Selector) -> Value | None:
        """A keyword, also as an entry of a table that is given; `2.secure` is one of the third argument."""
        if isinstance(selector, str) and selector[0].isdigit():
            return self._entry(*selector.split("."))
        found = self.at(selector)
        if found is None and isinstance(selector, str):
            tables = [each.fields for each in self.values if each.fields]
            found = next((each[selector] for each in tables if selector in each), None)
        return found

    def _entry(self, place: str, *keys: str) -> Value | None:
        """An entry of an argument, however its key is written; None where it is surely missing."""
        found = self.at(int(place))
        for key in keys:
            if found is None:
                return None
            fields = {name.lower(): each for name, each in (found.fields or {}).items()}
            if key.lower() in fields:
                found = fields[key.lower()]
            elif found.fields is not None and found.is_whole:
                return None
            else:
                return EMPTY
        return found


def holds(condition: Condition | None, given: Given) -> bool | None:
    """Whether the constants a call is given are among those of a condition; None where one is not known."""
    if condition is None:
        return True
    unsure = False
    for selector, wanted in condition.items():
        value = given.option(selector)
        if value is None:
            if None in wanted:
                continue
            return False
        shown: object = value.constant
        if isinstance(shown, Unknown):
            if not value.type:
                unsure = True
                continue
            shown = value.type
        if not any(is_like(shown, each) for each in wanted):
            return False
    return None if unsure else True


def is_like(value: object, wanted: Scalar) -> bool:
    """Whether a constant is what a row asks for."""
    if wanted is None or isinstance(wanted, bool):
        return value is wanted or (isinstance(wanted, bool) and value == str(wanted).lower())
    if isinstance(wanted, int):
        return value == wanted and not isinstance(value, bool)
    text = str(value).lower() if value is not None else ""
    mark = wanted.lower()
    if mark.startswith("<"):
        return isinstance(value, int) and not isinstance(value, bool) and value < int(mark[1:])
    if mark.startswith("*") and mark.endswith("*") and len(mark) > 1:
        return mark.strip("*") in text
    if mark.startswith("*") and len(mark) > 1:
        return text.endswith(mark[1:])
    if mark.endswith("*") and len(mark) > 1:
        return text.startswith(mark[:-1])
    return text == mark
