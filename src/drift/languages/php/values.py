"""PHP expressions: what they are worth, and the names, members and literals in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import dict_of, list_of
from drift.languages.facts import EnvironmentRead
from drift.languages.limits import MOST_ELEMENTS
from drift.languages.php.families import note_beginning
from drift.languages.php.functions import read_closure
from drift.languages.php.magic_methods import note_property, note_question
from drift.languages.php.narrowing import narrow, narrowed_by, visit_narrowed
from drift.languages.php.targets import bind_target, note_reading
from drift.languages.php.type_forms import join_either, read_docblock
from drift.languages.php.walk import NAME_TYPES, parts_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import Handler, PhpWalk

_CASTS: Final[Mapping[str, Expression]] = {
    "string": ("literal", "str"),
    "int": ("literal", "int"),
    "integer": ("literal", "int"),
    "float": ("literal", "float"),
    "double": ("literal", "float"),
    "bool": ("literal", "bool"),
    "boolean": ("literal", "bool"),
    "array": ("literal", "list"),
}
_TRUTHS: Final = frozenset(
    {"==", "===", "!=", "!==", "<>", "<", ">", "<=", ">=", "&&", "||", "and", "or", "xor", "instanceof"}
)
_PLAIN_STRING_PARTS: Final = frozenset({"string_content", "escape_sequence"})


def _read_assignment(php: PhpWalk, node: Node) -> Expression:
    # `$a = &$b` has one token more, and is asked by name.
    left, right = parts_of(node, "left", "right")
    value = None if right is None else php.visit(right)
    if left is None:
        return value
    target = bind_target(php, left, value)
    note_beginning(php, left, right)
    if node.type == "augmented_assignment_expression":
        note_reading(php, left, target)
    if left.type == "variable_name":
        _apply_inline_type(php, node, php.text.text(left))
    return value


def _apply_inline_type(php: PhpWalk, node: Node, name: str) -> None:
    """The type that `/** @var Foo $x */` right above an assignment promises."""
    promised = read_docblock(php, php.docblock(php.line(node)))
    if found := promised.get(name) or promised.get("var"):
        php.bindings[-1] = php.bindings[-1]._replace(type=found[1])


def _read_variable(php: PhpWalk, node: Node) -> Expression:
    name = php.text.text(node)
    return ("this",) if name == "$this" else narrow(php, node, ("name", name))


def _read_name(php: PhpWalk, node: Node) -> Expression:
    """A constant: names in other places are read by what stands around them."""
    form = php.name_form(node)
    if php.text.text(node).startswith("__"):
        return ("literal", "str")  # __DIR__, __CLASS__
    php.refer(node, form, "value")
    return form


def _read_member(php: PhpWalk, node: Node) -> Expression:
    owner, name = parts_of(node, "object", "name")
    receiver = None if owner is None else php.visit(owner)
    if name is None or name.type != "name":
        if name is not None:
            php.visit(name)
        return None
    written = php.text.text(name)
    note_property(php, node, receiver, name=written, method="__get")
    return narrow(php, node, ("member", receiver, written))


def _read_static_member(php: PhpWalk, node: Node) -> Expression:
    scope, name = node.child_by_field_name("scope"), php.variable_of(node.child_by_field_name("name"))
    receiver = None if scope is None else php.class_form(scope)
    return ("member", receiver, name.removeprefix("$")) if name else None


def _read_class_constant(php: PhpWalk, node: Node) -> Expression:
    """`A::B`, a constant or case, and `A::class`, the class itself."""
    parts = node.named_children
    if len(parts) < 2 or parts[-1].type != "name":  # noqa: PLR2004 - a class and a name
        return None
    owner, name = php.class_form(parts[0]), php.text.text(parts[-1])
    form = owner if name.lower() == "class" else ("member", owner, name)
    if form is not None and form[0] != "this":
        php.refer(node, form, "value")
    return form


def _read_subscript(php: PhpWalk, node: Node) -> Expression:
    parts = node.named_children
    values = [php.visit(child) for child in parts]
    if values and values[0] == ("name", "$_ENV") and len(parts) > 1 and (name := php.string_of(parts[1])):
        php.environment_reads.append(EnvironmentRead(php.scope, php.line(node), name))
        return ("literal", "str")
    if not values:
        return None
    php.add_access(node, values[0], "offsetGet")
    return ("item", values[0])


def _read_array(php: PhpWalk, node: Node) -> Expression:
    pairs: list[tuple[str | None, Expression]] = []
    has_keys = False
    for element in node.named_children:
        if element.type != "array_element_initializer" or not element.named_child_count:
            continue
        parts = [part for part in element.named_children if part.type != "comment"]
        values = [php.visit(part) for part in parts]
        key = php.string_of(parts[0]) if len(parts) > 1 else None
        has_keys = has_keys or len(parts) > 1
        if values and len(pairs) < MOST_ELEMENTS:
            value: Expression = ("item", values[-1]) if parts[-1].type == "variadic_unpacking" else values[-1]
            pairs.append((key, value))
    if has_keys:
        return dict_of(pairs)
    return _callable_pair(php, node) or list_of(value for _, value in pairs)


def _callable_pair(php: PhpWalk, node: Node) -> Expression:
    """`[$this, 'method']` and `[Foo::class, 'method']` as what they call; None for any other array."""
    elements = [child for child in node.named_children if child.type == "array_element_initializer"]
    if len(elements) != 2:  # noqa: PLR2004 - an owner and a method
        return None
    owner_node, method_node = (
        element.named_children[-1] for element in elements if element.named_child_count
    )
    method = php.string_of(method_node)
    if method is None or not method.isidentifier():
        return None
    if owner_node.type == "variable_name" and php.text.text(owner_node) == "$this":
        owner: Expression = ("this",)
    elif owner_node.type == "class_constant_access_expression" and owner_node.named_child_count:
        if php.text.text(owner_node.named_children[-1]).lower() != "class":
            return None
        owner = php.class_form(owner_node.named_children[0])
    else:
        return None
    form: Expression = ("member", owner, method)
    php.refer(method_node, form, "value")
    return ("partial", form)


def _read_string(php: PhpWalk, node: Node) -> Expression:
    if (value := php.string_of(node)) is not None:
        php.add_string(node, value, php.constant_name)
        return ("literal", "str")
    php.add_built_path(node)
    for child in node.named_children:
        if child.type not in _PLAIN_STRING_PARTS:
            php.add_access(child, php.visit(child), "__toString")
    return ("literal", "str")


def _read_document(php: PhpWalk, node: Node) -> Expression:
    """Here- and nowdocs: code inside is gathered, the text is worth keeping only whole."""
    body = node.child_by_field_name("value")
    if body is not None:
        if all(child.type in {*_PLAIN_STRING_PARTS, "nowdoc_string"} for child in body.named_children):
            php.add_string(node, php.text.text(body).strip(), php.constant_name)
        php.visit(body)
    return ("literal", "str")


def _read_integer(php: PhpWalk, node: Node) -> Expression:
    php.add_number(node, php.constant_name)
    return ("literal", "int")


def _read_float(php: PhpWalk, node: Node) -> Expression:
    php.add_number(node, php.constant_name)
    return ("literal", "float")


def _read_boolean(_php: PhpWalk, _node: Node) -> Expression:
    return ("literal", "bool")


def _read_null(_php: PhpWalk, _node: Node) -> Expression:
    return ("literal", "none")


def _read_binary(php: PhpWalk, node: Node) -> Expression:
    """A chain of operators without recursion on its left side, which generated code makes very long."""
    operator = _operator_of(php, node)
    operands: list[Node] = []
    waiting: Node | None = node
    while (
        waiting is not None and waiting.type == "binary_expression" and _operator_of(php, waiting) == operator
    ):
        waiting, right = parts_of(waiting, "left", "right")
        if right is not None:
            operands.append(right)
    if waiting is not None:
        operands.append(waiting)
    outer, values = php.narrowed, []
    for operand in reversed(operands):
        values.append(_read_operand(php, operand, is_type=operator == "instanceof"))
        if operator == ".":
            php.add_access(operand, values[-1], "__toString")
        elif operator == "??":
            note_question(php, operand, values[-1])
        if operator in {"&&", "and", "||", "or"}:
            # What comes after is only asked where this holds, or does not.
            known = narrowed_by(php, operand, is_true=operator in {"&&", "and"})
            php.narrowed = {**php.narrowed, **known}
    php.narrowed = outer
    if operator == "??":
        return join_either(values)
    if operator == ".":
        return ("literal", "str")
    return ("literal", "bool") if operator in _TRUTHS else None


def _operator_of(php: PhpWalk, node: Node) -> str:
    operator = node.child_by_field_name("operator")
    return "" if operator is None else php.text.text(operator).lower()


def _read_operand(php: PhpWalk, node: Node, *, is_type: bool) -> Expression:
    if is_type and node.type in NAME_TYPES:
        form = php.class_form(node)
        php.refer(node, form, "type")
        return form
    return php.visit(node)


def _read_conditional(php: PhpWalk, node: Node) -> Expression:
    condition = php.visit_field(node, "condition")
    body, alternative = node.child_by_field_name("body"), node.child_by_field_name("alternative")
    question = node.child_by_field_name("condition")
    first = condition
    if body is not None:
        first = visit_narrowed(php, body, narrowed_by(php, question, is_true=True))
    if alternative is None:
        return join_either([first, None])
    second = visit_narrowed(php, alternative, narrowed_by(php, question, is_true=False))
    return join_either([first, second])


def _read_match(php: PhpWalk, node: Node) -> Expression:
    php.visit_field(node, "condition")
    block = node.child_by_field_name("body")
    results: list[Expression] = []
    for arm in () if block is None else block.named_children:
        conditions = arm.child_by_field_name("conditional_expressions")
        if conditions is not None:
            php.visit(conditions)
        given = arm.child_by_field_name("return_expression")
        if given is not None:
            results.append(visit_narrowed(php, given, _narrowed_by_arm(php, node, conditions)))
    return join_either(results[:MOST_ELEMENTS])


def _narrowed_by_arm(php: PhpWalk, match: Node, conditions: Node | None) -> dict[str, Expression]:
    """What the only condition of an arm of `match (true)` says."""
    subject = match.child_by_field_name("condition")
    is_true = subject is not None and php.text.text(subject).strip("() ").lower() == "true"
    if not is_true or conditions is None or conditions.named_child_count != 1:
        return {}
    return narrowed_by(php, conditions.named_children[0], is_true=True)


def _read_cast(php: PhpWalk, node: Node) -> Expression:
    type_node = node.child_by_field_name("type")
    value = php.visit_field(node, "value")
    form = value if type_node is None else _CASTS.get(php.text.text(type_node).strip().lower())
    if form == ("literal", "str"):
        php.add_access(node, value, "__toString")
    return form


def _read_copy(php: PhpWalk, node: Node) -> Expression:
    value = _read_inner(php, node)
    php.add_access(node, value, "__clone")
    return value


def _read_inner(php: PhpWalk, node: Node) -> Expression:
    """What an expression around another is worth: the same."""
    value: Expression = None
    for child in node.named_children:
        if child.type != "comment":
            value = php.visit(child)
    return value


VALUE_HANDLERS: Final[dict[str, Handler]] = {
    "anonymous_function": read_closure,
    "array_creation_expression": _read_array,
    "arrow_function": read_closure,
    "assignment_expression": _read_assignment,
    "augmented_assignment_expression": _read_assignment,
    "binary_expression": _read_binary,
    "boolean": _read_boolean,
    "cast_expression": _read_cast,
    "class_constant_access_expression": _read_class_constant,
    "clone_expression": _read_copy,
    "conditional_expression": _read_conditional,
    "encapsed_string": _read_string,
    "error_suppression_expression": _read_inner,
    "float": _read_float,
    "heredoc": _read_document,
    "integer": _read_integer,
    "match_expression": _read_match,
    "member_access_expression": _read_member,
    "name": _read_name,
    "nowdoc": _read_document,
    "null": _read_null,
    "nullsafe_member_access_expression": _read_member,
    "parenthesized_expression": _read_inner,
    "qualified_name": _read_name,
    "reference_assignment_expression": _read_assignment,
    "relative_name": _read_name,
    "scoped_property_access_expression": _read_static_member,
    "string": _read_string,
    "subscript_expression": _read_subscript,
    "variable_name": _read_variable,
    "variadic_unpacking": _read_inner,
}
