"""Statements that bind names, give values back, or handle exceptions."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

from drift.languages.facts import GOING_THROUGH, Binding, Handling, Return
from drift.languages.limits import MOST_TEXT_CHARACTERS
from drift.languages.php.containers import accessed_by_facade
from drift.languages.php.magic_methods import ask_each
from drift.languages.php.narrowing import is_left, narrowed_by, visit_narrowed
from drift.languages.php.targets import bind_target
from drift.languages.php.type_forms import read_docblock
from drift.languages.php.walk import child_of_type

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import Handler, PhpWalk

_MOST_BINDINGS_BACK: Final = 40  # that are looked through for those of a variable that is given back


def _read_return(php: PhpWalk, node: Node) -> None:
    given = node.named_children[0] if node.named_child_count else None
    value = accessed_by_facade(php, given, php.visit(given)) if given is not None else None
    if value is not None and value[0] == "name" and _is_copy(php, value[1]):
        value = ("this",)
    php.returns.append(Return(php.scope, value, php.line(node)))


def _is_copy(php: PhpWalk, name: str) -> bool:
    """Whether a variable holds the object itself or a copy: `$new = clone $this`, which is changed and given back."""
    latest = itertools.islice(reversed(php.bindings), _MOST_BINDINGS_BACK)
    given = [one.value for one in latest if one.scope == php.scope and one.name == name]
    return bool(given) and all(value == ("this",) for value in given)


def _read_yield(php: PhpWalk, node: Node) -> None:
    symbol = php.symbols[php.scope]
    if "generator" not in symbol.modifiers:
        php.symbols[php.scope] = symbol._replace(modifiers=tuple(sorted((*symbol.modifiers, "generator"))))
    value: Expression = None
    if node.named_child_count:
        inner = node.named_children[0]
        if inner.type == "array_element_initializer":
            values = [php.visit(child) for child in inner.named_children]
            value = values[-1] if values else None
        else:
            gone_through = php.visit(inner)  # yield from
            php.add_access(inner, gone_through, GOING_THROUGH)
            value = ("item", gone_through)
    php.returns.append(Return(php.scope, value, php.line(node), is_yield=True))


def _read_foreach(php: PhpWalk, node: Node) -> None:
    body = node.child_by_field_name("body")
    inner = [child for child in node.named_children if child.type != "comment" and child != body]
    value = php.visit(inner[0]) if inner else None
    php.add_access(node, value, GOING_THROUGH)
    for target in inner[1:2]:
        if target.type != "pair":
            bind_target(php, target, ("item", value))
            continue
        sides = target.named_children
        bind_target(php, sides[0], None)
        bind_target(php, sides[-1], ("item", value))
    if body is not None:
        php.visit(body)


def _read_if(php: PhpWalk, node: Node) -> None:
    """A chain of `else if` without recursion, which generated code makes very long."""
    waiting: Node | None = node
    while waiting is not None:
        condition, body = waiting.child_by_field_name("condition"), waiting.child_by_field_name("body")
        children, waiting = waiting.named_children, None
        for child in children:
            inner = child.child_by_field_name("body") if child.type == "else_clause" else None
            if inner is not None and inner.type == "if_statement":
                waiting = inner
            elif child == body:
                visit_narrowed(php, child, narrowed_by(php, condition, is_true=True))
            else:
                php.visit(child)


def _read_single_if(php: PhpWalk, node: Node) -> None:
    _read_if(php, node)
    if node.child_by_field_name("alternative") is None and is_left(node.child_by_field_name("body")):
        known = narrowed_by(php, node.child_by_field_name("condition"), is_true=False)
        php.narrowed = {**php.narrowed, **known}


def _read_block(php: PhpWalk, node: Node) -> None:
    outer = php.narrowed
    for child in node.named_children:
        php.visit(child)
    php.narrowed = outer


def _read_try(php: PhpWalk, node: Node) -> None:
    body = node.child_by_field_name("body")
    if body is not None:
        php.add_handling(node, "try")
        php.handlings[-1] = php.handlings[-1]._replace(end_line=_last_line(php, body))
    for child in node.named_children:
        php.visit(child)


def _read_catch(php: PhpWalk, node: Node) -> None:
    type_node, body = node.child_by_field_name("type"), node.child_by_field_name("body")
    name = php.variable_of(node.child_by_field_name("name"))
    form = None if type_node is None else php.visit(type_node)
    types = (
        ()
        if type_node is None
        else tuple(php.text.brief(child, MOST_TEXT_CHARACTERS) for child in type_node.named_children)
    )
    line = php.line(node)
    php.handlings.append(
        Handling(php.scope, line, _last_line(php, node), "catch", types, is_empty=_is_empty(body))
    )
    if name:
        php.bindings.append(Binding(php.scope, name, ("instance", form), line, form))
    if body is not None:
        php.visit(body)


def _read_finally(php: PhpWalk, node: Node) -> None:
    php.add_handling(node, "finally")
    for child in node.named_children:
        php.visit(child)


def _is_empty(body: Node | None) -> bool:
    return body is None or all(child.type == "comment" for child in body.named_children)


def _last_line(php: PhpWalk, node: Node) -> int:
    return php.text.line_of(max(node.start_byte, node.end_byte - 1))


_NAMES: Final = frozenset({"name", "qualified_name"})


def _read_throw(php: PhpWalk, node: Node) -> None:
    thrown = node.named_children[0] if node.named_child_count else None
    types: tuple[str, ...] = ()
    if thrown is not None:
        if thrown.type == "object_creation_expression" and thrown.named_child_count:
            types = (php.text.brief(thrown.named_children[0], MOST_TEXT_CHARACTERS),)
        elif thrown.type == "scoped_call_expression" and thrown.named_children[0].type in _NAMES:
            types = (php.text.brief(thrown.named_children[0], MOST_TEXT_CHARACTERS),)  # a class makes its own
        php.visit(thrown)
    php.add_handling(node, "throw", types)


def _read_static(php: PhpWalk, node: Node) -> None:
    name = php.variable_of(node.child_by_field_name("name"))
    value = php.visit_field(node, "value")
    if name:
        php.bindings.append(Binding(php.scope, name, value, php.line(node)))


def _read_global(php: PhpWalk, node: Node) -> None:
    """`global $x` makes the file's variable known here; a member of the file has that name."""
    line = php.line(node)
    promised = read_docblock(php, php.comments.take_doc(line, ("/**", "/* @var ")))
    for child in node.named_children:
        if name := php.variable_of(child):
            _, declared = promised.get(name, ("", None))
            # In the file itself every variable is global.
            value: Expression = ("member", ("symbol", 0), name) if php.scope else None
            if value is not None or declared is not None:
                php.bindings.append(Binding(php.scope, name, value, line, declared))


def _read_echo(php: PhpWalk, node: Node) -> None:
    """`echo` and `print` make strings of all that they are given."""
    for child in node.named_children:
        parts = child.named_children if child.type == "sequence_expression" else [child]
        for part in parts:
            php.add_access(part, php.visit(part), "__toString")


def _read_unset(php: PhpWalk, node: Node) -> None:
    ask_each(php, node.named_children, members="__unset", elements="offsetUnset")


def _read_declare(php: PhpWalk, node: Node) -> None:
    """Only the block of `declare(ticks=1) { … }` holds code."""
    block = child_of_type(node, "compound_statement")
    if block is not None:
        php.visit(block)


STATEMENT_HANDLERS: Final[dict[str, Handler]] = {
    "catch_clause": _read_catch,
    "declare_statement": _read_declare,
    "echo_statement": _read_echo,
    "finally_clause": _read_finally,
    "foreach_statement": _read_foreach,
    "global_declaration": _read_global,
    "compound_statement": _read_block,
    "if_statement": _read_single_if,
    "print_intrinsic": _read_echo,
    "return_statement": _read_return,
    "static_variable_declaration": _read_static,
    "throw_expression": _read_throw,
    "try_statement": _read_try,
    "unset_statement": _read_unset,
    "yield_expression": _read_yield,
}
