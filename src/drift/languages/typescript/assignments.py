"""Assignments: to variables, to members, and to what a CommonJS file exports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import Expression
from drift.languages.facts import SETTING
from drift.languages.kinds import SymbolKind
from drift.languages.typescript.calls import follow
from drift.languages.typescript.classes import add_class
from drift.languages.typescript.functions import add_function, is_function, visit_value
from drift.languages.typescript.literals import string_value
from drift.languages.typescript.modules import (
    EXPORTS,
    MODULE,
    MODULE_EXPORTS,
    export_module,
    mark_exported,
    note_exported_reads,
)
from drift.languages.typescript.objects import has_functions
from drift.languages.typescript.prototypes import inherit_by_store
from drift.languages.typescript.statements import assign_pattern
from drift.languages.typescript.walk import NamedFunction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.typescript.walk import Handler, Walk

_WHOLE: Final = "module.exports"
_PLAIN_VALUES: Final = frozenset({"=", "??=", "||=", "&&="})


def _assignment(walk: Walk, node: Node) -> Expression:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        walk.visit_children(node)
        return None
    if left.type == "identifier":
        return _assign_variable(walk, node, left, right)
    if left.type in {"member_expression", "subscript_expression"}:
        return _assign_member(walk, node, left, right)
    value = walk.visit(right)
    assign_pattern(walk, left, value)
    return value


def _assign_variable(walk: Walk, node: Node, left: Node, right: Node) -> Expression:
    name = walk.name_of(left)
    value = visit_value(walk, right, name)
    if any(child.type == "using" for child in node.children):
        walk.bind(name, value, left)
    elif name != "exports":  # `exports = module.exports = ...` declares nothing
        walk.assign(name, value, left)
    return value


def _assign_member(walk: Walk, node: Node, left: Node, right: Node) -> Expression:
    receiver, name = _target(walk, left)
    walk.outer_line = walk.line_of(node)
    reads_before = len(walk.reads)
    value = _visit_assigned(walk, node, right, receiver, name=name)
    walk.outer_line = None
    if name is None:
        return value
    if receiver in (MODULE, EXPORTS, MODULE_EXPORTS):
        note_exported_reads(walk, value, since=reads_before)
    if receiver == MODULE and name == "exports":
        export_module(walk, _declared_name(walk, node) if value == ("dict",) else value, node)
    elif receiver in (EXPORTS, MODULE_EXPORTS):
        mark_exported(walk, value)
        walk.store(EXPORTS, name, value, node=node)
    else:
        walk.store(receiver, name, value, node=node)
        inherit_by_store(walk, receiver, name, value)
        walk.add_access(("member", receiver, name + SETTING), node)
    return value


def _declared_name(walk: Walk, node: Node) -> Expression:
    """The variable that is given the same new object: `const app = exports = module.exports = {}`."""
    outer = node.parent
    while outer is not None and outer.type == "assignment_expression":
        outer = outer.parent
    name = outer.child_by_field_name("name") if outer is not None else None
    is_declared = outer is not None and outer.type == "variable_declarator"
    return ("name", walk.name_of(name)) if is_declared and name is not None else ("dict",)


def _target(walk: Walk, left: Node) -> tuple[Expression, str | None]:
    """The object a member is set on, and the member's name where it is constant."""
    inner = left.child_by_field_name("object")
    receiver: Expression = None
    if inner is not None:
        chain = follow(walk, inner)
        receiver = chain.value
        if inner.type == "member_expression":
            walk.add_access(receiver, chain.node)
    if left.type == "member_expression":
        return receiver, walk.name_of(left.child_by_field_name("property"))
    index = left.child_by_field_name("index")
    name = string_value(walk, index)
    if name is None and index is not None:
        walk.visit(index)
    return receiver, name


def _visit_assigned(
    walk: Walk, node: Node, right: Node, receiver: Expression, *, name: str | None
) -> Expression:
    """The value; a function or class that is assigned is known by the member it becomes."""
    owner = _owner(walk, receiver)
    if is_function(right) and name is not None:
        is_exported = receiver == MODULE or receiver in (EXPORTS, MODULE_EXPORTS)
        own = walk.name_of(right.child_by_field_name("name"))
        known_as = (own or _WHOLE) if receiver == MODULE else name
        kind: SymbolKind = "function" if is_exported else "method"
        parent = owner if owner is not None and not is_exported else walk.scope
        header = NamedFunction(kind, known_as, node, parent, doc=walk.take_doc(node))
        return ("symbol", add_function(walk, right, header))
    if right.type == "class" and name is not None:
        own = walk.name_of(right.child_by_field_name("name"))
        return ("symbol", add_class(walk, right, own or name, span=node))
    if right.type == "object" and owner is not None and name is not None:
        walk.object_owner = _own_object(walk, node, right, owner, name=name)
    value = walk.visit(right)
    walk.object_owner = None
    if receiver == MODULE and name == "exports" and right.type == "object" and has_functions(right):
        walk.bind(_WHOLE, value, right)  # so that its functions find each other by `this`
    return value


def _own_object(walk: Walk, node: Node, value: Node, owner: int, *, name: str) -> int | None:
    """The symbol that the functions of an assigned object belong to, if it has any."""
    if name == "prototype":
        return owner
    if not has_functions(value):
        return None
    index = walk.reserve_symbol()
    walk.fill_symbol(index, "property", name, node=node, parent=owner, doc=walk.take_doc(node))
    return index


def _owner(walk: Walk, receiver: Expression) -> int | None:
    """The symbol a member is put on: `Stack.prototype.push = ...`, `app.use = ...`."""
    if receiver is None:
        return None
    if receiver[0] == "member" and receiver[2] == "prototype":
        receiver = receiver[1]
    if receiver is not None and receiver[0] == "name":
        return walk.symbol_by_name.get(str(receiver[1]))
    if receiver == ("this",):
        # A function that sets members of `this` is an old way to write a class.
        return _this_owner(walk)
    return None


def _this_owner(walk: Walk) -> int | None:
    here = walk.scope
    while here and walk.symbols[here].kind == "function":
        name, parent = walk.symbols[here].name, walk.symbols[here].parent
        if name[:1].isupper():
            return here
        here = parent
    symbol = walk.symbols[here]
    return symbol.parent if symbol.kind in {"constructor", "method"} else None


def _augmented(walk: Walk, node: Node) -> Expression:
    operator = node.child_by_field_name("operator")
    if operator is not None and operator.type in _PLAIN_VALUES:
        return _assignment(walk, node)
    walk.visit_children(node)
    return None


HANDLERS: Final[Mapping[str, Handler]] = {
    "assignment_expression": _assignment,
    "augmented_assignment_expression": _augmented,
}
