"""What is given a value in PHP: variables, members, elements, and several at once by a pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drift.languages.facts import Binding, Store
from drift.languages.php.magic_methods import MEMBER_TYPES, note_property

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import PhpWalk


def bind_target(php: PhpWalk, target: Node, value: Expression, *, is_element: bool = False) -> Expression:
    """Note what is given a value: a variable, a member, an element, or several by a pattern.

    What the target was before comes back: where only an element of it is given a value, it is read.
    """
    kind = target.type
    if kind == "variable_name":
        php.bindings.append(Binding(php.scope, php.text.text(target), value, php.line(target)))
        if php.narrowed:
            php.narrowed = {
                name: form for name, form in php.narrowed.items() if name != php.text.text(target)
            }
        return ("name", php.text.text(target))
    if kind in MEMBER_TYPES:
        return _bind_member(php, target, value, is_element=is_element)
    if kind == "subscript_expression" and target.named_child_count:
        for index in target.named_children[1:]:
            php.visit(index)
        changed = bind_target(php, target.named_children[0], ("list", value), is_element=True)
        php.add_access(target, changed, "offsetGet" if is_element else "offsetSet")
        return None if changed is None else ("item", changed)
    if kind == "scoped_property_access_expression":
        scope = target.child_by_field_name("scope")
        _store_member(php, target, None if scope is None else php.class_form(scope), value)
    elif kind in {"list_literal", "array_creation_expression"}:
        _bind_pattern(php, target, ("item", value))
    elif kind in {"by_ref", "array_element_initializer"} and target.named_child_count:
        bind_target(php, target.named_children[-1], value)
    else:
        return php.visit(target)
    return None


def _bind_member(php: PhpWalk, target: Node, value: Expression, *, is_element: bool) -> Expression:
    receiver, name = php.visit_field(target, "object"), target.child_by_field_name("name")
    _store_member(php, target, receiver, value)
    if name is None or name.type != "name":
        return None
    written = php.text.text(name)
    note_property(php, target, receiver, name=written, method="__get" if is_element else "__set")
    return ("member", receiver, written)


def _store_member(php: PhpWalk, target: Node, receiver: Expression, value: Expression) -> None:
    name = target.child_by_field_name("name")
    if name is None or name.type not in {"name", "variable_name"}:
        return
    if name.type == "variable_name" and target.type != "scoped_property_access_expression":
        return  # `$a->$b`: any member
    php.stores.append(
        Store(php.scope, receiver, php.text.text(name).removeprefix("$"), value, php.line(target))
    )


def _bind_pattern(php: PhpWalk, pattern: Node, value: Expression) -> None:
    for child in pattern.named_children:
        if child.type in {"string", "integer", "encapsed_string", "comment"}:
            continue  # the key of what follows it
        bind_target(php, child, value)


def note_reading(php: PhpWalk, node: Node, value: Expression) -> None:
    """Note what is read of a property or an element before it is changed."""
    if value is not None and value[0] == "member" and node.type in MEMBER_TYPES:
        note_property(php, node, value[1], name=value[2], method="__get")
    elif value is not None and value[0] == "item":
        php.add_access(node, value[1], "offsetGet")
