"""Framework parts: hooks of user interfaces, middleware of servers."""

from collections import Counter
from dataclasses import dataclass
from typing import Annotated

from drift.analyses.hooks import HookRow, OutsideHookRow, find_hooks, hook_key
from drift.analyses.middleware import MiddlewareRow, find_middleware
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, tool
from drift.tools.listing import page_rows
from drift.tools.targets import opened_index

_MOST_OUTSIDE = 10


@dataclass(frozen=True, slots=True)
class HooksData:
    """The project's own hooks, most used first, and the ten most imported ones of packages."""

    hooks: tuple[HookRow, ...]
    outside: tuple[OutsideHookRow, ...]


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
    page: Page = Page(limit=20),
) -> Answer[HooksData]:
    """React and Vue hooks (`use…`): signature, hooks they are made of, how many use them."""
    with opened_index(call) as reader:
        found = find_hooks(reader, search or "")
    shown, pagination = page_rows(call, page, found.own, key=hook_key)
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
    """Middleware by place, and how much there is of each role."""

    middleware: tuple[MiddlewareRow, ...]
    roles: dict[str, int]


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
    page: Page = Page(limit=20),
) -> Answer[MiddlewareData]:
    """Middleware, guards, interceptors and filters of known web frameworks, with what gave each away."""
    with opened_index(call) as reader:
        every = find_middleware(reader)
    words = (search or "").lower()
    found = [
        row
        for row in every
        if (framework is None or row.framework.lower() == framework.lower())
        and words in f"{row.name} {row.file}".lower()
    ]
    shown, pagination = page_rows(call, page, found, key=lambda row: (row.file, row.line, row.name))
    roles = Counter(row.role for row in found)
    return Answer(
        f"{plural(len(found), 'piece')} of middleware in {plural(len({row.file for row in found}), 'file')}",
        MiddlewareData(shown, dict(roles.most_common())),
        pagination=pagination,
        warnings=_other_frameworks(framework, every) if not found else (),
    )


def _other_frameworks(framework: str | None, every: tuple[MiddlewareRow, ...]) -> tuple[str, ...]:
    known = sorted({row.framework for row in every})
    if framework is None or not known:
        return ()
    return (f"there is middleware of {', '.join(known)}, none of {framework}",)
