"""Calls, constructions, lambdas and method references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import EnvironmentRead
from drift.languages.frameworks import load_frameworks
from drift.languages.java.entries import REGISTERING_NAMES, register_route
from drift.languages.java.type_forms import name_type
from drift.languages.java.values import string_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.objects import ObjectWalk

_SYSTEM: Final = ("name", "System")
# The methods that may read the environment or register a route; nearly all calls are of others.
_GIVING: Final = load_frameworks("java").names("injection", "giving")
# What throws an error that it is given the maker of.
_THROWING: Final = "orElseThrow"
_NOTED_NAMES: Final = frozenset({"getOrDefault", "getenv", *REGISTERING_NAMES})


def read_arguments(walk: ObjectWalk, node: Node | None) -> tuple[tuple[str | None, Expression], ...]:
    """The values of an argument list, in order."""
    values: list[tuple[None, Expression]] = []
    for child in node.named_children if node is not None else ():
        if not child.type.endswith("comment"):
            values.append((None, walk.visit(child)))  # noqa: PERF401 (a comprehension costs a stack frame)
    return tuple(values)


def _read_invocation(walk: ObjectWalk, node: Node) -> Expression:
    """A fluent chain nests one deeper with each link, so it is a loop from its innermost receiver out."""
    chain = [node]
    receiver = node.child_by_field_name("object")
    while receiver is not None and receiver.type == "method_invocation":
        chain.append(receiver)
        receiver = receiver.child_by_field_name("object")
    value: Expression = None
    is_bare = receiver is None
    if receiver is not None:
        value = _read_receiver(walk, receiver, chain[-1])
    for link in reversed(chain):
        value = _read_link(walk, link, value, is_bare=is_bare)
        is_bare = False
    return value


def _read_receiver(walk: ObjectWalk, receiver: Node, link: Node) -> Expression:
    # `Shape.super.area()` is a call of an interface's default method on this object.
    is_qualified = receiver.type in {"field_access", "identifier"}
    if is_qualified and any(child.type == "super" for child in link.children[1:3]):
        return ("instance", name_type(walk, receiver))
    return walk.visit(receiver)


def _read_link(walk: ObjectWalk, node: Node, receiver: Expression, *, is_bare: bool) -> Expression:
    name_node, listed = node.child_by_field_name("name"), node.child_by_field_name("arguments")
    if name_node is None:
        return None
    name = walk.text.text(name_node)
    types = node.child_by_field_name("type_arguments")
    if types is not None:
        walk.visit_children(types)
    arguments = read_arguments(walk, listed)
    callee: Expression = ("name", name) if is_bare else ("member", receiver, name)
    text = walk.callee_text(node.start_byte, name_node.end_byte, name)
    number = walk.add_call(name_node, callee, text=text, arguments=arguments)
    if listed is not None and arguments and name in _NOTED_NAMES:
        _note_environment(walk, name_node, name=name, receiver=receiver, listed=listed)
        register_route(walk, name_node, name=name, listed=listed, arguments=arguments)
    if name == _THROWING and listed is not None:
        _note_thrown(walk, name_node, listed)
    given = _asked_class(walk, listed) if listed is not None and name in _GIVING else None
    return ("instance", given) if given is not None else ("result", number)


def _note_thrown(walk: ObjectWalk, node: Node, listed: Node) -> None:
    """`found.orElseThrow(NotFound::new)` and `found.orElseThrow(() -> new NotFound(id))` throw a `NotFound`."""
    for child in listed.named_children:
        body = child.child_by_field_name("body") if child.type == "lambda_expression" else None
        made: Node | None = None
        if body is not None and body.type == "object_creation_expression":
            made = body.child_by_field_name("type")
        elif child.type == "method_reference" and child.children[-1].type == "new":
            made = child.named_children[0]
        if made is not None:
            walk.handle(node, "throw", [made])


def _asked_class(walk: ObjectWalk, listed: Node) -> Expression:
    """The class that a container of objects is asked for one of: `context.getBean(Cart.class)`."""
    for child in listed.named_children:
        if child.type == "class_literal" and child.named_child_count:
            return name_type(walk, child.named_children[0])
    return None


def _note_environment(walk: ObjectWalk, node: Node, *, name: str, receiver: Expression, listed: Node) -> None:
    """`System.getenv(x)`, `System.getenv().get(x)` and `System.getenv().getOrDefault(x, y)`."""
    values = listed.named_children
    is_direct = name == "getenv" and receiver in {_SYSTEM, None}
    if not is_direct and not (name in {"get", "getOrDefault"} and _is_environment(walk, receiver)):
        return
    if not values or values[0].type != "string_literal":
        return
    default = walk.text.brief(values[1], 200) if len(values) > 1 else None
    walk.environment_reads.append(
        EnvironmentRead(walk.scope, walk.line(node), string_of(walk, values[0]), default)
    )


def _is_environment(walk: ObjectWalk, value: Expression) -> bool:
    """Whether a value is the map that `System.getenv()` gives."""
    if value is None or value[0] != "result":
        return False
    call = walk.calls[value[1]]
    return call.callee in {("member", _SYSTEM, "getenv"), ("name", "getenv")} and not call.arguments


def _read_constructor_call(walk: ObjectWalk, node: Node) -> Expression:
    """`this(...)` and `super(...)` at the start of a constructor."""
    target = node.child_by_field_name("constructor")
    arguments = read_arguments(walk, node.child_by_field_name("arguments"))
    if target is not None:
        text = walk.call_text(target)
        callee: Expression = ("super",) if target.type == "super" else ("this",)
        walk.add_call(target, callee, text=text, arguments=arguments, kind="new")
    return None


def _read_method_reference(walk: ObjectWalk, node: Node) -> Expression:
    parts = [child for child in node.named_children if child.type != "type_arguments"]
    if not parts:
        return None
    first, last = parts[0], parts[-1]
    owner = walk.visit(first) if first.type != "field_access" else name_type(walk, first)
    is_constructor = len(parts) == 1
    target = owner if is_constructor else ("member", owner, walk.text.text(last))
    if target is None:
        return None
    if not is_constructor:
        walk.refer(last, target, "value")
    return ("partial", target)


CALL_HANDLERS: Final[dict[str, Callable[[ObjectWalk, Node], Expression]]] = {
    "explicit_constructor_invocation": _read_constructor_call,
    "method_invocation": _read_invocation,
    "method_reference": _read_method_reference,
}
