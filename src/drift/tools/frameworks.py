"""Framework parts: hooks of user interfaces, middleware of servers."""

from collections import Counter
from dataclasses import dataclass
from typing import Annotated

from drift.analyses.hooks import HOOK_PACKAGES, HookRow, OutsideHookRow, find_hooks, hook_key, imports_hooks
from drift.analyses.middleware import (
    Frameworks,
    MiddlewareRow,
    find_frameworks,
    find_middleware,
    known_frameworks,
    middleware_key,
)
from drift.index import Layer
from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.tools.listing import Sort, sort_page

_HOOK_SORTS: dict[str, Sort[HookRow]] = {
    "users": Sort(hook_key, "desc"),
    "name": Sort(lambda row: (row.hook,)),
    "file": Sort(lambda row: (row.file, row.line)),
}
_MIDDLEWARE_SORTS: dict[str, Sort[MiddlewareRow]] = {
    "file": Sort(middleware_key),
    "name": Sort(lambda row: (row.name,)),
    "uses": Sort(lambda row: (-row.uses,), "desc"),
}
_MOST_OUTSIDE = 10
_NO_LANGUAGE = "no framework of the project's languages is known"
_ASK = {"intent": "understand_code", "focus": "middleware that runs around every request"}


@dataclass(frozen=True, slots=True)
class HooksData:
    """The project's own hooks, most used first, and the ten most imported of packages; null without React or Vue."""

    hooks: tuple[HookRow, ...] | None
    outside: tuple[OutsideHookRow, ...] | None
    reason: str | None = None


_UNKNOWN_HOOKS = HooksData(
    None, None, f"looked for: functions named use…, imports of {', '.join(HOOK_PACKAGES)}"
)


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
    page: Page = Page(limit=20, sorts=tuple(_HOOK_SORTS)),
) -> Answer[HooksData]:
    """React and Vue hooks (`use…`): signature, hooks they are made of, how many use them."""
    with opened_index(call) as reader:
        found = find_hooks(reader, search or "")
        is_known = bool(found.own or found.outside) or imports_hooks(reader)
    if not is_known:
        return Answer(
            "Whether there are hooks is not known: no framework with hooks was recognised", _UNKNOWN_HOOKS
        )
    shown, pagination = sort_page(call, page, found.own, sorts=_HOOK_SORTS)
    return Answer(
        f"{plural(len(found.own), 'hook')} of the project, {len(found.outside)} from packages",
        HooksData(shown, found.outside[:_MOST_OUTSIDE]),
        pagination=pagination,
        next=tuple(
            call.suggest("drift_signature", "read one", symbol=f"{row.file}:{row.line}", include_body=True)
            for row in shown[:1]
        ),
    )


@dataclass(frozen=True, slots=True)
class MiddlewareData:
    """Middleware by place, and how much there is of each role; null where no known framework is used, with the reason."""

    middleware: tuple[MiddlewareRow, ...] | None
    roles: dict[str, int] | None
    reason: str | None = None


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
    page: Page = Page(limit=20, sorts=tuple(_MIDDLEWARE_SORTS)),
) -> Answer[MiddlewareData]:
    """Middleware, guards, interceptors and filters of known web frameworks, with what gave each away."""
    _require_known(framework)
    with opened_index(call) as reader:
        every = find_middleware(reader)
        frameworks = find_frameworks(reader)
    if not every:
        return _none_found(frameworks)
    words = (search or "").lower()
    found = [
        row
        for row in every
        if (framework is None or row.framework.lower() == framework.lower())
        and words in f"{row.name} {row.file}".lower()
    ]
    shown, pagination = sort_page(call, page, found, sorts=_MIDDLEWARE_SORTS)
    roles = Counter(row.role for row in found)
    return Answer(
        f"{plural(len(found), 'piece')} of middleware in {plural(len({row.file for row in found}), 'file')}",
        MiddlewareData(shown, dict(roles.most_common())),
        pagination=pagination,
        warnings=_other_frameworks(framework, every) if not found else (),
    )


def _require_known(framework: str | None) -> None:
    names = known_frameworks()
    if framework is not None and framework.lower() not in {name.lower() for name in names}:
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"framework: got {framework!r}; known are {', '.join(names)}",
            Recovery(details={"argument": "framework"}),
        )


def _none_found(frameworks: Frameworks) -> Answer[MiddlewareData]:
    """The answer where nothing was found: that there is none, as far as it can be told, or that it cannot."""
    looked = f"looked for: middleware of {', '.join(frameworks.known)}" if frameworks.known else _NO_LANGUAGE
    if frameworks.imported:
        named = ", ".join(frameworks.imported)
        return Answer(
            f"No middleware in the forms that are known of {named}",
            MiddlewareData((), {}),
            warnings=(f"{looked}; written in another way it is not seen",),
        )
    return Answer(
        "Whether there is middleware is not known: no framework was recognised",
        MiddlewareData(None, None, f"the project imports no framework whose middleware is known; {looked}"),
        next=(NextAction("drift_context", _ASK, "find it by words", "low"),),
    )


def _other_frameworks(framework: str | None, every: tuple[MiddlewareRow, ...]) -> tuple[str, ...]:
    known = ", ".join(sorted({row.framework for row in every}))
    return (f"there is middleware of {known}, none of {framework}",) if framework is not None else ()
