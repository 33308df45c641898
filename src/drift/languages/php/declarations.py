"""What stands at the top of a PHP file: namespaces, imports, functions, constants."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from drift.languages.facts import Import
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS
from drift.languages.php.entries import note_script
from drift.languages.php.functions import define_function, read_decorators, read_modifiers, read_visibility
from drift.languages.php.type_forms import read_docblock
from drift.languages.php.walk import child_of_type

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import Handler, PhpWalk

_USES: Final = frozenset({"qualified_name", "name", "namespace_name"})


def read_file(php: PhpWalk) -> None:
    """Gather a whole file, statement by statement, so that a namespace holds until the next."""
    statements = php.root.named_children
    count = Counter(child.type for child in statements)["namespace_definition"]
    for child in statements:
        if child.type == "namespace_definition":
            _enter_namespace(php, child, is_only=count == 1)
        else:
            php.visit(child)
    php.scope = 0
    note_script(php)


def _enter_namespace(php: PhpWalk, node: Node, *, is_only: bool) -> None:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    name = "" if name_node is None else php.text.text(name_node)
    php.scope = 0
    if is_only:
        php.package = name
    else:
        php.scope = php.keep(php.begin("namespace", name or "\\", node))
    if body is not None:
        php.visit(body)


def _read_function(php: PhpWalk, node: Node) -> Expression:
    name_node = node.child_by_field_name("name")
    name = "" if name_node is None else php.text.text(name_node)
    doc = php.docblock(php.line(node))
    decorators = read_decorators(php, node)
    symbol = php.begin("function", name, node)._replace(
        doc=doc, decorators=decorators, modifiers=read_modifiers(node)
    )
    return ("symbol", define_function(php, symbol, node))


def _read_use(php: PhpWalk, node: Node) -> None:
    r"""`use A\B as C, D;` and `use A\{B, C as D};`."""
    prefix_node, group = child_of_type(node, "namespace_name"), node.child_by_field_name("body")
    prefix = "" if prefix_node is None else php.text.text(prefix_node)
    for clause in (node if group is None else group).named_children:
        if clause.type == "namespace_use_clause":
            _read_use_clause(php, clause, prefix)


def _read_use_clause(php: PhpWalk, clause: Node, prefix: str) -> None:
    alias = clause.child_by_field_name("alias")
    name_node = next((child for child in clause.named_children if child.type in _USES), None)
    if name_node is None:
        return
    full = "\\".join(part for part in (prefix, php.text.text(name_node)) if part).lstrip("\\")
    module, _, name = full.rpartition("\\")
    bound = name if alias is None else php.text.text(alias)
    php.imports.append(Import(php.scope, php.line(clause), module or "\\", name, bound))


def _read_include(php: PhpWalk, node: Node) -> None:
    target = node.named_children[0] if node.named_child_count else None
    while target is not None and target.type == "parenthesized_expression" and target.named_child_count:
        target = target.named_children[0]
    if target is None:
        return
    php.visit(target)
    path = php.string_of(target)
    module = php.text.brief(target, MOST_SIGNATURE_CHARACTERS) if path is None else path
    php.imports.append(Import(php.scope, php.line(node), module, "*", None))


def _read_constants(php: PhpWalk, node: Node) -> None:
    """`const A = 1, B = 2;` of a file or a class."""
    doc = php.docblock(php.line(node))
    type_node = node.child_by_field_name("type")
    declared = None if type_node is None else php.visit(type_node)
    if declared is None and "var" in (promised := read_docblock(php, doc)):
        declared = promised["var"][1]
    elements = [child for child in node.named_children if child.type == "const_element"]
    decorators, visibility, modifiers = (
        read_decorators(php, node),
        read_visibility(php, node),
        read_modifiers(node),
    )
    for element in elements:
        if not element.named_child_count:
            continue
        name = php.text.text(element.named_children[0])
        value = _read_constant_value(php, name, element.named_children[1:])
        symbol = php.begin("constant", name, node if len(elements) == 1 else element)._replace(
            signature=php.text.brief(node, MOST_SIGNATURE_CHARACTERS).rstrip(" ;"),
            doc=doc,
            decorators=decorators,
            visibility=visibility,
            modifiers=modifiers,
            value_type=declared or value,
        )
        php.keep(symbol)


def _read_constant_value(php: PhpWalk, name: str, nodes: list[Node]) -> Expression:
    outer, php.constant_name = php.constant_name, name
    value = php.visit(nodes[-1]) if nodes else None
    php.constant_name = outer
    return value


def _skip(_php: PhpWalk, _node: Node) -> None:
    return


DECLARATION_HANDLERS: Final[dict[str, Handler]] = {
    "const_declaration": _read_constants,
    "function_definition": _read_function,
    "goto_statement": _skip,
    "include_expression": _read_include,
    "include_once_expression": _read_include,
    "named_label_statement": _skip,
    "namespace_use_declaration": _read_use,
    "php_tag": _skip,
    "require_expression": _read_include,
    "require_once_expression": _read_include,
    "text": _skip,
}
