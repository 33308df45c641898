"""Actions that read instructions: one, many, those that fit, those that changed."""

from collections.abc import Sequence
from typing import Annotated, Final

from drift.catalog.rows import (
    CategoriesData,
    DiffData,
    ExpectRow,
    GetData,
    GovernanceData,
    Highlight,
    Known,
    ListData,
    SearchData,
    entry_rows,
    expect_row,
    problem_rows,
    say_changes,
    with_usage,
)
from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.kernel.wire import PlainRows
from drift.registry import Call, Length, Range
from drift.tools.catalogs.access import MOST_RESULTS, catalog_of, catalog_tool

# The hash of an instruction alone, 64 hexadecimal digits, takes 30 tokens and more.
_FEWEST_TOKENS: Final = 30


MOST_TOKENS: Final = 100_000

Id = Annotated[str, Length(1_000)]
Ids = Annotated[tuple[str, ...], Length(MOST_RESULTS)]
Limit = Annotated[int, Range(1, MOST_RESULTS)]
Offset = Annotated[int, Range(0, 1_000_000)]
_EMPTY: Final = (
    "The catalog is empty; `drift instructions add` or `drift instructions sync` at a terminal fills it",
)


@catalog_tool(title="List instructions", tokens=(100, 8000), examples=({"category": "testing", "limit": 10},))
def instructions_list(
    call: Call,
    category: Annotated[str | None, Length(200)] = None,
    limit: Limit = MOST_RESULTS,
    offset: Offset = 0,
    expect_id: Annotated[Id | None, "An id that should be there; it is looked for on disk"] = None,
) -> Answer[ListData]:
    """Instructions in the order of their ids."""
    catalog = catalog_of(call)
    expected = expect_row(catalog.expect(expect_id)) if expect_id is not None else None
    wanted = category.strip().lower() if category else None
    fitting = min(limit, count_conceivable(call))
    found = catalog.wires.list_entries(category=wanted, limit=fitting, offset=offset)
    items, warnings = with_usage(catalog, found.items)
    problems = problem_rows(catalog.problems(looks=False)) or None
    data = ListData(found.hash, found.count, items, expected=expected, problems=problems)
    total = min(limit, max(found.count - offset, 0))
    warnings += () if found.count or category or problems else _EMPTY
    return Answer(f"{plural(found.count, 'instruction')}", data, warnings=warnings, total=total)


@catalog_tool(title="List scoped instructions", tokens=(100, 8000), examples=({"teamIds": ["web"]},))
def instructions_list_scoped(
    call: Call,
    user_id: Annotated[str | None, Length(200)] = None,
    workspace_id: Annotated[str | None, Length(200)] = None,
    team_ids: Annotated[tuple[str, ...], Length(100)] = (),
) -> Answer[ListData]:
    """The instructions of the narrowest scope that has any: user, workspace, teams, else those for all."""
    catalog = catalog_of(call)
    found = catalog.list_scoped(user_id=user_id, workspace_id=workspace_id, team_ids=team_ids)
    items, warnings = entry_rows(catalog, found.items)
    data = ListData(found.hash, found.count, items, scope=found.scope)
    return Answer(f"{plural(found.count, 'instruction')} of the scope {found.scope}", data, warnings=warnings)


@catalog_tool(
    title="Get an instruction", tokens=(50, 4000), max_tokens=MOST_TOKENS, examples=({"id": "use-uv"},)
)
def instructions_get(call: Call, id: Id) -> Answer[GetData]:  # noqa: A002 - the argument's name on the wire
    """One instruction by its id."""
    return _get(call, id, None)


@catalog_tool(title="Get and repair", tokens=(50, 4000), max_tokens=MOST_TOKENS, examples=({"id": "use-uv"},))
def instructions_get_enhanced(call: Call, id: Id) -> Answer[GetData]:  # noqa: A002 - the argument's name on the wire
    """One instruction by its id; where its file is there but unseen, it is brought to light or explained."""
    return _get(call, id, expect_row(catalog_of(call).expect(id)))


@catalog_tool(title="Search instructions", tokens=(100, 8000), examples=({"q": "retry timeout"},))
def instructions_search(
    call: Call,
    q: Annotated[str, Length(1_000), "Words"],
    limit: Limit = 50,
    offset: Offset = 0,
    highlight: bool = False,
) -> Answer[SearchData]:
    """Instructions with these words in title, body, categories or tags, the best first."""
    catalog = catalog_of(call)
    found = catalog.wires.search(q, limit=min(limit, count_conceivable(call)), offset=offset)
    items, warnings = with_usage(catalog, found.items)
    shown = tuple(
        Highlight(item["id"], rank.title, rank.snippet, round(rank.score, 4))
        for item, rank in zip(items, found.ranks, strict=True)
    )
    data = SearchData(found.hash, found.count, items, q, shown if highlight else None)
    total = min(limit, max(found.count - offset, 0))
    is_empty = not found.count and not catalog.wires.list_entries(category=None, limit=1, offset=0).count
    if is_empty and not catalog.problems(looks=False):
        warnings += _EMPTY
    return Answer(f"{plural(found.count, 'instruction')} found", data, warnings=warnings, total=total)


@catalog_tool(title="Categories", tokens=(50, 1000))
def instructions_categories(call: Call) -> Answer[CategoriesData]:
    """Every category with its instructions counted."""
    catalog = catalog_of(call)
    rows = tuple(catalog.categories())
    summary = plural(len(rows), "category", "categories")
    return Answer(summary, CategoriesData(rows, len(rows), catalog.hash()))


@catalog_tool(
    title="Changed instructions",
    tokens=(50, 8000),
    max_tokens=MOST_TOKENS,
    examples=({"known": [{"id": "use-uv", "sourceHash": "0" * 64}]},),
)
def instructions_diff(
    call: Call,
    client_hash: Annotated[str | None, Length(200), "From list"] = None,
    known: Annotated[tuple[Known, ...] | None, Length(20_000)] = None,
) -> Answer[DiffData]:
    """What a client lacks that has this catalog hash, or these instructions."""
    data, warnings = find_changes(call, client_hash, known)
    return Answer(say_changes(data), data, warnings=warnings)


@catalog_tool(
    title="Export instructions",
    tokens=(100, 20000),
    max_tokens=MOST_TOKENS,
    examples=({"ids": ["use-uv"]},),
)
def instructions_export(call: Call, ids: Ids | None = None) -> Answer[ListData]:
    """All instructions whole, or those of these ids."""
    catalog = catalog_of(call)
    items, warnings = entry_rows(catalog, catalog.export(ids))
    problems = problem_rows(catalog.problems()) or None
    data = ListData(catalog.hash(), len(items), items, problems=problems)
    return Answer(f"{plural(len(items), 'instruction')}", data, warnings=warnings)


@catalog_tool(title="Governance hash", tokens=(50, 4000), examples=({"includeItems": True},))
def instructions_governance_hash(call: Call, include_items: bool = False) -> Answer[GovernanceData]:
    """The hash of who answers for what; body edits leave it alone."""
    found = catalog_of(call).governance(includes_items=include_items)
    return Answer(
        f"governance {found.governance_hash[:12]} of {plural(found.count, 'instruction')}",
        GovernanceData(found.count, found.governance_hash, found.algorithm, found.items),
    )


def find_changes(
    call: Call, client_hash: str | None, known: Sequence[Known] | None
) -> tuple[DiffData, tuple[str, ...]]:
    """What a client lacks, and warnings."""
    catalog = catalog_of(call)
    have = None if known is None else {each.id: each.source_hash for each in known}
    found = catalog.diff(client_hash=client_hash, known=have)
    if found.is_up_to_date:
        return DiffData(found.hash, up_to_date=True), ()
    added, warnings = entry_rows(catalog, found.added)
    updated, _ = entry_rows(catalog, found.updated)
    return DiffData(found.hash, added=added, updated=updated, removed=found.removed), warnings


def _get(call: Call, instruction_id: str, expected: ExpectRow | None) -> Answer[GetData]:
    catalog = catalog_of(call)
    found, catalog_hash = catalog.wires.get(instruction_id)
    if found is None:
        name = f"{instruction_id}.json"
        problem = next((each for each in problem_rows(catalog.problems(), None) if each.file == name), None)
        summary = f"There is no instruction {instruction_id}"
        return Answer(
            f"{name} is no instruction: {problem.reason}" if problem else summary,
            GetData(catalog_hash, not_found=True, id=instruction_id, expected=expected, problem=problem),
        )
    (item,), warnings = with_usage(catalog, PlainRows([found]))
    return Answer(item["title"], GetData(catalog_hash, item=item, expected=expected), warnings=warnings)


def count_conceivable(call: Call) -> int:
    """More instructions than this fit into no answer to the call, so that no more need be read."""
    return (
        1 + (call.max_tokens or call.tool.max_tokens or call.project.config.mcp.max_tokens) // _FEWEST_TOKENS
    )
