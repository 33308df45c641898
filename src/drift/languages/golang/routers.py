"""Routers of Go: the paths that groups put before their routes, and the functions that routers are handed to.

A router is known by the function that has it, as a parameter or as a variable of its own: that is what another
file names when it hands a group over (`users.Register(v1.Group("/users"))`) or mounts what a function gives.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from drift.languages.facts import Mount
from drift.languages.frameworks import load_frameworks

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.golang.walk import GoWalk

_FRAMEWORKS: Final = load_frameworks("go")
GROUPS: Final = _FRAMEWORKS.names("routes", "groups")
MOUNTING: Final = frozenset(_FRAMEWORKS.mounts)
_FILLED: Final = _FRAMEWORKS.names("routes", "filled")
_PACKAGES: Final = _FRAMEWORKS.texts("routes", "packages")
_TYPES: Final = _FRAMEWORKS.texts("routes", "types")
# What adds the routes of a group: a function written there, one of the package, or a method of an object.
_FUNCTIONS: Final = frozenset({"symbol", "name", "member"})
_MOST_LINKS: Final = 200
_MOST_PARTS: Final = 40  # of a path that is put together
_MOST_COMPUTED: Final = 60
_MOST_NESTED: Final = 8
_MOUNTED: Final = re.compile(
    rf'\b(\w{{1,60}})\.(?:{"|".join(sorted(MOUNTING))})\(\s{{0,20}}(?:[\w.]{{1,60}}\s{{0,3}}\+\s{{0,3}})?"([^"\n]{{0,200}})"\s{{0,9}},\s{{0,20}}(\w{{1,60}})\s{{0,9}}\)'
)
_METHOD: Final = re.compile(r"\w{1,30}\.(?:Method)?([A-Z][A-Za-z]{2,9})")  # http.MethodGet, echo.GET


def constant_part(go: GoWalk, node: Node | None) -> str | None:
    """A path by what of it is written there: all of a literal, the literals of `settings.Base + "/api"`.

    What is computed and begins a part of its own stands as it is written, in angle brackets.
    """
    whole = go.string_of(node)
    if whole is not None or node is None or node.type != "binary_expression":
        return whole
    parts: list[str] = []
    waiting = [node]
    for _ in range(_MOST_PARTS):
        if not waiting:
            break
        each = waiting.pop()
        if each.type == "binary_expression":
            waiting += [
                side for side in (each.child_by_field_name("right"), each.child_by_field_name("left")) if side
            ]
        elif (text := go.string_of(each)) is not None:
            parts.append(text)
        elif parts and parts[-1].endswith("/"):
            parts.append(f"<{go.text.brief(each, _MOST_COMPUTED)}>")
    return "".join(parts) if parts else None


def texts_in(go: GoWalk, node: Node) -> list[str]:
    """The text that is written there, or those of a list; a constant for a method of HTTP is that method."""
    if node.type == "composite_literal":
        body = node.child_by_field_name("body")
        elements = body.named_children[:_MOST_PARTS] if body is not None else []
        return [text for each in elements for inner in each.named_children for text in texts_in(go, inner)]
    method = _METHOD.fullmatch(go.text.brief(node, _MOST_COMPUTED))
    text = method[1].upper() if method is not None else constant_part(go, node)
    return [] if text is None else [text]


def join_parts(*parts: str) -> str:
    """Parts of a path with one slash between them, as far as they say anything."""
    whole = ""
    for part in parts:
        whole = f"{whole.removesuffix('/')}/{part.removeprefix('/')}" if whole and part else whole or part
    return whole


def prefix_of(go: GoWalk, router: Expression) -> str:
    """The path that the router a value is puts before its routes, as far as this function says it."""
    parts: list[str] = []
    for _ in range(_MOST_LINKS):
        if router is None or router[0] != "result":
            break
        callee = go.calls[router[1]].callee
        if callee is None or callee[0] != "member":
            break
        if callee[2] in GROUPS:
            parts.append(go.group_paths.get(router[1], ""))
        router = callee[1]
    if router is not None and router[0] == "name":
        parts.append(go.prefixes.get((go.locals.get(router[1], 0), router[1]), ""))
        parts += _mounted_under(go, router[1])
    return join_parts(*reversed(parts))


def _mounted_under(go: GoWalk, name: str) -> list[str]:
    """The paths that a variable of the function is mounted under, the nearest first."""
    found: list[str] = []
    for _ in range(_MOST_NESTED):
        outer, path = go.mounted.get(name, ("", ""))
        if not outer:
            break
        found.append(path)
        name = outer
    return found


def find_mounted(go: GoWalk, function: Node) -> dict[str, tuple[str, str]]:
    """The variables that a function mounts, mostly after their routes are added: on which, and under which path."""
    if not has_routers(go):
        return {}
    places = _MOUNTED.findall(go.text.text(function))
    names = [name for _, _, name in places]
    return {name: (outer, path) for outer, path, name in places if names.count(name) == 1 and outer != name}


def router_of(go: GoWalk, router: Expression) -> Expression:
    """A router by the function that has it, a variable of the package or a field by its name."""
    for _ in range(_MOST_LINKS):
        if router is None or router[0] != "result":
            break
        callee = go.calls[router[1]].callee
        router = callee[1] if callee is not None and callee[0] == "member" else None
    if router is None or (router[0] == "name" and go.package_of(router)):
        return ("symbol", go.scope)  # made where it stands
    if router[0] != "name":
        return router
    owner = go.locals.get(router[1], 0)
    return ("symbol", owner) if owner else router


def note_router(go: GoWalk, name: str, value: Expression) -> None:
    """Remember what a variable that holds a group of routes puts before them."""
    place = (go.locals.get(name, 0), name)
    if value is not None and value[0] == "result" and (prefix := prefix_of(go, value)):
        go.prefixes[place] = prefix
    else:
        go.prefixes.pop(place, None)


def note_group(
    go: GoWalk, callee: tuple[Any, ...], *, values: list[Expression], path: str | None, call: int
) -> None:
    """Note the path of a group, and the function that adds the routes to it: `r.Route("/users", func(r chi.Router) {`."""
    if callee[0] != "member":
        return
    name = callee[2]
    if name in GROUPS and path is not None:
        go.group_paths[call] = path
    rule = _FRAMEWORKS.mounts.get(name)
    if rule is None and name not in GROUPS:
        return
    value = values[-1]
    if rule is not None and value is not None and value[0] == "result":
        value = go.calls[value[1]].callee  # what gives the router
    elif value is None or value[0] not in (_FUNCTIONS if _is_filled(name, values) else {"symbol"}):
        return
    if path is not None or value == values[0]:
        prefix = join_parts(prefix_of(go, callee[1]), path or "")
        line = go.calls[call].line
        go.mounts.append(Mount(go.scope, line, "under", prefix, value, router_of(go, callee[1])))


def _is_filled(name: str, values: list[Expression]) -> bool:
    """Whether a group is given a function that adds routes to it, and none that stands before them."""
    return name in _FILLED or (name in GROUPS and len(values) == 1)


def has_routers(go: GoWalk) -> bool:
    """Whether the file may hand routers to functions; asked at every call."""
    if go.has_routers is None:
        go.has_routers = go.imports_any(_PACKAGES)
    return go.has_routers


def note_handed_router(go: GoWalk, callee: tuple[Any, ...], values: list[Expression], *, line: int) -> None:
    """Note a function that is given a group, or the router that its caller was given: of both the group."""
    prefixes = [(prefix_of(go, value), value) for value in values]
    handed = next((each for each in prefixes if each[0]), None) or next(
        (each for each in prefixes if _is_given(go, each[1])), None
    )
    if handed is not None:
        prefix, value = handed
        go.mounts.append(Mount(go.scope, line, "under", prefix, callee, router_of(go, value)))


def _is_given(go: GoWalk, value: Expression) -> bool:
    """Whether a value is a parameter with the type of a router."""
    if value is None or value[0] != "name":
        return False
    owner = go.locals.get(value[1], 0)
    return bool(owner) and any(
        each.name == value[1] and (each.type_text or "").endswith(_TYPES)
        for each in go.symbols[owner].parameters
    )
