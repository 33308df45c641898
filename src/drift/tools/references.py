"""References: every use of a symbol, whatever its kind, with how sure each is."""

from collections.abc import Sequence
from typing import Annotated

from drift.analyses.graph_rows import suggest_impact
from drift.analyses.symbol_choice import Chosen, Together, choose_symbol, choose_symbols
from drift.analyses.usages.certainty import Certainty, Kind
from drift.analyses.usages.family import find_family
from drift.analyses.usages.listing import (
    Listed,
    ReferencesData,
    Role,
    choose_uses,
    lines_of,
    say_cautions,
)
from drift.analyses.usages.references import find_references
from drift.index import IndexReader, Layer, SymbolRecord
from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer

_SORTS = ("relevance", "file", "certainty")


@tool(
    category="surgical",
    title="Find references",
    tokens=(200, 1200),
    ttl=0,
    needs=Layer.CALLS,
    first_links="symbol",
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
    with opened_index(call) as reader:
        (target, *others), warnings = choose_named(reader, symbol, file=file)
        found = find_references(reader, call.project.root, target, *others)
    wanted = choose_uses(found.uses, kind=kind, certainty=certainty, role=role, path=path)
    listed = Listed(target, lines_of(wanted), found.elsewhere, others)
    following = (suggest_impact(target, "what a change of it may touch"),)
    told = (*warnings, *say_cautions(found))
    return list_answer(
        call, page, listed.ranked(), listed.data, summary=listed.summary, next=following, warnings=told
    )


def choose_named(reader: IndexReader, wanted: str, *, file: str | None) -> Together:
    """All symbols that a text means; overloads, overriders and other declarations of one thing are one."""
    found, warnings = choose_symbols(reader, wanted, file=file)
    first = found[0]
    if len(found) == 1:
        return found, warnings
    related = {first.id, *(one for pair in reader.graph.overrides_of([first.id]) for one in pair)}
    is_one = len({(one.path, one.qualname) for one in found}) == 1
    if is_one or all(one.id in related for one in found) or _is_continued(reader, found):
        return (first,), (f"{plural(len(found), 'declaration')} of this name are taken together",)
    return found, warnings


def _is_continued(reader: IndexReader, found: Sequence[SymbolRecord]) -> bool:
    """Whether several are one thing that is declared in several places: a module of Ruby that goes on in other files."""
    if len({(one.qualname, one.language) for one in found}) > 1:
        return False
    same = {one.id for one in find_family(reader, found[0]).same}
    return all(one.id in same for one in found)


def choose_declared(reader: IndexReader, wanted: str, *, file: str | None) -> Chosen:
    """The one symbol that a text means, where only one can be meant."""
    found, warnings = choose_named(reader, wanted, file=file)
    return (found[0], warnings) if len(found) == 1 else choose_symbol(reader, wanted, file=file)
