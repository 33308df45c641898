"""How statements of every language are brought into the small form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from drift.flow.expressions import Fields
from drift.flow.functions import read_function
from drift.flow.ir import (
    NOTHING,
    Argument,
    Assign,
    Block,
    Call,
    Case,
    Define,
    Do,
    Expression,
    If,
    Jump,
    Loop,
    Member,
    Name,
    Not,
    Opaque,
    Return,
    Statement,
    Switch,
    Try,
)
from drift.flow.lowering import Lowering, reads_statement

if TYPE_CHECKING:
    from tree_sitter import Node


@reads_statement("block", "inner", "namespace", "body")
def _block(low: Lowering, node: Node, _fields: Fields) -> Iterator[Statement]:
    for each in low.children(node):
        yield from low.statements(each)


@reads_statement("decorated")
def _decorated(low: Lowering, node: Node, _fields: Fields) -> Iterator[Statement]:
    if inner := node.child_by_field_name("definition"):
        yield from low.statements(inner)


@reads_statement("function")
def _function(low: Lowering, node: Node, fields: Fields) -> Iterator[Statement]:
    function = read_function(low, node, fields)
    yield Define(function.name, function)


@reads_statement("class")
def _class(low: Lowering, node: Node, fields: Fields) -> Iterator[Statement]:
    """What a class does when it is made: its fields are assigned to members of its name."""
    was, low.is_outside = (
        low.is_outside,
        True,
    )  # methods are functions of their own, wherever the class stands
    try:
        body, name = low.child(node, fields[1]), low.child(node, fields[0])
        owner = Name(low.text(name) if name is not None else "", low.line(node))
        for each in low.children(body) if body is not None else ():
            for statement in low.statements(each):
                yield _owned(owner, statement)
    finally:
        low.is_outside = was


def _owned(owner: Name, statement: Statement) -> Statement:
    if (
        isinstance(statement, Do)
        and isinstance(assign := statement.value, Assign)
        and isinstance(assign.target, Name)
    ):
        target = Member(owner, assign.target.name.lstrip("$"), assign.line)
        return Do(Assign(target, assign.value, assign.line, assign.operator, assign.type), statement.line)
    if isinstance(statement, Block):
        return Block(tuple(_owned(owner, each) for each in statement.body))
    return Block(()) if isinstance(statement, Define) else statement


@reads_statement("declaration")
def _declaration(low: Lowering, node: Node, fields: Fields) -> Iterator[Statement]:
    kind = low.child(node, fields[0])
    type_text = low.text(kind) if kind is not None else ""
    for each in low.children(node):
        if low.role(each) == "declare":
            yield from _declared(low, each, low.form.roles[each.type][1], type_text)
        elif low.role(each) == "declaration":
            yield from low.statements(each)


@reads_statement("declare")
def _declare(low: Lowering, node: Node, fields: Fields) -> Iterator[Statement]:
    kind = low.child(node, fields[2]) if fields[2:] else None
    yield from _declared(low, node, fields, low.text(kind).lstrip(":").strip() if kind is not None else "")


def _declared(low: Lowering, node: Node, fields: Fields, type_text: str) -> Iterator[Statement]:
    name, value = low.child(node, fields[0]), low.child(node, fields[1])
    if name is None or name == value:
        return
    given = low.expression(value) if value is not None and value != name else NOTHING
    yield Do(Assign(low.expression(name), given, low.line(node), type=type_text), low.line(node))


@reads_statement("assert")
def _assert(low: Lowering, node: Node, _fields: Fields) -> Iterator[Statement]:
    children = low.children(node)
    if children:
        yield If(Not(low.expression(children[0])), (Jump("raise"),), ())


@reads_statement("if")
def _if(low: Lowering, node: Node, fields: Fields) -> Iterator[Statement]:
    if fields[3:] and (before := node.child_by_field_name(fields[3])):
        yield from low.statements(before)
    test = low.expression(low.child(node, fields[0]))
    others = node.children_by_field_name(fields[2]) if fields[2] != "none" else []
    yield If(test, low.statements(low.child(node, fields[1])), _alternatives(low, others))


def _alternatives(low: Lowering, nodes: list[Node]) -> tuple[Statement, ...]:
    """The blocks of `elif` and `else`, which some grammars list side by side."""
    found: tuple[Statement, ...] = ()
    for each in reversed(nodes):
        statements = low.statements(each)
        if found and len(statements) == 1 and isinstance(first := statements[0], If) and not first.other:
            statements = (If(first.test, first.then, found),)
        found = statements
    return found


@reads_statement("unless")
def _unless(low: Lowering, node: Node, fields: Fields) -> Iterator[Statement]:
    for each in _if(low, node, fields):
        yield If(Not(each.test), each.then, each.other) if isinstance(each, If) else each


@reads_statement("while")
def _while(low: Lowering, node: Node, fields: Fields) -> Iterator[Statement]:
    test = low.expression(low.child(node, fields[0]))
    yield Loop(low.statements(low.child(node, fields[1])), test=test, line=low.line(node))


@reads_statement("do")
def _do(low: Lowering, node: Node, fields: Fields) -> Iterator[Statement]:
    test = low.expression(low.child(node, fields[1]))
    yield Loop(low.statements(low.child(node, fields[0])), test=test, line=low.line(node), runs_first=True)


@reads_statement("for")
def _for(low: Lowering, node: Node, _fields: Fields) -> Iterator[Statement]:
    first = (
        node.child_by_field_name("init")
        or node.child_by_field_name("initializer")
        or node.child_by_field_name("initialize")
    )
    if first is not None:
        yield from low.statements(first)
    test = node.child_by_field_name("condition")
    body = low.statements(node.child_by_field_name("body"))
    after = node.child_by_field_name("update") or node.child_by_field_name("increment")
    rest = low.statements(after) if after is not None else ()
    yield Loop((*body, *rest), test=low.expression(test) if test is not None else None, line=low.line(node))


@reads_statement("for_go")
def _for_go(low: Lowering, node: Node, _fields: Fields) -> Iterator[Statement]:
    body = low.statements(node.child_by_field_name("body"))
    clause = next((each for each in node.named_children if each.type in {"range_clause", "for_clause"}), None)
    if clause is None:
        yield Loop(body, line=low.line(node))
    elif clause.type == "range_clause":
        left = clause.child_by_field_name("left")
        names = low.children(left) if left is not None else []
        iterable = low.expression(clause.child_by_field_name("right"))
        target = low.expression(names[1]) if len(names) > 1 else None
        yield Loop(
            body,
            target=target or NOTHING,
            iterable=iterable,
            key=low.expression(names[0]) if names else None,
            line=low.line(node),
        )
    else:
        first = clause.child_by_field_name("initializer")
        if first is not None:
            yield from low.statements(first)
        yield Loop(body, line=low.line(node))


@reads_statement("foreach")
def _foreach(low: Lowering, node: Node, fields: Fields) -> Iterator[Statement]:
    iterable = low.expression(low.child(node, fields[1]))
    body = low.statements(low.child(node, fields[2]))
    left = low.child(node, fields[0])
    target = low.expression(left)
    if isinstance(target, Opaque) and left is not None and (names := low.children(left)):
        target = low.expression(names[-1])
    if node.type == "for_in_statement" and any(each.type == "in" for each in node.children):
        yield Loop(body, target=NOTHING, iterable=iterable, key=target, line=low.line(node))
        return
    yield Loop(body, target=target, iterable=iterable, line=low.line(node))


@reads_statement("foreach_php")
def _foreach_php(low: Lowering, node: Node, _fields: Fields) -> Iterator[Statement]:
    children = [each for each in low.children(node) if each != node.child_by_field_name("body")]
    if not children[1:]:
        return
    iterable, last = low.expression(children[0]), children[-1]
    key: Expression | None = None
    if last.type == "pair":
        sides = low.children(last)
        key, target = low.expression(sides[0]), low.expression(sides[-1])
    else:
        target = low.expression(last)
    yield Loop(
        low.statements(node.child_by_field_name("body")),
        target=target,
        iterable=iterable,
        key=key,
        line=low.line(node),
    )


@reads_statement("try")
def _try(low: Lowering, node: Node, fields: Fields) -> Iterator[Statement]:
    resources = node.child_by_field_name("resources")
    before = low.statements(resources) if resources is not None else ()
    body = (*before, *low.statements(low.child(node, fields[0])))
    handlers: list[tuple[str, tuple[Statement, ...]]] = []
    final: tuple[Statement, ...] = ()
    for each in low.children(node):
        if low.role(each) == "handler":
            handlers.append(("", low.statements(each)))
        elif low.role(each) == "finally":
            final = low.statements(each)
        elif each.type == "else_clause":
            body = (*body, *low.statements(each))
    yield Try(body, tuple(handlers), final)


@reads_statement("handler", "finally")
def _handler(low: Lowering, node: Node, _fields: Fields) -> Iterator[Statement]:
    body = node.child_by_field_name("body")
    if body is not None:
        yield from low.statements(body)
        return
    for each in low.children(node):
        if low.role(each) == "block":
            yield from low.statements(each)


@reads_statement("with")
def _with(low: Lowering, node: Node, fields: Fields) -> Iterator[Statement]:
    for clause in node.named_children:
        if clause == low.child(node, fields[0]):
            continue
        items = clause.named_children if clause.type == "with_clause" else [clause]
        for item in items:
            value = item.child_by_field_name("value") if item.type == "with_item" else item
            if value is not None and low.role(value) == "as":
                yield from _aliased(low, value)
            elif value is not None:
                yield from low.statements(value)
    yield from low.statements(low.child(node, fields[0]))


def _aliased(low: Lowering, node: Node) -> Iterator[Statement]:
    given = low.children(node)
    alias = node.child_by_field_name("alias")
    name = (low.children(alias) or [alias])[0] if alias is not None else given[-1]
    yield Do(Assign(low.expression(name), low.expression(given[0]), low.line(node)), low.line(node))


@reads_statement("switch", "match")
def _switch(low: Lowering, node: Node, fields: Fields) -> Iterator[Statement]:
    body = low.child(node, fields[1])
    cases = [each for each in low.children(body) if low.role(each) == "case"] if body is not None else []
    yield Switch(low.expression(low.child(node, fields[0])), _cases(low, cases), _falls(cases))


def _falls(cases: list[Node]) -> bool:
    return any(
        each.type
        in {
            "switch_block_statement_group",
            "switch_case",
            "switch_default",
            "case_statement",
            "default_statement",
        }
        for each in cases
    )


@reads_statement("switch_go", "switch_ruby")
def _switch_go(low: Lowering, node: Node, fields: Fields) -> Iterator[Statement]:
    subject = low.expression(low.child(node, fields[0])) if fields else NOTHING
    cases = [each for each in low.children(node) if low.role(each) == "case" or each.type == "else"]
    yield Switch(subject, _cases(low, cases), falls=False)


def _cases(low: Lowering, nodes: list[Node]) -> tuple[Case, ...]:
    found = []
    for node in nodes:
        children = low.children(node)
        labels = [
            each
            for each in children
            if low.role(each) == "label"
            or each.type in {"pattern", "case_pattern", "constant_pattern", "case_switch_label"}
        ]
        value = node.child_by_field_name("value")
        tests = [low.expression(inner) for label in labels for inner in low.children(label)[:20]]
        if not labels and value is not None:
            tests = [
                low.expression(each)
                for each in (low.children(value) if low.role(value) == "list_or_one" else [value])
            ]
        rest = [each for each in children if each not in labels and each != value]
        body = node.child_by_field_name("consequence") or node.child_by_field_name("body")
        statements = low.statements(body) if body is not None and not rest[1:] else low.all_statements(rest)
        found.append(Case(tuple(tests), statements))
    return tuple(found)


@reads_statement("return")
def _return(low: Lowering, node: Node, _fields: Fields) -> Iterator[Statement]:
    children = low.children(node)
    yield Return(low.expression(children[0]) if children else None, low.line(node))


@reads_statement("throw")
def _throw(low: Lowering, node: Node, _fields: Fields) -> Iterator[Statement]:
    children = low.children(node)
    yield Jump("raise", low.expression(children[0]) if children else None)


@reads_statement("exit")
def _exit(low: Lowering, node: Node, _fields: Fields) -> Iterator[Statement]:
    given = tuple(Argument(low.expression(each)) for each in low.children(node)[:1])
    yield Do(Call(Name("exit"), given, *low.place(node)), low.line(node))
    yield Jump("raise")


@reads_statement("break")
def _break(_low: Lowering, _node: Node, _fields: Fields) -> Iterator[Statement]:
    yield Jump("break")


@reads_statement("continue")
def _continue(_low: Lowering, _node: Node, _fields: Fields) -> Iterator[Statement]:
    yield Jump("continue")
