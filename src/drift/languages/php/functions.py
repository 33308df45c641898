"""Functions as PHP declares them: parameters, results, attributes, and the walk through a body in its own scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Decorator, Parameter, Return, Store
from drift.languages.frameworks import load_frameworks
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS, MOST_TEXT_CHARACTERS
from drift.languages.php.arguments import read_arguments
from drift.languages.php.late_static import Body
from drift.languages.php.type_forms import read_docblock
from drift.languages.php.walk import arguments_of, child_of_type, qualify

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Symbol
    from drift.languages.php.walk import PhpWalk

_MODIFIERS: Final = {
    "abstract_modifier": "abstract",
    "final_modifier": "final",
    "readonly_modifier": "readonly",
    "static_modifier": "static",
    "reference_modifier": "reference",
}
_AROUND_TESTS: Final = load_frameworks("php").names("tests", "around")
_VISIBILITIES: Final = frozenset({"public", "protected", "private"})


def define_function(php: PhpWalk, symbol: Symbol, node: Node) -> int:
    """The number of a function's symbol, after gathering its signature and body in its scope."""
    number = php.keep(symbol)
    outer = (php.scope, php.promised_types, php.constant_name, php.narrowed)
    php.scope, php.constant_name, php.narrowed = number, None, {}
    php.promised_types = promised = read_docblock(php, symbol.doc)
    parameters = _read_parameters(php, node.child_by_field_name("parameters"), promised)
    result, body = node.child_by_field_name("return_type"), node.child_by_field_name("body")
    return_type = None if result is None else php.visit(result)
    return_text = None if result is None else php.text.brief(result, MOST_TEXT_CHARACTERS)
    if "return" in promised and (return_type is None or return_type == ("literal", "list")):
        return_text, return_type = return_text or promised["return"][0], promised["return"][1]
    php.symbols[number] = symbol._replace(
        signature=read_signature(php, node, body),
        parameters=parameters,
        return_text=return_text,
        return_type=return_type,
    )
    if symbol.kind == "constructor":
        _promote_parameters(php, node, symbol.parent, parameters)
    if body is not None:
        given = Body(php, number)
        value = php.visit(body)
        if body.type != "compound_statement":
            php.returns.append(Return(number, value, php.line(body)))
        given.note_called_class()
    php.scope, php.promised_types, php.constant_name, php.narrowed = outer
    return number


def read_closure(php: PhpWalk, node: Node) -> Expression:
    """An unnamed function, as a symbol of its own."""
    symbol = php.begin("function", _around_tests(php, node) or "{closure}", node)
    return ("symbol", define_function(php, symbol._replace(modifiers=read_modifiers(node)), node))


def _around_tests(php: PhpWalk, node: Node) -> str | None:
    """What a function is called that a framework runs around tests: `beforeEach(function () { … })`."""
    above = node.parent
    while above is not None and above.type in {"argument", "arguments"}:
        above = above.parent
    if above is None or above.type != "function_call_expression":
        return None
    function = above.child_by_field_name("function")
    name = "" if function is None or function.type != "name" else php.text.text(function)
    return f"<callback of {name}>" if name in _AROUND_TESTS else None


def read_signature(php: PhpWalk, node: Node, body: Node | None) -> str:
    """A declaration up to its body, without the attributes before it."""
    attributes = child_of_type(node, "attribute_list")
    start = node.start_byte if attributes is None else attributes.end_byte
    end = node.end_byte if body is None else body.start_byte
    text = php.text.brief_slice(start, end, limit=MOST_SIGNATURE_CHARACTERS)
    return text.rstrip(" ;").removesuffix("=>").rstrip()


def read_modifiers(node: Node, *extra: str) -> tuple[str, ...]:
    """The modifiers among a declaration's children, sorted."""
    found = {_MODIFIERS[child.type] for child in node.named_children if child.type in _MODIFIERS}
    return tuple(sorted({*found, *extra}))


def read_visibility(php: PhpWalk, node: Node) -> str:
    """Who may use a member; public where nothing is said."""
    for child in node.named_children:
        if child.type == "visibility_modifier":
            word = php.text.text(child).lower()
            if word in _VISIBILITIES:  # `private(set)` only narrows writing
                return word
    return "public"


def read_decorators(php: PhpWalk, node: Node) -> tuple[Decorator, ...]:
    """The attributes of a declaration; each is also noted as a call of its class."""
    attributes = node.child_by_field_name("attributes")
    if attributes is None:
        return ()
    found: list[Decorator] = []
    for group in attributes.named_children:
        for attribute in group.named_children:
            if attribute.type != "attribute" or not attribute.named_child_count:
                continue
            name_node, parameters = attribute.named_children[0], attribute.child_by_field_name("parameters")
            name = php.text.text(name_node)
            text = php.text.brief(attribute, MOST_TEXT_CHARACTERS)
            found.append(Decorator(name, text, php.line(attribute)))
            php.add_call(
                name_node,
                qualify(name),
                text=php.call_text(name_node),
                arguments=read_arguments(php, arguments_of(parameters), None),
                kind="decorator",
            )
    return tuple(found)


def _read_parameters(
    php: PhpWalk, node: Node | None, promised: Mapping[str, tuple[str, Expression]]
) -> tuple[Parameter, ...]:
    return tuple(
        _read_parameter(php, child, promised)
        for child in (() if node is None else node.named_children)
        if child.type in {"simple_parameter", "variadic_parameter", "property_promotion_parameter"}
    )


def _read_parameter(php: PhpWalk, node: Node, promised: Mapping[str, tuple[str, Expression]]) -> Parameter:
    name_node, type_node = node.child_by_field_name("name"), node.child_by_field_name("type")
    default = node.child_by_field_name("default_value")
    name = php.text.brief(name_node, MOST_TEXT_CHARACTERS).lstrip("&") if name_node is not None else "$"
    form = None if type_node is None else php.visit(type_node)
    text = None if type_node is None else php.text.brief(type_node, MOST_TEXT_CHARACTERS)
    if name in promised and (form is None or form == ("literal", "list")):
        text, form = text or promised[name][0], promised[name][1]
    if default is not None:
        php.visit(default)
    read_decorators(php, node)
    is_rest = node.type == "variadic_parameter"
    return Parameter(
        name,
        "rest" if is_rest else "plain",
        text,
        ("list", form) if is_rest and form is not None else form,
        None if default is None else php.text.brief(default, MOST_TEXT_CHARACTERS),
    )


def _promote_parameters(php: PhpWalk, node: Node, parent: int, parameters: tuple[Parameter, ...]) -> None:
    """Fields that a constructor declares in its parameter list."""
    listed = node.child_by_field_name("parameters")
    by_name = {parameter.name: parameter for parameter in parameters}
    for child in () if listed is None else listed.named_children:
        name_node = child.child_by_field_name("name")
        if child.type != "property_promotion_parameter" or name_node is None:
            continue
        parameter = by_name[php.text.brief(name_node, MOST_TEXT_CHARACTERS).lstrip("&")]
        name = parameter.name.removeprefix("$")
        field = php.begin("field", name, child)._replace(
            parent=parent,
            signature=php.text.brief(child, MOST_SIGNATURE_CHARACTERS),
            visibility=read_visibility(php, child),
            modifiers=read_modifiers(child),
            value_type=parameter.type,
        )
        php.keep(field)
        php.stores.append(Store(php.scope, ("this",), name, ("name", parameter.name), php.line(child)))
