"""Framework parts: hooks of user interfaces, middleware of servers."""

from typing import Annotated

from drift.analyses.hooks import HOOK_SORTS, UNKNOWN_HOOKS, HookRow, HooksData, find_hooks, imports_hooks
from drift.analyses.middleware import MIDDLEWARE_SORTS, MiddlewareData, list_middleware
from drift.index import Layer
from drift.kernel.answer import Answer, NextAction
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import Next, list_answer

_ASK = {"intent": "understand_code", "focus": "middleware that runs around every request"}


@tool(
    category="surgical",
    title="Hooks",
    tokens=(150, 900),
    needs=Layer.CALLS,
    languages=frozenset({"javascript", "typescript"}),
    examples=({}, {"search": "auth"}),
)
def drift_hooks(
    call: Call,
    search: Annotated[str | None, Length(100), "Part of a name"] = None,
    page: Page = Page(limit=20, sorts=tuple(HOOK_SORTS)),
) -> Answer[HooksData]:
    """React and Vue hooks (`use…`): signature, hooks they are made of, how many use them."""
    with opened_index(call) as reader:
        found = find_hooks(reader, search or "")
        is_known = bool(found.own or found.outside) or imports_hooks(reader)
    if not is_known:
        unknown = "Whether there are hooks is not known: no framework with hooks was recognised"
        return Answer(unknown, UNKNOWN_HOOKS)
    return list_answer(call, page, found.ranked(), found.data, summary=found.summary, next=_read_one)


def _read_one(shown: tuple[HookRow, ...]) -> Next:
    return tuple(
        NextAction("drift_signature", {"symbol": f"{row.file}:{row.line}", "includeBody": True}, "read one")
        for row in shown[:1]
    )


@tool(
    category="surgical",
    title="Middleware",
    tokens=(150, 900),
    needs=Layer.CALLS,
    examples=({}, {"framework": "Express"}),
)
def drift_middleware(
    call: Call,
    framework: Annotated[str | None, Length(40), "Express, NestJS, Django, Laravel, Gin, …"] = None,
    search: Annotated[str | None, Length(100), "Part of a name or path"] = None,
    page: Page = Page(limit=20, sorts=tuple(MIDDLEWARE_SORTS)),
) -> Answer[MiddlewareData]:
    """Middleware, guards, interceptors and filters of known web frameworks, with what gave each away."""
    with opened_index(call) as reader:
        found = list_middleware(reader, framework=framework, search=search)
    if not found.is_listed:
        ask = (NextAction("drift_context", _ASK, "find it by words", "low"),) if found.rows is None else ()
        return Answer(found.summary, found.data(()), next=ask, warnings=found.warnings)
    return list_answer(call, page, found.ranked(), found.data, summary=found.summary, warnings=found.warnings)
