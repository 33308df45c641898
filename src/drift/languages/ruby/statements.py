"""Ruby statements: bodies and what they are worth, conditions, loops, patterns, exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import either_of, list_of
from drift.languages.facts import Handling, Return
from drift.languages.limits import MOST_TEXT_CHARACTERS
from drift.languages.ruby.targets import bind_target
from drift.languages.ruby.walk import statements_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.ruby.walk import Handler, RubyWalk

_HANDLERS: Final = frozenset({"rescue", "else", "ensure"})
_BODIES: Final = frozenset(
    {"body_statement", "block_body", "then", "do", "begin", "else", "ensure", "program"}
)
_MOST_ALTERNATIVES: Final = 16


def visit_body(ruby: RubyWalk, node: Node | None) -> Expression:
    """What a body is worth: its last statement, or that of one of its handlers."""
    if node is None:
        return None
    if node.type not in _BODIES:
        return ruby.visit(node)
    value: Expression = None
    others: list[Expression] = []
    handled = [child for child in node.named_children if child.type in _HANDLERS]
    if any(child.type != "else" for child in handled):
        _note_try(ruby, node, handled[0])
    for child in node.named_children:
        if child.type in {"comment", "heredoc_body"}:
            ruby.visit(child)
        elif child.type not in _HANDLERS:
            value = ruby.visit(child)
        elif child.type == "ensure":
            ruby.add_handling(child, "finally")
            visit_body(ruby, child)
        else:
            others.append(ruby.visit(child) if child.type == "rescue" else visit_body(ruby, child))
    return join_either([value, *others])


def join_either(values: Iterable[Expression]) -> Expression:
    """One of these values; of a single one, it."""
    known = list(
        dict.fromkeys(value for value in values if value is not None and value != ("literal", "none"))
    )
    if not known:
        return None
    return known[0] if len(known) == 1 else either_of(known[:_MOST_ALTERNATIVES])


def _note_try(ruby: RubyWalk, node: Node, first: Node) -> None:
    start = ruby.line(node)
    end = max(start, ruby.line(first) - 1)
    ruby.handlings.append(Handling(ruby.scope, start, end, "try"))


def _read_rescue(ruby: RubyWalk, node: Node) -> Expression:
    listed = node.child_by_field_name("exceptions")
    named = [] if listed is None else listed.named_children
    forms = [ruby.visit(child) for child in named]
    body = node.child_by_field_name("body")
    line, end = ruby.line(node), ruby.text.line_of(max(node.start_byte, node.end_byte - 1))
    types = tuple(ruby.text.brief(child, MOST_TEXT_CHARACTERS) for child in named if child.type != "comment")
    is_empty = not statements_of(body)
    ruby.handlings.append(Handling(ruby.scope, line, end, "catch", types, is_empty=is_empty))
    variable = node.child_by_field_name("variable")
    for target in () if variable is None else variable.named_children:
        bind_target(ruby, target, join_either(("instance", form) for form in forms if form is not None))
    return visit_body(ruby, body)


def _read_rescue_modifier(ruby: RubyWalk, node: Node) -> Expression:
    body, handler = node.child_by_field_name("body"), node.child_by_field_name("handler")
    line = ruby.line(node)
    ruby.handlings.append(Handling(ruby.scope, line, line, "try"))
    is_empty = handler is None or handler.type == "nil"
    ruby.handlings.append(Handling(ruby.scope, line, line, "catch", (), is_empty=is_empty))
    return join_either([None if part is None else ruby.visit(part) for part in (body, handler)])


def _read_if(ruby: RubyWalk, node: Node) -> Expression:
    """`if`, `unless` and their `elsif`s, without recursion: generated code makes long chains."""
    values: list[Expression] = []
    waiting: Node | None = node
    while waiting is not None:
        condition = waiting.child_by_field_name("condition")
        if condition is not None:
            ruby.visit(condition)
        consequence = waiting.child_by_field_name("consequence")
        if consequence is not None:
            values.append(visit_body(ruby, consequence))
        waiting = waiting.child_by_field_name("alternative")
        if waiting is not None and waiting.type != "elsif":
            values.append(visit_body(ruby, waiting))
            waiting = None
    return join_either(values)


def _read_modified(ruby: RubyWalk, node: Node) -> Expression:
    """`body if condition`: the condition comes first."""
    condition = node.child_by_field_name("condition")
    if condition is not None:
        ruby.visit(condition)
    return ruby.visit_field(node, "body")


def _read_conditional(ruby: RubyWalk, node: Node) -> Expression:
    ruby.visit_field(node, "condition")
    return join_either([ruby.visit_field(node, "consequence"), ruby.visit_field(node, "alternative")])


def _read_case(ruby: RubyWalk, node: Node) -> Expression:
    subject = ruby.visit_field(node, "value")
    values: list[Expression] = []
    for child in node.named_children:
        if child.type == "when":
            for pattern in child.named_children:
                if pattern.type == "pattern":
                    for inner in pattern.named_children:
                        ruby.add_access(inner, ruby.visit(inner), "===")
            values.append(visit_body(ruby, child.child_by_field_name("body")))
        elif child.type == "in_clause":
            values.append(_read_in(ruby, child, subject))
        elif child.type == "else":
            values.append(visit_body(ruby, child))
    return join_either(values)


def _read_in(ruby: RubyWalk, node: Node, subject: Expression) -> Expression:
    pattern = node.child_by_field_name("pattern")
    if pattern is not None:
        bind_pattern(ruby, pattern, subject)
    guard = node.child_by_field_name("guard")
    if guard is not None:
        ruby.visit(guard)
    return visit_body(ruby, node.child_by_field_name("body"))


def bind_pattern(ruby: RubyWalk, node: Node, subject: Expression) -> None:
    """The variables that a pattern binds, and the constants that it asks for."""
    kind = node.type
    if kind == "identifier":
        ruby.bind(node, ruby.text.text(node), subject)
        return
    if kind == "as_pattern":
        value = node.child_by_field_name("value")
        form = (
            None if value is None or value.type not in {"constant", "scope_resolution"} else ruby.visit(value)
        )
        if form is None and value is not None:
            bind_pattern(ruby, value, subject)
        name = node.child_by_field_name("name")
        if name is not None:
            ruby.bind(name, ruby.text.text(name), subject if form is None else ("instance", form))
        return
    if kind == "keyword_pattern":
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        if value is not None:
            bind_pattern(ruby, value, None)
        elif key is not None:
            ruby.bind(key, ruby.text.text(key), None)
        return
    if kind.endswith(("_pattern", "_parameter")) and kind != "expression_reference_pattern":
        for child in node.named_children:
            bind_pattern(ruby, child, None)
        return
    ruby.visit(node)


def _read_match(ruby: RubyWalk, node: Node) -> Expression:
    """`value => pattern` and `value in pattern`."""
    subject, pattern = ruby.visit_field(node, "value"), node.child_by_field_name("pattern")
    if pattern is not None:
        bind_pattern(ruby, pattern, subject)
    return ("literal", "bool")


def _read_loop(ruby: RubyWalk, node: Node) -> None:
    ruby.visit_field(node, "condition")
    visit_body(ruby, node.child_by_field_name("body"))


def _read_for(ruby: RubyWalk, node: Node) -> Expression:
    source = node.child_by_field_name("value")
    inner = [] if source is None else source.named_children
    value = ruby.visit(inner[0]) if inner else None
    pattern = node.child_by_field_name("pattern")
    if pattern is not None:
        bind_target(ruby, pattern, ("item", value))
    visit_body(ruby, node.child_by_field_name("body"))
    return value


def _read_return(ruby: RubyWalk, node: Node) -> None:
    ruby.returns.append(Return(ruby.scope, _read_given(ruby, node), ruby.line(node)))


def _read_given(ruby: RubyWalk, node: Node) -> Expression:
    """What `return`, `break`, `next` and `yield` are given."""
    listed = [child for child in node.named_children if child.type == "argument_list"]
    values = [ruby.visit(child) for one in listed for child in one.named_children if child.type != "comment"]
    if len(values) < 2:  # noqa: PLR2004 - one is no list
        return values[0] if values else None
    return list_of(values)


def _read_body(ruby: RubyWalk, node: Node) -> Expression:
    return visit_body(ruby, node)


def _read_last(ruby: RubyWalk, node: Node) -> Expression:
    value: Expression = None
    for child in node.named_children:
        if child.type != "comment":
            value = ruby.visit(child)
    return value


def _skip(_ruby: RubyWalk, _node: Node) -> None:
    return


STATEMENT_HANDLERS: Final[dict[str, Handler]] = {
    "begin": _read_body,
    "block_body": _read_body,
    "body_statement": _read_body,
    "break": _read_given,
    "case": _read_case,
    "case_match": _read_case,
    "comment": _skip,
    "conditional": _read_conditional,
    "do": _read_body,
    "else": _read_body,
    "ensure": _read_body,
    "for": _read_for,
    "if": _read_if,
    "if_modifier": _read_modified,
    "match_pattern": _read_match,
    "next": _read_given,
    "parenthesized_statements": _read_last,
    "rescue": _read_rescue,
    "rescue_modifier": _read_rescue_modifier,
    "return": _read_return,
    "test_pattern": _read_match,
    "then": _read_body,
    "undef": _skip,
    "uninterpreted": _skip,
    "unless": _read_if,
    "unless_modifier": _read_modified,
    "until": _read_loop,
    "until_modifier": _read_modified,
    "while": _read_loop,
    "while_modifier": _read_modified,
    "yield": _read_given,
}
