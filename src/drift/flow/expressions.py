"""How expressions of every language are brought into the small form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.flow.functions import read_function
from drift.flow.ir import (
    NOTHING,
    Assign,
    Call,
    Cast,
    Choice,
    Constant,
    Expression,
    Index,
    Literal,
    Member,
    Name,
    Not,
    Opaque,
    Operation,
    Table,
    Text,
)
from drift.flow.lowering import Lowering, reads_expression

if TYPE_CHECKING:
    from tree_sitter import Node

Fields = tuple[str, ...]

_PREFIX: Final = re.compile(r"^[A-Za-z@$]{0,3}(\"\"\"|'''|\"|'|`)")
_ESCAPES: Final = {"\\n": "\n", "\\t": "\t", "\\'": "'", '\\"': '"', "\\\\": "\\", "\\r": "\r"}
_ESCAPE: Final = re.compile(r"\\[nt'\"\\r]")
_MOST_TEXT: Final = 4_000
_MOST_CHAIN: Final = 2_000
_PAIR: Final = 2
_MOST_OUTWARD: Final = 12


@reads_expression("name", "key")
def _name(low: Lowering, node: Node, _fields: Fields) -> Expression:
    return Name(low.text(node), low.line(node))


@reads_expression("bare")
def _bare(low: Lowering, node: Node, _fields: Fields) -> Expression:
    """A name that is a variable, or a call of a method without arguments."""
    return Name(low.text(node), *low.place(node))


@reads_expression("generic")
def _generic(low: Lowering, node: Node, _fields: Fields) -> Expression:
    return Name(low.text(node).partition("<")[0], low.line(node))


@reads_expression("symbol")
def _symbol(low: Lowering, node: Node, _fields: Fields) -> Expression:
    return Literal(low.text(node).strip(":"))


@reads_expression("dotted")
def _dotted(low: Lowering, node: Node, _fields: Fields) -> Expression:
    text = low.text(node).replace("\\", ".").strip(".")
    found: Expression | None = None
    for part in text.split(".")[:12]:
        plain = part.partition("<")[0].strip()
        found = Name(plain, low.line(node)) if found is None else Member(found, plain, low.line(node))
    return found or NOTHING


@reads_expression("shorthand")
def _shorthand(low: Lowering, node: Node, _fields: Fields) -> Expression:
    return Name(low.text(node), low.line(node))


@reads_expression("text")
def _text(low: Lowering, node: Node, _fields: Fields) -> Expression:
    parts: list[Expression] = []
    spoken = low.form.interpolations
    at = node.start_byte
    has_parts = False
    for each in node.named_children:
        if each.type in spoken:
            has_parts = True
            parts.append(Literal(_unquoted(low, at, each.start_byte)))
            inner = [child for child in each.named_children if low.role(child) != "skip"]
            parts.append(low.expression(each if low.role(each) else inner[0] if inner else None))
            at = each.end_byte
        elif each.type == "heredoc_body":
            return low.expression(each)
    if not has_parts:
        return Literal(
            _plain(
                low.source[node.start_byte : min(node.end_byte, node.start_byte + _MOST_TEXT)].decode(
                    "utf-8", "replace"
                )
            )
        )
    parts.append(Literal(_unquoted(low, at, node.end_byte)))
    return Text(tuple(parts), low.line(node))


@reads_expression("heredoc")
def _heredoc(low: Lowering, node: Node, _fields: Fields) -> Expression:
    """A text that stands below the line it is named in."""
    at: Node | None = node
    for _ in range(_MOST_OUTWARD):
        at = at.parent if at is not None else None
        for each in at.named_children if at is not None else ():
            if each.type == "heredoc_body" and each.start_byte > node.start_byte:
                return low.expression(each)
    return NOTHING


def _unquoted(low: Lowering, start: int, end: int) -> str:
    text = low.source[start : min(end, start + _MOST_TEXT)].decode("utf-8", "replace")
    return _PREFIX.sub("", text).strip("\"'`")


def _plain(text: str) -> str:
    if found := _PREFIX.match(text):
        text = text[found.end() :].removesuffix(found.group(1))
    if "\\" in text:
        text = _ESCAPE.sub(lambda each: _ESCAPES[each.group()], text)
    return text


@reads_expression("joined")
def _joined(low: Lowering, node: Node, _fields: Fields) -> Expression:
    parts = [low.expression(each) for each in low.children(node)]
    if all(isinstance(each, Literal) for each in parts):
        return Literal("".join(str(each.value) for each in parts if isinstance(each, Literal)))
    return Text(tuple(parts), low.line(node))


@reads_expression("number")
def _number(low: Lowering, node: Node, _fields: Fields) -> Expression:
    text = low.text(node).replace("_", "").rstrip("lLfFdDuUnmM")
    value: Constant
    try:
        is_octal = len(text) > 1 and text.isdecimal() and text.startswith("0")
        value = int(text, 8 if is_octal else 0)
    except ValueError:
        try:
            value = float(text)
        except ValueError:
            return NOTHING
    return Literal(value)


@reads_expression("true")
def _true(_low: Lowering, _node: Node, _fields: Fields) -> Expression:
    return Literal(value=True)


@reads_expression("false")
def _false(_low: Lowering, _node: Node, _fields: Fields) -> Expression:
    return Literal(value=False)


@reads_expression("boolean")
def _boolean(low: Lowering, node: Node, _fields: Fields) -> Expression:
    return Literal(value=low.text(node).lower() == "true")


@reads_expression("null")
def _null(_low: Lowering, _node: Node, _fields: Fields) -> Expression:
    return Literal(None)


@reads_expression("parts", "class", "try", "switch_go", "return", "throw", "handler")
def _parts(low: Lowering, node: Node, _fields: Fields) -> Expression:
    return read_parts(low, node)


def read_parts(low: Lowering, node: Node) -> Expression:
    """Something that is not understood, made of what stands in it."""
    return Opaque(tuple(low.expression(each) for each in low.children(node)[:200]))


@reads_expression("inner", "body", "arrow", "with", "decorated", "exit")
def _inner(low: Lowering, node: Node, fields: Fields) -> Expression:
    children = low.children(node)
    if len(children) == 1 or (
        children and low.role(node) == "inner" and node.type.startswith(("as_", "satisfies_"))
    ):
        return low.expression(children[0])
    return _parts(low, node, fields)


@reads_expression("inner_first")
def _first(low: Lowering, node: Node, _fields: Fields) -> Expression:
    children = low.children(node)
    return low.expression(children[0]) if children else NOTHING


@reads_expression("last", "sequence")
def _last(low: Lowering, node: Node, _fields: Fields) -> Expression:
    children = low.children(node)
    return low.expression(children[-1]) if children else NOTHING


@reads_expression("spread")
def _spread(low: Lowering, node: Node, fields: Fields) -> Expression:
    return _last(low, node, fields)


@reads_expression("member")
def _member(low: Lowering, node: Node, fields: Fields) -> Expression:
    owner, name = low.child(node, fields[0]), low.child(node, fields[1])
    if owner is None or name is None:
        return _parts(low, node, fields)
    word = low.text(name).partition("<")[0]
    return Member(low.expression(owner), word.lstrip("$") if low.form.root == "php" else word, low.line(name))


@reads_expression("conditional")
def _conditional(low: Lowering, node: Node, fields: Fields) -> Expression:
    children = low.children(node)
    if len(children) < _PAIR:
        return _parts(low, node, fields)
    owner, binding = children[0], children[1]
    name = binding.child_by_field_name("name") or (
        binding.named_children[0] if binding.named_children else binding
    )
    return Member(low.expression(owner), low.text(name).lstrip("."), low.line(name))


@reads_expression("index")
def _index(low: Lowering, node: Node, fields: Fields) -> Expression:
    owner, key = low.child(node, fields[0]), low.child(node, fields[1])
    if owner is None:
        return _parts(low, node, fields)
    within = node.parent
    if key is not None and within is not None and low.role(within) == "text" and low.text(key).isidentifier():
        return Index(low.expression(owner), Literal(low.text(key)), low.line(node))  # "$row[name]"
    return Index(low.expression(owner), low.expression(key) if key is not None else None, low.line(node))


@reads_expression("binary")
def _binary(low: Lowering, node: Node, fields: Fields) -> Expression:
    left, right = low.child(node, fields[0]), low.child(node, fields[2])
    sign = node.child_by_field_name(fields[1])
    operator = low.text(sign) if sign is not None else ""
    # Long chains lean to the left: they are unrolled, so that a text of a thousand parts is no deep tree.
    chain = [(operator, right, low.line(node))]
    while left is not None and low.role(left) == "binary" and len(chain) < _MOST_CHAIN:
        sign = left.child_by_field_name(fields[1])
        chain.append((low.text(sign) if sign is not None else "", low.child(left, fields[2]), low.line(left)))
        left = low.child(left, fields[0])
    found = low.expression(left)
    for each, side, line in reversed(chain):
        right_side = low.expression(side)
        if each == "<<" and low.form.gives_last and isinstance(found, Name | Member | Assign):
            # Ruby adds to what stands left.
            found = Assign(found.target if isinstance(found, Assign) else found, right_side, line, each)
        else:
            found = Operation(each, found, right_side, line)
    return found


@reads_expression("comparison")
def _comparison(low: Lowering, node: Node, fields: Fields) -> Expression:
    sides = node.named_children
    signs = [each.type for each in node.children if not each.is_named]
    if len(sides) != _PAIR:
        return _parts(low, node, fields)
    return Operation(" ".join(signs), low.expression(sides[0]), low.expression(sides[1]), low.line(node))


@reads_expression("instanceof")
def _instanceof(low: Lowering, node: Node, fields: Fields) -> Expression:
    right = low.child(node, fields[1])
    kind = Literal(low.text(right) if right else "")
    return Operation("instanceof", low.expression(low.child(node, fields[0])), kind, low.line(node))


@reads_expression("not")
def _not(low: Lowering, node: Node, fields: Fields) -> Expression:
    return Not(low.expression(low.child(node, fields[0])))


@reads_expression("unary")
def _unary(low: Lowering, node: Node, fields: Fields) -> Expression:
    sign = node.child_by_field_name(fields[0])
    return _signed(low, low.text(sign) if sign else "", low.child(node, fields[1]) or _last_child(low, node))


@reads_expression("prefix")
def _prefix(low: Lowering, node: Node, _fields: Fields) -> Expression:
    return _signed(low, low.text(node)[:1], _last_child(low, node))


def _last_child(low: Lowering, node: Node) -> Node | None:
    children = low.children(node)
    return children[-1] if children else None


def _signed(low: Lowering, sign: str, operand: Node | None) -> Expression:
    value = low.expression(operand)
    if sign in {"!", "not"}:
        return Not(value)
    if sign == "-" and isinstance(value, Literal) and isinstance(value.value, int | float):
        return Literal(-value.value)
    return value if sign in {"&", "*", "+", "@"} else Opaque((value,))


@reads_expression("update")
def _update(_low: Lowering, _node: Node, _fields: Fields) -> Expression:
    return NOTHING


@reads_expression("assign")
def _assign(low: Lowering, node: Node, fields: Fields) -> Expression:
    target, value = low.child(node, fields[0]), low.child(node, fields[1])
    if target is None or value is None:
        return NOTHING
    kind = low.child(node, fields[2]) if fields[2:] else None
    place = low.expression(target)
    if isinstance(place, Call) and isinstance(place.callee, Member) and not place.arguments:
        place = place.callee  # Ruby's `object.field = value`
    return Assign(place, low.expression(value), low.line(node), type=low.text(kind) if kind else "")


@reads_expression("augment", "assign_or_augment")
def _augment(low: Lowering, node: Node, fields: Fields) -> Expression:
    sign = node.child_by_field_name(fields[1])
    operator = (low.text(sign) if sign else "").removesuffix("=").rstrip(":")
    target, value = low.expression(low.child(node, fields[0])), low.expression(low.child(node, fields[2]))
    return Assign(target, value, low.line(node), operator)


@reads_expression("attribute")
def _attribute(low: Lowering, node: Node, fields: Fields) -> Expression:
    name, value = low.child(node, fields[0]), low.child(node, fields[1])
    if name is None or value is None:
        return NOTHING
    return Table(((Literal(low.text(name)), low.expression(value)),), low.line(node))


@reads_expression("cast")
def _cast(low: Lowering, node: Node, fields: Fields) -> Expression:
    kind = low.child(node, fields[0])
    return Cast(low.text(kind) if kind else "", low.expression(low.child(node, fields[1])))


@reads_expression("choice")
def _choice(low: Lowering, node: Node, fields: Fields) -> Expression:
    test = low.expression(low.child(node, fields[0]))
    then = low.child(node, fields[1])
    return Choice(
        test, low.expression(then) if then is not None else test, low.expression(low.child(node, fields[2]))
    )


@reads_expression("function")
def _function(low: Lowering, node: Node, fields: Fields) -> Expression:
    return read_function(low, node, fields)
