"""Calls of Python, and the few functions whose result is known from how they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Binding
from drift.languages.python.environment import READERS, note_call_read
from drift.languages.python.registrations import REGISTRARS, note_registration
from drift.languages.python.strings import joined_value
from drift.languages.python.targets import note_exports
from drift.languages.python.type_forms import either, type_value
from drift.languages.python.walk import member_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.facts import Expression
    from drift.languages.python.walk import Walk

    Arguments = tuple[tuple[str | None, Expression], ...]


def visit_call(walk: Walk, node: Node) -> Expression:
    children = node.children
    function, given = children[0], children[-1]
    callee, place = visit_callee(walk, function)
    arguments = _visit_arguments(walk, given)
    number = walk.add_call(place, callee, text=walk.callee_text(function), arguments=arguments)
    if callee is None or callee[0] not in {"name", "member"}:
        return ("result", number)
    last: str = callee[-1]
    if last in READERS:
        note_call_read(walk, node, callee=callee, arguments=given)
    if last in REGISTRARS:
        note_registration(walk, node, last=last, callee=callee, arguments=given)
    if walk.scope == 0 and callee[1] == ("name", "__all__") and last in {"append", "extend"}:
        for argument in given.named_children:
            note_exports(walk, argument)
    special = _SPECIAL.get(last)
    value = special(walk, given, arguments) if special is not None else None
    return value if value is not None else ("result", number)


def visit_callee(walk: Walk, node: Node) -> tuple[Expression, Node]:
    """What is called, and the node of the name that says so; a plain path is no reference beside."""
    members: list[str] = []
    place = node
    while node.type == "attribute":
        children = node.children
        members.append(walk.name(children[-1]))
        if len(members) == 1:
            place = children[-1]
        node = children[0]
    value: Expression
    if node.type == "identifier":
        name = walk.name(node)
        value = ("this",) if name == walk.receiver else ("name", name)
    else:
        value = (
            _without_type_arguments(walk, node)
            if node.type == "subscript" and not members
            else walk.visit(node)
        )
    if value is None and members:
        return ("member", None, members[0]), place  # the name alone may still tell
    return member_of(value, members), place


def _without_type_arguments(walk: Walk, node: Node) -> Expression:
    """`Box[int]` in `Box[int]()` is the class itself; `HANDLERS[key]` is an element."""
    value = walk.visit(node)
    if value is None or value[0] != "item" or value[1][0] not in {"name", "member"}:
        return value
    last: str = value[1][-1]
    is_class_name = last[:1].isupper() and not last.isupper()
    return value[1] if is_class_name else value


def _visit_arguments(walk: Walk, node: Node) -> Arguments:
    """Values by keyword. `*` and `**` as keyword mark what is spread, whose place is not known."""
    if node.type == "generator_expression":
        return ((None, walk.visit(node)),)
    arguments: list[tuple[str | None, Expression]] = []
    for argument in node.named_children:
        match argument.type:
            case "comment":
                continue
            case "keyword_argument":
                parts = argument.children
                arguments.append((walk.name(parts[0]), walk.visit(parts[-1])))
            case "list_splat":
                arguments.append(("*", walk.visit(argument.children[-1])))
            case "dictionary_splat":
                arguments.append(("**", walk.visit(argument.children[-1])))
            case _:
                arguments.append((None, walk.visit(argument)))
    return tuple(arguments)


def _see_super(_walk: Walk, _given: Node, _arguments: Arguments) -> Expression:
    return ("super",)


def _see_partial(_walk: Walk, _given: Node, arguments: Arguments) -> Expression:
    return ("partial", arguments[0][1]) if arguments and arguments[0][1] is not None else None


def _see_cast(walk: Walk, given: Node, arguments: Arguments) -> Expression:
    nodes = given.named_children
    return type_value(walk, nodes[0]) if len(arguments) == len(nodes) == 2 else None  # noqa: PLR2004  # cast takes two


def _see_getattr(walk: Walk, given: Node, arguments: Arguments) -> Expression:
    nodes = given.named_children
    if len(arguments) < 2 or len(nodes) < 2 or arguments[0][1] is None:  # noqa: PLR2004  # an object and a name
        return None
    name = joined_value(nodes[1], walk.source)
    return ("member", arguments[0][1], name) if name and name.isidentifier() else None


def _see_isinstance(walk: Walk, given: Node, arguments: Arguments) -> Expression:
    """A local that is asked for its class may be of it: say so where the question stands."""
    nodes = given.named_children
    if len(arguments) == 2 and nodes and nodes[0].type == "identifier":  # noqa: PLR2004  # an object and its classes
        name = walk.name(nodes[0])
        classes = arguments[1][1]
        if name in walk.frame.names and classes is not None:
            parts = classes[1:] if classes[0] == "list" else (classes,)
            known = either([("instance", part) for part in parts if part and part[0] in {"name", "member"}])
            if known is not None:
                walk.bindings.append(Binding(walk.scope, name, known, walk.line(nodes[0])))
    return ("literal", "bool")


_SPECIAL: Final[dict[str, Callable[[Walk, Node, Arguments], Expression]]] = {
    "super": _see_super,
    "partial": _see_partial,
    "cast": _see_cast,
    "getattr": _see_getattr,
    "isinstance": _see_isinstance,
}
