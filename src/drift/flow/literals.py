"""How containers of every language are brought into the small form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drift.flow.expressions import Fields
from drift.flow.ir import (
    NOTHING,
    Argument,
    Assign,
    Call,
    Expression,
    Index,
    Items,
    Literal,
    Name,
    Opaque,
    Table,
)
from drift.flow.lowering import Lowering, reads_expression

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_ITEMS = 500


@reads_expression("list")
def _list(low: Lowering, node: Node, _fields: Fields) -> Expression:
    return Items(tuple(low.expression(each) for each in low.children(node)[:_MOST_ITEMS]))


@reads_expression("list_or_one")
def _list_or_one(low: Lowering, node: Node, fields: Fields) -> Expression:
    children = low.children(node)
    return low.expression(children[0]) if len(children) == 1 else _list(low, node, fields)


@reads_expression("array")
def _array(low: Lowering, node: Node, fields: Fields) -> Expression:
    values = low.child(node, fields[0])
    return low.expression(values) if values is not None else Items(())


@reads_expression("array_items")
def _array_items(low: Lowering, node: Node, _fields: Fields) -> Expression:
    """An array of PHP: a list, or a table where one element has a key."""
    children = low.children(node)[:_MOST_ITEMS]
    inner = [low.children(each) for each in children]
    if any(len(each) > 1 for each in inner):
        return Table(tuple(_entry(low, each) for each in inner if each), low.line(node))
    return Items(tuple(low.expression(each[0]) for each in inner if each))


def _entry(low: Lowering, sides: list[Node]) -> tuple[Expression | None, Expression]:
    return (low.expression(sides[0]) if len(sides) > 1 else None, low.expression(sides[-1]))


@reads_expression("element")
def _element(low: Lowering, node: Node, _fields: Fields) -> Expression:
    children = low.children(node)
    return low.expression(children[-1]) if children else NOTHING


@reads_expression("table")
def _table(low: Lowering, node: Node, _fields: Fields) -> Expression:
    entries: list[tuple[Expression | None, Expression]] = []
    for each in low.children(node)[:_MOST_ITEMS]:
        role, fields = low.form.roles.get(each.type, ("", ()))
        if role == "pair":
            entries.append(
                (_key(low, low.child(each, fields[0])), low.expression(low.child(each, fields[1])))
            )
        elif role == "element":
            entries.append(_keyed(low, each))
        elif role == "default":
            left = low.child(each, fields[0])
            entries.append((_key(low, left), low.expression(left)))
        elif each.type.startswith("shorthand_property"):
            entries.append((Literal(low.text(each)), low.expression(each)))
        elif role == "function":
            continue
        else:
            entries.append((None, low.expression(each)))
    return Table(tuple(entries), low.line(node))


def _key(low: Lowering, node: Node | None) -> Expression:
    if node is None:
        return NOTHING
    if low.role(node) in {"key", "symbol"} or node.type == "property_identifier":
        return Literal(low.text(node).strip(":"))
    return low.expression(node)


def _keyed(low: Lowering, node: Node) -> tuple[Expression | None, Expression]:
    sides = low.children(node)
    if not sides[1:]:
        return None, low.expression(sides[0]) if sides else NOTHING
    key = low.expression(sides[0])
    return Literal(key.name) if isinstance(key, Name) else key, low.expression(sides[-1])


@reads_expression("composite")
def _composite(low: Lowering, node: Node, fields: Fields) -> Expression:
    kind, body = low.child(node, fields[0]), low.child(node, fields[1])
    table = low.expression(body)
    if not isinstance(table, Table):
        return table
    name = low.text(kind) if kind is not None else ""
    if table.entries and all(key is None for key, _value in table.entries):
        return Items(tuple(value for _key, value in table.entries))
    return Table(table.entries, table.line, name.lstrip("&*"))


@reads_expression("pair")
def _pair(low: Lowering, node: Node, fields: Fields) -> Expression:
    return low.expression(low.child(node, fields[1]))


@reads_expression("default")
def _default(low: Lowering, node: Node, fields: Fields) -> Expression:
    return low.expression(low.child(node, fields[0]))


@reads_expression("reference")
def _reference(low: Lowering, node: Node, _fields: Fields) -> Expression:
    return Opaque(tuple(low.expression(each) for each in low.children(node)[:1]))


@reads_expression("comprehension")
def _comprehension(low: Lowering, node: Node, fields: Fields) -> Expression:
    """What a comprehension gives: its body, with the variables of its loops given elements of what they run over."""
    steps: list[Expression] = []
    for each in node.named_children:
        if each.type == "for_in_clause":
            left, right = each.child_by_field_name("left"), each.child_by_field_name("right")
            steps.append(
                Assign(
                    low.expression(left), Index(low.expression(right), None, low.line(each)), low.line(each)
                )
            )
    body = low.child(node, fields[0])
    steps.append(low.expression(body))
    return Call(Name("<comprehension>"), tuple(map(Argument, steps)), low.line(node), -1)
