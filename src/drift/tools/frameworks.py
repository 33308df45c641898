"""Framework parts: entry points, hooks of user interfaces, middleware of servers."""

from typing import Annotated

from drift.analyses.entry_points import SORTS, EntryKind, EntryPointsData, find_entry_points
from drift.analyses.hooks import HOOK_SORTS, UNKNOWN_HOOKS, HookRow, HooksData, find_hooks, imports_hooks
from drift.analyses.middleware import MIDDLEWARE_SORTS, MiddlewareData, list_middleware
from drift.index import Layer
from drift.kernel.answer import Answer, NextAction
from drift.kernel.arguments import ProjectFile
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import Next, list_answer

_FORMS = "only what frameworks known to Drift call is seen; what is registered in another way is not"
_ASK = {"intent": "understand_code", "focus": "middleware that runs around every request"}


@tool(
    category="exploration",
    title="Entry points",
    tokens=(150, 1500),
    needs=Layer.CALLS,
    examples=({}, {"search": "orders"}, {"kind": "cli"}),
)
def drift_entry_points(
    call: Call,
    kind: Annotated[EntryKind, "Routes, pages of browsers' routers, commands, jobs, listeners"] = "http",
    search: Annotated[str | None, Length(200), "Part of path, method or handler"] = None,
    area: Annotated[ProjectFile | None, "File or folder they are registered in"] = None,
    page: Page = Page(limit=50, sorts=tuple(SORTS)),
) -> Answer[EntryPointsData]:
    """Routes of all languages with handlers and what stands before them; or commands, jobs, listeners."""
    with opened_index(call) as reader:
        found = find_entry_points(reader, kind=kind, search=search or "", area=area or "")
        warnings = () if found.placed else (_FORMS,)
        return list_answer(call, page, found.ranked(), found.data, summary=found.summary, warnings=warnings)


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
