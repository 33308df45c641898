"""Go calls: what they are given, what they give back, and what the built-in ones mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drift.languages.expressions import list_of
from drift.languages.facts import EnvironmentRead
from drift.languages.golang.entries import REGISTERING_NAMES, note_operation_call, note_registration
from drift.languages.golang.routers import has_routers, note_handed_router
from drift.languages.golang.vocabulary import PREDECLARED_FUNCTIONS, PREDECLARED_TYPES

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.golang.walk import GoWalk

_ENVIRONMENT_READERS: Final = frozenset({("os", "Getenv"), ("os", "LookupEnv"), ("syscall", "Getenv")})
_ENVIRONMENT_NAMES: Final = frozenset({name for _, name in _ENVIRONMENT_READERS})
_BUILT_IN: Final = PREDECLARED_FUNCTIONS | PREDECLARED_TYPES.keys()


def apply_call(go: GoWalk, node: Node, callee: Expression) -> Expression:
    """The result of calling `callee` at a call node, after gathering its arguments."""
    function, argument_list = node.children[0], node.children[-1]
    nodes = [child for child in argument_list.named_children if child.type != "comment"]
    go.operations.clear()  # only a literal among these arguments counts
    values = [go.visit(child) for child in nodes]
    if callee is not None and callee[0] == "name" and callee[1] in go.generics and callee[1] not in go.locals:
        return ("instance", go.generics[callee[1]])  # a conversion to a type parameter runs nothing
    text = go.symbols[callee[1]].name if callee and callee[0] == "symbol" else go.call_text(function)
    # In a chain over several lines the method's name is where the call is seen.
    place = function.children[-1] if function.type == "selector_expression" else node
    number = go.add_call(place, callee, text=text, arguments=tuple([(None, value) for value in values]))
    if callee is None:
        return ("result", number)
    name = callee[-1]
    if callee[0] in {"name", "outer"} and name in _BUILT_IN and name not in go.locals:
        return _builtin_result(go, node, name, values) or ("result", number)
    if go.operations:
        note_operation_call(go, values, line=go.calls[number].line)
        if node.parent is None or node.parent.type != "argument_list":
            go.operations.clear()
    if name in _ENVIRONMENT_NAMES and callee[0] == "member":
        _note_environment(go, node, callee, nodes)
    elif name in REGISTERING_NAMES and callee[0] in {"name", "outer", "member"}:
        note_registration(go, callee, nodes=nodes, values=values, call=number)
    elif values and has_routers(go):
        note_handed_router(go, callee, values, line=go.calls[number].line)
    return ("result", number)


def read_generic_call(go: GoWalk, node: Node, function: Node) -> Expression:
    """`f[int](x)`, which the grammar tells neither from a conversion nor from `table[i](x)`."""
    before = len(go.references)
    callee = go.visit(function)
    if _has_variables(go, function):
        # What was read as types are variables, whose uses are not noted.
        del go.references[before:]
        callee = ("item", callee)
    elif len(go.references) > before and go.references[before].target == callee:
        del go.references[before]  # the type arguments are uses of types; the function itself is not
    operand = node.child_by_field_name("operand")
    arguments = () if operand is None else ((None, go.visit(operand)),)
    inner = function.child_by_field_name("type") or function
    return ("result", go.add_call(node, callee, text=go.call_text(inner), arguments=arguments))


def _has_variables(go: GoWalk, function: Node) -> bool:
    """Whether a name inside `a[b]` is a variable at hand, which no generic function or type is."""
    arguments = function.child_by_field_name("type_arguments")
    inside = (
        []
        if arguments is None
        else [c for element in arguments.named_children for c in element.named_children]
    )
    inner = function.child_by_field_name("type")
    names = [*inside, *([] if inner is None else [inner])]
    return any(node.type == "type_identifier" and go.text.text(node) in go.locals for node in names)


def read_variadic(go: GoWalk, node: Node) -> Expression:
    """`xs...`: its items are the arguments."""
    inner = [go.visit(child) for child in node.named_children]
    return ("item", inner[0]) if inner else None


def _builtin_result(go: GoWalk, node: Node, name: str, values: list[Expression]) -> Expression:
    """What a built-in function gives back; None where the call's own result says enough."""
    if name in {"make", "new"}:
        if not values:
            return None
        return values[0] if name == "new" and _is_value(go, node) else ("instance", values[0])
    if name == "append":
        return ("either", values[0], list_of(values[1:9])) if values else None
    if name in {"panic", "recover"}:
        go.add_handling(node, "throw" if name == "panic" else "catch")
        return None
    if name in {"len", "cap", "copy"}:
        return ("literal", "int")
    kind = PREDECLARED_TYPES.get(name)
    return ("literal", kind) if kind and name not in go.types else None


def _is_value(go: GoWalk, call: Node) -> bool:
    """Whether `new` is given a value, as it may be since Go 1.26, and no type."""
    arguments = call.child_by_field_name("arguments")
    given = None if arguments is None else next(iter(arguments.named_children), None)
    if given is None:
        return False
    if given.type == "type_identifier":
        return go.text.text(given) in go.locals
    return not given.type.endswith("_type")


def _note_environment(go: GoWalk, node: Node, callee: tuple[Any, ...], nodes: list[Node]) -> None:
    if not nodes or (go.package_of(callee[1]), callee[2]) not in _ENVIRONMENT_READERS:
        return
    if name := go.string_of(nodes[0]):
        go.environment_reads.append(EnvironmentRead(go.scope, go.line(node), name))
