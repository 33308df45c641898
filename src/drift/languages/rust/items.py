"""What a Rust file declares: modules, functions, constants, macros, and what attributes say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import ENTRY
from drift.languages.facts import Constant
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS
from drift.languages.rust.calls import read_expected
from drift.languages.rust.entries import note_cases, note_function
from drift.languages.rust.functions import define_function, read_closure
from drift.languages.rust.imports import import_module_file, read_extern_crate, read_use
from drift.languages.rust.macro_items import open_macros
from drift.languages.rust.patterns import bind_pattern, bound_names, match_pattern
from drift.languages.rust.programs import note_program_constant
from drift.languages.rust.type_items import TYPE_ITEM_HANDLERS, is_for_tests, note_test_code, publish
from drift.languages.rust.walk import COMMENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.rust.walk import RustWalk

_PLAIN_TYPES: Final = frozenset({"type_identifier", "scoped_type_identifier"})  # neither `&T` nor `Option<T>`
_INNER_DOCS: Final = ("//!", "/*!")
_LITERALS: Final = frozenset({"string_literal", "raw_string_literal", "integer_literal", "float_literal"})
# Types come before what is implemented on them, wherever they stand.
_RANKS: Final = {
    "use_declaration": 0,
    "extern_crate_declaration": 0,
    "struct_item": 1,
    "enum_item": 1,
    "union_item": 1,
    "trait_item": 1,
    "type_item": 1,
}


def read_file(rust: RustWalk) -> None:
    """Gather a whole file."""
    rust.keep(rust.begin("module", rust.path.rsplit("/", 1)[-1], rust.root))
    rust.symbols[0] = rust.symbols[0]._replace(doc=_inner_doc(rust, rust.root.named_children))
    read_items(rust, rust.root.named_children)
    inner = [node for node in rust.root.named_children if node.type == "inner_attribute_item"]
    if is_for_tests(rust, inner):
        note_test_code(rust, 0)


def read_items(rust: RustWalk, nodes: Sequence[Node]) -> None:
    """Gather items, each with the attributes before it, types first."""
    items: list[tuple[int, Node, list[Node]]] = []
    attributes: list[Node] = []
    for node in open_macros(rust, nodes):
        if node.type == "attribute_item":
            attributes.append(node)
        elif node.type not in COMMENTS and node.type != "inner_attribute_item":
            items.append((_RANKS.get(node.type, 2), node, attributes))
            attributes = []
    for _, node, before in sorted(items, key=lambda item: item[0]):
        rust.attributes = before
        rust.visit(node)
    rust.attributes = []


def _inner_doc(rust: RustWalk, nodes: Sequence[Node]) -> str:
    """The `//!` comment a file or module begins with."""
    last = None
    for node in nodes:
        if node.type not in COMMENTS:
            break
        if rust.text.slice(node.start_byte, node.start_byte + 3) in _INNER_DOCS:
            last = node
    if last is None:
        return ""
    end = last.start_byte + len(rust.text.source[last.start_byte : last.end_byte].rstrip())
    return rust.comments.take_doc(rust.text.line_of(max(last.start_byte, end - 1)) + 1, _INNER_DOCS)


def _read_module(rust: RustWalk, node: Node) -> Expression:
    attributes = rust.take_attributes()
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None:
        return None
    name = rust.text.text(name_node)
    if body is None:
        import_module_file(rust, node, name, attributes=attributes)
        return None
    symbol = publish(rust, rust.begin("namespace", name, node), node)
    number = rust.keep(
        symbol._replace(
            signature=f"mod {name}",
            decorators=rust.decorators(attributes),
            doc=rust.doc_of(node, attributes) or _inner_doc(rust, body.named_children),
        )
    )
    mark = rust.open_scope(number)
    read_items(rust, body.named_children)
    rust.close_scope(mark)
    return None


def _read_function(rust: RustWalk, node: Node) -> Expression:
    attributes = rust.take_attributes()
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return None
    owner = rust.symbols[rust.scope].kind
    is_method = rust.in_type and owner in {"struct", "enum", "trait", "type", "namespace"}
    symbol = publish(
        rust, rust.begin("method" if is_method else "function", rust.text.text(name_node), node), node
    )
    modifiers = {*symbol.modifiers, *_modifiers(node)}
    if is_method and not _has_self(node):
        modifiers.add("static")
    if is_method and node.child_by_field_name("body") is None:
        modifiers.add("abstract")
    outer = (rust.in_type, rust.in_trait)
    rust.in_type = rust.in_trait = False
    number = define_function(
        rust,
        symbol._replace(
            decorators=rust.decorators(attributes),
            doc=rust.doc_of(node, attributes),
            modifiers=tuple(sorted(modifiers)),
        ),
        node,
    )
    rust.in_type, rust.in_trait = outer
    note_cases(rust, number, attributes)
    note_function(rust, number, attributes)
    return None


def _modifiers(node: Node) -> list[str]:
    found = next((child for child in node.named_children if child.type == "function_modifiers"), None)
    if found is None:
        return []
    return [child.type.removesuffix("_modifier") for child in found.children]


def _has_self(node: Node) -> bool:
    parameters = node.child_by_field_name("parameters")
    first = None if parameters is None else next(iter(parameters.named_children), None)
    if first is None:
        return False
    pattern = first.child_by_field_name("pattern")
    return first.type == "self_parameter" or (pattern is not None and pattern.type == "self")


def _read_constant(rust: RustWalk, node: Node) -> Expression:
    """A const or static: a symbol, wherever it stands."""
    attributes = rust.take_attributes()
    name_node, value_node = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name_node is None:
        return None
    name = rust.text.text(name_node)
    form = rust.visit_field(node, "type")
    is_mutable = any(child.type == "mutable_specifier" for child in node.named_children)
    symbol = publish(rust, rust.begin("variable" if is_mutable else "constant", name, node), node)
    rust.keep(
        symbol._replace(
            signature=rust.text.brief(node, MOST_SIGNATURE_CHARACTERS).removesuffix(";"),
            decorators=rust.decorators(attributes),
            doc=rust.doc_of(node, attributes),
            modifiers=tuple(sorted({*symbol.modifiers, "static" if node.type == "static_item" else "const"})),
            value_type=form,
        )
    )
    before = len(rust.constants)
    value = None if value_node is None else rust.visit(value_node)
    if value_node is not None and value_node.type in _LITERALS and len(rust.constants) > before:
        scope, line, kind, text, _ = rust.constants[before]
        rust.constants[before] = Constant(scope, line, kind, text, name)
    if name != "_":
        rust.declare(node, name, value, form)
        if value_node is not None:
            note_program_constant(rust, value_node, name)
    return None


def _read_macro_definition(rust: RustWalk, node: Node) -> Expression:
    """A `macro_rules!`; its body is a template, so nothing in it is gathered."""
    attributes = rust.take_attributes()
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return None
    decorators = rust.decorators(attributes)
    is_exported = any(decorator.name == "macro_export" for decorator in decorators)
    name = rust.text.text(name_node)
    rust.keep(
        rust.begin("macro", name, node)._replace(
            signature=f"macro_rules! {name}",
            decorators=decorators,
            doc=rust.doc_of(node, attributes),
            visibility="public" if is_exported else "private",
            modifiers=("exported",) if is_exported else (),
        )
    )
    return None


def _read_let(rust: RustWalk, node: Node) -> Expression:
    pattern, value_node = node.child_by_field_name("pattern"), node.child_by_field_name("value")
    form = rust.visit_field(node, "type")
    value: Expression = None
    if value_node is not None and value_node.type == "closure_expression" and pattern is not None:
        name = rust.text.text(pattern) if pattern.type == "identifier" else ""
        value = read_closure(rust, value_node, name)
    elif value_node is not None:
        outer, rust.coming = rust.coming, frozenset() if pattern is None else bound_names(rust, pattern)
        type_node = node.child_by_field_name("type")
        is_plain = type_node is not None and type_node.type in _PLAIN_TYPES
        value = read_expected(rust, value_node, form if is_plain else None)
        rust.coming = outer
    rust.visit_field(node, "alternative")
    if pattern is not None:
        bind_pattern(rust, pattern, value, declared=form)
    return None


def _read_let_condition(rust: RustWalk, node: Node) -> Expression:
    value = rust.visit_field(node, "value")
    pattern = node.child_by_field_name("pattern")
    if pattern is not None:
        match_pattern(rust, pattern, value)
    return ("literal", "bool")


def _read_while(rust: RustWalk, node: Node) -> Expression:
    outer, rust.matched = rust.matched, rust.matched.copy()
    rust.visit_field(node, "condition")
    rust.visit_field(node, "body")
    rust.matched = outer
    return None


def _read_for(rust: RustWalk, node: Node) -> Expression:
    value = rust.visit_field(node, "value")
    pattern = node.child_by_field_name("pattern")
    mark = len(rust.rebound)
    if pattern is not None:
        bind_pattern(rust, pattern, None if value is None else ("item", value, ENTRY))
    rust.visit_field(node, "body")
    rust.end_block(mark)
    return None


def _read_assignment(rust: RustWalk, node: Node) -> Expression:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    value = None if right is None else rust.visit(right)
    if left is None:
        return None
    if left.type == "identifier":
        name = rust.text.text(left)
        if name != "_":
            rust.assign(left, name, value)
    elif left.type == "field_expression" and left.named_children:
        receiver = rust.visit(left.named_children[0])
        field = left.child_by_field_name("field")
        if field is not None:
            rust.store(left, receiver, name=rust.text.text(field), value=value)
    else:
        rust.visit(left)
    return None


def _read_foreign(rust: RustWalk, node: Node) -> Expression:
    rust.take_attributes()
    body = node.child_by_field_name("body")
    if body is not None:
        read_items(rust, body.named_children)
    return None


ITEM_HANDLERS: Final[dict[str, Callable[[RustWalk, Node], Expression]]] = {
    **TYPE_ITEM_HANDLERS,
    "assignment_expression": _read_assignment,
    "closure_expression": read_closure,
    "while_expression": _read_while,
    "const_item": _read_constant,
    "extern_crate_declaration": read_extern_crate,
    "for_expression": _read_for,
    "foreign_mod_item": _read_foreign,
    "function_item": _read_function,
    "function_signature_item": _read_function,
    "let_condition": _read_let_condition,
    "let_declaration": _read_let,
    "macro_definition": _read_macro_definition,
    "mod_item": _read_module,
    "static_item": _read_constant,
    "use_declaration": read_use,
}
