"""Expressions other than calls and literals: what their value may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import list_of
from drift.languages.facts import Return
from drift.languages.limits import MOST_ELEMENTS, MOST_TEXT_CHARACTERS
from drift.languages.typescript.calls import follow
from drift.languages.typescript.functions import visit_value
from drift.languages.typescript.page_routes import note_rows
from drift.languages.typescript.types import either

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.typescript.walk import Handler, Walk

_CHAINED: Final = frozenset({"call_expression", "member_expression", "subscript_expression"})
_CALLED: Final = frozenset({"identifier", "member_expression"})
_GIVEN: Final = frozenset({"template_string", "parenthesized_expression"})
_FALLBACKS: Final = frozenset({"||", "??"})
_COMPARISONS: Final = frozenset({"==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"})
_UNARY_TYPES: Final[Mapping[str, Expression]] = {
    "!": ("literal", "bool"),
    "delete": ("literal", "bool"),
    "typeof": ("literal", "str"),
    "void": ("literal", "none"),
    "-": ("literal", "int"),
    "+": ("literal", "int"),
    "~": ("literal", "int"),
}


def _identifier(walk: Walk, node: Node) -> Expression:
    name = walk.name_of(node)
    if name == "undefined":
        return ("literal", "none")
    target = walk.named(name)
    walk.read(target, node)
    if walk.component is not None:
        walk.add_access(target, node)  # a getter may bear that name
    return target


def _this(_walk: Walk, _node: Node) -> Expression:
    return ("this",)


def _super(_walk: Walk, _node: Node) -> Expression:
    return ("super",)


def _function(walk: Walk, node: Node) -> Expression:
    return visit_value(walk, node, "<function>")


def _inner(walk: Walk, node: Node) -> Expression:
    """The value of the one node inside, as for parentheses."""
    value: Expression = None
    for child in node.named_children:
        if child.type != "comment":
            value = walk.visit(child)
    return value


def _statement(walk: Walk, node: Node) -> Expression:
    """An expression on its own; a mere string is a directive, such as "use strict"."""
    children = node.named_children
    if children and children[0].type == "string":
        return None
    for child in children:
        walk.visit(child)
    return None


def _awaited(walk: Walk, node: Node) -> Expression:
    value = _inner(walk, node)
    return ("awaited", value) if value is not None else None


def _spread(walk: Walk, node: Node) -> Expression:
    value = _inner(walk, node)
    return ("item", value) if value is not None else None


def _cast(walk: Walk, node: Node) -> Expression:
    """`x as T` is a T; `x as const`, `x as any` and `x as unknown` say nothing new."""
    children = [child for child in node.named_children if child.type != "comment"]
    if node.type == "type_assertion":
        children.reverse()
    value = walk.visit(children[0]) if children else None
    declared = walk.visit(children[1]) if len(children) > 1 else None
    if declared is None:
        return value
    kind = declared if declared[0] in {"literal", "list", "dict", "typeof"} else ("instance", declared)
    # `x as unknown as T` says that nobody could tell from the types that it is one.
    is_forced = children[0].type in {"as_expression", "type_assertion"} and value is not None
    return ("either", value, kind) if is_forced or _is_made_here(walk, value) else kind


def _is_made_here(walk: Walk, value: Expression) -> bool:
    """Whether a value is written out, in place or as a function above, so that its code is known whatever it is said to be."""
    if value is None:
        return False
    if value[0] == "name":
        named = walk.symbol_by_name.get(value[1])
        return named is not None and walk.symbols[named].kind == "function"
    return value[0] in {"dict", "symbol"} or (value[0] == "result" and walk.calls[value[1]].text == "(…)")


def _satisfies(walk: Walk, node: Node) -> Expression:
    values = [walk.visit(child) for child in node.named_children if child.type != "comment"]
    return values[0] if values else None


def _array(walk: Walk, node: Node) -> Expression:
    values = [
        visit_value(walk, child, "<function>") for child in node.named_children if child.type != "comment"
    ]
    if walk.has_pages:
        note_rows(walk, node, values)
    return list_of(dict.fromkeys(values[:MOST_ELEMENTS])) if values else ("literal", "list")


def _ternary(walk: Walk, node: Node) -> Expression:
    """Either branch. A chain of conditions nests in the last branch, without limit."""
    values: list[Expression] = []
    here: Node | None = node
    while here is not None and here.type == "ternary_expression":
        walk.visit_field(here, "condition")
        consequence = here.child_by_field_name("consequence")
        values.append(visit_value(walk, consequence, "<function>") if consequence is not None else None)
        here = here.child_by_field_name("alternative")
    if here is not None:
        values.append(visit_value(walk, here, "<function>"))
    return either(values)


def _binary(walk: Walk, node: Node) -> Expression:
    """Operators nest to the left, without limit, so they are followed in a loop."""
    if (generic := _visit_generic_call(walk, node)) is not None:
        return generic[0]
    operations: list[Node] = []
    here: Node | None = node
    while here is not None and here.type == "binary_expression":
        operations.append(here)
        here = here.child_by_field_name("left")
    reads = len(walk.environment_reads)
    value = walk.visit(here) if here is not None else None
    for operation in reversed(operations):
        operator = operation.child_by_field_name("operator")
        right = operation.child_by_field_name("right")
        sign = operator.type if operator is not None else ""
        if right is None:
            continue
        if sign in _FALLBACKS and len(walk.environment_reads) == reads + 1:
            read = walk.environment_reads[reads]
            walk.environment_reads[reads] = read._replace(
                default_text=walk.text.brief(right, MOST_TEXT_CHARACTERS)
            )
        reads = len(walk.environment_reads)
        value = _combine(sign, value, visit_value(walk, right, "<function>"))
    return value


def _visit_generic_call(walk: Walk, node: Node) -> tuple[Expression] | None:
    """The value of f<T>`text`, which the grammar reads as two comparisons; None for anything else."""
    inner, given = node.child_by_field_name("left"), node.child_by_field_name("right")
    if inner is None or given is None or inner.type != "binary_expression":
        return None
    callee, argument = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    root: Node | None = given
    while root is not None and root.type in _CHAINED:
        root = root.child_by_field_name("function") or root.child_by_field_name("object")
    if (
        callee is None
        or argument is None
        or root is None
        or root.type not in _GIVEN
        or callee.type not in _CALLED
    ):
        return None
    # Nobody writes comparisons without a single space, and no type arguments are written with them.
    between = (
        walk.source[callee.end_byte : argument.start_byte],
        walk.source[argument.end_byte : root.start_byte],
    )
    if between != (b"<", b">"):
        return None
    walk.visit(argument)
    walk.generic_callee = (root.id, callee)
    return (follow(walk, given).value,)


def _combine(sign: str, left: Expression, right: Expression) -> Expression:
    if sign in _FALLBACKS:
        return either([left, right])
    if sign == "&&":
        return right
    if sign in _COMPARISONS:
        return ("literal", "bool")
    if sign == "+" and ("literal", "str") in (left, right):
        return ("literal", "str")
    return None


def _unary(walk: Walk, node: Node) -> Expression:
    operator = node.child_by_field_name("operator")
    walk.visit_field(node, "argument")
    return _UNARY_TYPES.get(operator.type) if operator is not None else None


def _sequence(walk: Walk, node: Node) -> Expression:
    return _inner(walk, node)


def _yield(walk: Walk, node: Node) -> Expression:
    value = _inner(walk, node)
    if any(child.type == "*" for child in node.children) and value is not None:
        value = ("item", value)
    walk.returns.append(Return(walk.scope, value, walk.line_of(node), is_yield=True))
    return None


HANDLERS: Final[Mapping[str, Handler]] = {
    "identifier": _identifier,
    "shorthand_property_identifier": _identifier,
    "this": _this,
    "super": _super,
    "arrow_function": _function,
    "function_expression": _function,
    "generator_function": _function,
    "parenthesized_expression": _inner,
    "jsx_expression": _inner,
    "expression_statement": _statement,
    "await_expression": _awaited,
    "spread_element": _spread,
    "as_expression": _cast,
    "type_assertion": _cast,
    "satisfies_expression": _satisfies,
    "array": _array,
    "ternary_expression": _ternary,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "sequence_expression": _sequence,
    "yield_expression": _yield,
}
