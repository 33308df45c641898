"""Code that nobody uses, each with the reasons why it may be alive."""

from functools import partial
from typing import Annotated

from drift.analyses.dead_code.finding import (
    DEAD_SORTS,
    Asked,
    DeadCodeData,
    DeadSymbol,
    Level,
    list_dead_code,
    look_through,
    path_beginning,
)
from drift.index import Layer
from drift.kernel.answer import Answer, NextAction
from drift.registry import Call, Page, Tier, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import Next, list_answer


@tool(
    category="analysis",
    title="Dead code",
    tokens=(200, 2000),
    tier=Tier.EXPENSIVE,
    serves_old=lambda _arguments: True,
    needs=Layer.CALLS,
    examples=({}, {"path": "shop/", "minLevel": "high"}, {"withExports": True}),
)
def drift_dead_code(
    call: Call,
    path: Annotated[str | None, "Only files that begin so"] = None,
    min_level: Annotated[Level, "Least confidence"] = "medium",
    with_exports: Annotated[bool, "Also what is exported on purpose"] = False,
    with_test_only: Annotated[bool, "Also what only tests use"] = False,
    page: Page = Page(limit=20, sorts=tuple(DEAD_SORTS)),
) -> Answer[DeadCodeData]:
    """Functions, methods and classes nobody calls, references, overrides or imports, with confidence and doubts."""
    asked = Asked(with_exports=with_exports, with_test_only=with_test_only)
    with opened_index(call) as reader:
        beginning = path_beginning(path)
        is_known = not beginning or any(one.path.startswith(beginning) for one in reader.files.stamps())
        every = look_through(reader, call.project.root, asked, check_cancelled=call.check_cancelled)
    found = list_dead_code(every, path=path, min_level=min_level)
    less_sure = found.by_level["low"] if min_level != "low" else 0
    following = partial(_next, less_sure=less_sure, path=path)
    warnings = () if is_known else (f"no indexed file begins with {path!r}",)
    return list_answer(
        call, page, found.ranked(), found.data, summary=found.summary, next=following, warnings=warnings
    )


def _next(shown: tuple[DeadSymbol, ...], *, less_sure: int, path: str | None) -> Next:
    for one in shown[:1]:
        place = {"symbol": f"{one.symbol.path}:{one.symbol.line}"}
        return (NextAction("drift_callers", place, "look once more before deleting"),)
    if not less_sure:
        return ()
    arguments = {"minLevel": "low", **({"path": path} if path else {})}
    why = f"see {less_sure} that may well be used in ways calls do not show"
    return (NextAction("drift_dead_code", arguments, why),)
