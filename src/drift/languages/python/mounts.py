"""Prefixes of Python's routers: those they are made with, and those of the places where they are mounted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Mount
from drift.languages.frameworks import load_frameworks
from drift.languages.frameworks.rules import GLUED
from drift.languages.python.nested_routes import list_around, outer_path
from drift.languages.python.registrations import PythonSite
from drift.languages.python.strings import filled_value, joined_value
from drift.languages.python.type_forms import dotted

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.frameworks import MountRule
    from drift.languages.python.walk import Walk

_RULES: Final = load_frameworks("python").mounts
MOUNTING: Final = frozenset(_RULES)
_MOST_CHARACTERS: Final = 100
_THE_FILE: Final = ("symbol", 0)


def note_mount(walk: Walk, node: Node, *, callee: tuple[object, ...], arguments: Node) -> None:
    """Note the prefix that a call gives to a router. The call is the last that was noted."""
    name = str(callee[-1])
    rule = _RULES[name]
    site = PythonSite(walk, name, "", arguments)
    prefix = _prefix(walk, site, rule)
    if not rule.router:
        made = len(walk.calls) - 1
        above = site.argument(*rule.below) if rule.below else None
        if above is not None and above.type == "identifier":
            walk.routers_above[made] = walk.name(above)
        outer = site.argument(*rule.into)
        if outer is not None and outer.type in {"identifier", "attribute"}:
            walk.router_parents[made] = (prefix, dotted(walk.text.brief(outer, _MOST_CHARACTERS)))
        elif prefix:
            walk.router_prefixes[made] = prefix
        return
    router, file = _mounted(walk, site.argument(*rule.router), rule)
    if router is None and not file:
        return
    prefix = f"{outer_path(walk, node)}{prefix}"
    into: Expression = callee[1] if callee[0] == "member" else _THE_FILE  # type: ignore[assignment] # a form's second part
    listed = list_around(walk, node) if into == _THE_FILE else ""
    if listed:
        walk.listed_mounts[len(walk.mounts)] = listed
    walk.mounts.append(Mount(walk.scope, walk.line(node), rule.kind, prefix, router, into, file))


def note_router_prefixes(walk: Walk) -> None:
    """Note which variables hold the routers that were made with a prefix, now that all of them are known."""
    mounted = {one.router for one in walk.mounts} if walk.listed_mounts else ()
    for number, listed in walk.listed_mounts.items():
        if ("name", listed) in mounted:  # of a list that is mounted itself
            walk.mounts[number] = walk.mounts[number]._replace(into=("name", listed))
    _put_below(walk)
    for binding in walk.bindings if walk.router_prefixes or walk.router_parents else ():
        value = binding.value
        router: Expression = ("name", binding.name)
        made = value[1] if value is not None and value[0] == "result" else None
        if made in walk.router_parents:
            prefix, outer = walk.router_parents[made]
            walk.mounts.append(Mount(binding.scope, binding.line, "under", prefix, router, outer))
        elif made in walk.router_prefixes:
            prefix = walk.router_prefixes[made]
            walk.mounts.append(Mount(binding.scope, binding.line, "own", prefix, router))


def _put_below(walk: Walk) -> None:
    """Put the own prefix of a router before those of the routers that are nested in it, the outer ones first."""
    if not walk.routers_above:
        return
    made = {
        binding.name: binding.value[1]
        for binding in walk.bindings
        if binding.value is not None and binding.value[0] == "result"
    }
    for router, above in sorted(walk.routers_above.items()):
        outer = made.get(above, router)
        if outer < router:  # else it is made of itself, or further down
            parts = (walk.router_prefixes.get(outer, ""), walk.router_prefixes.get(router, ""))
            walk.router_prefixes[router] = "/".join(part.strip("/") for part in parts if part)


def _prefix(walk: Walk, site: PythonSite, rule: MountRule) -> str:
    named = site.argument(*rule.parameter) if rule.parameter else None
    parameter = joined_value(named, walk.source) if named is not None else None
    if parameter:
        given = site.constant(rule.prefix)
        return f"{(given or '').strip('/')}/{{{parameter}{rule.key}}}"
    node = site.argument(*rule.prefix)
    if node is None:
        name = site.argument(*rule.named)
        text = joined_value(name, walk.source) if name is not None else None
        return f"/{text}" if text else ""
    value = joined_value(node, walk.source)
    if value is not None:
        return value
    parts = filled_value(node, walk.source)
    written = parts if parts is not None else f"<{walk.text.brief(node, _MOST_CHARACTERS)}>"
    return f"{written}{GLUED}" if rule.is_glued and written.endswith(">") else written


def _mounted(walk: Walk, node: Node | None, rule: MountRule) -> tuple[Expression, str]:
    """The router that an argument is, or the file it names by its module."""
    if node is not None and rule.through:
        if (
            node.type != "call"
            or walk.text.brief(node.children[0], 60).rpartition(".")[2] not in rule.through
        ):
            return None, ""
        given = [child for child in node.children[-1].named_children if child.type != "comment"]
        node = given[0] if given else None
        if node is not None and node.type in {"tuple", "list"}:  # with the name of its application
            node = node.named_children[0] if node.named_child_count else None
    if node is None:
        return None, ""
    module = joined_value(node, walk.source)
    if module is not None:
        return None, module.replace(".", "/")
    if node.type not in {"identifier", "attribute"}:
        return None, ""
    written = walk.text.brief(node, _MOST_CHARACTERS)
    owner, _, last = written.rpartition(".")
    return dotted(owner if owner and last in rule.members else written), ""
