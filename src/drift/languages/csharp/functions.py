"""Methods, constructors, operators, local functions and lambdas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from drift.languages.csharp.calls import read_arguments
from drift.languages.csharp.entries import note_method_entries, note_trigger
from drift.languages.csharp.headings import modifiers_of, read_heading, take_doc, visibility_of
from drift.languages.csharp.implied import visit_wanted
from drift.languages.csharp.type_forms import read_type, read_type_parameters
from drift.languages.csharp.walk import CsharpWalk, last_operand
from drift.languages.facts import Parameter
from drift.languages.kinds import SymbolKind
from drift.languages.limits import MOST_TEXT_CHARACTERS
from drift.languages.objects import Heading

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression

_KINDS: Final[Mapping[str, SymbolKind]] = {
    "constructor_declaration": "constructor",
    "conversion_operator_declaration": "method",
    "destructor_declaration": "method",
    "local_function_statement": "function",
    "method_declaration": "method",
    "operator_declaration": "method",
}


def read_parameters(
    walk: CsharpWalk, listed: Node | None, headings: list[Heading] | None = None
) -> tuple[Parameter, ...]:
    """The parameters of a list; the heading of each is added to `headings`."""
    found: list[Parameter] = []
    for node in listed.named_children if listed is not None else ():
        if node.type == "parameter":
            heading = read_heading(walk, node)
            if headings is not None:
                headings.append(heading)
            parameter = _read_parameter(walk, node, heading)
            if parameter is not None:
                found.append(parameter)
    rest = listed.child_by_field_name("name") if listed is not None else None
    if listed is not None and rest is not None:  # `params T[] xs` stands in the list itself
        type_node = listed.child_by_field_name("type")
        name = walk.text.text(rest)
        found.append(Parameter(name, "rest", walk.type_text(type_node), read_type(walk, type_node)))
    return tuple(found)


def _read_parameter(walk: CsharpWalk, node: Node, heading: Heading) -> Parameter | None:
    name, type_node = node.child_by_field_name("name"), node.child_by_field_name("type")
    if name is None:
        return None
    default = last_operand(node) if any(child.type == "=" for child in node.children) else None
    if default is not None:
        walk.visit(default)
    return Parameter(
        walk.text.text(name),
        "rest" if "params" in heading.words else "plain",
        walk.type_text(type_node),
        read_type(walk, type_node),
        walk.text.brief(default, MOST_TEXT_CHARACTERS) if default is not None else None,
    )


def _name_of(walk: CsharpWalk, node: Node) -> str:
    name = node.child_by_field_name("name")
    if node.type == "operator_declaration":
        operator = node.child_by_field_name("operator")
        return f"operator {walk.text.text(operator)}" if operator is not None else "operator"
    if node.type == "conversion_operator_declaration":
        return f"operator {walk.type_text(node.child_by_field_name('type')) or ''}".rstrip()
    plain = walk.text.text(name) if name is not None else "<anonymous>"
    return f"~{plain}" if node.type == "destructor_declaration" else plain


def _read_function(walk: CsharpWalk, node: Node) -> Expression:
    kind, name, body = _KINDS[node.type], _name_of(walk, node), node.child_by_field_name("body")
    heading = read_heading(walk, node)
    owner = walk.classes[-1] if walk.classes else None
    is_local = kind == "function"
    visibility = "private" if is_local else visibility_of(walk, heading)
    words = set(heading.words)
    if body is None and owner is not None and owner.kind == "interface":
        words.add("abstract")
    is_exported = not is_local and walk.is_exported_here(visibility)
    number = walk.keep_declaration(
        kind, name, node,
        heading=heading, body=body, visibility=visibility, doc=take_doc(walk, node),
        modifiers=modifiers_of(words, is_exported=is_exported),
    )  # fmt: skip
    if body is None:
        walk.symbols[number] = walk.symbols[number]._replace(complexity=None)
    if owner is not None and kind == "method":
        owner.methods.setdefault(name, number)
    scope, walk.scope = walk.scope, number
    generics = read_type_parameters(walk, node)
    _complete(walk, node, number, heading=heading)
    if kind == "method":
        note_method_entries(walk, number, heading)
    read_body(walk, node, number)
    walk.generics, walk.scope = generics, scope
    if is_local:
        walk.hide(name)
    return None


def _complete(walk: CsharpWalk, node: Node, number: int, *, heading: Heading) -> None:
    """Add what is read in the scope of the function itself: parameters and return type."""
    type_node = node.child_by_field_name("returns") or node.child_by_field_name("type")
    headings: list[Heading] = []
    parameters = read_parameters(walk, node.child_by_field_name("parameters"), headings)
    walk.symbols[number] = walk.symbols[number]._replace(
        parameters=parameters,
        return_type=read_type(walk, type_node),
        return_text=walk.type_text(type_node),
    )
    if headings and "this" in headings[0].words:
        walk.add_modifier(number, "extension")
    for each in headings:
        if each.annotations:
            note_trigger(walk, number, heading, each)


def read_body(walk: CsharpWalk, node: Node, number: int) -> None:
    """Visit all that runs in a function: its initializer and its body."""
    mark = walk.mark()
    for parameter in walk.symbols[number].parameters:
        walk.hide(parameter.name)
    for child in node.named_children:
        if child.type == "constructor_initializer":
            _read_constructor_call(walk, child)
    body = node.child_by_field_name("body")
    if body is not None:
        value = visit_wanted(walk, body, walk.symbols[number].return_type)
        symbol = walk.symbols[number]
        is_void = symbol.return_text in {None, "void"}
        if body.type == "arrow_expression_clause" and not is_void:
            walk.give_back(body, value)
    walk.release(mark)


def _read_constructor_call(walk: CsharpWalk, node: Node) -> None:
    """`: base(...)` and `: this(...)`."""
    target = next((child for child in node.children if child.type in {"base", "this"}), None)
    listed = next((child for child in node.named_children if child.type == "argument_list"), None)
    arguments = read_arguments(walk, listed)
    if target is not None:
        callee: Expression = ("super",) if target.type == "base" else ("this",)
        walk.add_call(target, callee, text=target.type, arguments=arguments, kind="new")


def _read_lambda(walk: CsharpWalk, node: Node) -> Expression:
    listed, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
    if body is None and node.named_child_count and node.named_children[-1].type == "block":
        body = node.named_children[-1]  # of `delegate { ... }`
    heading = read_heading(walk, node)
    number = walk.keep(
        walk.begin("function", "<lambda>", node)._replace(
            visibility="private", modifiers=tuple(sorted(heading.words)), decorators=heading.decorators
        )
    )
    scope, walk.scope = walk.scope, number
    if listed is not None and listed.type == "implicit_parameter":
        parameters: tuple[Parameter, ...] = (Parameter(walk.text.text(listed)),)
    else:
        parameters = read_parameters(walk, listed)
    walk.symbols[number] = walk.symbols[number]._replace(parameters=parameters)
    mark = walk.mark()
    for parameter in parameters:
        walk.hide(parameter.name)
    if body is not None:
        value = walk.visit(body)
        if body.type != "block":
            walk.give_back(body, value)
    walk.release(mark)
    walk.scope = scope
    return ("symbol", number)


FUNCTION_HANDLERS: Final[dict[str, Callable[[CsharpWalk, Node], Expression]]] = {
    **dict.fromkeys(_KINDS, _read_function),
    "anonymous_method_expression": _read_lambda,
    "lambda_expression": _read_lambda,
}
