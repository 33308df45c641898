"""How files share names: ES imports and exports, CommonJS require."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import Expression
from drift.languages.facts import Import
from drift.languages.typescript.functions import visit_value
from drift.languages.typescript.literals import string_value
from drift.languages.typescript.patterns import bound_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.typescript.walk import Handler, Walk

EXPORTS: Final = ("name", "exports")
MODULE: Final = ("name", "module")
MODULE_EXPORTS: Final = ("member", MODULE, "exports")
EXPORTED: Final = "export"  # the kind of a read that only exports what it names
GIVEN_BACK: Final = "given"  # that of a read by which a hook gives what it names to who called it


def _import(walk: Walk, node: Node) -> Expression:
    module = string_value(walk, node.child_by_field_name("source"))
    is_type_only = any(child.type in {"type", "typeof"} for child in node.children)
    clauses = [child for child in node.named_children if child.type != "comment"]
    line = walk.line_of(node)
    if module is not None and not any(child.type == "import_clause" for child in clauses):
        walk.imports.append(Import(walk.scope, line, module, None, None))
        return None
    for clause in clauses:
        if clause.type == "import_clause" and module is not None:
            for child in clause.named_children:
                _import_part(walk, child, module, is_type_only=is_type_only)
        elif clause.type == "import_require_clause":
            source = string_value(walk, clause.child_by_field_name("source"))
            if source is not None and clause.named_child_count:
                alias = walk.name_of(clause.named_children[0])
                walk.imports.append(Import(walk.scope, line, source, None, alias, is_type_only=is_type_only))
    return None


def _import_part(walk: Walk, node: Node, module: str, *, is_type_only: bool) -> None:
    if node.type == "identifier":
        _add_import(walk, node, module, "default", walk.name_of(node), is_type_only=is_type_only)
    elif node.type == "namespace_import" and node.named_child_count:
        alias = walk.name_of(node.named_children[-1])
        _add_import(walk, node, module, None, alias, is_type_only=is_type_only)
    elif node.type == "named_imports":
        for child in node.named_children:
            if child.type == "import_specifier":
                name, alias = _specifier_names(walk, child)
                is_type = is_type_only or any(part.type in {"type", "typeof"} for part in child.children)
                _add_import(walk, child, module, name, alias, is_type_only=is_type)


def _add_import(
    walk: Walk, node: Node, module: str, name: str | None, alias: str | None, *, is_type_only: bool
) -> None:
    walk.imports.append(
        Import(walk.scope, walk.line_of(node), module, name, alias, is_type_only=is_type_only)
    )


def _specifier_names(walk: Walk, node: Node) -> tuple[str, str]:
    name = walk.name_of(node.child_by_field_name("name")).strip("'\"")
    alias = node.child_by_field_name("alias")
    return name, walk.name_of(alias).strip("'\"") if alias is not None else name


def _import_alias(walk: Walk, node: Node) -> Expression:
    """`import Short = Long.Path` gives a namespace member another name."""
    children = node.named_children
    if len(children) > 1:
        walk.bind(walk.name_of(children[0]), walk.visit(children[-1]), node)
    return None


def _export(walk: Walk, node: Node) -> Expression:
    types = {child.type for child in node.children}
    source = string_value(walk, node.child_by_field_name("source"))
    if source is not None:
        # The grammar knows no `export type *`, and reads the word as a mistake.
        errors = [walk.name_of(child) for child in node.children if child.type == "ERROR"]
        _reexport(walk, node, source, is_type_only="type" in types or "type" in errors)
        return None
    walk.outer_line = walk.line_of(node)
    walk.pending_decorators = [child for child in node.children if child.type == "decorator"]
    declaration, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
    if declaration is not None:
        walk.pending_modifiers = ("default", "exported") if "default" in types else ("exported",)
        result = walk.visit(declaration)
        if "default" in types:
            if declaration.type == "function_signature" and (name := declaration.child_by_field_name("name")):
                result = ("name", walk.name_of(name))  # of overloads, the one with code
            walk.store(EXPORTS, "default", result, node=node)
    elif value is not None:
        _export_default(walk, node, value)
    else:
        _export_names(walk, node, is_assignment="=" in types)
    walk.outer_line, walk.pending_modifiers, walk.pending_decorators = None, (), []
    return None


def _export_default(walk: Walk, node: Node, value: Node) -> None:
    doc, modifiers = walk.take_doc(node), ("default", "exported")
    if value.type == "object":
        details = {"modifiers": modifiers, "doc": doc, "signature": "default"}
        walk.object_owner = walk.declare("constant", "default", value, **details)
    first, since = len(walk.symbols), len(walk.reads)
    result = visit_value(walk, value, "default")
    note_exported_reads(walk, result if value.type == "identifier" else None, since=since)
    walk.object_owner = None
    if result is not None and result[0] == "symbol" and result[1] == first:
        symbol = walk.symbols[first]
        name = "default" if symbol.name == "<class>" else symbol.name
        merged = tuple(sorted({*symbol.modifiers, *modifiers}))
        walk.symbols[first] = symbol._replace(name=name, modifiers=merged, doc=symbol.doc or doc)
    elif result is not None and result[0] == "name":
        walk.exported_names[str(result[1])] = modifiers
    if value.type == "object":
        walk.bind("default", result, value)  # as for any constant, so that its members are found
    walk.store(EXPORTS, "default", result, node=node)


def _export_names(walk: Walk, node: Node, *, is_assignment: bool) -> None:
    for child in node.named_children:
        if child.type == "export_clause":
            if not child.named_child_count:
                walk.store(EXPORTS, "", None, node=child)  # `export {}` says that the file is a module
            for specifier in child.named_children:
                if specifier.type == "export_specifier":
                    name, alias = _specifier_names(walk, specifier)
                    walk.exported_names.setdefault(name, ("exported",))
                    walk.read(("name", name), specifier, EXPORTED)
                    walk.store(EXPORTS, alias, ("name", name), node=specifier)
        elif is_assignment and child.type != "comment":
            export_module(walk, visit_value(walk, child, "module.exports"), node)
        elif child.type == "import_alias":
            walk.visit(child)


def export_module(walk: Walk, value: Expression, node: Node) -> None:
    """Note that a value is all the file exports, in the manner of CommonJS."""
    walk.store(MODULE, "exports", value, node=node)
    if value is None:
        return
    parts = [part for _, part in value[1:]] if value[0] == "dict" else [value]
    for part in parts:
        mark_exported(walk, part)


def mark_exported(walk: Walk, value: Expression) -> None:
    """Note that what a value names is exported."""
    if value is None:
        return
    if value[0] == "name":
        walk.exported_names.setdefault(str(value[1]), ("exported",))
    elif value[0] == "symbol":
        symbol = walk.symbols[value[1]]
        modifiers = tuple(sorted({*symbol.modifiers, "exported"}))
        walk.symbols[value[1]] = symbol._replace(modifiers=modifiers)


def note_exported_reads(walk: Walk, value: Expression, *, since: int) -> None:
    """Tell names that stand where they are only exported from names that are passed on."""
    if value is None or value[0] not in {"dict", "name"}:
        return
    parts = [part for _, part in value[1:]] if value[0] == "dict" else [value]
    for number in range(since, len(walk.reads)):
        scope, byte, target, kind = walk.reads[number]
        if kind == "value" and target in parts:
            walk.reads[number] = (scope, byte, target, EXPORTED)


def note_given_back(walk: Walk, value: Expression, *, since: int) -> None:
    """Tell names that a function gives back as parts of an object or a list from names that it passes on."""
    if value is None or value[0] not in {"dict", "list"}:
        return
    parts = [part for _, part in value[1:]] if value[0] == "dict" else list(value[1:])
    for number in range(since, len(walk.reads)):
        scope, byte, target, kind = walk.reads[number]
        if kind == "value" and scope == walk.scope and target in parts:
            walk.reads[number] = (scope, byte, target, GIVEN_BACK)


def export_properties(
    walk: Walk, values: tuple[tuple[str | None, Expression], ...], *, name: str | None, node: Node
) -> None:
    """`Object.assign(exports, {...})` and `Object.defineProperty(exports, "x", ...)` export by name."""
    if len(values) < 2 or values[0][1] not in (EXPORTS, MODULE_EXPORTS):  # noqa: PLR2004 - a target and a source
        return
    if name is not None:
        walk.store(EXPORTS, name, None, node=node)
        return
    for _, value in values[1:]:
        for key, part in value[1:] if value is not None and value[0] == "dict" else ():
            mark_exported(walk, part)
            if key is not None:
                walk.store(EXPORTS, key, part, node=node)


def _reexport(walk: Walk, node: Node, source: str, *, is_type_only: bool) -> None:
    def add(name: str | None, alias: str | None, place: Node, *, is_type: bool = is_type_only) -> None:
        line = walk.line_of(place)
        walk.imports.append(
            Import(walk.scope, line, source, name, alias, is_reexport=True, is_type_only=is_type)
        )

    names = [child for child in node.named_children if child.type in {"export_clause", "namespace_export"}]
    if not names:
        add("*", None, node)
    for child in names:
        if child.type == "namespace_export":
            alias = walk.name_of(child.named_children[-1]) if child.named_child_count else None
            add(None, alias, child)
            continue
        for specifier in child.named_children:
            if specifier.type == "export_specifier":
                name, alias = _specifier_names(walk, specifier)
                is_type = is_type_only or any(part.type == "type" for part in specifier.children)
                add(name, alias, specifier, is_type=is_type)


def import_variable(walk: Walk, pattern: Node, value: Node) -> bool:
    """Whether a variable is a module or a part of one: `const x = require("y")`, `await import("y")`."""
    names: list[str] = []
    here = value
    while here.type in {"member_expression", "await_expression", "parenthesized_expression"}:
        child = here.child_by_field_name("object")
        if child is None:
            if not here.named_child_count:
                return False
            child = here.named_children[0]
        elif names:
            return False  # a path of two members is no one name
        else:
            names.append(walk.name_of(here.child_by_field_name("property")))
        here = child
    module = _module_of(walk, here)
    if module is None or (names and pattern.type != "identifier"):
        return False
    walk.outer_line, walk.pending_modifiers = None, ()
    name = names[0] if names else None
    for bound in bound_names(walk, pattern, None) if pattern.type != "identifier" else ():
        alias = walk.name_of(bound.node)
        walk.imports.append(Import(walk.scope, walk.line_of(bound.node), module, bound.key, alias))
        if bound.default is not None:
            walk.visit(bound.default)
    if pattern.type == "identifier":
        alias = walk.name_of(pattern)
        walk.imports.append(Import(walk.scope, walk.line_of(pattern), module, name, alias))
    return True


def _module_of(walk: Walk, node: Node) -> str | None:
    """The module that a `require` or `import` call names."""
    if node.type != "call_expression":
        return None
    callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if callee is None or arguments is None or not arguments.named_child_count:
        return None
    if callee.type != "import" and (callee.type != "identifier" or walk.name_of(callee) != "require"):
        return None
    return string_value(walk, arguments.named_children[0])


HANDLERS: Final[Mapping[str, Handler]] = {
    "import_statement": _import,
    "import_alias": _import_alias,
    "export_statement": _export,
}
