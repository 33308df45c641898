"""What stands left of `=`, after `as`, `for` and `:=`: names and members that are given values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import place_key
from drift.languages.facts import SETTING
from drift.languages.kinds import SymbolKind
from drift.languages.python.kinds import (
    ASYNC_TOKEN,
    ATTRIBUTE,
    COLON_TOKEN,
    COMMENT,
    IDENTIFIER,
    IN_TOKEN,
    SUBSCRIPT,
)
from drift.languages.python.members import element_of
from drift.languages.python.methods_run import ASYNC_ITERATION, ITERATION
from drift.languages.python.strings import joined_value
from drift.languages.python.walk import MOST_LEVELS, meaningful_children, member_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.python.walk import Walk

_PATTERNS: Final = frozenset(
    {"pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"}
)
_WRAPPERS: Final = frozenset(
    {"list_splat_pattern", "list_splat", "parenthesized_expression", "as_pattern_target"}
)
_CONSTANT_NAME = re.compile(r"_*[A-Z][A-Z0-9_]*")


def assign(walk: Walk, target: Node, value: Expression, *, declared: Expression = None) -> None:
    """Give what `target` names the value, taken apart where the target is a pattern."""
    if walk.level >= MOST_LEVELS and walk.is_too_deep(target):
        return
    if target.kind_id == IDENTIFIER:
        walk.bind(walk.name(target), value, target, declared=declared)
        return
    walk.level += 1
    _assign_to(walk, target, value, declared)
    walk.level -= 1


def _assign_to(walk: Walk, target: Node, value: Expression, declared: Expression) -> None:
    kind = target.kind_id
    if kind == ATTRIBUTE:
        _assign_member(walk, target, value, declared)
    elif kind == SUBSCRIPT:
        _assign_element(walk, target, value)
    elif target.type in _PATTERNS:
        _unpack(walk, target, value)
    elif target.type in _WRAPPERS:
        for inner in target.named_children:
            assign(walk, inner, value, declared=declared)
    else:
        walk.visit(target)


def assign_augmented(walk: Walk, target: Node) -> Expression:
    """The value that `target += …` changes, which is read before it is given anew."""
    kind = target.kind_id
    if kind == ATTRIBUTE:
        receiver = _assign_member(walk, target, None, None)
        name = target.children[-1]
        walk.add_access(receiver, walk.name(name), name.start_byte)
        return member_of(receiver, [walk.name(name)])
    if kind == SUBSCRIPT:
        container = member_of(_assign_element(walk, target, None), [])
        walk.add_access(container, "__getitem__", target.start_byte)
        return None if container is None else element_of(walk, container, target.named_children[1:])
    assign(walk, target, None)
    return ("name", walk.name(target)) if kind == IDENTIFIER else None


def assign_elements(walk: Walk, node: Node) -> None:
    """`for target in values`, as a statement or in a comprehension."""
    targets: list[Node] = []
    value: Expression = None
    is_past_in = False
    methods = ITERATION
    for child in node.children:
        kind = child.kind_id
        if kind == IN_TOKEN:
            is_past_in = True
        elif kind == COLON_TOKEN:
            break
        elif kind == ASYNC_TOKEN:
            methods = ASYNC_ITERATION
        elif not child.is_named or kind == COMMENT:
            continue
        elif is_past_in:
            value = walk.visit(child)
            for method in methods:
                walk.add_access(value, method, child.start_byte)
        else:
            targets.append(child)
    for target in targets:
        assign(walk, target, None if value is None else ("item", value))


def declare(
    walk: Walk, target: Node, statement: Node, *, declared: Expression, is_type: bool = False
) -> None:
    """Make a name that a file or a class body assigns a symbol, once."""
    frame = walk.frame
    if frame.kind == "function" or target.kind_id != IDENTIFIER:
        return
    name = walk.name(target)
    if name in frame.declared:
        return
    is_constant = _CONSTANT_NAME.fullmatch(name) is not None
    kind: SymbolKind
    if is_type:
        kind = "type"
    elif frame.kind == "class":
        is_member = walk.drafts[frame.number].kind == "enum" and not name.startswith("_")
        kind = "constant" if is_member or is_constant else "field"
    else:
        kind = "constant" if is_constant else "variable"
    number = frame.declared[name] = walk.draft(kind, name, statement)
    draft = walk.drafts[number]
    draft.value_type = declared
    draft.signature = walk.text.brief(statement, 200)


def note_exports(walk: Walk, node: Node) -> None:
    """Add the strings of `__all__ = [...]`, or of what is added to it."""
    if walk.exports is None:
        walk.exports = set()
    waiting = [node]
    while waiting:
        element = waiting.pop()
        if element.type in {
            "list",
            "tuple",
            "set",
            "binary_operator",
            "parenthesized_expression",
            "list_splat",
        }:
            waiting += element.named_children
        elif name := joined_value(element, walk.source):
            walk.exports.add(name)


def _assign_member(walk: Walk, target: Node, value: Expression, declared: Expression) -> Expression:
    """What the member is one of."""
    children = target.children
    base, name = children[0], walk.name(children[-1])
    receiver: Expression
    if base.kind_id == IDENTIFIER and walk.name(base) == walk.receiver:
        receiver = ("this",)
        _declare_field(walk, target, name, declared)
    else:
        receiver = walk.visit(base)
    walk.store(target, receiver, name=name, value=value if value is not None else declared)
    walk.add_access(receiver, name + SETTING, target.start_byte)
    return receiver


def _declare_field(walk: Walk, target: Node, name: str, declared: Expression) -> None:
    """The first `self.x = …` of a class makes x one of its fields."""
    frame = walk.frame
    while frame.kind != "class" and frame.outer is not None:
        frame = frame.outer
    if frame.kind != "class":
        return
    known = frame.declared.get(name)
    if known is None:
        known = frame.declared[name] = walk.draft("field", name, target, parent=frame.number)
    draft = walk.drafts[known]
    if draft.value_type is None and draft.kind == "field":
        draft.value_type = declared


def _assign_element(walk: Walk, target: Node, value: Expression) -> Expression:
    """What the element is of. `d[k] = v` is a call of `__setitem__` where the value can matter to linking."""
    parts = target.named_children
    if not parts:
        return None
    container = walk.visit(parts[0])
    keys = [walk.visit(part) for part in parts[1:]]
    if container is None or value is None or value[0] == "literal":
        walk.add_access(container, "__setitem__", target.start_byte)
        return container
    key = keys[0] if len(keys) == 1 else None
    walk.add_call(
        target.start_byte,
        ("member", container, "__setitem__"),
        text="__setitem__",
        arguments=((None, key), (None, value)),
        kind="implicit",
    )
    return container


def _unpack(walk: Walk, target: Node, value: Expression) -> None:
    elements = meaningful_children(target)
    known = value[1:] if value is not None and value[0] == "list" else None
    has_splat = any(element.type in {"list_splat_pattern", "list_splat"} for element in elements)
    for place, element in enumerate(elements):
        if known is not None and len(known) == len(elements) and not has_splat:
            part = known[place]
        elif value is None or value[0] == "literal":
            part = None
        else:
            is_rest = element.type in {"list_splat_pattern", "list_splat"}
            part = value if is_rest else ("item", value) if has_splat else ("item", value, place_key(place))
        assign(walk, element, part)
