"""PHP calls: functions, methods, constructors, and callables made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import EnvironmentRead
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS, MOST_TEXT_CHARACTERS
from drift.languages.php.abilities import note_abilities
from drift.languages.php.arguments import read_arguments
from drift.languages.php.bundles import note_bundle
from drift.languages.php.containers import given_by_container
from drift.languages.php.entries import note_registration
from drift.languages.php.families import beginning_of
from drift.languages.php.higher_order import apply_callable, given_back
from drift.languages.php.late_static import named_by_function
from drift.languages.php.magic_methods import ask_each, note_asked, note_question
from drift.languages.php.narrowing import narrowed_by, narrowed_by_assertion
from drift.languages.php.routers import enter_group, leave_group
from drift.languages.php.subscribers import note_made
from drift.languages.php.walk import NAME_TYPES, arguments_of, value_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import Handler, PhpWalk

_METHOD_CALLS: Final = frozenset({"member_call_expression", "nullsafe_member_call_expression"})
_ENVIRONMENT_READERS: Final = frozenset({"getenv", "env"})
_JOINING: Final = frozenset({"implode", "join"})  # that make strings of all elements
_ASSERTING_CLASS: Final = "assertinstanceof"  # of PHPUnit: the class, and what is of it from here on


def _read_function_call(php: PhpWalk, node: Node) -> Expression:
    function = node.child_by_field_name("function")
    if function is None:
        return None
    if function.type not in NAME_TYPES:
        return _apply(php, node, php.visit(function), place=function)
    name = php.text.text(function).lstrip("\\").lower()
    if name == "isset":
        return _read_isset(php, node, function)
    value = _apply(php, node, php.name_form(function), place=function, function=name)
    value = named_by_function(php, name) or value
    arguments = arguments_of(node.child_by_field_name("arguments"))
    if name in _ENVIRONMENT_READERS:
        _note_environment(php, node, arguments)
    elif name == "assert" and arguments:
        php.narrowed = {**php.narrowed, **narrowed_by(php, value_of(arguments[0]), is_true=True)}
    elif name == "define":
        _define_constant(php, node, arguments)
    elif arguments and php.calls[-1].arguments:
        given = php.calls[-1].arguments[0][1]
        if name == "empty" and (asked := value_of(arguments[0])) is not None:
            note_question(php, asked, given)
        note_asked(php, node, name, given)
        if name in _JOINING:
            php.add_access(node, ("item", php.calls[-1].arguments[-1][1]), "__toString")
    return value


def _read_isset(php: PhpWalk, node: Node, function: Node) -> Expression:
    nodes = [value_of(one) for one in arguments_of(node.child_by_field_name("arguments"))]
    asked = [one for one in nodes if one is not None]
    ask_each(php, asked, members="__isset", elements="offsetExists")
    given: tuple[tuple[str | None, Expression], ...] = tuple((None, None) for _ in asked)
    number = php.add_call(function, ("name", "isset"), text=php.text.text(function), arguments=given)
    return ("result", number)


def _read_method_call(php: PhpWalk, node: Node) -> Expression:
    """A chain of calls without recursion: builders make them hundreds of links long."""
    links: list[Node] = []
    waiting: Node | None = node
    while waiting is not None and waiting.type in _METHOD_CALLS:
        links.append(waiting)
        waiting = waiting.child_by_field_name("object")
    value = None if waiting is None else php.visit(waiting)
    for link in reversed(links):
        value = _call_member(php, link, value)
    return value


def _read_static_call(php: PhpWalk, node: Node) -> Expression:
    scope = node.child_by_field_name("scope")
    receiver = None if scope is None else php.class_form(scope)
    value = _call_member(php, node, receiver)
    name = node.child_by_field_name("name")
    if receiver == ("name", "Env") and name is not None and php.text.text(name) == "get":
        _note_environment(php, node, arguments_of(node.child_by_field_name("arguments")))
    return value


def _call_member(php: PhpWalk, node: Node, receiver: Expression) -> Expression:
    name = node.child_by_field_name("name")
    if name is None:
        return None
    if name.type != "name":
        php.visit(name)
        beginning = beginning_of(php, name)
        family: Expression = ("family", receiver, beginning) if beginning else None
        return _apply(php, node, family, place=name)
    written = php.text.text(name)
    value = _apply(php, node, ("member", receiver, written), place=name)
    if written.lower() == _ASSERTING_CLASS:
        asserted = arguments_of(node.child_by_field_name("arguments"))
        php.narrowed = {**php.narrowed, **narrowed_by_assertion(php, asserted)}
    return value


def _apply(
    php: PhpWalk, node: Node, callee: Expression, *, place: Node, function: str | None = None
) -> Expression:
    """The result of calling `callee`, or the callable that `f(...)` makes of it.

    `function` is its name without its namespace, in small letters, where it is a function's.
    """
    listed = node.child_by_field_name("arguments")
    if listed is not None and any(child.type == "variadic_placeholder" for child in listed.named_children):
        php.refer(place, callee, "value")
        return ("partial", callee)
    # Groups of routes are read with their prefix in force, so they must be seen before their arguments.
    is_group = enter_group(php, node, callee)
    nodes = arguments_of(listed)
    values = read_arguments(php, nodes, callee)
    text = php.text.callee(node.start_byte, place.end_byte)
    number = php.add_call(place, callee, text=text, arguments=values)
    given: Expression = None
    if function is not None:
        given = given_back(
            function, values, apply_callable(php, function, place, text=text, arguments=values)
        )
    note_registration(php, number, nodes=nodes)
    note_bundle(php, number, nodes=nodes)
    note_abilities(php, callee, nodes, values=values)
    if is_group:
        leave_group(php)
    result: Expression = ("result", number)
    return given or given_by_container(php, callee, nodes, values=values, result=result) or result


def _read_new(php: PhpWalk, node: Node) -> Expression:
    """`new Foo(…)`, `new static`, `new class { … }`."""
    target = next((child for child in node.named_children if child.type != "comment"), None)
    if target is None:
        return None
    if target.type == "anonymous_class":
        arguments = read_arguments(php, arguments_of(_arguments_below(target)), None)
        callee = php.visit(target)
        text = php.symbols[callee[1]].name if callee and callee[0] == "symbol" else ""
        return ("result", php.add_call(target, callee, text=text, arguments=arguments, kind="new"))
    callee = php.class_form(target)
    if callee == ("this",) and php.class_number is not None:
        callee = ("symbol", php.class_number)
    nodes = arguments_of(_arguments_below(node))
    arguments = read_arguments(php, nodes, None)
    number = php.add_call(target, callee, text=php.call_text(target), arguments=arguments, kind="new")
    note_made(php, number, nodes)
    return ("result", number)


def _arguments_below(node: Node) -> Node | None:
    return next((child for child in node.named_children if child.type == "arguments"), None)


def _note_environment(php: PhpWalk, node: Node, arguments: list[Node]) -> None:
    name = php.string_of(value_of(arguments[0])) if arguments else None
    if not name:
        return
    default = (
        value_of(arguments[1])
        if len(arguments) > 1 and php.text.text(node).startswith(("env", "Env"))
        else None
    )
    text = None if default is None else php.text.brief(default, MOST_TEXT_CHARACTERS)
    php.environment_reads.append(EnvironmentRead(php.scope, php.line(node), name, text))


def _define_constant(php: PhpWalk, node: Node, arguments: list[Node]) -> None:
    name = php.string_of(value_of(arguments[0])) if len(arguments) > 1 else None
    if not name:
        return
    value = php.calls[-1].arguments[1][1] if php.calls[-1].text.lower().endswith("define") else None
    symbol = php.begin("constant", name, node)._replace(
        parent=0, signature=php.text.brief(node, MOST_SIGNATURE_CHARACTERS), value_type=value
    )
    php.keep(symbol)


CALL_HANDLERS: Final[dict[str, Handler]] = {
    "function_call_expression": _read_function_call,
    "member_call_expression": _read_method_call,
    "nullsafe_member_call_expression": _read_method_call,
    "object_creation_expression": _read_new,
    "scoped_call_expression": _read_static_call,
}
