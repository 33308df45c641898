"""What PHP runs where no call is written: methods for properties, elements, loops, strings and copies of an object.

A property that is read or set is noted with the method that stands in for it where the class has none of that
name: the member as the receiver, `__get` as the name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import GOING_THROUGH
from drift.languages.kinds import FIELD_KINDS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import PhpWalk

MEMBER_TYPES: Final = frozenset({"member_access_expression", "nullsafe_member_access_expression"})
_MEMBER_FORM: Final = "member"
_PLAIN_FORMS: Final = frozenset({"dict", "list", "literal"})
# Functions of PHP itself that ask the object they are given first.
_ASKING: Final = {
    "count": "count",
    "iterator_count": GOING_THROUGH,
    "iterator_to_array": GOING_THROUGH,
    "json_encode": "jsonSerialize",
    "sizeof": "count",
    "strval": "__toString",
}


def note_property(php: PhpWalk, node: Node, receiver: Expression, *, name: str, method: str) -> None:
    """Note that a property is read, set, asked for or removed, which a method may do in its place."""
    if receiver is not None and receiver[0] != "literal":
        php.add_access(node, (_MEMBER_FORM, receiver, name), method)


def note_question(php: PhpWalk, node: Node, value: Expression) -> None:
    """Note that it is asked whether a property or an element is there, besides what reading it runs."""
    if value is None:
        return
    if value[0] == "narrowed":
        value = value[1]
    if node.type in MEMBER_TYPES and value is not None and value[0] == _MEMBER_FORM:
        note_property(php, node, value[1], name=value[2], method="__isset")
    elif node.type == "subscript_expression" and value is not None and value[0] == "item":
        php.add_access(node, value[1], "offsetExists")


def ask_each(php: PhpWalk, nodes: list[Node], *, members: str, elements: str) -> None:
    """What `isset` and `unset` do with properties and elements, which they do not read."""
    for node in nodes:
        if node.type in MEMBER_TYPES:
            name = node.child_by_field_name("name")
            receiver = php.visit_field(node, "object")
            if name is not None and name.type == "name":
                note_property(php, node, receiver, name=php.text.text(name), method=members)
            elif name is not None:
                php.visit(name)
        elif node.type == "subscript_expression" and not php.text.text(node).startswith("$_ENV"):
            values = [php.visit(child) for child in node.named_children]
            php.add_access(node, values[0] if values else None, elements)
        else:
            php.visit(node)


def note_asked(php: PhpWalk, node: Node, function: str, value: Expression) -> None:
    """Note the method that a function of PHP runs of the object it is given first."""
    method = _ASKING.get(function)
    if method is not None:
        php.add_access(node, value, method)


def drop_certain(php: PhpWalk) -> None:
    """Leave out what certainly runs nothing: properties of `$this` that its class declares right here, plain values."""
    declared = {
        (symbol.parent, symbol.name)
        for symbol in php.symbols
        if symbol.kind in FIELD_KINDS and "static" not in symbol.modifiers
    }
    plain = _plain_variables(php)
    classes: dict[int, int] = {}
    for key in list(php.accesses):
        scope, receiver, _ = key
        if receiver is not None and receiver[0] == "name":
            if (scope, receiver[1]) in plain:
                del php.accesses[key]
            continue
        if receiver is None or receiver[0] != _MEMBER_FORM or receiver[1] != ("this",):
            continue
        if scope not in classes:
            classes[scope] = _class_around(php, scope)
        if (classes[scope], receiver[2]) in declared:
            del php.accesses[key]


def _plain_variables(php: PhpWalk) -> set[tuple[int, str]]:
    """The variables, by scope, that are nothing but strings, numbers and arrays by their types and values."""
    found: dict[tuple[int, str], bool] = {}
    for number, symbol in enumerate(php.symbols):
        for parameter in symbol.parameters:
            found[number, parameter.name] = _is_plain(parameter.type)
    for binding in php.bindings:
        key = (binding.scope, binding.name)
        # To set an element of a variable from outside says nothing of it, and a closure may have it from there.
        is_plain = _is_plain(binding.value) and not php.symbols[binding.scope].name.startswith(("{", "<"))
        found[key] = found.get(key, True) and is_plain
    return {key for key, is_plain in found.items() if is_plain}


def _is_plain(form: Expression) -> bool:
    return form is not None and form[0] in _PLAIN_FORMS


def _class_around(php: PhpWalk, scope: int) -> int:
    while scope and php.symbols[scope].kind not in {"class", "trait", "enum", "interface"}:
        scope = php.symbols[scope].parent
    return scope
