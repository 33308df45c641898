"""Prefixes of Rust's routes: scopes in scopes, routers in routers, functions that give or take a router.

    scope("/api").service(scope("/users").route("/{id}", get().to(show)))     // in one expression
    Router::new().nest("/users", users::router())                             // a function's routes
    rocket.mount("/api", routes![list, show])                                 // handlers one by one

What stands in one expression is joined here. A function that others mount, and a handler with a path of its own, is
a router by its symbol, so that prefixes are joined across files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Mount
from drift.languages.frameworks import join_route, load_frameworks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drift.languages.expressions import Expression
    from drift.languages.facts import Call
    from drift.languages.rust.walk import RustWalk

_FRAMEWORKS: Final = load_frameworks("rust")
_RULES: Final = _FRAMEWORKS.mounts
MOUNTING_NAMES: Final = frozenset(_RULES)
_SCOPES: Final = _FRAMEWORKS.names("routes", "scopes")
_MAKERS: Final = _SCOPES | _FRAMEWORKS.names("routes", "makers")
_LISTING: Final = _FRAMEWORKS.texts("routes", "listing")
_SIGNS: Final = tuple(sign.encode() for sign in _FRAMEWORKS.texts("routes", "signs"))
_MOST_LINKS: Final = 400  # a router may have that many routes
_MOST_DEPTH: Final = 12


def links(rust: RustWalk, value: Expression) -> Iterator[tuple[int, Call]]:
    """The calls of a chain, the last one first."""
    for _ in range(_MOST_LINKS):
        if value is None or value[0] != "result":
            return
        call = rust.calls[value[1]]
        yield value[1], call
        value = call.callee[1] if call.callee is not None and call.callee[0] == "member" else None


def note_mount(rust: RustWalk, callee: Expression, *, values: list[Expression], call: int) -> None:
    """Note what a call with one of `MOUNTING_NAMES` puts below its receiver."""
    if callee is None or callee[0] != "member" or not values or not _has_routers(rust):
        return
    rule = _RULES[callee[2]]
    prefix = rust.strings.get(call, "") if rule.prefix else ""
    value = _kept_value(rust, values[-1])
    root = _root(rust, value)
    if root is None:
        if value is not None and value[0] in {"name", "member"}:
            rust.mounted.append((rust.scope, rust.calls[call].line, prefix, value, callee[1]))
        return
    made = rust.calls[root].callee
    if made is None or made[-1] in _MAKERS:
        rust.nested[root] = (callee[1], prefix)
        return
    routers: list[Expression] = [made]
    if rust.calls[root].text.endswith(_LISTING):
        routers = [given for _, given in rust.calls[root].arguments]
        del rust.mounted[len(rust.mounted) - len(routers) :]  # which the list noted as mounted nowhere
    for each in routers:
        rust.mounted.append((rust.scope, rust.calls[call].line, prefix, each, callee[1]))


def _has_routers(rust: RustWalk) -> bool:
    """Whether the file speaks of a framework with routes: the names of what mounts are those of many things."""
    if rust.has_routers is None:
        rust.has_routers = any(sign in rust.text.source for sign in _SIGNS)
    return rust.has_routers


def note_list(rust: RustWalk, call: int) -> None:
    """`routes![list, show]` in a function that others mount."""
    if rust.calls[call].text.endswith(_LISTING):
        for _, handler in rust.calls[call].arguments:
            rust.mounted.append((rust.scope, rust.calls[call].line, "", handler, None))


def settle_mounts(rust: RustWalk) -> None:
    """Turn what was mounted into facts, now that every expression is known whole."""
    for scope, line, prefix, router, receiver in rust.mounted:
        whole = _joined(prefix_of(rust, receiver), prefix)
        rust.mounts.append(Mount(scope, line, "under", whole, router, ("symbol", scope)))


def prefix_of(rust: RustWalk, receiver: Expression) -> str:
    """What stands before the paths of a router in the expressions around it."""
    prefix = ""
    for _ in range(_MOST_DEPTH):
        root = _root(rust, _kept_value(rust, receiver))
        if root is None:
            break
        made = rust.calls[root].callee
        if made is not None and made[-1] in _SCOPES:
            prefix = _joined(rust.strings.get(root, ""), prefix)
        if root not in rust.nested:
            break
        receiver, outer = rust.nested[root]
        prefix = _joined(outer, prefix)
    return prefix


def _joined(prefix: str, path: str) -> str:
    return join_route(prefix, path) if prefix.strip("/") or path.strip("/") else ""


def _root(rust: RustWalk, value: Expression) -> int | None:
    """The call that a chain begins with."""
    number = None
    for number, _ in links(rust, value):  # noqa: B007 - the last one counts
        pass
    return number


def _kept_value(rust: RustWalk, value: Expression) -> Expression:
    """Of a variable what it was declared with."""
    if value is None or value[0] != "name":
        return value
    found = [each.value for each in rust.bindings if each.name == value[1] and each.scope == rust.scope]
    return found[-1] if found and found[-1] is not None and found[-1][0] == "result" else value
