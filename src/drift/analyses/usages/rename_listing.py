"""The plan of a rename as an answer lists it: lines that change, lines that are left, conflicts, the patch."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from drift.analyses.graph_rows import SymbolRow, place_of, shown_name, symbol_row
from drift.analyses.usages.certainty import CERTAINTIES, Certainty, Kind
from drift.analyses.usages.leaving import sort_left
from drift.analyses.usages.patching import Patch
from drift.analyses.usages.references import Use
from drift.analyses.usages.renaming import RenamePlan
from drift.index import SymbolRecord
from drift.kernel.answer import NextAction
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural, shorten

_LONGEST_LINE = 100


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A line that changes."""

    file: str
    line: int
    kind: Kind
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class LeftRow:
    """A line with the name that is not changed, for a person to judge."""

    file: str
    line: int
    kind: Kind
    certainty: Certainty
    text: str


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """What stands in the way, or has to be looked at."""

    kind: str
    message: str
    blocks: bool | None = None


@dataclass(frozen=True, slots=True)
class RenameData:
    """The plan. With a patch, `changes` are in it; without, they are listed. `left` are places that are less sure.

    Of those the telling ones are shown: neither calls on objects that are named otherwise nor words of prose.
    """

    target: SymbolRow
    new_name: str
    certainties: dict[str, int]
    elsewhere: int
    conflicts: tuple[ConflictRow, ...]
    left_count: int
    left_by: dict[str, int] | None
    left: tuple[LeftRow, ...]
    changes: tuple[ChangeRow, ...] | None = None
    patch: str | None = None


class PlannedRename(NamedTuple):
    """A plan, with its patch where one was asked for and could be made."""

    target: SymbolRecord
    plan: RenamePlan
    lines: list[ChangeRow]
    patch: Patch | None
    wants_patch: bool

    @property
    def summary(self) -> str:
        files = plural(len({row.file for row in self.lines}), "file")
        blocked = f" but {self.plan.obstacle}" if self.plan.is_blocked else ""
        return (
            f"{shown_name(self.target)} to {self.plan.new_name}: {plural(len(self.lines), 'line')} in {files} to change, "
            f"{len({(use.path, use.line) for use in self.plan.left}):,} left{blocked}"
        )

    def ranked(self) -> Ranked[ChangeRow]:
        return Ranked(self.lines, {"file": Sort(lambda row: (row.file, row.line))})

    def data(self, shown: tuple[ChangeRow, ...]) -> RenameData:
        plan, patch = self.plan, self.patch
        certainties = Counter(row.certainty for row in self.lines)
        left = sort_left(plan)
        return RenameData(
            symbol_row(self.target),
            plan.new_name,
            {each: certainties[each] for each in CERTAINTIES if certainties[each]},
            plan.references.elsewhere,
            tuple(ConflictRow(one.kind, one.message, one.is_blocking or None) for one in plan.conflicts),
            len(left.lines),
            left.counts or None,
            tuple(
                LeftRow(use.path, use.line, use.kind, use.certainty, shorten(use.text, _LONGEST_LINE))
                for use in left.shown
            ),
            None if patch else shown,
            patch.diff if patch else None,
        )

    def following(self) -> tuple[NextAction, ...]:
        symbol = place_of(self.target)
        if self.plan.is_blocked:
            return (NextAction("drift_references", {"symbol": symbol}, "see what uses it"),)
        if not self.wants_patch:
            arguments = {"symbol": symbol, "newName": self.plan.new_name, "patch": True}
            return (NextAction("drift_rename", arguments, "the changes as a diff"),)
        arguments = {"action": "affected", "files": [symbol]}
        return (NextAction("drift_test_topology", arguments, "what to run after it", "low"),)

    def cautions(self) -> tuple[str, ...]:
        if not self.wants_patch:
            return ()
        if self.patch is None:
            return (f"no patch: {self.plan.obstacle}",)
        notes = [f"{path} is not in the patch: it {reason}" for path, reason in self.patch.refused.items()]
        without_room = self.patch.without_room
        if without_room:
            notes.append(
                f"{plural(len(without_room), 'file')} not in the patch, which is too large: ask again with a path, "
                f"such as {without_room[0]}"
            )
        return tuple(notes)


def changed_lines(uses: Sequence[Use]) -> list[ChangeRow]:
    """Each line once, by its least sure change: that is the one to look at."""
    rows: dict[tuple[str, int], ChangeRow] = {}
    for use in uses:
        known = rows.get((use.path, use.line))
        if known is None or CERTAINTIES.index(use.certainty) > CERTAINTIES.index(known.certainty):
            rows[use.path, use.line] = ChangeRow(use.path, use.line, use.kind, use.certainty)
    return [rows[place] for place in sorted(rows)]
