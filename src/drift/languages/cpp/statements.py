"""Statements that bind names, give values back, or handle exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.cpp.declarators import plain_name, unwrap
from drift.languages.cpp.operators import note_truth
from drift.languages.cpp.type_forms import read_type
from drift.languages.expressions import ENTRY, place_key
from drift.languages.facts import Binding, Handling, Return
from drift.languages.limits import MOST_TEXT_CHARACTERS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk, Handler
    from drift.languages.expressions import Expression


def _read_return(cpp: CppWalk, node: Node) -> None:
    value = cpp.visit(node.named_children[0]) if node.named_child_count else None
    cpp.returns.append(Return(cpp.scope, value, cpp.line(node)))


def _read_yield(cpp: CppWalk, node: Node) -> None:
    symbol = cpp.symbols[cpp.scope]
    if "generator" not in symbol.modifiers:
        cpp.symbols[cpp.scope] = symbol._replace(modifiers=tuple(sorted((*symbol.modifiers, "generator"))))
    value = cpp.visit(node.named_children[0]) if node.named_child_count else None
    cpp.returns.append(Return(cpp.scope, value, cpp.line(node), is_yield=True))


def _read_range_loop(cpp: CppWalk, node: Node) -> None:
    """`for (auto& x : xs)`."""
    cpp.visit_field(node, "initializer")
    form = read_type(cpp, node.child_by_field_name("type"))
    value = cpp.visit_field(node, "right")
    declared = unwrap(node.child_by_field_name("declarator"))
    if declared is not None:
        is_pattern = declared.name.type == "structured_binding_declarator"
        names = declared.name.named_children if is_pattern else [declared.name]
        element: Expression = ("item", value, ENTRY)
        for place, name_node in enumerate(names):
            name = plain_name(cpp, name_node)
            cpp.known.add(name)
            given: Expression = ("item", element, place_key(place)) if is_pattern else element
            cpp.bindings.append(Binding(cpp.scope, name, given, cpp.line(node), form))
    cpp.visit_field(node, "body")


def _read_if(cpp: CppWalk, node: Node) -> None:
    """A chain of `else if` without recursion, which generated code makes very long."""
    waiting: Node | None = node
    while waiting is not None:
        cpp.visit_field(waiting, "condition")
        note_truth(cpp, waiting.child_by_field_name("condition"))
        cpp.visit_field(waiting, "consequence")
        clause = waiting.child_by_field_name("alternative")
        inner = (
            None if clause is None else next((c for c in clause.named_children if c.type != "comment"), None)
        )
        if inner is not None and inner.type != "if_statement":
            cpp.visit(inner)
        waiting = inner if inner is not None and inner.type == "if_statement" else None


def _read_while(cpp: CppWalk, node: Node) -> None:
    for child in node.named_children:
        cpp.visit(child)
    note_truth(cpp, node.child_by_field_name("condition"))


def _read_try(cpp: CppWalk, node: Node) -> None:
    body = node.child_by_field_name("body")
    if body is not None:
        cpp.add_handling(node, "try")
        cpp.handlings[-1] = cpp.handlings[-1]._replace(end_line=_last_line(cpp, body))
    for child in node.named_children:
        cpp.visit(child)


def _read_catch(cpp: CppWalk, node: Node) -> None:
    parameters, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
    types: list[str] = []
    line = cpp.line(node)
    for parameter in () if parameters is None else parameters.named_children:
        type_node = parameter.child_by_field_name("type")
        if type_node is None:
            continue
        types.append(cpp.text.brief(type_node, MOST_TEXT_CHARACTERS))
        form = read_type(cpp, type_node)
        if (declared := unwrap(parameter.child_by_field_name("declarator"))) is not None:
            name = plain_name(cpp, declared.name)
            cpp.known.add(name)
            cpp.bindings.append(Binding(cpp.scope, name, ("instance", form), line, form))
    is_empty = body is None or all(child.type == "comment" for child in body.named_children)
    cpp.handlings.append(
        Handling(cpp.scope, line, _last_line(cpp, node), "catch", tuple(types), is_empty=is_empty)
    )
    if body is not None:
        cpp.visit(body)


def _read_throw(cpp: CppWalk, node: Node) -> None:
    thrown = node.named_children[0] if node.named_child_count else None
    types: tuple[str, ...] = ()
    if thrown is not None:
        made = thrown.child_by_field_name("function") or thrown.child_by_field_name("type")
        if made is not None and thrown.type in {"call_expression", "compound_literal_expression"}:
            types = (cpp.text.brief(made, MOST_TEXT_CHARACTERS),)
        cpp.visit(thrown)
    cpp.add_handling(node, "throw", types)


def _last_line(cpp: CppWalk, node: Node) -> int:
    return cpp.text.line_of(max(node.start_byte, node.end_byte - 1))


STATEMENT_HANDLERS: Final[dict[str, Handler]] = {
    "catch_clause": _read_catch,
    "co_return_statement": _read_return,
    "co_yield_statement": _read_yield,
    "for_range_loop": _read_range_loop,
    "if_statement": _read_if,
    "return_statement": _read_return,
    "throw_statement": _read_throw,
    "try_statement": _read_try,
    "while_statement": _read_while,
}
