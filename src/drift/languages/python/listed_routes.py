"""Routes that a table of the file lists, and loops that hand its rows to a framework.

`API_ROUTES = [(CartList, "/carts/"), ...]` and, perhaps in another file, `for row in API_ROUTES: api.add_resource(*row)`,
or `Application([...])` of such a table.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.facts import Mount
from drift.languages.frameworks import load_frameworks
from drift.languages.python.strings import joined_value
from drift.languages.python.type_forms import dotted
from drift.languages.python.walk import Registered

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.python.walk import Walk

_TABLES: Final = load_frameworks("python").texts("tables", "names")
_NAMED: Final = re.compile("|".join(_TABLES), re.IGNORECASE)
_MOST_ROWS: Final = 2_000
_MOST_IN_ROW: Final = 5
_MOST_STEPS: Final = 12  # from a call to the loop around it
_MOST_CHARACTERS: Final = 100
_MOST_BINDINGS: Final = 500  # before a route, in which its router is looked for
_LISTS: Final = frozenset({"list", "tuple"})
_HANDLERS: Final = frozenset({"identifier", "attribute"})


def note_listed_routes(walk: Walk, name: str, table: Node) -> None:
    """Note the routes of a table by its rows: a path, and beside it the one name of a class or function."""
    if table.type not in _LISTS or _NAMED.fullmatch(name) is None:
        return
    for row in table.named_children[:_MOST_ROWS]:
        if row.type != "tuple" or row.named_child_count > _MOST_IN_ROW:
            continue
        parts = [each for each in row.named_children if each.type != "comment"]
        paths = [
            text
            for each in parts
            if each.type in {"string", "concatenated_string"}
            and (text := joined_value(each, walk.source)) is not None
            and text.startswith(("/", "^/"))
        ]
        handlers = [
            written
            for each in parts
            if each.type in _HANDLERS and (written := walk.text.brief(each, _MOST_CHARACTERS))
        ]
        if paths and len(handlers) == 1:
            for path in paths:
                walk.handler_names.append(
                    Registered(handlers[0], "http", f"ANY {path}", walk.line(row), ("name", name))
                )


def note_loop(walk: Walk, node: Node, *, callee: Expression, arguments: Node) -> None:
    """Note that the rows of a table are handed over by a call in a loop: the table is mounted into what is called."""
    if callee is None or callee[0] != "member":
        return
    names = {
        walk.name(each.named_children[0] if each.type == "list_splat" else each)
        for given in arguments.named_children
        for each in (given.children[-1] if given.type == "keyword_argument" else given,)
        if each.type == "identifier" or (each.type == "list_splat" and each.named_child_count == 1)
    }
    loop: Node | None = node.parent
    for _ in range(_MOST_STEPS):
        if loop is None or loop.type in {"for_statement", "function_definition", "class_definition"}:
            break
        loop = loop.parent
    if loop is None or loop.type != "for_statement":
        return
    left, right = loop.child_by_field_name("left"), loop.child_by_field_name("right")
    if left is None or right is None or right.type not in _HANDLERS:
        return
    bound = {walk.name(each) for each in (left, *left.named_children) if each.type == "identifier"}
    if bound.isdisjoint(names):
        return
    router = dotted(walk.text.brief(right, _MOST_CHARACTERS))
    prefix = local_prefix(walk, callee[1])
    walk.mounts.append(Mount(walk.scope, walk.line(node), "under", prefix, router, callee[1]))


def local_prefix(walk: Walk, router: Expression) -> str:
    """The prefix that a router which a function made and keeps to itself has of its own: `api = Api(app, prefix="/v1")`."""
    if walk.scope == 0 or router is None or router[0] != "name":
        return ""
    if not walk.router_prefixes and not walk.router_parents:
        return ""
    for binding in reversed(walk.bindings[-_MOST_BINDINGS:]):
        if binding.name == router[1] and binding.scope == walk.scope:
            value = binding.value
            if value is None or value[0] != "result":
                return ""
            return walk.router_prefixes.get(value[1], "") or walk.router_parents.get(value[1], ("", None))[0]
    return ""
