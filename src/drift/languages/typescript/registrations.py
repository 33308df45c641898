"""Entry points that the whole file decides: handlers by name, decorated methods, routes by path, main."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import Expression
from drift.languages.facts import EntryPoint, Symbol
from drift.languages.frameworks import (
    describe,
    find_rule,
    join_route,
    load_frameworks,
    routes,
)
from drift.languages.typescript.decorated_paths import controller_paths, versioned, written_paths
from drift.languages.typescript.file_routes import routed_by_path
from drift.languages.typescript.mounts import named_router
from drift.languages.typescript.page_routes import PAGE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drift.languages.facts import Decorator
    from drift.languages.frameworks import Selector
    from drift.languages.typescript.names import Names
    from drift.languages.typescript.walk import Registration, Walk

_TEXT: Final = re.compile(
    r"\(\s*(?:\{[^{}]{0,500}?\b(?:path|cmd|name|cronTime)\s*:\s*)?(['\"`])(.{0,1000}?)\1", re.DOTALL
)
_FRAMEWORKS: Final = load_frameworks("typescript")
_CONTROLLERS: Final = _FRAMEWORKS.names("routes", "controllers")
_MAINS: Final = _FRAMEWORKS.names("main", "names")
_RUN_DIRECTLY: Final = (b"require.main === module", b"require.main == module", b"import.meta.main")
_MOST_STEPS: Final = 8


def find_entry_points(walk: Walk, names: Names, path: str) -> tuple[EntryPoint, ...]:
    """All entry points, in the order of the file, each once."""
    found = [
        *walk.entry_points,
        *(_settle(walk, names, registration) for registration in walk.registrations),
        *_decorated(walk),
        *(_declared_here(walk, names, entry) for entry in routed_by_path(walk, path)),
        *_invoked_by_cloud(walk),
        *_run_directly(walk, names),
    ]
    return tuple(sorted(dict.fromkeys(found), key=lambda entry: (entry.line, entry.symbol, entry.detail)))


def _settle(walk: Walk, names: Names, registration: Registration) -> EntryPoint:
    """Who the handler is; one that another file holds is left to linking."""
    scope, handler, kind, detail, line, router = registration
    # Of a page it matters, too, who names what it shows: that is no use of it.
    index = None if detail.startswith(PAGE) else _function_of(walk, names, scope, handler)
    if index is None:
        return EntryPoint(scope, kind, detail, line, handler, named_router(walk, router, scope))
    return EntryPoint(index, kind, detail, line, None, named_router(walk, router, scope))


def _declared_here(walk: Walk, names: Names, entry: EntryPoint) -> EntryPoint:
    """An entry point at its handler, where the file declares that; else as it is, for linking to find."""
    index = _function_of(walk, names, entry.symbol, entry.handler)
    return entry if index is None else entry._replace(symbol=index, handler=None)


def _function_of(walk: Walk, names: Names, scope: int, handler: Expression) -> int | None:
    for _ in range(_MOST_STEPS):
        if handler is None:
            return None
        if handler[0] == "symbol":
            return handler[1]
        if handler[0] == "name":
            return names.symbol_of(scope, handler[1])
        if handler[0] == "member":
            return _method_of(walk, scope, handler[2]) if handler[1] == ("this",) else None
        if handler[0] == "result":  # a wrapper around the handler: asyncHandler(fn)
            arguments = walk.calls[handler[1]].arguments
            handler = arguments[0][1] if arguments else None
        else:
            handler = handler[1] if handler[0] == "partial" else None
    return None


def _method_of(walk: Walk, scope: int, name: str) -> int | None:
    """The method that `this.name` is, in the class around."""
    while scope and walk.symbols[scope].kind != "class":
        scope = walk.symbols[scope].parent
    return next(
        (
            index
            for index, symbol in enumerate(walk.symbols)
            if index and symbol.parent == scope and symbol.name == name and symbol.kind == "method"
        ),
        None,
    )


class _Site:
    """A decorator, as the matcher asks about it: its text is what is known of its arguments."""

    is_call = True
    receiver = ""

    def __init__(self, walk: Walk, decorator: Decorator, owner: Symbol) -> None:
        self._walk = walk
        self._text = decorator.text
        self.name = decorator.name.rpartition(".")[2]
        self.owners = [each.name for each in owner.decorators]

    def texts(self, selectors: tuple[Selector, ...]) -> list[str]:
        text = self.constant(selectors)
        return [] if text is None else [text]

    def constant(self, selectors: tuple[Selector, ...]) -> str | None:
        return _first_text(self._text) if selectors else None

    def written(self) -> str:
        return self._text

    def imports_any(self, packages: tuple[str, ...]) -> bool:
        return any(each.module.startswith(packages) for each in self._walk.imports)


def _decorated(walk: Walk) -> Iterator[EntryPoint]:
    for index, symbol in enumerate(walk.symbols):
        for decorator in symbol.decorators:
            rules = _FRAMEWORKS.decorators.get(decorator.name.rpartition(".")[2])
            if rules is None or symbol.kind not in {"method", "class"}:
                continue
            owner = walk.symbols[symbol.parent]
            site = _Site(walk, decorator, owner)
            rule = find_rule(rules, site)
            if rule is None:
                continue
            if rule.kind != "http" or rule.fallback:
                found = [describe(rule, site, symbol.name)]
            else:
                version, paths = versioned((symbol, owner)), written_paths(decorator.text)
                found = [
                    detail
                    for prefix in controller_paths(owner, _CONTROLLERS)
                    for detail in routes(rule, site, join_route(version, prefix), paths=paths)
                ]
            # What the routes of a class are added to is the class, which modules mount by its name.
            router: Expression = (
                ("symbol", symbol.parent) if rule.kind == "http" and not rule.fallback else None
            )
            for detail in found:
                yield EntryPoint(index, rule.kind, detail, decorator.line, None, router)


def _first_text(text: str) -> str | None:
    match = _TEXT.search(text)
    return match.group(2) if match else None


def _invoked_by_cloud(walk: Walk) -> Iterator[EntryPoint]:
    """The handler of a file that speaks AWS Lambda's types."""
    if not any(found.module == "aws-lambda" for found in walk.imports):
        return
    for index, symbol in enumerate(walk.symbols):
        if symbol.name == "handler" and "exported" in symbol.modifiers:
            yield EntryPoint(index, "event", "lambda handler", symbol.line)


def _run_directly(walk: Walk, names: Names) -> Iterator[EntryPoint]:
    if walk.source.startswith(b"#!") or any(mark in walk.source for mark in _RUN_DIRECTLY):
        yield EntryPoint(0, "main", "", 1)
    for call in walk.calls:
        if (
            call.scope == 0
            and call.callee is not None
            and call.callee[0] == "name"
            and call.callee[1] in _MAINS
        ):
            index = names.symbol_of(0, call.text)
            if index is not None:
                yield EntryPoint(index, "main", call.text, call.line)
