"""What is assigned to in Ruby: variables, members, elements, constants, and lists of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import SETTING, Binding, Constant, Store
from drift.languages.frameworks import load_frameworks

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.ruby.walk import RubyWalk

_SETTINGS: Final = load_frameworks("ruby").names("settings", "told")


def bind_target(ruby: RubyWalk, target: Node, value: Expression) -> None:
    """Give a value to what stands on the left of an assignment; constants are read by their declaration."""
    kind = target.type
    if kind == "identifier":
        ruby.bind(target, ruby.text.text(target), value)
    elif kind in {"instance_variable", "class_variable"}:
        store_member(ruby, target, ruby.text.text(target), value)
    elif kind == "global_variable":
        ruby.bindings.append(Binding(0, ruby.text.text(target), value, ruby.line(target)))
    elif kind == "element_reference":
        _bind_element(ruby, target, value)
    elif kind == "call":
        _bind_member(ruby, target, value)
    elif kind in {"left_assignment_list", "destructured_left_assignment", "destructured_parameter"}:
        for child in target.named_children:
            bind_target(ruby, child, ("item", value))
    elif kind in {"rest_assignment", "splat_parameter"}:
        for child in target.named_children:
            bind_target(ruby, child, None)
    else:
        ruby.visit(target)


def store_member(ruby: RubyWalk, node: Node, name: str, value: Expression) -> None:
    """Give a value to an instance or class variable, which methods of the class and its body share.

    Outside of classes it is one of the group of tests around, whose hooks and tests share it.
    """
    if ruby.class_number is None:
        ruby.bindings.append(Binding(ruby.suite, name, value, ruby.line(node)))
        return
    ruby.stores.append(Store(ruby.scope, ("this",), name, value, ruby.line(node)))


def _bind_element(ruby: RubyWalk, target: Node, value: Expression) -> None:
    owner, *places = target.named_children
    receiver = ruby.visit(owner)
    for place in places:
        ruby.visit(place)
    ruby.add_access(target, receiver, "[]=")
    if owner.type == "identifier" and value is not None:
        # A container that is filled element by element holds what is put into it.
        name = ruby.variables.get(ruby.text.text(owner))
        if name is not None:
            ruby.bindings.append(Binding(ruby.scope, name, ("list", value), ruby.line(target)))
    elif owner.type == "instance_variable" and value is not None:
        store_member(ruby, owner, ruby.text.text(owner), ("list", value))


def _bind_member(ruby: RubyWalk, target: Node, value: Expression) -> None:
    """`cart.total = 1` calls `total=`, which may be one that `attr_writer` made."""
    owner, name_node = target.child_by_field_name("receiver"), target.child_by_field_name("method")
    receiver = ruby.self_form() if owner is None or owner.type == "self" else ruby.visit(owner)
    if name_node is None:
        return
    name = ruby.text.text(name_node)
    end = name_node.end_byte
    text = ruby.text.callee(target.start_byte, end) + SETTING
    ruby.add_call(
        target,
        ("member", receiver, name + SETTING),
        text=text[-120:],
        arguments=((None, value),),
    )
    _keep_setting(ruby, target, name)
    if receiver is not None and receiver[0] == "this":
        store_member(ruby, target, f"@{name}", value)
    elif receiver is not None:
        ruby.stores.append(Store(ruby.scope, receiver, f"@{name}", value, ruby.line(target)))


def _keep_setting(ruby: RubyWalk, target: Node, name: str) -> None:
    """`config.active_job.queue_adapter = :inline`: the word that a setting is given."""
    given = target.parent.child_by_field_name("right") if name in _SETTINGS and target.parent else None
    value = None if given is None else ruby.string_of(given)
    if value is not None:
        ruby.constants.append(Constant(ruby.scope, ruby.line(target), "string", value, name))
