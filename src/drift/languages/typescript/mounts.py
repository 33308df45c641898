"""Prefixes of routers: those they are made with, and those of the places where they are mounted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Mount
from drift.languages.frameworks import is_path, load_frameworks
from drift.languages.kinds import FUNCTION_KINDS
from drift.languages.typescript.applications import APPLICATION_KINDS, note_application
from drift.languages.typescript.literals import string_value, texts_of
from drift.languages.typescript.row_loops import expression_of, loop_around

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Call
    from drift.languages.frameworks import MountRule
    from drift.languages.typescript.walk import Walk

_RULES: Final = load_frameworks("typescript").mounts
_CONSTRUCTORS: Final = load_frameworks("typescript").names("routes", "constructors")
_MOST_STEPS: Final = 200  # back along a chain of calls, to what they are made on
_MOST_CHARACTERS: Final = 100


def note_mount(walk: Walk, index: int, arguments: Node) -> None:
    """Note the prefix that a call gives to a router."""
    call = walk.calls[index]
    callee = call.callee
    if callee is None:
        return
    last = f"new {call.text}" if call.kind == "new" else callee[-1]
    rule = (_RULES.get(call.text) or _RULES.get(last)) if isinstance(last, str) else None
    if rule is None:
        return
    if rule.kind in APPLICATION_KINDS:
        note_application(walk, call, rule, arguments)
        return
    prefix = _prefix(walk, call, rule, arguments)
    if not rule.router:
        if prefix and is_path(prefix):
            walk.router_prefixes[index] = prefix
    elif callee[0] == "member":
        routers = _mounted_by_rows(walk, rule, arguments)
        router = None if routers or prefix is None else _mounted(walk, call, rule)
        for before, each in routers or ([(prefix or "", router)] if router is not None else []):
            walk.mounts.append(Mount(walk.scope, call.line, rule.kind, before, each, callee[1]))


def _mounted_by_rows(walk: Walk, rule: MountRule, arguments: Node) -> list[tuple[str, Expression]]:
    """The prefixes and routers that a loop takes from rows, if it does."""
    nodes = [child for child in arguments.named_children if child.type != "comment"]
    if len(nodes) < 2 or nodes[0].type not in {"identifier", "member_expression"}:  # noqa: PLR2004 - a prefix and a router
        return []
    selectors = (rule.prefix[0], rule.router[0])
    loop = loop_around(walk, arguments)
    if loop is None or not all(isinstance(each, int) for each in selectors):
        return []
    prefix, router = (nodes[each] for each in selectors if isinstance(each, int))
    found = [
        (string_value(walk, loop.value(row, prefix)), expression_of(walk, loop.value(row, router)))
        for row in loop.rows
    ]
    return [(text, each) for text, each in found if text is not None and each is not None]


def _prefix(walk: Walk, call: Call, rule: MountRule, arguments: Node) -> str | None:
    """The prefix, empty where none is given; None where the first argument of a mount is something else."""
    selector = rule.prefix[0]
    nodes = [child for child in arguments.named_children if child.type != "comment"]
    if isinstance(selector, str):
        objects = [node for node in nodes if node.type == "object"]
        return texts_of(walk, objects[-1]).get(selector, "") if objects else ""
    if not nodes or (rule.router and len(nodes) == 1):
        return ""
    text = string_value(walk, nodes[0])
    if text is not None:
        return text if is_path(text) or not rule.router else f"/{text}"
    if call.arguments[0][1] is None or nodes[0].type == "template_string":
        return f"<{walk.text.brief(nodes[0], _MOST_CHARACTERS)}>"
    return "" if nodes[0].type == "identifier" else None


def _mounted(walk: Walk, call: Call, rule: MountRule) -> Expression:
    """The router among the arguments: a name, a member, or what a router gives of itself."""
    place = rule.router[0]
    values = [value for _, value in call.arguments]
    if not isinstance(place, int) or place >= len(values):
        return None
    value = values[place]
    if value is not None and value[0] == "result":
        callee = walk.calls[value[1]].callee
        if callee is None or walk.calls[value[1]].kind != "call":
            return None
        value = callee  # a function gives a router that is made in it
        if callee[0] == "member" and callee[2] in rule.members:
            value = callee[1]
    return value if value is not None and value[0] in {"member", "name", "symbol"} else None


def find_mounts(walk: Walk) -> tuple[Mount, ...]:
    """All mounts, with routers by the names of the variables or functions that hold them."""
    own = [
        Mount(0, walk.calls[index].line, "own", prefix, ("name", name))
        for index, prefix in walk.router_prefixes.items()
        if (name := _names_by_root(walk).get(_root(walk, ("result", index))))
    ]
    mounted = [
        mount._replace(
            router=named_router(walk, mount.router, mount.scope),
            into=named_router(walk, mount.into, mount.scope),
        )
        for mount in walk.mounts
    ]
    return tuple(dict.fromkeys((*own, *mounted)))


def named_router(walk: Walk, router: Expression, scope: int) -> Expression:
    """A router by its name: of a chain of calls the variable it is kept in, of a parameter its function."""
    root = _root(walk, router)
    if root is None:
        return None
    if root[0] == "result":
        name = _names_by_root(walk).get(root)
        made_in = walk.calls[root[1]].scope
        if made_in and walk.symbols[made_in].kind in FUNCTION_KINDS:
            return ("symbol", made_in)  # who calls the function mounts what it gives
        return ("name", name) if name is not None else None
    if root[0] == "name" and (made := _made_in(walk, root[1], scope)) is not None:
        return ("symbol", made)
    if root[0] == "name":
        around = scope
        while around:
            if any(each.name == root[1] for each in walk.symbols[around].parameters):
                return ("symbol", around)
            around = walk.symbols[around].parent
    return root


def _made_in(walk: Walk, name: str, scope: int) -> int | None:
    """The function around in which a variable is given a new router."""
    while scope:
        if name in walk.local_names.get(scope, ()):
            value = walk.values_by_name.get(name)
            is_made = (
                value is not None and value[0] == "result" and walk.calls[value[1]].text in _CONSTRUCTORS
            )
            return scope if is_made and walk.symbols[scope].kind in FUNCTION_KINDS else None
        scope = walk.symbols[scope].parent
    return None


def _root(walk: Walk, value: Expression) -> Expression:
    """What a chain of calls is made on: a variable, or the call that makes a router."""
    for _ in range(_MOST_STEPS):
        if value is not None and value[0] == "awaited":
            value = value[1]
        elif value is None or value[0] != "result":
            return value
        else:
            call = walk.calls[value[1]]
            if call.callee is None or call.callee[0] != "member" or call.text in _CONSTRUCTORS:
                return value
            value = call.callee[1]
    return None


def _names_by_root(walk: Walk) -> dict[Expression, str]:
    """The variables that hold what a chain of calls on a new router gives."""
    if walk.router_names is None:
        walk.router_names = {
            root: name
            for name, value in walk.values_by_name.items()
            if value is not None
            and value[0] == "result"
            and (root := _root(walk, value)) is not None
            and root[0] == "result"
        }
    return walk.router_names
