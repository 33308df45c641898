"""Uses of a symbol as an answer lists them: narrowed, each line once, in the orders they can be had in."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from drift.analyses.file_globs import PathGlob
from drift.analyses.graph_rows import SymbolRow, shown_name, symbol_row
from drift.analyses.usages.beside_code import say_beside
from drift.analyses.usages.certainty import CERTAINTIES, KINDS, Certainty, Kind
from drift.analyses.usages.references import References, Use
from drift.index import SymbolRecord
from drift.kernel.ranking import Key, Ranked, Sort
from drift.kernel.text import plural, shorten

Role = Literal["source", "test", "config", "generated", "vendored", "doc"]


_LONGEST_LINE = 120


_MOST_RELATED = 3


@dataclass(frozen=True, slots=True)
class UseRow:
    """A line that uses the symbol: what kind of use, how sure it is that it means this one, and what is written."""

    file: str
    line: int
    kind: Kind
    certainty: Certainty
    text: str


@dataclass(frozen=True, slots=True)
class ReferencesData:
    """All uses by file, those of the product first. `elsewhere`: places of the same name that mean something else.

    `others` are further symbols of the name that was asked about, whose uses are among these.
    """

    target: SymbolRow
    kinds: dict[str, int]
    certainties: dict[str, int]
    files: int
    elsewhere: int
    references: tuple[UseRow, ...]
    others: tuple[SymbolRow, ...] | None = None


def choose_uses(
    uses: Sequence[Use],
    *,
    kind: Kind | None,
    certainty: Certainty | None,
    role: str | None,
    path: str | None,
) -> list[Use]:
    glob = PathGlob(path) if path else None
    sure = CERTAINTIES[: CERTAINTIES.index(certainty) + 1] if certainty else CERTAINTIES
    return [
        use
        for use in uses
        if (kind is None or use.kind == kind)
        and use.certainty in sure
        and (role is None or use.role == role)
        and (glob is None or glob.matches(use.path))
    ]


def lines_of(uses: Sequence[Use]) -> list[Use]:
    """Each line once, by the surest of its uses."""
    best: dict[tuple[str, int], Use] = {}
    for use in uses:
        known = best.get((use.path, use.line))
        if known is None or CERTAINTIES.index(use.certainty) < CERTAINTIES.index(known.certainty):
            best[use.path, use.line] = use
    return list(best.values())


def sorts_of(uses: Sequence[Use], declared_in: str) -> dict[str, Sort[Use]]:
    # A file stands where its surest use stands, so that the lines of one file stay together.
    surest: dict[str, int] = {}
    for use in uses:
        mine = CERTAINTIES.index(use.certainty)
        surest[use.path] = min(mine, surest.get(use.path, mine))

    def relevance(use: Use) -> Key:
        return use.rank, use.path != declared_in, surest[use.path], use.path, use.line

    return {
        "relevance": Sort(relevance, "desc"),
        "file": Sort(lambda use: (use.path, use.line)),
        "certainty": Sort(lambda use: (CERTAINTIES.index(use.certainty),), "desc"),
    }


def use_row(use: Use) -> UseRow:
    return UseRow(use.path, use.line, use.kind, use.certainty, shorten(use.text, _LONGEST_LINE))


def say_cautions(found: References) -> tuple[str, ...]:
    notes = []
    if found.family.related:
        shown = ", ".join(shown_name(one) for one in found.family.related[:_MOST_RELATED])
        more = ", …" if len(found.family.related) > _MOST_RELATED else ""
        notes.append(
            f"taken with {plural(len(found.family.related), 'method')} that may run in its place: {shown}{more}"
        )
    notes += say_beside(found.of_members)
    if found.left_out_files:
        notes.append(f"{plural(found.left_out_files, 'file')} not looked through: the project is too large")
    return tuple(notes)


class Listed(NamedTuple):
    """The lines that are asked for, of all that use a symbol."""

    target: SymbolRecord
    lines: list[Use]
    elsewhere: int
    others: Sequence[SymbolRecord] = ()

    @property
    def summary(self) -> str:
        files = plural(len({use.path for use in self.lines}), "file")
        verb = "names" if len(self.lines) == 1 else "name"
        several = f"{plural(1 + len(self.others), 'symbol')} named {self.target.name}"
        named = several if self.others else shown_name(self.target)
        return f"{plural(len(self.lines), 'line')} in {files} {verb} {named}"

    def ranked(self) -> Ranked[Use]:
        return Ranked(self.lines, sorts_of(self.lines, self.target.path))

    def data(self, shown: Sequence[Use]) -> ReferencesData:
        kinds = Counter(use.kind for use in self.lines)
        certainties = Counter(use.certainty for use in self.lines)
        return ReferencesData(
            symbol_row(self.target),
            {each: kinds[each] for each in KINDS if kinds[each]},
            {each: certainties[each] for each in CERTAINTIES if certainties[each]},
            len({use.path for use in self.lines}),
            self.elsewhere,
            tuple(map(use_row, shown)),
            tuple(map(symbol_row, self.others)) or None,
        )
