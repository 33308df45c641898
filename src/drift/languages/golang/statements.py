"""Go statements that give names values: declarations, assignments, ranges, type switches, returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import list_of
from drift.languages.facts import Constant, Return
from drift.languages.golang.functions import read_closure
from drift.languages.golang.routers import note_router

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.golang.walk import GoWalk

# The right sides that give a second value of truth: `v, ok := m[k]`, `x.(T)`, `<-ch`.
_BOOL: Final[Expression] = ("literal", "bool")
_COMMA_OK: Final = frozenset({"index_expression", "type_assertion_expression", "unary_expression"})
_BLOCKS: Final = (
    "block",
    "communication_case",
    "default_case",
    "expression_case",
    "expression_switch_statement",
    "for_statement",
    "if_statement",
)
_NUMBERS: Final = frozenset({"int_literal", "float_literal", "imaginary_literal"})
_STRINGS: Final = frozenset({"interpreted_string_literal", "raw_string_literal"})


def _listed(node: Node | None) -> list[Node]:
    """The expressions of a list, or the one that stands alone."""
    if node is None:
        return []
    if node.type == "expression_list":
        return [child for child in node.named_children if child.type != "comment"]
    return [node]


def _read_named_value(go: GoWalk, name: str, node: Node, *, is_constant: bool = False) -> Expression:
    """A value about to get a name: a closure takes the name, a literal constant is known by it."""
    if node.type == "func_literal" and go.closure_parent is None:
        return read_closure(go, node, name=name)
    before = len(go.constants)
    value = go.visit(node)
    if is_constant and (node.type in _NUMBERS or node.type in _STRINGS) and len(go.constants) > before:
        scope, line, kind, text, _ = go.constants[before]
        go.constants[before] = Constant(scope, line, kind, text, name)
    return value


def read_values(
    go: GoWalk, names: Sequence[str], nodes: list[Node], *, is_constant: bool = False
) -> list[Expression]:
    """One value for each name, whether the right side has as many expressions or one to unpack."""
    if len(nodes) == len(names):
        return [
            _read_named_value(go, name, node, is_constant=is_constant)
            for name, node in zip(names, nodes, strict=True)
        ]
    values = [go.visit(node) for node in nodes]
    if len(values) != 1:
        return [None] * len(names)
    if nodes[0].type in _COMMA_OK:
        return [values[0], *(_BOOL for _ in names[1:])]
    return [_unpacked(name, values[0]) for name in names]


def _unpacked(name: str, value: Expression) -> Expression:
    """One of several results. By Go's habit an `err` is an error and an `ok` a truth, whatever comes along."""
    if name == "err" or name.endswith("Err"):
        return ("instance", ("name", "error"))
    if name == "ok":
        return ("literal", "bool")
    return None if value is None else ("item", value)


def _read_short_declaration(go: GoWalk, node: Node) -> Expression:
    targets = _listed(node.child_by_field_name("left"))
    names = [go.text.text(target) for target in targets]
    outer, go.coming = go.coming, frozenset(names)
    values = read_values(go, names, _listed(node.child_by_field_name("right")))
    go.coming = outer
    for target, name, value in zip(targets, names, values, strict=False):
        if name != "_" and target.type == "identifier":
            go.declare(target, name, value)
            note_router(go, name, value)
    return None


def _read_assignment(go: GoWalk, node: Node) -> Expression:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    targets = _listed(left)
    operator = node.child_by_field_name("operator")
    if operator is not None and go.text.text(operator) != "=":
        for side in (left, right):
            if side is not None:
                go.visit(side)
        return None
    values = read_values(go, [go.text.text(target) for target in targets], _listed(right))
    for target, value in zip(targets, values, strict=False):
        _assign_to(go, target, value)
    return None


def _assign_to(go: GoWalk, target: Node, value: Expression) -> None:
    if target.type == "identifier":
        name = go.text.text(target)
        if name != "_":
            go.assign(target, name, value)
            note_router(go, name, value)
    elif target.type == "selector_expression" and target.children[-1].type == "field_identifier":
        receiver = go.visit(target.children[0])
        go.store(target, receiver, name=go.text.text(target.children[-1]), value=value)
    else:
        go.visit(target)


def _read_range(go: GoWalk, node: Node) -> Expression:
    right = node.child_by_field_name("right")
    source = None if right is None else go.visit(right)
    targets = _listed(node.child_by_field_name("left"))
    is_new = any(child.type == ":=" for child in node.children)
    for index, target in enumerate(targets):
        # The first is an index, a key, or the item of a channel: which one, only its type tells.
        value: Expression = ("item", source) if index and source is not None else None
        name = go.text.text(target)
        if is_new and target.type == "identifier" and name != "_":
            go.declare(target, name, value)
        elif not is_new:
            _assign_to(go, target, value)
    return None


def _read_receive(go: GoWalk, node: Node) -> Expression:
    """`case v, ok := <-ch` of a select."""
    value = go.visit_field(node, "right")
    for index, target in enumerate(_listed(node.child_by_field_name("left"))):
        name = go.text.text(target)
        if target.type == "identifier" and name != "_":
            go.declare(target, name, ("literal", "bool") if index else value)
    return None


def _read_type_switch(go: GoWalk, node: Node) -> Expression:
    go.visit_field(node, "initializer")
    value = go.visit_field(node, "value")
    alias = next(iter(_listed(node.child_by_field_name("alias"))), None)
    name = "" if alias is None else go.text.text(alias)
    for case in node.named_children:
        if case.type not in {"type_case", "default_case"}:
            continue
        types = [go.visit(child) for child in case.children_by_field_name("type")]
        if alias is not None and name != "_":
            narrowed: Expression = ("instance", types[0]) if len(types) == 1 else value
            go.declare(case, name, narrowed)
        for child in case.named_children:
            if child.type == "statement_list":
                go.visit(child)
    return None


def _read_return(go: GoWalk, node: Node) -> Expression:
    values = [
        go.visit(child) for part in node.named_children for child in _listed(part) if part.type != "comment"
    ]
    if not values:
        values = [("name", name) for name in go.result_names]
    if values:
        value = values[0] if len(values) == 1 else list_of(values)
        go.returns.append(Return(go.scope, value, go.line(node)))
    return None


def _read_block(go: GoWalk, node: Node) -> Expression:
    """A statement whose variables are forgotten after it, so that their names mean again what they did before."""
    mark = go.open_scope(go.scope)
    for child in node.named_children:
        go.visit(child)
    go.close_scope(mark)
    return None


def _read_type_switch_block(go: GoWalk, node: Node) -> Expression:
    mark = go.open_scope(go.scope)
    _read_type_switch(go, node)
    go.close_scope(mark)
    return None


STATEMENT_HANDLERS: Final[dict[str, Callable[[GoWalk, Node], Expression]]] = {
    "assignment_statement": _read_assignment,
    "func_literal": read_closure,
    "range_clause": _read_range,
    "receive_statement": _read_receive,
    "return_statement": _read_return,
    "short_var_declaration": _read_short_declaration,
    "type_switch_statement": _read_type_switch_block,
    **dict.fromkeys(_BLOCKS, _read_block),
}
