"""Functions in all their forms: declarations, methods, arrows, callbacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Parameter, Return
from drift.languages.limits import MOST_TEXT_CHARACTERS
from drift.languages.typescript.patterns import (
    ReadParameter,
    bind_parameters,
    read_decorators,
    read_parameters,
    written_decorators,
)
from drift.languages.typescript.types import read_type_parameters
from drift.languages.typescript.vocabulary import FUNCTION_EXPRESSIONS
from drift.languages.typescript.walk import NamedFunction

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Symbol
    from drift.languages.typescript.walk import Walk

_FRAMES: Final = 4  # of the stack, from a function to what is in it
_TOKEN_MODIFIERS: Final = {
    "async": "async",
    "static": "static",
    "abstract": "abstract",
    "readonly": "readonly",
    "override": "override",
    "override_modifier": "override",
    "declare": "declared",
    "accessor": "accessor",
    "get": "getter",
    "set": "setter",
    "*": "generator",
    "const": "const",
}


def read_modifiers(node: Node) -> tuple[str, ...]:
    """The modifiers written before a declaration's name."""
    found: list[str] = []
    for child in node.children:
        modifier = _TOKEN_MODIFIERS.get(child.type)
        if modifier is not None:
            found.append(modifier)
        elif child.type in {"formal_parameters", "class_body", "type_annotation", "statement_block", "="}:
            break
    return tuple(found)


def sort_modifiers(*groups: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({modifier for group in groups for modifier in group}))


def add_function(walk: Walk, node: Node, header: NamedFunction) -> int:
    """Note a function and all that is in it; gives back its number."""
    index = walk.reserve_symbol()
    outer_scope, outer_types, outer_constant = walk.scope, walk.type_parameters, walk.constant_name
    outer_depth, outer_value_depth = walk.depth, walk.value_depth
    walk.depth += _FRAMES
    walk.value_depth = walk.depth
    walk.scope, walk.constant_name, walk.outer_line, walk.pending_modifiers = index, None, None, ()
    read_type_parameters(walk, node.child_by_field_name("type_parameters"))
    parameters = read_parameters(walk, node)
    _complete(walk, index, node, header, parameters=tuple(read.parameter for read in parameters))
    for read in parameters:
        read_decorators(walk, read.decorators, index)
    bind_parameters(walk, parameters)
    if header.kind == "constructor":
        _declare_parameter_properties(walk, parameters, header.parent)
    if not walk.leaves_inside_out(index, node):
        _visit_body(walk, node.child_by_field_name("body"))
    if node.child_by_field_name("type_parameters") is not None:
        _give_back(walk, node, walk.symbols[index])
    _bind_own_name(walk, node, header)
    walk.scope, walk.type_parameters, walk.constant_name = outer_scope, outer_types, outer_constant
    walk.depth, walk.value_depth = outer_depth, outer_value_depth
    return index


def _bind_own_name(walk: Walk, node: Node, header: NamedFunction) -> None:
    """`Stack.prototype.push = function add() {}`: inside, and only there, the function is `add`."""
    own = node.child_by_field_name("name") if header.kind == "method" and is_function(node) else None
    if own is None:
        return
    index, name = walk.scope, walk.name_of(own)
    is_hidden = name in walk.local_names.get(index, ()) or any(
        symbol.parent == index and symbol.name == name for symbol in walk.symbols[index + 1 :]
    )
    if not is_hidden:
        walk.bind(name, ("symbol", index), own)


def _complete(
    walk: Walk, index: int, node: Node, header: NamedFunction, *, parameters: tuple[Parameter, ...]
) -> None:
    body, returned = node.child_by_field_name("body"), node.child_by_field_name("return_type")
    end = body.start_byte if body is not None else node.end_byte
    return_text = None
    if returned is not None:
        return_text = walk.text.brief(returned, MOST_TEXT_CHARACTERS).removeprefix(":").strip()
    # In an arrow function `this` is that of the code around it; in any other it is its own.
    arrow = ("arrow",) if node.type == "arrow_function" else ()
    hook = ("hook",) if _is_hook(header.name) else ()
    walk.fill_symbol(
        index,
        header.kind,
        header.name,
        node=header.span,
        parent=header.parent,
        header_end=end,
        parameters=parameters,
        return_text=return_text,
        return_type=walk.visit(returned) if returned is not None else None,
        decorators=header.decorators,
        visibility=header.visibility,
        modifiers=sort_modifiers(read_modifiers(node), header.modifiers, arrow, hook),
        doc=header.doc,
        complexity=walk.measures.complexity_of(node),
    )


def _give_back(walk: Walk, node: Node, symbol: Symbol) -> None:
    """What is given back by its type: in `<A, B>(one: A, more: B): A & B` both, whatever the code does with them."""
    parts = {part.strip() for part in (symbol.return_text or "").split("&")} & walk.type_parameters.keys()
    for one in symbol.parameters if parts else ():
        if one.kind != "rest" and one.type_text in parts:
            walk.returns.append(Return(walk.scope, ("name", one.name), walk.line_of(node)))


def _is_hook(name: str) -> bool:
    """Whether React would take the name for a hook: `use` and a capital."""
    return name.startswith("use") and name[3:4].isupper()


def _visit_body(walk: Walk, body: Node | None) -> None:
    if body is None:
        return
    if body.type == "statement_block":
        walk.visit_children(body)
        return
    value = visit_value(walk, body, "<returned function>")
    walk.returns.append(Return(walk.scope, value, walk.line_of(body)))


def _declare_parameter_properties(walk: Walk, parameters: list[ReadParameter], owner: int) -> None:
    """`constructor(private users: Users)` makes a field as well as a parameter."""
    for parameter, pattern, _, decorators, modifiers in parameters:
        if not modifiers:
            continue
        visibility = next((word for word in modifiers if word in {"private", "protected"}), "public")
        walk.fill_symbol(
            walk.reserve_symbol(),
            "field",
            parameter.name,
            node=pattern,
            parent=owner,
            decorators=written_decorators(walk, decorators),
            visibility=visibility,
            modifiers=("readonly",) if "readonly" in modifiers else (),
            value_type=parameter.type,
            signature=f"{parameter.name}: {parameter.type_text}" if parameter.type_text else parameter.name,
        )
        walk.store(("this",), parameter.name, ("name", parameter.name), node=pattern)


def visit_value(walk: Walk, node: Node, name: str) -> Expression:
    """The value of a node; a function that stands there is known by `name`, unless it has its own."""
    inner, kind = node, node.type
    while kind == "parenthesized_expression" and inner.named_child_count == 1:
        inner = inner.named_children[0]
        kind = inner.type
    if kind not in FUNCTION_EXPRESSIONS:
        return walk.visit(node)
    if walk.is_too_deep():
        walk.defer(inner)
        return None
    wrapped, walk.wrapped_function = walk.wrapped_function, None
    if wrapped is not None and wrapped[0] == inner.id:
        return ("symbol", add_function(walk, inner, wrapped[1]))
    own = inner.child_by_field_name("name")
    header = NamedFunction("function", walk.name_of(own) or name, inner, walk.scope)
    return ("symbol", add_function(walk, inner, header))


def is_function(node: Node | None) -> bool:
    """Whether a node is a function written where a value stands."""
    return node is not None and node.type in FUNCTION_EXPRESSIONS
