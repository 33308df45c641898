"""Declarations of functions, variables, enums and namespaces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import Expression, with_type_arguments
from drift.languages.facts import EnvironmentRead
from drift.languages.frameworks import load_frameworks
from drift.languages.kinds import SymbolKind
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS, MOST_TEXT_CHARACTERS
from drift.languages.typescript.calls import FREEZERS
from drift.languages.typescript.classes import add_class
from drift.languages.typescript.functions import add_function, is_function, read_modifiers, sort_modifiers
from drift.languages.typescript.late_modules import loaded_component
from drift.languages.typescript.modules import import_variable
from drift.languages.typescript.objects import computed_label, member_name
from drift.languages.typescript.patterns import bind_pattern, bound_names
from drift.languages.typescript.walk import NamedFunction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.typescript.walk import Handler, Walk

_WRAPPERS: Final = load_frameworks("typescript").names("wrappers", "names")
_WRAPPED: Final = frozenset({"parenthesized_expression", "as_expression", "satisfies_expression"})
GLOBAL: Final = "global"
"""The modifier of what every file sees without an import."""
# `publicProcedure.input(schema).query(({ input }) => ...)`: the constant is known by its name, as a function is.
_PROCEDURE: Final = re.compile(
    rf"(?:[\w$]{{1,60}}\.){{0,3}}[\w$]{{0,60}}[pP]rocedure\b.*\.(?:{'|'.join(load_frameworks('typescript').names('wrappers', 'procedures'))})",
    re.DOTALL,
)
_LITERALS: Final = frozenset({"number", "regex", "string", "template_string", "unary_expression"})


def _function(walk: Walk, node: Node) -> Expression:
    name = walk.name_of(node.child_by_field_name("name")) or "default"
    modifiers = walk.take_modifiers()
    if node.type == "function_signature" and "declared" not in modifiers:
        modifiers = (*modifiers, "overload")
    header = NamedFunction("function", name, node, walk.scope, modifiers, doc=walk.take_doc(node))
    return ("symbol", add_function(walk, node, header))


def _variables(walk: Walk, node: Node) -> Expression:
    """`const a = 1, b = 2`: a doc comment and an export stand before all of them."""
    line = walk.outer_line or walk.line_of(node)
    modifiers = walk.take_modifiers()
    is_constant = any(child.type == "const" for child in node.children)
    for child in node.named_children:
        if child.type != "variable_declarator":
            continue
        walk.outer_line, walk.pending_modifiers = line, modifiers
        line = walk.line_of(child)
        _declare_variable(walk, child, is_constant=is_constant)
        walk.outer_line, walk.pending_modifiers = None, ()
    return None


def _declare_variable(walk: Walk, node: Node, *, is_constant: bool) -> None:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    type_node = node.child_by_field_name("type")
    if name is None:
        return
    if value is not None and import_variable(walk, name, value):
        return
    if name.type != "identifier":
        _destructure(walk, node, name, is_constant=is_constant)
        return
    inner = value
    while inner is not None and inner.type in _WRAPPED and inner.named_child_count:
        inner = inner.named_children[0]
    if inner is not None and is_function(inner):
        index = _declare_function(walk, node, name, inner)
        declared = walk.visit(type_node) if type_node is not None else None
        if declared is not None:
            walk.symbols[index] = walk.symbols[index]._replace(value_type=("typed", declared))
    elif inner is not None and inner.type == "class":
        walk.outer_line = walk.outer_line or walk.line_of(node)
        add_class(walk, inner, walk.name_of(name), span=node)
    else:
        _declare_value(walk, node, inner, is_constant=is_constant)


def _declare_function(walk: Walk, node: Node, name: Node, function: Node) -> int:
    modifiers, doc = walk.take_modifiers(), walk.take_doc(node)
    header = NamedFunction("function", walk.name_of(name), node, walk.scope, modifiers, doc=doc)
    return add_function(walk, function, header)


def _declare_value(walk: Walk, node: Node, inner: Node | None, *, is_constant: bool) -> None:
    name_node, value_node = node.child_by_field_name("name"), node.child_by_field_name("value")
    type_node = node.child_by_field_name("type")
    name = walk.name_of(name_node)
    wrapped = _wrapped_function(walk, inner)
    modifiers, doc = walk.take_modifiers(), walk.take_doc(node)
    declared = walk.visit(type_node) if type_node is not None else None
    if wrapped is not None:
        header = NamedFunction("function", name, node, walk.scope, modifiers, doc=doc)
        walk.wrapped_function = (wrapped.id, header)
    elif is_declaring_symbols(walk):
        details = {"modifiers": sort_modifiers(modifiers), "doc": doc, "value_type": declared}
        index = _declare_symbol(walk, node, name, is_constant=is_constant, **details)
        walk.object_owner = index if inner is not None and _holds_object(walk, inner) else None
    outer = walk.constant_name
    walk.constant_name = name if inner is not None and inner.type in _LITERALS else None
    value = loaded_component(walk, walk.visit(value_node) if value_node is not None else None)
    walk.constant_name, walk.object_owner, walk.wrapped_function = outer, None, None
    if wrapped is None:
        text = walk.text.text(type_node) if type_node is not None else ""
        walk.bind(name, value, node, declared=with_type_arguments(declared, text))


def _holds_object(walk: Walk, node: Node) -> bool:
    """Whether a value is an object literal, as it is or frozen."""
    if node.type != "call_expression":
        return node.type == "object"
    callee = node.child_by_field_name("function")
    return callee is not None and walk.text.brief(callee, MOST_TEXT_CHARACTERS) in FREEZERS


def _declare_symbol(walk: Walk, node: Node, name: str, *, is_constant: bool, **details: object) -> int:
    value = node.child_by_field_name("value")
    # A short value tells more than the type it has; a long one is cut.
    signature = walk.text.brief(
        node, MOST_TEXT_CHARACTERS if value is not None else MOST_SIGNATURE_CHARACTERS
    )
    kind: SymbolKind = "constant" if is_constant else "variable"
    return walk.declare(kind, name, node, signature=signature, **details)


def is_declaring_symbols(walk: Walk) -> bool:
    """Whether a variable here is one of the file's or a namespace's own, not a function's or a block's."""
    return not walk.blocks and (walk.scope == 0 or walk.symbols[walk.scope].kind == "namespace")


def _wrapped_function(walk: Walk, node: Node | None) -> Node | None:
    """The function in `memo(() => ...)`: the variable is that function."""
    if node is None or node.type != "call_expression":
        return None
    callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if callee is None or arguments is None or not arguments.named_child_count:
        return None
    first = arguments.named_children[0]
    if not is_function(first):
        return None
    text = walk.text.brief(callee, MOST_TEXT_CHARACTERS)
    is_wrapper = text in _WRAPPERS or any(
        one.alias == text and one.name in _WRAPPERS for one in walk.imports
    )  # `import { cache as reactCache } from "react"`
    return first if is_wrapper or _PROCEDURE.fullmatch(text) else None


def _destructure(walk: Walk, node: Node, pattern: Node, *, is_constant: bool) -> None:
    value_node = node.child_by_field_name("value")
    modifiers = sort_modifiers(walk.take_modifiers())
    walk.outer_line = None
    type_node = node.child_by_field_name("type")
    declared = walk.visit(type_node) if type_node is not None else None
    value = walk.visit(value_node) if value_node is not None else None
    if value is not None and value == ("member", ("name", "process"), "env"):
        _read_environment(walk, pattern, value)
    if is_declaring_symbols(walk):
        kind: SymbolKind = "constant" if is_constant else "variable"
        for bound in bound_names(walk, pattern, None):
            if bound.node.type != "member_expression":
                walk.declare(kind, walk.name_of(bound.node), bound.node, modifiers=modifiers)
    bind_pattern(walk, pattern, value, declared=declared)


def _read_environment(walk: Walk, pattern: Node, value: Expression) -> None:
    """`const { PORT = "3000" } = process.env` reads PORT."""
    for bound in bound_names(walk, pattern, value):
        if bound.key is not None:
            default = (
                walk.text.brief(bound.default, MOST_TEXT_CHARACTERS) if bound.default is not None else None
            )
            read = EnvironmentRead(walk.scope, walk.line_of(bound.node), bound.key, default)
            walk.environment_reads.append(read)


def _enum(walk: Walk, node: Node) -> Expression:
    name, body = walk.name_of(node.child_by_field_name("name")), node.child_by_field_name("body")
    modifiers = sort_modifiers(walk.take_modifiers(), read_modifiers(node))
    index = walk.declare(
        "enum", name, node, modifiers=modifiers, doc=walk.take_doc(node), signature=f"enum {name}"
    )
    outer, walk.scope = walk.scope, index
    for child in body.named_children if body is not None else ():
        if child.type == "comment":
            continue
        key = child.child_by_field_name("name") if child.type == "enum_assignment" else child
        member = member_name(walk, key)
        walk.declare(
            "constant",
            member or computed_label(walk, key),
            child,
            signature=walk.text.brief(child, MOST_TEXT_CHARACTERS),
        )
        walk.constant_name = member
        walk.visit_field(child, "value")
        walk.constant_name = None
    walk.scope = outer
    return ("symbol", index)


def _namespace(walk: Walk, node: Node) -> Expression:
    written = walk.name_of(node.child_by_field_name("name"))
    name = written.strip("'\"") or "global"
    modifiers = sort_modifiers(walk.take_modifiers())
    signature = f"namespace {name}" if written in {name, ""} else f'module "{name}"'
    index = walk.declare(
        "namespace", name, node, modifiers=modifiers, doc=walk.take_doc(node), signature=signature
    )
    outer, outer_blocks = walk.scope, walk.blocks
    walk.scope, walk.blocks = index, 0
    body = node.child_by_field_name("body")
    if body is not None:
        walk.visit_children(body)
    walk.scope, walk.blocks = outer, outer_blocks
    return ("symbol", index)


def _ambient(walk: Walk, node: Node) -> Expression:
    """`declare ...`: says what exists elsewhere."""
    outer = walk.pending_modifiers
    walk.outer_line = walk.outer_line or walk.line_of(node)
    line = walk.outer_line
    is_global = any(child.type == "global" for child in node.children)
    for child in node.named_children:
        walk.outer_line, walk.pending_modifiers = line, (*outer, "declared")
        if is_global and child.type == "statement_block":
            for inner in child.named_children:
                walk.outer_line, walk.pending_modifiers = None, (*outer, "declared", GLOBAL)
                walk.visit(inner)
        else:
            walk.visit(child)
    walk.outer_line, walk.pending_modifiers = None, ()
    return None


HANDLERS: Final[Mapping[str, Handler]] = {
    "function_declaration": _function,
    "generator_function_declaration": _function,
    "function_signature": _function,
    "lexical_declaration": _variables,
    "variable_declaration": _variables,
    "using_declaration": _variables,
    "enum_declaration": _enum,
    "internal_module": _namespace,
    "module": _namespace,
    "ambient_declaration": _ambient,
}
