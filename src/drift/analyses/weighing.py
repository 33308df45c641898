"""A change weighed as an answer tells it: what is changed, what that touches, and how risky it is."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.callables import CLASS_KINDS
from drift.analyses.changes import find_changed_symbols, parse_diff, read_diff
from drift.analyses.graph_rows import (
    EntryRow,
    SymbolRow,
    open_name_warnings,
    outside_warnings,
    shown_name,
    symbol_row,
    unseen_member_warnings,
    unseen_way_warnings,
)
from drift.analyses.impact import Impact, ImpactCounts, find_impact
from drift.analyses.impact_rows import (
    TestRow,
    UserRow,
    entry_rows,
    symbol_rows,
    test_files,
    test_rows,
    user_rows,
)
from drift.analyses.middleware import middleware_warnings
from drift.analyses.page_impact import find_page_impact
from drift.analyses.prominence import rank_reached
from drift.analyses.risk import Risk, assess_risk
from drift.analyses.source_text import read_lines
from drift.analyses.spelled_warnings import spelled_warnings
from drift.analyses.symbol_choice import choose_symbols
from drift.analyses.targets import find_file_meant
from drift.analyses.unresolved import find_open_names
from drift.analyses.usages.beside_code import BesideRow, BesideUse, beside_row, find_beside_code, say_beside
from drift.analyses.usages.offering import offered_evidence
from drift.index import FileId, IndexReader
from drift.index.records import SymbolRecord
from drift.index.walk import Reached
from drift.kernel.ranking import Ranked
from drift.kernel.text import plural

_MOST_CHANGED: Final = 20
_MOST_LINES: Final = 200_000
_MOST_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class ImpactData:
    """What a change may touch, nearest first. `deleted` are files of a diff whose users the index no longer knows.

    Pages are of `users`; the lists below it stand on the first page only.
    """

    target: str
    changed: tuple[SymbolRow, ...]
    risk: Risk
    counts: ImpactCounts
    users: tuple[UserRow, ...]
    entry_points: tuple[EntryRow, ...] | None = None
    tests: tuple[TestRow, ...] | None = None
    test_files: tuple[str, ...] | None = None
    packages: tuple[str, ...] | None = None
    overridden: tuple[SymbolRow, ...] | None = None
    overriding: tuple[SymbolRow, ...] | None = None
    outside_code: tuple[BesideRow, ...] | None = None
    importers: int | None = None
    deleted: tuple[str, ...] | None = None


class Change(NamedTuple):
    """What is changed, by what it was named, and what is to be said about it."""

    title: str
    symbols: tuple[SymbolRecord, ...]
    warnings: tuple[str, ...] = ()
    importers: int | None = None
    deleted: tuple[str, ...] = ()
    with_members: bool = True
    page: FileId | None = None
    """A page that is no code."""


class Weighed(NamedTuple):
    """What a change may touch, and its risk."""

    reader: IndexReader
    change: Change
    impact: Impact
    risk: Risk
    beside: tuple[BesideUse, ...] = ()

    @property
    def summary(self) -> str:
        change, impact = self.change, self.impact
        if not (change.symbols or change.deleted or change.importers or impact.starts):
            return f"{change.title}: nothing to weigh"
        far = len(impact.product) - len(impact.direct)
        return (
            f"{change.title}: {self.risk.level} risk ({self.risk.score}/100), "
            f"{plural(len(impact.direct), 'direct user')}, {far:,} through others, "
            f"{plural(len(impact.entries), 'entry point')}, {plural(len(impact.tests), 'test')}"
            f"{f', {self._beside_lines:,} by name outside code' if self.beside else ''}"
        )

    @property
    def _beside_lines(self) -> int:
        return len({(use.path, use.line) for use in self.beside})

    def warnings(self) -> tuple[str, ...]:
        symbols = self.change.symbols
        cut = ("There are too many users to follow all",) if self.impact.is_cut else ()
        steps = plural(self.impact.followed, "step")
        far = (f"Users more than {steps} away are not looked for",) if self.impact.ends_early else ()
        unresolved = open_name_warnings(find_open_names(self.reader, symbols, self.impact.product))
        outside = outside_warnings(self.reader, symbols[0]) if len(symbols) == 1 else ()
        members = self._member_warnings()
        requests = middleware_warnings(self.reader, symbols[:_MOST_CHANGED])
        beside = say_beside(self.beside)
        above = unseen_way_warnings(self.reader, [one.symbol_id for one in self.impact.product])
        return (
            *self.change.warnings,
            *cut,
            *far,
            *unresolved,
            *outside,
            *members,
            *spelled_warnings(self.reader, symbols),
            *above,
            *requests,
            *beside,
        )

    def _member_warnings(self) -> tuple[str, ...]:
        """What may be called from outside of a file, a class or all that a diff changes."""
        symbols = self.change.symbols
        told = {symbols[0].id} if len(symbols) == 1 else set()
        is_whole = len(symbols) > 1 or any(one.kind in CLASS_KINDS for one in symbols)
        inside = [one for one in self.impact.starts if one not in told] if is_whole else []
        return unseen_member_warnings(self.reader, inside, with_classes=not self.impact.product)

    def ranked(self) -> Ranked[Reached]:
        return rank_reached(self.reader, self.impact.product)

    def data(self, users: Iterable[Reached], *, beside: int = 0) -> ImpactData:
        """The answer that shows these users, and up to so many of each that stand beside them."""
        change, impact = self.change, self.impact
        changed = [one for one in change.symbols if one.kind != "module" or len(change.symbols) == 1]
        whole = ImpactData(
            target=change.title,
            changed=tuple(map(symbol_row, changed[:_MOST_CHANGED])),
            risk=self.risk,
            counts=ImpactCounts(
                len(impact.direct),
                len(impact.product) - len(impact.direct),
                len(impact.entries),
                len(impact.tests),
                len(impact.files),
                len(impact.packages),
                impact.max_depth,
                self._beside_lines or None,
            ),
            users=user_rows(self.reader, self.impact, users),
            importers=change.importers,
            deleted=change.deleted or None,
        )
        return self._with_surroundings(whole, beside) if beside else whole

    def _with_surroundings(self, data: ImpactData, limit: int) -> ImpactData:
        reader, impact = self.reader, self.impact
        return replace(
            data,
            entry_points=entry_rows(reader, impact, limit),
            tests=test_rows(reader, impact.tests[:limit], impact.sure_tests),
            test_files=test_files(reader, impact, limit),
            packages=impact.packages[:limit],
            overridden=symbol_rows(reader, impact.overridden[:limit]) or None,
            overriding=symbol_rows(reader, impact.overriding[:limit]) or None,
            outside_code=tuple(dict.fromkeys(map(beside_row, self.beside)))[:limit] or None,
        )


def weigh_change(reader: IndexReader, root: Path, change: Change, *, max_depth: int) -> Weighed:
    """What a change may touch, within so many calls, and how risky that is."""
    if change.page is not None:
        impact, told = find_page_impact(reader, change.page, max_depth=max_depth)
        return Weighed(reader, change._replace(warnings=told), impact, assess_risk(impact, public_count=0))
    impact = find_impact(
        reader,
        change.symbols,
        max_depth=max_depth,
        with_members=change.with_members,
        read=lambda path: "\n".join(read_lines(root, path, first=1, count=_MOST_LINES)),
    )
    public = sum(map(bool, offered_evidence(reader, root, change.symbols[:_MOST_CHANGED])))
    beside = find_beside_code(reader, root, change.symbols)
    return Weighed(reader, change, impact, assess_risk(impact, public_count=public), beside)


def find_change(reader: IndexReader, root: Path, target: str, *, file: str | None, base: str) -> Change:
    """What a text means as a change: the diff against a commit, a file, or a symbol."""
    if target == "diff" and file is None:
        found = find_changed_symbols(reader, parse_diff(read_diff(root, base)))
        unknown = found.unknown[:_MOST_NAMED]
        return Change(
            f"The diff against {base} changes {plural(len(found.symbols), 'symbol')}",
            found.symbols,
            tuple(f"{path} is changed, but the index has no symbols of it" for path in unknown),
            deleted=found.deleted,
            with_members=False,
        )
    record = find_file_meant(reader, target) if file is None else None
    if record is not None:
        if record.id in reader.pages.documents():
            return Change(record.path, (), page=record.id)
        importers = {one.symbol_id >> 16 for one in reader.facts.importers_of_file(record.id)}
        return Change(record.path, tuple(reader.symbols.of_file(record.id)), (), len(importers))
    symbols, warnings = choose_symbols(reader, target, file=file)
    name = symbols[0].name if len(symbols) > 1 else shown_name(symbols[0])
    return Change(f"{len(symbols)} symbols named {name}" if len(symbols) > 1 else name, symbols, warnings)
