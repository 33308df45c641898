"""Patterns: the names they bind and what of the matched value each name gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import either_of, place_key
from drift.languages.rust.type_forms import read_path
from drift.languages.rust.vocabulary import HANDED_OVER, WRAPPING_VARIANTS
from drift.languages.rust.walk import COMMENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.rust.walk import RustWalk

_SEE_THROUGH: Final = ("mut_pattern", "ref_pattern", "reference_pattern", "or_pattern", "captured_pattern")
_SEQUENCES: Final = ("tuple_pattern", "slice_pattern")


def bind_pattern(rust: RustWalk, pattern: Node, value: Expression, *, declared: Expression = None) -> None:
    """Declare the names of a pattern, each with the part of the value it stands for."""
    for guard in _bind(rust, pattern, value, declared=declared):
        rust.visit(guard)


def match_pattern(rust: RustWalk, pattern: Node, value: Expression) -> None:
    """Bind the names of a pattern for the branch at hand alone: in the next, the same name is another thing.

    Whoever reads the branch puts `rust.matched` back at its end.
    """
    before = len(rust.bindings)
    rust.is_matching = True
    guards = _bind(rust, pattern, value)
    rust.is_matching = False
    parts: dict[str, list[Expression]] = {}
    for binding in rust.bindings[before:]:
        parts.setdefault(binding.name, []).append(binding.value)
    known = {name: _one_of(values) for name, values in parts.items() if None not in values}
    rust.matched = {**rust.matched, **known}
    for guard in guards:
        rust.visit(guard)


def _one_of(values: list[Expression]) -> Expression:
    return values[0] if len(values) == 1 else either_of(values)


def _bind(rust: RustWalk, pattern: Node, value: Expression, *, declared: Expression = None) -> list[Node]:
    """Declare the names, and give the guard, which sees them and so is to be read after them."""
    pending: list[tuple[Node, Expression]] = [(pattern, value)]
    guards: list[Node] = []
    while pending:
        node, part = pending.pop()
        if node.type == "identifier":
            _bind_name(rust, node, part, declared if node == pattern else None)
        elif node.type == "match_pattern":
            guard = node.child_by_field_name("condition")
            guards += [] if guard is None else [guard]
            pending += [(child, part) for child in _parts(node) if child != guard]
        elif node.type in _OPENERS:
            pending += reversed([*_OPENERS[node.type](rust, node, part)])
        elif node.type != "remaining_field_pattern":
            rust.visit(node)
    return guards


def bound_names(rust: RustWalk, pattern: Node) -> frozenset[str]:
    """The names a variable or a tuple of variables binds; those deeper in a pattern are not looked for."""
    nodes = [pattern] if pattern.type == "identifier" else pattern.named_children
    return frozenset(rust.text.text(node) for node in nodes if node.type == "identifier")


def _see_through(_rust: RustWalk, node: Node, value: Expression) -> Iterator[tuple[Node, Expression]]:
    return ((child, value) for child in _parts(node))


def _parts(node: Node) -> list[Node]:
    skipped = {"mutable_specifier", *COMMENTS}
    return [child for child in node.named_children if child.type not in skipped]


def _bind_name(rust: RustWalk, node: Node, value: Expression, declared: Expression) -> None:
    name = rust.text.text(node)
    # By Rust's own lint a capital letter is a constant or a variant, which is compared with, not bound.
    if name[:1].isupper():
        rust.visit(node)
    elif name != "_":
        rust.declare(node, name, value, declared)


def _places(node: Node) -> list[tuple[Node, int | None]]:
    """The parts of a tuple pattern and where each stands; after `..` that cannot be said."""
    found: list[tuple[Node, int | None]] = []
    place: int | None = 0
    is_inside = False
    for child in node.children:
        if child.type in {"(", "["}:
            is_inside = True
        elif child.type == "," and place is not None:
            place += 1
        elif child.type == "remaining_field_pattern":
            place = None
        elif is_inside and child.is_named and child.type not in COMMENTS:
            found.append((child, place))
    return found


def _sequence(_rust: RustWalk, node: Node, value: Expression) -> Iterator[tuple[Node, Expression]]:
    elements = value[1:] if value is not None and value[0] == "list" else ()
    for part, place in _places(node):
        if place is not None and place < len(elements):
            yield part, elements[place]
        elif value is None or place is None:
            yield part, None if value is None else ("item", value)
        else:
            yield part, ("item", value, place_key(place))


def _variant(rust: RustWalk, node: Node, value: Expression) -> Iterator[tuple[Node, Expression]]:
    """`Some(x)` unwraps, `Shape::Circle(r)` has its field 0."""
    type_node = node.child_by_field_name("type")
    if type_node is None:
        return
    form = read_path(rust, type_node)
    name = form[-1] if form is not None and form[0] in {"name", "member"} else None
    rust.refer_to(type_node, form)
    for part, place in _places(node):
        if name in HANDED_OVER and _is_of_library(value):
            yield part, value
        elif name in WRAPPING_VARIANTS:
            yield part, None if value is None else ("awaited", value)
        elif name == "Err" or place is None:
            yield part, None
        else:
            yield part, ("member", ("instance", form), str(place))


def _is_of_library(value: Expression) -> bool:
    """Whether a type is read as what it holds, as are those that frameworks hand over."""
    return value is not None and value[0] == "instance" and value[1] is not None and value[1][0] == "own"


def _fields(rust: RustWalk, node: Node, value: Expression) -> Iterator[tuple[Node, Expression]]:
    type_node = node.child_by_field_name("type")
    form = None if type_node is None else rust.visit(type_node)
    owner: Expression = value if form is None else ("instance", form)
    for field in _parts(node):
        if field.type != "field_pattern":
            continue
        name_node, pattern = field.child_by_field_name("name"), field.child_by_field_name("pattern")
        if name_node is None:
            continue
        name = rust.text.text(name_node)
        if pattern is not None:
            yield pattern, ("member", owner, name)
        else:
            rust.declare(field, name, ("member", owner, name))


_OPENERS: Final[dict[str, Callable[[RustWalk, Node, Expression], Iterator[tuple[Node, Expression]]]]] = {
    **dict.fromkeys(_SEE_THROUGH, _see_through),
    **dict.fromkeys(_SEQUENCES, _sequence),
    "struct_pattern": _fields,
    "tuple_struct_pattern": _variant,
}
