"""What `instanceof` says of variables and properties in the code that runs only where it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.php.walk import NAME_TYPES, value_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import PhpWalk

_MOST_LEVELS: Final = 40
_NARROWED: Final = frozenset({"variable_name", "member_access_expression"})
_LEAVING: Final = frozenset(
    {"return_statement", "throw_expression", "continue_statement", "break_statement", "exit_statement"}
)


def narrowed_by(
    php: PhpWalk, condition: Node | None, *, is_true: bool, levels: int = _MOST_LEVELS
) -> dict[str, Expression]:
    """The class of each variable, by its text, where a condition holds or does not."""
    if condition is None or not levels:
        return {}
    if condition.type == "parenthesized_expression" and condition.named_child_count:
        return narrowed_by(php, condition.named_children[-1], is_true=is_true, levels=levels - 1)
    if condition.type == "unary_op_expression" and condition.named_child_count:
        is_negation = php.text.text(condition)[:1] == "!"
        inner = condition.named_children[-1]
        return narrowed_by(php, inner, is_true=not is_true, levels=levels - 1) if is_negation else {}
    if condition.type != "binary_expression":
        return {}
    return _narrowed_by_operator(php, condition, is_true=is_true, levels=levels)


def _narrowed_by_operator(php: PhpWalk, node: Node, *, is_true: bool, levels: int) -> dict[str, Expression]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    sign = node.child_by_field_name("operator")
    operator = "" if sign is None else php.text.text(sign).lower()
    if left is None or right is None:
        return {}
    if operator == "instanceof":
        form = php.class_form(right) if right.type in NAME_TYPES else None
        is_class = form is not None and form[0] in {"name", "member", "symbol"}
        return {php.text.text(left): form} if is_true and is_class and left.type in _NARROWED else {}
    if operator in ({"&&", "and"} if is_true else {"||", "or"}):
        return {
            **narrowed_by(php, left, is_true=is_true, levels=levels - 1),
            **narrowed_by(php, right, is_true=is_true, levels=levels - 1),
        }
    return {}


def narrowed_by_assertion(php: PhpWalk, arguments: list[Node]) -> dict[str, Expression]:
    """What holds after `assertInstanceOf(Foo::class, $x)`, which fails where it does not."""
    if len(arguments) < 2:  # noqa: PLR2004 - a class, and a value
        return {}
    named, value = value_of(arguments[0]), value_of(arguments[1])
    if named is None or value is None or value.type not in _NARROWED:
        return {}
    parts = named.named_children
    if named.type != "class_constant_access_expression" or php.text.text(parts[-1]).lower() != "class":
        return {}
    form = php.class_form(parts[0])
    is_class = form is not None and form[0] in {"name", "member", "symbol"}
    return {php.text.text(value): form} if is_class else {}


def visit_narrowed(php: PhpWalk, node: Node, narrowed: Mapping[str, Expression]) -> Expression:
    """What a node is worth where variables are known to be of these classes."""
    outer = php.narrowed
    php.narrowed = {**outer, **narrowed}
    value = php.visit(node)
    php.narrowed = outer
    return value


def narrow(php: PhpWalk, node: Node, value: Expression) -> Expression:
    """A value that was read, as an object of the class that is known of it here."""
    form = php.narrowed.get(php.text.text(node)) if php.narrowed else None
    return value if form is None or value is None else ("narrowed", value, form)


def is_left(body: Node | None) -> bool:
    """Whether what follows a block is not reached through it."""
    if body is None:
        return False
    last = body
    if body.type in {"compound_statement", "colon_block"}:
        statements = [child for child in body.named_children if child.type != "comment"]
        if not statements:
            return False
        last = statements[-1]
    if last.type == "expression_statement" and last.named_child_count:
        last = last.named_children[0]
    return last.type in _LEAVING
