"""Names that are given values: parameters and destructuring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from drift.languages.expressions import Expression
from drift.languages.facts import Decorator, Parameter
from drift.languages.limits import MOST_TEXT_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.typescript.walk import Walk

_MOST_PATTERN_LEVELS: Final = 8
_NAMES: Final = frozenset({"identifier", "shorthand_property_identifier_pattern"})
_MEMBERS: Final = frozenset({"member_expression", "subscript_expression"})


class Bound(NamedTuple):
    """One name a pattern binds, with what it stands for and the default it falls back to."""

    node: Node
    value: Expression
    key: str | None = None  # the property it takes from the whole, where it is one step away
    default: Node | None = None


class ReadParameter(NamedTuple):
    """A parameter with the nodes that later steps look at."""

    parameter: Parameter
    pattern: Node
    default: Node | None
    decorators: list[Node]
    modifiers: tuple[str, ...]  # of a parameter property: private, readonly ...


def bound_names(walk: Walk, pattern: Node, value: Expression) -> Iterator[Bound]:
    """Every name in a pattern, with its part of `value`; nesting costs no stack."""
    stack: list[tuple[Node, Expression, str | None, Node | None, int]] = [(pattern, value, None, None, 0)]
    while stack:
        node, part, key, default, level = stack.pop()
        kind = node.type
        if level > _MOST_PATTERN_LEVELS:
            part = None
        if kind in _NAMES or kind in _MEMBERS:
            yield Bound(node, part, key, default)
        elif kind in {"assignment_pattern", "object_assignment_pattern"}:
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None:
                is_short = left.type == "shorthand_property_identifier_pattern"
                if is_short:
                    key = walk.name_of(left)
                    part = None if part is None else ("member", part, key)
                stack.append((left, part, key, right, level))
        elif kind == "object_pattern":
            stack.extend((*child, level + 1) for child in _object_parts(walk, node, part))
        else:
            # array_pattern, rest_pattern and whatever recovery from an error leaves
            item: Expression = ("item", part) if kind == "array_pattern" and part is not None else part
            stack.extend((child, item, None, None, level + 1) for child in reversed(node.named_children))


def _object_parts(
    walk: Walk, node: Node, value: Expression
) -> list[tuple[Node, Expression, str | None, Node | None]]:
    parts: list[tuple[Node, Expression, str | None, Node | None]] = []
    for child in reversed(node.named_children):
        if child.type == "shorthand_property_identifier_pattern":
            name = walk.name_of(child)
            parts.append((child, ("member", value, name) if value is not None else None, name, None))
        elif child.type == "pair_pattern":
            key, target = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is None or target is None:
                continue
            name = walk.name_of(key).strip("'\"")
            is_plain = key.type != "computed_property_name"
            member: Expression = ("member", value, name) if is_plain and value is not None else None
            parts.append((target, member, name if is_plain else None, None))
        elif child.type in {"rest_pattern", "object_assignment_pattern"}:
            parts.append((child, value, None, None))
    return parts


def bind_pattern(walk: Walk, pattern: Node, value: Expression, *, declared: Expression = None) -> None:
    """Note the variables that a declaration's pattern makes."""
    if pattern.type == "identifier":
        walk.bind(walk.name_of(pattern), value, pattern, declared=declared)
        return
    whole = value if value is not None else _instance(declared)
    for bound in bound_names(walk, pattern, whole):
        if bound.default is not None:
            walk.visit(bound.default)
        if bound.node.type in _NAMES:
            walk.bind(walk.name_of(bound.node), bound.value, bound.node)


def _instance(declared: Expression) -> Expression:
    return ("instance", declared) if declared is not None else None


def read_parameters(walk: Walk, node: Node) -> list[ReadParameter]:
    """The parameters of a function node, whose scope the walk is in."""
    single = node.child_by_field_name("parameter")
    if single is not None:
        return [ReadParameter(Parameter(walk.name_of(single)), single, None, [], ())]
    parameters = node.child_by_field_name("parameters")
    if parameters is None:
        return []
    return [
        _read_parameter(walk, child)
        for child in parameters.named_children
        if child.type not in {"comment", "ERROR"}
    ]


def _read_parameter(walk: Walk, node: Node) -> ReadParameter:
    pattern, default, type_node = node, None, None
    decorators: list[Node] = []
    modifiers: list[str] = []
    if node.type in {"required_parameter", "optional_parameter"}:
        pattern = node.child_by_field_name("pattern") or node
        default = node.child_by_field_name("value")
        type_node = node.child_by_field_name("type")
        for child in node.children:
            if child.type == "decorator":
                decorators.append(child)
            elif child.type in {"accessibility_modifier", "readonly", "override_modifier"}:
                modifiers.append(walk.name_of(child))
    elif node.type == "assignment_pattern":
        pattern = node.child_by_field_name("left") or node
        default = node.child_by_field_name("right")
    kind = "receiver" if pattern.type == "this" else "rest" if pattern.type == "rest_pattern" else "plain"
    if kind == "rest" and pattern.named_child_count:
        pattern = pattern.named_children[0]
    parameter = Parameter(
        name=walk.name_of(pattern)
        if pattern.type == "identifier"
        else walk.text.brief(pattern, MOST_TEXT_CHARACTERS),
        kind=kind,
        type_text=_type_text(walk, type_node),
        type=walk.visit(type_node) if type_node is not None else None,
        default_text=walk.text.brief(default, MOST_TEXT_CHARACTERS) if default is not None else None,
    )
    return ReadParameter(parameter, pattern, default, decorators, tuple(modifiers))


def _type_text(walk: Walk, node: Node | None) -> str | None:
    return walk.text.brief(node, MOST_TEXT_CHARACTERS).removeprefix(":").strip() if node is not None else None


def bind_parameters(walk: Walk, parameters: list[ReadParameter]) -> None:
    """Make the parameters known in the function's scope, and visit their defaults."""
    names = walk.local_names.setdefault(walk.scope, set())
    for parameter, pattern, default, _, _ in parameters:
        if default is not None:
            walk.visit(default)
        if pattern.type == "identifier":
            names.add(parameter.name)
        elif pattern.type in {"object_pattern", "array_pattern"}:
            # The parameter's own name is its pattern, so its parts are reached through that name.
            whole: Expression = (
                ("instance", parameter.type) if parameter.type is not None else ("name", parameter.name)
            )
            bind_pattern(walk, pattern, whole)


def written_decorators(walk: Walk, nodes: list[Node]) -> tuple[Decorator, ...]:
    """Decorators as they are written, whose calls are noted elsewhere."""
    return tuple(_written_decorator(walk, node) for node in nodes)


def _written_decorator(walk: Walk, node: Node) -> Decorator:
    text = walk.text.brief(node, MOST_TEXT_CHARACTERS)
    return Decorator(text.removeprefix("@").strip().partition("(")[0].strip(), text, walk.line_of(node))


def read_decorators(walk: Walk, nodes: list[Node], target: int) -> tuple[Decorator, ...]:
    """Decorators as facts, with the call that each of them is noted in the present scope."""
    return tuple(_read_decorator(walk, node, target) for node in nodes)


def _read_decorator(walk: Walk, node: Node, target: int) -> Decorator:
    first_call = len(walk.calls)
    value = None
    for child in node.named_children:
        if child.type != "comment":
            value = walk.visit(child)
    written = _written_decorator(walk, node)
    if value is not None and value[0] == "result" and value[1] >= first_call:
        walk.calls[value[1]] = walk.calls[value[1]]._replace(kind="decorator")
    elif value is not None and value[0] in {"name", "member"}:
        walk.apply_decorator(value, node, written.name, target=target)
    return written
