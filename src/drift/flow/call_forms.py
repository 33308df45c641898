"""How calls of every language are brought into the small form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drift.flow.expressions import Fields, read_parts
from drift.flow.ir import NOTHING, Argument, Call, Expression, Member, Name, Opaque, Text
from drift.flow.lowering import Lowering, reads_expression

if TYPE_CHECKING:
    from tree_sitter import Node


def called_name(low: Lowering, node: Node) -> Node:
    """The node of the name that is called, whose place is the call's in the index."""
    role, fields = low.form.roles.get(node.type, ("", ()))
    if role == "member" and (name := low.child(node, fields[1])):
        return name
    if role in {"inner", "index"} and (children := low.children(node)):
        return called_name(low, children[0]) if role == "inner" else node
    return node


def read_arguments(low: Lowering, node: Node | None) -> tuple[Argument, ...]:
    """The arguments of a call."""
    if node is None:
        return ()
    if low.role(node) in {"text", "comprehension"}:  # a tagged template, a generator without brackets
        return (Argument(low.expression(node)),)
    return tuple(_argument(low, each) for each in low.children(node)[:200])


def _argument(low: Lowering, node: Node) -> Argument:
    role, fields = low.form.roles.get(node.type, ("", ()))
    if role == "keyword":
        name = low.child(node, fields[0])
        return Argument(low.expression(low.child(node, fields[1])), low.text(name) if name else None)
    if role == "pair":  # keyword arguments of Ruby
        name = low.child(node, fields[0])
        return Argument(
            low.expression(low.child(node, fields[1])), low.text(name).strip(":\"'") if name else None
        )
    if role == "argument":
        name = low.child(node, fields[0])
        children = [each for each in low.children(node) if name is None or each.start_byte != name.start_byte]
        value = low.expression(children[-1]) if children else NOTHING
        is_spread = bool(children) and low.role(children[-1]) == "spread"
        return Argument(value, low.text(name) if name else None, is_spread)
    if role == "spread":
        children = low.children(node)
        return Argument(low.expression(children[-1]) if children else NOTHING, is_spread=True)
    return Argument(low.expression(node))


@reads_expression("call")
def _call(low: Lowering, node: Node, fields: Fields) -> Expression:
    callee = low.child(node, fields[0])
    if callee is None:
        return read_parts(low, node)
    line, column = low.place(called_name(low, callee))
    given = low.child(node, fields[1])
    is_tagged = given is not None and low.role(given) == "text"
    return Call(low.expression(callee), read_arguments(low, given), line, column, is_tagged=is_tagged)


@reads_expression("method")
def _method(low: Lowering, node: Node, fields: Fields) -> Expression:
    owner, name = low.child(node, fields[0]), low.child(node, fields[1])
    if name is None:
        return read_parts(low, node)
    line, column = low.place(name)
    word = low.text(name)
    callee: Expression = Name(word, line)
    if owner is not None:
        callee = Member(low.expression(owner), word, line)
    arguments = read_arguments(low, low.child(node, fields[2]))
    return Call(callee, arguments, line, column)


@reads_expression("ruby_call")
def _ruby_call(low: Lowering, node: Node, _fields: Fields) -> Expression:
    found = _method(low, node, ("receiver", "method", "arguments"))
    block = node.child_by_field_name("block")
    if block is None or not isinstance(found, Call):
        return found
    arguments = (*found.arguments, Argument(low.expression(block)))
    return Call(found.callee, arguments, found.line, found.column)


@reads_expression("new", "new_with")
def _new(low: Lowering, node: Node, fields: Fields) -> Expression:
    made = low.child(node, fields[0])
    arguments = node.child_by_field_name(fields[1]) or next(
        (each for each in node.named_children if each.type in {"arguments", "argument_list"}), None
    )
    if made is None:
        return read_parts(low, node)
    line, column = low.place(made)
    given = read_arguments(low, arguments)
    body = next((each for each in node.named_children if each.type == "class_body"), None)
    if fields[2:] and (initial := node.child_by_field_name(fields[2])):
        given += tuple(_initial(low, each) for each in low.children(initial)[:100])
    callee = Name(low.text(made).partition("<")[0], line) if "<" in low.text(made) else low.expression(made)
    call = Call(callee, given, line, column, is_new=True)
    return call if body is None else Opaque((call,))


def _initial(low: Lowering, node: Node) -> Argument:
    """A member that an object is made with, as a keyword."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is not None and right is not None:
        return Argument(low.expression(right), low.text(left))
    return Argument(low.expression(node))


@reads_expression("implicit_new")
def _implicit_new(low: Lowering, node: Node, fields: Fields) -> Expression:
    given = read_arguments(low, node.child_by_field_name(fields[0]))
    if initial := node.child_by_field_name(fields[1]):
        given += tuple(_initial(low, each) for each in low.children(initial)[:100])
    return Opaque(tuple(each.value for each in given))


@reads_expression("named_call")
def _named_call(low: Lowering, node: Node, fields: Fields) -> Expression:
    line, column = low.place(node)
    if fields[0] == "backtick":
        parts = tuple(low.expression(each) for each in node.named_children)
        inner: tuple[Argument, ...] = (Argument(Text(parts, line)),)
    else:
        inner = tuple(Argument(low.expression(each)) for each in low.children(node)[:50])
        if len(inner) == 1 and isinstance(sequence := inner[0].value, Opaque):
            inner = tuple(map(Argument, sequence.parts)) or inner
    return Call(Name(fields[0], line), inner, line, column)
