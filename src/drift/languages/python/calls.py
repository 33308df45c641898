"""Calls of Python, and the few functions whose result is known from how they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drift.languages.expressions import last_name
from drift.languages.facts import ANY_NAME, Binding
from drift.languages.python.dispatch import beginning_of_name
from drift.languages.python.environment import READERS, note_call_read
from drift.languages.python.kinds import (
    ATTRIBUTE,
    COMMENT,
    DICTIONARY_SPLAT,
    GENERATOR_EXPRESSION,
    IDENTIFIER,
    KEYWORD_ARGUMENT,
    LIST_SPLAT,
    SUBSCRIPT,
)
from drift.languages.python.members import read_path
from drift.languages.python.methods_run import COMPARING, METHODS_RUN
from drift.languages.python.mounts import MOUNTING, note_mount
from drift.languages.python.registrations import REGISTRARS, note_registration
from drift.languages.python.relations import RELATIONS, see_relation
from drift.languages.python.strings import is_path, joined_value
from drift.languages.python.targets import note_exports
from drift.languages.python.type_forms import either, type_value
from drift.languages.python.walk import MOST_LEVELS, is_too_nested

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.python.walk import Walk

    Arguments = tuple[tuple[str | None, Expression], ...]

_REGISTRIES: Final = frozenset(
    {"", "apps", "django_apps", "global_apps"}
)  # what the models of Django are asked of
_CHECKS: Final = frozenset({"isinstance", "issubclass"})
_SPREAD: Final = {LIST_SPLAT: "*", DICTIONARY_SPLAT: "**"}


def visit_call(walk: Walk, node: Node) -> Expression:
    children = node.children
    function, given = children[0], children[-1]
    callee, byte = visit_callee(walk, function)
    first = len(walk.references)
    arguments = _visit_arguments(walk, given)
    number = walk.add_call(byte, callee, text=walk.callee_text(function), arguments=arguments)
    if callee is None:
        return ("result", number)
    form, last = callee[0], callee[-1]
    if form == "name":
        if last in METHODS_RUN:
            _note_methods_run(walk, last, arguments, byte)
        elif last in _CHECKS and len(arguments) == 2:  # noqa: PLR2004  # an object and its classes
            walk.refer_as_types(first, given.named_children[-1])
    elif form != "member":
        return ("result", number)
    if last in _TELLING:
        value = _see(walk, node, callee=callee, arguments=arguments)
        if value is not None:
            return value
    return ("result", number)


def _see(walk: Walk, node: Node, *, callee: tuple[Any, ...], arguments: Arguments) -> Expression:
    """What a call says by the name of what it calls; its value, where that tells more than who gave it."""
    last, given = callee[-1], node.children[-1]
    if last in READERS:
        note_call_read(walk, node, callee=callee, arguments=given)
    if last in MOUNTING:
        note_mount(walk, node, callee=callee, arguments=given)
    if last in REGISTRARS:
        note_registration(walk, node, last=last, callee=callee, arguments=given)
    if walk.scope == 0 and callee[1] == ("name", "__all__") and last in _EXPORTERS:
        for argument in given.named_children:
            note_exports(walk, argument)
    special = _SPECIAL.get(last)
    return special(walk, given, arguments) if special is not None else None


def _note_methods_run(walk: Walk, builtin: str, arguments: Arguments, byte: int) -> None:
    """`len(x)` runs `x.__len__`; `max(a, b)` compares its arguments rather than going through the first."""
    if not arguments or arguments[0][0] is not None:
        return
    if builtin in COMPARING and len(arguments) > 1 and arguments[1][0] is None:
        return
    for method in METHODS_RUN[builtin]:
        walk.add_access(arguments[0][1], method, byte)


def visit_callee(walk: Walk, node: Node) -> tuple[Expression, int]:
    """What is called, and the byte where the name that says so stands; a plain path is no reference beside."""
    kind = node.kind_id
    start = node.start_byte
    if kind == IDENTIFIER:
        form = walk.name_forms[walk.source[start : node.end_byte]]
        return ("this",) if form[1] == walk.receiver else form, start
    if kind == SUBSCRIPT:
        return _without_type_arguments(walk, node), start
    if kind != ATTRIBUTE:
        return walk.visit(node), start
    children = node.children
    last = children[-1]
    start = last.start_byte
    name = walk.names[walk.source[start : last.end_byte]]
    owner = children[0]
    value, is_path = read_path(walk, owner)
    if value is None:
        return ("member", None, name), start  # the name alone may still tell
    if is_path and _names_class(value):
        walk.refer(owner.start_byte, value)
    return None if is_too_nested(value, 1) else ("member", value, name), start


def _names_class(path: Expression) -> bool:
    """Whether a part of a path is by its name a class or a constant: `Order.objects`, `models.Order.objects`."""
    while path is not None and path[0] == "member":
        if path[2][:1].isupper():
            return True
        path = path[1]
    return path is not None and path[0] == "name" and path[1][:1].isupper()


def _without_type_arguments(walk: Walk, node: Node) -> Expression:
    """`Box[int]` in `Box[int]()` is the class itself; `HANDLERS[key]` is an element."""
    value = walk.visit(node)
    if value is None or value[0] != "item":
        return value
    last = last_name(value[1])
    is_class_name = last[:1].isupper() and not last.isupper()
    return value[1] if is_class_name else value


def _visit_arguments(walk: Walk, node: Node) -> Arguments:
    """Values by keyword. `*` and `**` as keyword mark what is spread, whose place is not known."""
    if walk.level >= MOST_LEVELS and walk.is_too_deep(node):
        return ()
    if node.kind_id == GENERATOR_EXPRESSION:
        return ((None, walk.visit(node)),)
    walk.level += 1
    handlers = walk.handlers
    arguments: list[tuple[str | None, Expression]] = []
    for argument in node.named_children:
        kind = argument.kind_id
        keyword = None
        if kind == KEYWORD_ARGUMENT:
            parts = argument.children
            keyword, argument = walk.name(parts[0]), parts[-1]  # noqa: PLW2901 - what is passed is its last part
        elif kind in _SPREAD:
            keyword, argument = _SPREAD[kind], argument.children[-1]  # noqa: PLW2901 - as for keywords
        elif kind == COMMENT:
            continue
        arguments.append((keyword, handlers[argument.kind_id](walk, argument)))
    walk.level -= 1
    return tuple(arguments)


def _see_super(_walk: Walk, _given: Node, _arguments: Arguments) -> Expression:
    return ("super",)


def _see_partial(_walk: Walk, _given: Node, arguments: Arguments) -> Expression:
    return ("partial", arguments[0][1]) if arguments and arguments[0][1] is not None else None


def _see_cast(walk: Walk, given: Node, arguments: Arguments) -> Expression:
    nodes = given.named_children
    if len(arguments) != 2 or len(nodes) != 2:  # noqa: PLR2004  # cast takes two
        return None
    declared, value = type_value(walk, nodes[0]), arguments[1][1]
    # A type variable says nothing of what is cast to it.
    return ("first", declared, value) if declared is not None and value is not None else declared or value


def _see_getattr(walk: Walk, given: Node, arguments: Arguments) -> Expression:
    nodes = given.named_children
    if len(arguments) < 2 or len(nodes) < 2 or arguments[0][1] is None:  # noqa: PLR2004  # an object and a name
        return None
    name = joined_value(nodes[1], walk.source)
    if name is None:
        beginning = beginning_of_name(nodes[1], walk.source)
        return None if beginning is None else _family(arguments, beginning)
    if not name.isidentifier():
        return None
    walk.add_access(arguments[0][1], name, given.start_byte)
    default = joined_value(nodes[2], walk.source) if len(nodes) > 2 else None  # noqa: PLR2004  # behind the two
    member: Expression = ("member", arguments[0][1], name)
    # What a setting means that nobody sets: getattr(settings, "SHOP_MODEL", "shop.Order").
    return member if default is None or not is_path(default) else ("first", ("path", default), member)


def _see_get_model(walk: Walk, given: Node, _arguments: Arguments) -> Expression:
    """The model that texts name; what a migration or a test of one is handed knows others, with none of their methods."""
    called = given.parent.children[0] if given.parent is not None else given
    owner = walk.text.brief(called, 100).rpartition(".")[0].rpartition(".")[2]
    if owner not in _REGISTRIES or owner in walk.locals:
        return None
    nodes = [node for node in given.named_children if node.kind_id != COMMENT]
    texts = [joined_value(node, walk.source) for node in nodes[:2]]
    name = ".".join(one for one in texts if one)
    is_named = None not in texts and name.rpartition(".")[2][:1].isupper() and is_path(name)
    return ("model", name) if is_named and "/migrations/" not in walk.path else None


def _see_setattr(walk: Walk, given: Node, arguments: Arguments) -> Expression:
    """A member that is given a value by its name, or by one that is put together."""
    nodes = [node for node in given.named_children if node.kind_id != COMMENT]
    if len(arguments) != 3 or len(nodes) != 3 or arguments[0][1] is None:  # noqa: PLR2004  # an object, a name and a value
        return None
    name = joined_value(nodes[1], walk.source)
    if name is None or name.isidentifier():
        member = ANY_NAME if name is None else name
        walk.store(given, arguments[0][1], name=member, value=arguments[2][1])
    return None


def _family(arguments: Arguments, beginning: str) -> Expression:
    """A member of those whose names begin so, or what is given in its place."""
    return either([("family", arguments[0][1], beginning), *(value for _, value in arguments[2:3])])


def _see_isinstance(walk: Walk, given: Node, arguments: Arguments) -> Expression:
    """A local that is asked for its class may be of it: say so where the question stands."""
    nodes = given.named_children
    if len(arguments) == 2 and nodes and nodes[0].kind_id == IDENTIFIER:  # noqa: PLR2004  # an object and its classes
        name = walk.name(nodes[0])
        classes = arguments[1][1]
        if name in walk.frame.names and classes is not None:
            parts = classes[1:] if classes[0] == "list" else (classes,)
            known = either([("instance", part) for part in parts if part and part[0] in {"name", "member"}])
            if known is not None:
                walk.bindings.append(Binding(walk.scope, name, known, walk.line(nodes[0])))
    return ("literal", "bool")


def _relation(field: str) -> Callable[[Walk, Node, Arguments], Expression]:
    return lambda walk, given, arguments: see_relation(walk, given, arguments, field=field)


_SPECIAL: Final[dict[str, Callable[[Walk, Node, Arguments], Expression]]] = {
    "super": _see_super,
    "partial": _see_partial,
    "cast": _see_cast,
    "getattr": _see_getattr,
    "get_model": _see_get_model,
    "setattr": _see_setattr,
    "isinstance": _see_isinstance,
    **{name: _relation(name) for name in RELATIONS},
}
_EXPORTERS: Final = frozenset({"append", "extend"})
# Most calls are of none of these: one question instead of four.
_TELLING: Final = READERS | REGISTRARS | MOUNTING | _EXPORTERS | _SPECIAL.keys()
