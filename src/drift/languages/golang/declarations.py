"""What a Go file declares: imports, types with their fields and methods, constants, variables, functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.facts import Base, Import, Parameter
from drift.languages.golang.entries import note_function
from drift.languages.golang.functions import define_function
from drift.languages.golang.routers import find_mounted
from drift.languages.golang.statements import read_values
from drift.languages.golang.type_declarations import declare_type, read_type_parameters
from drift.languages.kinds import SymbolKind
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Symbol
    from drift.languages.golang.walk import GoWalk

_MAJOR_VERSION = re.compile(r"^v\d+$")
_PACKAGE_SUFFIX = re.compile(r"\.v\d+$|\.go$|[-_.]go$")


def read_file(go: GoWalk) -> None:
    """Gather a whole file. Types come first, so that methods find them wherever they stand."""
    go.keep(go.begin("module", go.path.rsplit("/", 1)[-1], go.root))
    groups: dict[str, list[Node]] = {}
    rest: list[Node] = []
    for child in go.root.named_children:
        if child.type in _ORDER:
            groups.setdefault(child.type, []).append(child)
        elif child.type != "comment":
            rest.append(child)
    go.types = {name: -1 for node in groups.get("type_declaration", ()) for name in _type_names(go, node)}
    for kind in _ORDER:
        for node in groups.get(kind, ()):
            go.visit(node)
    # What could not be parsed still holds calls and names.
    for node in rest:
        go.visit(node)


def _type_names(go: GoWalk, node: Node) -> list[str]:
    names = (spec.child_by_field_name("name") for spec in node.named_children)
    return [go.text.text(name) for name in names if name is not None]


def _read_package(go: GoWalk, node: Node) -> Expression:
    go.package = next((go.text.text(c) for c in node.named_children if c.type == "package_identifier"), "")
    line = go.line(node)
    go.symbols[0] = go.symbols[0]._replace(doc=go.doc_above(line))
    return None


def _read_import(go: GoWalk, node: Node) -> Expression:
    for spec in node.named_children:
        if spec.type == "import_spec_list":
            _read_import(go, spec)
        elif spec.type == "import_spec" and (path := go.string_of(spec.child_by_field_name("path"))):
            _add_import(go, spec, path)
    return None


def _add_import(go: GoWalk, spec: Node, path: str) -> None:
    name_node = spec.child_by_field_name("name")
    alias: str | None = guess_package_name(path) if name_node is None else go.text.text(name_node)
    name = "*" if alias == "." else None
    if alias in {".", "_"}:
        alias = None
    if alias is not None or name == "*":
        go.packages[alias or f"*{path}"] = path
    go.imports.append(Import(go.scope, go.line(spec), path, name, alias))


def guess_package_name(path: str) -> str:
    """The name a package most likely has, given its import path; the package itself has the last word."""
    parts = [part for part in path.split("/") if part]
    if len(parts) > 1 and _MAJOR_VERSION.match(parts[-1]):
        parts.pop()
    last = _PACKAGE_SUFFIX.sub("", parts[-1]) if parts else path
    return last.removeprefix("go-").replace("-", "_") or path


def _read_function(go: GoWalk, node: Node) -> Expression:
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return None
    name = go.text.text(name_node)
    go.generics = read_type_parameters(go, node)
    go.prefixes, go.mounted = {}, find_mounted(go, node)
    symbol = _documented(go, go.begin("function", name, node), node)
    if node.type == "method_declaration":
        symbol = _with_receiver(go, symbol, node)
    number = define_function(go, symbol, node)
    go.generics, go.receiver = {}, ""
    note_function(go, number)
    return None


def _documented(go: GoWalk, symbol: Symbol, node: Node) -> Symbol:
    is_exported = symbol.name[:1].isupper()
    return symbol._replace(
        doc=go.doc_above(go.line(node)),
        visibility="public" if is_exported else "package",
        modifiers=("exported",) if is_exported else (),
    )


def _with_receiver(go: GoWalk, symbol: Symbol, node: Node) -> Symbol:
    """A method, below its type where the file has it; its receiver is the first parameter either way."""
    receiver_list = node.child_by_field_name("receiver")
    declaration = (
        next((c for c in receiver_list.named_children if c.type == "parameter_declaration"), None)
        if receiver_list is not None
        else None
    )
    type_node = None if declaration is None else declaration.child_by_field_name("type")
    if declaration is None or type_node is None:
        return symbol._replace(kind="method")
    for argument in _generic_arguments(type_node):
        go.generics[go.text.text(argument)] = None
    before = len(go.references)
    form = go.visit(type_node)
    del go.references[before:]  # belonging to a type is no use of it
    name_node = declaration.child_by_field_name("name")
    go.receiver = "" if name_node is None else go.text.text(name_node)
    parent = go.types.get(form[1], 0) if form is not None and form[0] == "name" else 0
    receiver = Parameter(go.receiver or "_", "receiver", go.text.brief(type_node, 200), form)
    return symbol._replace(kind="method", parent=max(parent, 0), parameters=(receiver,))


def _generic_arguments(node: Node) -> list[Node]:
    """The names a generic receiver gives to its type parameters: `[K, V]` of `(m *Map[K, V])`."""
    while node.type in {"pointer_type", "parenthesized_type"} and node.named_children:
        node = node.named_children[0]
    arguments = node.child_by_field_name("type_arguments") if node.type == "generic_type" else None
    if arguments is None:
        return []
    return [inner for element in arguments.named_children for inner in element.named_children]


def _read_variables(go: GoWalk, node: Node) -> Expression:
    for spec in node.named_children:
        if spec.type == "var_spec_list":
            _read_variables(go, spec)
        elif spec.type == "var_spec":
            type_node = spec.child_by_field_name("type")
            _read_spec(go, spec, None if type_node is None else go.visit(type_node), kind="variable")
    return None


def _read_constants(go: GoWalk, node: Node) -> Expression:
    form: Expression = None
    for spec in node.named_children:
        if spec.type != "const_spec":
            continue
        type_node = spec.child_by_field_name("type")
        # A name without a value repeats the type and the value above it, as iota lists do.
        if type_node is not None:
            form = go.visit(type_node)
        elif spec.child_by_field_name("value") is not None:
            form = None
        _read_spec(go, spec, form, kind="constant")
    return None


def _read_spec(go: GoWalk, spec: Node, form: Expression, *, kind: SymbolKind) -> None:
    """The names of one line of a var or const declaration: symbols in the file, bindings everywhere."""
    name_nodes = spec.children_by_field_name("name")
    names = [go.text.text(node) for node in name_nodes if node.type == "identifier"]
    is_top = go.scope == 0
    first = len(go.symbols)
    if is_top:
        _keep_variables(go, spec, names, form, kind=kind)
        go.closure_parent = first if len(go.symbols) > first else None
    value_node = spec.child_by_field_name("value")
    nodes = [] if value_node is None else [c for c in value_node.named_children if c.type != "comment"]
    values = read_values(go, names, nodes, is_constant=kind == "constant") if nodes else [None] * len(names)
    go.closure_parent = None
    if is_top and names == ["_"] and form is not None:
        _note_assertion(go, spec, form, values[0])
    for name, value in zip(names, values, strict=False):
        if name != "_":
            go.declare(spec, name, value, form)


def _note_assertion(go: GoWalk, spec: Node, form: Expression, value: Expression) -> None:
    """`var _ Interface = (*Type)(nil)`, or a literal of the type: the type says what it implements."""
    if value is not None and value[0] == "result":
        named = go.calls[value[1]].callee
    else:
        named = value[1] if value is not None and value[0] == "instance" else None
    number = go.types.get(named[1], 0) if named is not None and named[0] == "name" else 0
    type_node = spec.child_by_field_name("type")
    if number > 0 and type_node is not None:
        base = Base(go.text.brief(type_node, 200), form, "implements")
        go.symbols[number] = go.symbols[number]._replace(bases=(*go.symbols[number].bases, base))


def _keep_variables(go: GoWalk, spec: Node, names: list[str], form: Expression, *, kind: SymbolKind) -> None:
    prefix = "const " if kind == "constant" else "var "
    doc = go.doc_above(go.line(spec))
    for name in names:
        if name == "_":
            continue
        symbol = _documented(go, go.begin(kind, name, spec), spec)
        signature = prefix + go.text.brief(spec, MOST_SIGNATURE_CHARACTERS - len(prefix))
        go.keep(symbol._replace(doc=doc, value_type=form, signature=signature))


def _read_types(go: GoWalk, node: Node) -> Expression:
    for spec in node.named_children:
        if spec.type in {"type_spec", "type_alias"}:
            declare_type(go, spec, node)
    return None


# What stands at the top of a file, in the order in which it is gathered.
_ORDER: Final = (
    "package_clause",
    "import_declaration",
    "type_declaration",
    "const_declaration",
    "var_declaration",
    "function_declaration",
    "method_declaration",
)
DECLARATION_HANDLERS: Final[dict[str, Callable[[GoWalk, Node], Expression]]] = {
    "const_declaration": _read_constants,
    "function_declaration": _read_function,
    "import_declaration": _read_import,
    "method_declaration": _read_function,
    "package_clause": _read_package,
    "type_declaration": _read_types,
    "var_declaration": _read_variables,
}
