"""Methods, constructors and lambdas, and the classes that stand in expressions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import last_name
from drift.languages.facts import MAPPED, Base, Parameter
from drift.languages.java.calls import read_arguments
from drift.languages.java.entries import is_mapper, mapped, note_method_entries
from drift.languages.java.headings import modifiers_of, read_heading, take_doc, visibility_of
from drift.languages.java.statements import with_dimensions
from drift.languages.java.type_forms import held_type, name_type, read_type_parameters
from drift.languages.objects import Heading, OpenClass

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.objects import ObjectWalk

_ANNOTATED_REST: Final = re.compile(r"@[\w.]+\s*\.\.\.\s*(\w+)$")
_CONSTRUCTORS: Final = frozenset({"compact_constructor_declaration", "constructor_declaration"})


def read_parameters(walk: ObjectWalk, listed: Node | None) -> tuple[Parameter, ...]:
    """The parameters of a method, a constructor, a record or a lambda."""
    found: list[Parameter] = []
    for node in listed.named_children if listed is not None else ():
        if node.type == "identifier":
            found.append(Parameter(walk.text.text(node)))
        elif node.type in {"formal_parameter", "spread_parameter"}:
            read_heading(walk, node)
            parameter = read_parameter(walk, node)
            if parameter is not None:
                found.append(parameter)
        elif node.type == "ERROR" and (rest := _read_annotated_rest(walk, node)) is not None:
            found.append(rest)
    return tuple(found)


def _read_annotated_rest(walk: ObjectWalk, node: Node) -> Parameter | None:
    """`double @NonNull ... elements`, which the grammar does not know: it takes the dots for those of a name."""
    kinds = [child for child in node.named_children if child.type not in {"marker_annotation", "modifiers"}]
    match = _ANNOTATED_REST.search(walk.text.text(node))
    if match is None or len(kinds) != 1:
        return None
    return Parameter(match[1], "rest", walk.type_text(kinds[0]), ("list", walk.visit(kinds[0])))


def read_parameter(walk: ObjectWalk, node: Node) -> Parameter | None:
    """One parameter, its annotations apart; None where the source is too damaged to name it."""
    if node.type == "formal_parameter":
        type_node, declarator = node.child_by_field_name("type"), node
    else:
        rest = [child for child in node.named_children if child.type != "modifiers"]
        if not rest:
            return None
        type_node, declarator = rest[0], rest[-1]
    name = declarator.child_by_field_name("name")
    if type_node is None or name is None:
        return None
    kind = with_dimensions(walk.visit(type_node), declarator)
    if node.type == "spread_parameter":
        return Parameter(walk.text.text(name), "rest", walk.type_text(type_node), ("list", kind))
    return Parameter(walk.text.text(name), "plain", walk.type_text(type_node), kind)


def _read_method(walk: ObjectWalk, node: Node) -> Expression:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    heading = read_heading(walk, node)
    is_constructor = node.type in _CONSTRUCTORS
    owner = walk.classes[-1] if walk.classes else None
    words = set(heading.words)
    if owner is not None and owner.kind == "interface" and body is None:
        words.add("abstract")
    visibility = visibility_of(walk, heading)
    name = walk.text.text(name_node) if name_node is not None else "<anonymous>"
    number = walk.keep_declaration(
        "constructor" if is_constructor else "method", name, node,
        heading=heading, body=body, visibility=visibility, doc=take_doc(walk, node),
        modifiers=modifiers_of(words, is_exported=walk.is_exported_here(visibility)),
    )  # fmt: skip
    if body is None:
        walk.symbols[number] = walk.symbols[number]._replace(complexity=None)
    if owner is not None and not is_constructor:
        owner.methods.setdefault(name, number)
    scope, walk.scope = walk.scope, number
    generics = read_type_parameters(walk, node)
    _complete(walk, node, number)
    note_method_entries(walk, number, heading)
    if body is None and owner is not None and is_mapper(walk, owner.heading):
        walk.add_access(node, mapped(walk, number), MAPPED)
    _read_body(walk, body, number)
    walk.generics, walk.scope = generics, scope
    return None


def _complete(walk: ObjectWalk, node: Node, number: int) -> None:
    """Add what is read in the scope of the method itself: parameters, return type, what it throws."""
    type_node = node.child_by_field_name("type")
    listed = node.child_by_field_name("parameters")
    return_type = walk.visit(type_node) if type_node is not None else None
    parameters = read_parameters(walk, listed)
    if node.type == "compact_constructor_declaration" and walk.classes:
        parameters = walk.classes[-1].components
    for child in node.named_children:
        if child.type == "throws":
            walk.visit_children(child)
    value = node.child_by_field_name("value")
    if value is not None:  # the default of an annotation's element
        walk.visit(value)
    walk.symbols[number] = walk.symbols[number]._replace(
        parameters=parameters, return_type=return_type, return_text=walk.type_text(type_node)
    )


def _read_body(walk: ObjectWalk, body: Node | None, number: int) -> None:
    mark = walk.mark()
    for parameter in walk.symbols[number].parameters:
        walk.hide(parameter.name)
    if body is not None:
        walk.visit(body)
    walk.release(mark)


def _read_lambda(walk: ObjectWalk, node: Node) -> Expression:
    listed, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
    number = walk.keep(walk.begin("function", "<lambda>", node)._replace(visibility="private"))
    scope, walk.scope = walk.scope, number
    if listed is not None and listed.type == "identifier":
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


def _read_creation(walk: ObjectWalk, node: Node) -> Expression:
    """`new T(...)`, and the class that may stand right behind it."""
    type_node = node.child_by_field_name("type")
    children = node.named_children
    outer: Expression = None
    if type_node is None:
        walk.visit_children(node)
        return None
    if children and children[0] != type_node and children[0].end_byte <= type_node.start_byte:
        outer = walk.visit(children[0])  # `outer.new Inner()`
    callee = name_type(walk, type_node)
    if outer is not None and callee is not None:
        callee = ("member", outer, last_name(callee))
    held: Expression = None
    if type_node.type == "generic_type":
        listed = [each for argument in type_node.named_children[1:] for each in argument.named_children]
        held = held_type(last_name(callee), [walk.visit(each) for each in listed])
    arguments = read_arguments(walk, node.child_by_field_name("arguments"))
    text = walk.text.brief(type_node, 120)
    call = walk.add_call(type_node, callee, text=text, arguments=arguments, kind="new")
    body = children[-1] if children and children[-1].type == "class_body" else None
    if body is None and held is not None and _is_inferred(walk, node):
        return ("own", ("instance", callee), ("instance", held))
    if body is None:
        return ("result", call)
    return ("instance", _read_anonymous_class(walk, node, body, base=Base(text, callee)))


def _is_inferred(walk: ObjectWalk, node: Node) -> bool:
    """Whether what is made gives a variable its type: `var carts = new ArrayList<Cart>()`."""
    declared = node.parent.parent if node.parent is not None else None
    kind = None if declared is None else declared.child_by_field_name("type")
    return kind is not None and walk.text.text(kind) == "var"


def _read_anonymous_class(walk: ObjectWalk, node: Node, body: Node, *, base: Base) -> Expression:
    symbol = walk.begin("class", "<anonymous>", node)
    number = walk.keep(symbol._replace(bases=(base,), visibility="private"))
    scope, walk.scope = walk.scope, number
    names = frozenset({str(base.type[-1])}) if base.type else frozenset()
    walk.classes.append(
        OpenClass(number, "class", "<anonymous>", frozenset(), Heading(node.start_byte), base_names=names)
    )
    walk.visit_children(body)
    walk.classes.pop()
    walk.scope = scope
    return ("symbol", number)


FUNCTION_HANDLERS: Final[dict[str, Callable[[ObjectWalk, Node], Expression]]] = {
    "annotation_type_element_declaration": _read_method,
    "compact_constructor_declaration": _read_method,
    "constructor_declaration": _read_method,
    "lambda_expression": _read_lambda,
    "method_declaration": _read_method,
    "object_creation_expression": _read_creation,
}
