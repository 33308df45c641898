"""References: every use of a symbol, whatever its kind, with how sure each is."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from drift.analyses.usages.certainty import CERTAINTIES, KINDS, Certainty, Kind
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.errors import UnclearError
from drift.kernel.text import plural, shorten
from drift.registry import Call, Length, Page, tool
from drift.tools.choice import choose_symbol
from drift.tools.graph_rows import SymbolRow, shown_name, suggest_impact, symbol_row
from drift.tools.listing import Key, Sort, sort_page
from drift.tools.targets import opened_index, require_defined

if TYPE_CHECKING:
    from drift.analyses.usages.references import References, Use
    from drift.index import IndexReader
    from drift.index.records import SymbolRecord

Role = Literal["source", "test", "config", "generated", "vendored", "doc"]

_LONGEST_LINE = 120
_MOST_RELATED = 3
_SORTS = ("relevance", "file", "certainty")


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
    """All uses by file, those of the product first. `elsewhere`: places of the same name that mean something else."""

    target: SymbolRow
    kinds: dict[str, int]
    certainties: dict[str, int]
    files: int
    elsewhere: int
    references: tuple[UseRow, ...]


@tool(
    category="surgical",
    title="Find references",
    tokens=(200, 1200),
    ttl=0,
    needs=Layer.CALLS,
    examples=({"symbol": "total"}, {"symbol": "Cart.load", "kind": "call"}),
)
def drift_references(
    call: Call,
    symbol: Annotated[str, Length(500), "Name, Class.method or path:line"],
    file: Annotated[str | None, Length(4096), "Declared in this file"] = None,
    kind: Annotated[Kind | None, "Only uses of this kind"] = None,
    certainty: Annotated[Certainty | None, "At least so sure"] = None,
    role: Annotated[Role | None, "Only in files of this role"] = None,
    path: Annotated[str | None, Length(500), "Only in files that fit: src/**/*.py, docs/"] = None,
    page: Page = Page(limit=40, sorts=_SORTS),
) -> Answer[ReferencesData]:
    """Every use of a symbol: calls, types, imports, overrides, reads, mock strings, routes, templates, comments, docs."""
    from drift.analyses.usages.references import find_references  # brings the index

    with opened_index(call) as reader:
        target, warnings = choose_declared(reader, symbol, file=file)
        found = find_references(reader, call.project.root, target)
    wanted = _chosen(found.uses, kind=kind, certainty=certainty, role=role, path=path)
    lines = _lines(wanted)
    shown, pagination = sort_page(call, page, lines, sorts=_sorts(lines, target.path))
    kinds = Counter(use.kind for use in lines)
    certainties = Counter(use.certainty for use in lines)
    data = ReferencesData(
        symbol_row(target),
        {each: kinds[each] for each in KINDS if kinds[each]},
        {each: certainties[each] for each in CERTAINTIES if certainties[each]},
        len({use.path for use in lines}),
        found.elsewhere,
        tuple(map(_row, shown)),
    )
    return Answer(
        f"{plural(len(lines), 'line')} in {plural(data.files, 'file')} "
        f"{'names' if len(lines) == 1 else 'name'} {shown_name(target)}",
        data,
        pagination=pagination,
        next=(suggest_impact(target, "what a change of it may touch"),),
        warnings=(*warnings, *_cautions(found)),
    )


def choose_declared(
    reader: "IndexReader", wanted: str, *, file: str | None
) -> "tuple[SymbolRecord, tuple[str, ...]]":
    """The one symbol that a text means; overloads and other declarations of one thing are answered for together."""
    try:
        return choose_symbol(reader, wanted, file=file)
    except UnclearError:
        found = require_defined(reader, wanted, file=file)
        if len({(one.path, one.qualname) for one in found}) > 1:
            raise
        return found[0], (f"{plural(len(found), 'declaration')} of this name are taken together",)


def _chosen(
    uses: "Sequence[Use]",
    *,
    kind: Kind | None,
    certainty: Certainty | None,
    role: str | None,
    path: str | None,
) -> "list[Use]":
    from drift.analyses.file_globs import PathGlob

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


def _lines(uses: "Sequence[Use]") -> "list[Use]":
    """Each line once, by the surest of its uses."""
    best: dict[tuple[str, int], Use] = {}
    for use in uses:
        known = best.get((use.path, use.line))
        if known is None or CERTAINTIES.index(use.certainty) < CERTAINTIES.index(known.certainty):
            best[use.path, use.line] = use
    return list(best.values())


def _sorts(uses: "Sequence[Use]", declared_in: str) -> "dict[str, Sort[Use]]":
    # A file stands where its surest use stands, so that the lines of one file stay together.
    surest: dict[str, int] = {}
    for use in uses:
        mine = CERTAINTIES.index(use.certainty)
        surest[use.path] = min(mine, surest.get(use.path, mine))

    def relevance(use: "Use") -> Key:
        return use.rank, use.path != declared_in, surest[use.path], use.path, use.line

    return {
        "relevance": Sort(relevance, "desc"),
        "file": Sort(lambda use: (use.path, use.line)),
        "certainty": Sort(lambda use: (CERTAINTIES.index(use.certainty),), "desc"),
    }


def _row(use: "Use") -> UseRow:
    return UseRow(use.path, use.line, use.kind, use.certainty, shorten(use.text, _LONGEST_LINE))


def _cautions(found: "References") -> tuple[str, ...]:
    notes = []
    if found.family.related:
        shown = ", ".join(shown_name(one) for one in found.family.related[:_MOST_RELATED])
        more = ", …" if len(found.family.related) > _MOST_RELATED else ""
        notes.append(
            f"taken with {plural(len(found.family.related), 'method')} that may run in its place: {shown}{more}"
        )
    if found.left_out_files:
        notes.append(f"{plural(found.left_out_files, 'file')} not looked through: the project is too large")
    return tuple(notes)
