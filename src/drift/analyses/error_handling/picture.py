"""All that is known of a project's errors, made once for each state of the index."""

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

from drift.analyses.error_handling.boundaries import Boundaries, Boundary, rules
from drift.analyses.error_handling.escape import Entry, Escapes, Unhandled, Walk, find_entries
from drift.analyses.error_handling.findings import Finder, Finding
from drift.analyses.error_handling.hierarchy import Hierarchy, family_name
from drift.analyses.error_handling.profiles import Known, by_symbol, level_of, profile, score
from drift.analyses.error_handling.regions import Guarding, grade, guardings
from drift.analyses.error_handling.rows import (
    SEVERITIES,
    BoundaryRow,
    GapKind,
    GapRow,
    ProfileRow,
    Severity,
    StatusRow,
    UnhandledRow,
)
from drift.analyses.error_handling.scopes import Scopes
from drift.analyses.index_cache import PerState
from drift.index.ids import SymbolId
from drift.languages.facts import CallTrait

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.error_queries import ErrorFile
    from drift.index.records import SymbolRecord

_START: Final = 50
_EXPORTED, _ENTERED, _CALLED, _NARROW = 15, 20, 10, -30
_MANY_CALLERS: Final = 5
_LEAST: Final[tuple[tuple[Severity, int], ...]] = (
    ("critical", 110),
    ("high", 95),
    ("medium", 75),
    ("low", 0),
)

_MARKED_EXPORTS: Final = frozenset({"javascript", "typescript", "go"})
_WORD: Final = re.compile(r"[A-Z]?[a-z]{1,40}|[A-Z]{1,40}")
_MOST_NAMED: Final = 5
# Errors go through these; they are no ways in.
_NO_ENTRIES: Final = ("error ", "middleware", "before_request", "after_request", "teardown", "USE ")


@dataclass(frozen=True)
class Picture:
    """The errors of one state of a project."""

    files: Mapping[int, "ErrorFile"]
    guards: Mapping[SymbolId, Guarding]
    boundaries: tuple[Boundary, ...]
    escapes: Escapes
    findings: tuple[Finding, ...]
    symbols: Mapping[SymbolId, "SymbolRecord"]
    entries: frozenset[SymbolId]
    callers: Mapping[SymbolId, int]
    known: Known
    calls: tuple[int, int, int]

    @cached_property
    def gaps(self) -> tuple[GapRow, ...]:
        """All gaps, those of the greatest risk first."""
        rows = [self._gap(one) for one in self.findings]
        return tuple(sorted(rows, key=lambda row: (-row.risk, row.file, row.line, row.kind)))

    @cached_property
    def unhandled(self) -> tuple[UnhandledRow, ...]:
        """The errors that come up to entry points, where they are felt most first."""
        by_throw: dict[tuple[SymbolId, int, str], list[Unhandled]] = defaultdict(list)
        for one in self.escapes.unhandled:
            by_throw[*one.path[-1], one.type].append(one)
        return tuple(sorted(map(self._unhandled, by_throw.values()), key=unhandled_key))

    @cached_property
    def boundary_rows(self) -> tuple[BoundaryRow, ...]:
        """Those of frameworks first, then by how many they catch errors of."""
        rows = [*map(self._framework_row, self.boundaries), *self._function_rows()]
        return tuple(
            sorted(
                rows,
                key=lambda row: (not row.is_framework_boundary, -row.catches_from_count, row.file, row.line),
            )
        )

    def profile(self, symbol: "SymbolRecord") -> ProfileRow:
        """How one function deals with errors."""
        return profile(symbol, self.known)

    def profiles(self, symbols: Iterable["SymbolRecord"]) -> tuple[ProfileRow, ...]:
        """Those of the functions that have to do with errors, the worst first."""
        rows = [self.profile(one) for one in symbols if one.id in self._concerned]
        return tuple(sorted(rows, key=lambda row: (row.quality, row.file, row.line)))

    @cached_property
    def _concerned(self) -> frozenset[SymbolId]:
        every = {*self.guards, *self.known.findings, *self.known.unguarded}
        return frozenset(one for one in every if self.files[one >> 16].role != "test")

    @cached_property
    def status(self) -> StatusRow:
        """The figures."""
        scores = [max(0, min(100, sum(score(one, self.known).values()))) for one in self._concerned]
        product = [some for one, some in self.guards.items() if self.files[one >> 16].role != "test"]
        handling = [one for some in product for one in (*some.handlers, *some.checks)]
        calls, unresolved, outside = self.calls
        return StatusRow(
            functions=len(scores),
            quality=round(sum(scores) / len(scores), 1) if scores else None,
            levels=_counted(map(level_of, scores)),
            throws=sum(len(some.throws) for some in product),
            handlers=len(handling),
            grades=_counted(map(grade, handling)),
            gaps=_counted(one.kind for one in self.gaps),
            severities=_counted(one.severity for one in self.gaps),
            boundaries=_counted(one.kind for one in self.boundaries),
            unhandled=len(self.unhandled),
            answered_by_frameworks={
                one if isinstance(one, str) else one.kind: times
                for one, times in self.escapes.answered.items()
            },
            unresolved_calls=unresolved,
            outside_calls=outside,
            calls=calls,
        )

    def warnings(self) -> tuple[str, ...]:
        """What is not known."""
        calls, unresolved, outside = self.calls
        told = []
        if unresolved:
            told.append(
                f"{unresolved:,} of {calls:,} calls lead nobody knows where: errors are not followed through them"
            )
        if outside:
            told.append(
                "errors that libraries throw are not known, only those that the project throws itself"
            )
        if self.escapes.is_cut:
            told.append("there are more ways than were followed: not all paths are told")
        return tuple(told)

    def _gap(self, one: Finding) -> GapRow:
        symbol = self.symbols[one.symbol]
        note = notes()[one.kind]
        inputs = {"start": _START, one.kind: note["risk"]}
        given = (
            ("exported", _EXPORTED, _is_exported(symbol)),
            ("entry point", _ENTERED, one.symbol in self.entries),
            ("more than 5 callers", _CALLED, self.callers.get(one.symbol, 0) > _MANY_CALLERS),
            ("only errors that are named", _NARROW, one.is_narrow),
        )
        inputs.update((name, weight) for name, weight, is_so in given if is_so)
        risk = sum(inputs.values())
        severity = next(name for name, least in _LEAST if risk >= least)
        why = f"{one.note}: {note['told']}" if one.note else note["told"]
        return GapRow(
            one.kind,
            severity,
            risk,
            inputs,
            _shown(symbol),
            symbol.path,
            one.line,
            one.types,
            why,
            note["advice"],
            one.times if one.times > 1 else None,
        )

    def _unhandled(self, ways: list[Unhandled]) -> UnhandledRow:
        one = min(ways, key=lambda way: (SEVERITIES.index(self._felt(way.entry)), len(way.path), way.path))
        path = tuple(
            f"{_shown(self.symbols[symbol])} {self.symbols[symbol].path}:{line}" for symbol, line in one.path
        )
        last, line = one.path[-1]
        entry = self.symbols[one.entry.symbol]
        return UnhandledRow(
            one.type,
            _shown(self.symbols[last]),
            self.symbols[last].path,
            line,
            self._felt(one.entry),
            f"{one.entry.detail or one.entry.kind} {_shown(entry)}".strip(),
            one.entry.kind,
            len({way.entry for way in ways}),
            path,
            round(one.confidence, 2),
        )

    def _felt(self, entry: Entry) -> Severity:
        """How much it is felt when an entry point fails."""
        table = rules()["severities"]
        severity: Severity = table.get(entry.kind, "low")
        symbol = self.symbols[entry.symbol]
        said = _split(f"{entry.detail} {symbol.qualname} {symbol.path}")
        is_sensitive = not said.isdisjoint(table["words"])
        return SEVERITIES[max(0, SEVERITIES.index(severity) - 1)] if is_sensitive else severity

    def _framework_row(self, one: Boundary) -> BoundaryRow:
        ended, arriving = self.escapes.answered.get(one, 0), self.escapes.arriving.get(one.language, 0)
        share = round(ended / arriving, 2) if arriving else None
        return BoundaryRow(
            one.name,
            one.file,
            one.line,
            one.kind,
            is_framework_boundary=True,
            catches=one.types,
            catches_from=(),
            catches_from_count=ended,
            coverage=share,
        )

    def _function_rows(self) -> Iterable[BoundaryRow]:
        framework = {one.symbol for one in self.boundaries}
        for symbol, caught in self.escapes.caught.items():
            one = self.symbols.get(symbol)
            others = sorted({callee for callee, _type in caught if callee != symbol})
            if one is None or not others or symbol in framework:
                continue
            passed = self.escapes.passed.get(symbol, set())
            yield BoundaryRow(
                _shown(one),
                one.path,
                one.line,
                "function",
                is_framework_boundary=False,
                catches=tuple(sorted({thrown for callee, thrown in caught if callee != symbol})),
                catches_from=tuple(_shown(self.symbols[each]) for each in others[:_MOST_NAMED]),
                catches_from_count=len(others),
                coverage=round(len(caught) / len(caught | passed), 2),
            )


def unhandled_key(row: UnhandledRow) -> tuple[int, float, str, int, str]:
    """Where it stands in the list: where it is felt most and surest first."""
    return SEVERITIES.index(row.severity), -row.confidence, row.file, row.line, row.type


_pictures: Final = PerState[Picture]()


def look_at_errors(reader: "IndexReader", root: Path) -> Picture:
    """The errors of the state that the reader sees."""
    return _pictures.get(reader, lambda: _look(reader, root))


def _look(reader: "IndexReader", root: Path) -> Picture:
    every = reader.errors.files()
    hierarchy = Hierarchy(reader)
    found = reader.errors.handlings()
    guards = guardings(found, lambda symbol: family_name(every[symbol >> 16].language))
    entries = find_entries(reader, lambda kind, detail: kind != "test" and not detail.startswith(_NO_ENTRIES))
    entered = {every[one.symbol >> 16].path for one in entries}
    boundaries = Boundaries(reader, hierarchy, Scopes([one.path for one in every.values()], entered))
    walk = Walk(reader, hierarchy, guards, every)
    escapes = walk.follow(entries, boundaries)
    findings = [*Finder(reader, root, guards, every).all(), *_unguarded_entries(escapes.unhandled)]
    known = Known(
        guards,
        by_symbol(findings),
        escapes.leaving,
        {symbol for one in escapes.unhandled for symbol, _line in one.path[:-1]},
        _awaiting(reader, guards),
        set(walk.chained),
    )
    wanted = {symbol for one in escapes.unhandled for symbol, _line in one.path}
    wanted |= {one.symbol for one in findings} | escapes.caught.keys()
    wanted |= {callee for some in escapes.caught.values() for callee, _type in some}
    return Picture(
        every,
        guards,
        boundaries.found,
        escapes,
        tuple(findings),
        {one.id: one for one in reader.symbols.many(wanted)},
        frozenset(one.symbol for one in entries),
        reader.errors.caller_counts({one.symbol for one in findings}),
        known,
        reader.errors.call_counts(),
    )


def _unguarded_entries(unhandled: Iterable[Unhandled]) -> list[Finding]:
    """Of each throw that nothing catches the nearest entry point, with how many there are."""
    by_throw: dict[tuple[SymbolId, int, str], list[Unhandled]] = defaultdict(list)
    for one in unhandled:
        by_throw[*one.path[-1], one.type].append(one)
    found = []
    for ways in by_throw.values():
        nearest = min(ways, key=lambda way: (len(way.path), way.path))
        entries = len({way.entry.symbol for way in ways})
        line = nearest.path[0][1]
        found.append(Finding("no-try-catch", nearest.entry.symbol, line, (nearest.type,), times=entries))
    return found


def _awaiting(reader: "IndexReader", guards: Mapping[SymbolId, Guarding]) -> set[SymbolId]:
    """The functions that await in a region."""
    awaited = int(CallTrait.AWAITED)
    return {
        call.caller
        for call in reader.errors.used_calls(awaited, awaited, files={one >> 16 for one in guards})
        if call.caller in guards
        for one in guards[call.caller].regions
        if one.guards(call.line, is_in_handler=bool(call.traits & CallTrait.IN_HANDLER))
    }


def _split(text: str) -> set[str]:
    """The words of names and paths."""
    return {each.lower() for each in _WORD.findall(text)}


def _is_exported(symbol: "SymbolRecord") -> bool:
    """Whether others may call it: by a mark where the language has one, else by not being private."""
    if symbol.language in _MARKED_EXPORTS and symbol.kind != "method":
        return "exported" in symbol.modifiers
    return symbol.visibility == "public" and symbol.kind != "module"


def _shown(symbol: "SymbolRecord") -> str:
    return symbol.qualname if symbol.kind != "module" else "(file)"


def _counted(words: Iterable[str]) -> dict[str, int]:
    return dict(Counter(words).most_common())


@cache
def notes() -> dict[GapKind, dict[str, Any]]:
    """What notes.toml says of each kind of gap."""
    text = files("drift.analyses.error_handling").joinpath("notes.toml").read_text("utf-8")
    tables = tomllib.loads(text)
    return {kind: tables[kind] for kind in get_args(GapKind)}
