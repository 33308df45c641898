"""`use`, `extern crate` and `mod name;`: one import for each name.

`use a::{b, c as d, e::*, f::{self}}` brings `b` of `a`, `c` of `a` as `d`, all of `a::e`, and `a::f` itself.
A module kept in a file of its own is an import of `self::name`, or of the path its attribute gives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drift.languages.facts import Import
from drift.languages.rust.walk import COMMENTS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.rust.walk import RustWalk


def read_use(rust: RustWalk, node: Node) -> Expression:
    """Gather the imports of a `use`; with any `pub` they are exports too."""
    rust.take_attributes()
    is_public = any(child.type == "visibility_modifier" for child in node.named_children)
    argument = node.child_by_field_name("argument")
    pending: list[tuple[Node, str]] = [] if argument is None else [(argument, "")]
    while pending:
        part, prefix = pending.pop()
        if part.type == "scoped_use_list":
            path = part.child_by_field_name("path")
            inner = part.child_by_field_name("list")
            below = _join(prefix, "" if path is None else _path_text(rust, path))
            pending += [] if inner is None else [(child, below) for child in reversed(inner.named_children)]
        elif part.type == "use_list":
            pending += [(child, prefix) for child in reversed(part.named_children)]
        elif part.type not in COMMENTS:
            _add_leaf(rust, part, prefix, is_reexport=is_public)
    return None


def _add_leaf(rust: RustWalk, part: Node, prefix: str, *, is_reexport: bool) -> None:
    alias: str | None = None
    if part.type == "use_wildcard":
        path = next((_path_text(rust, child) for child in part.named_children), "")
        _add(rust, part, _join(prefix, path), name="*", alias=None, is_reexport=is_reexport)
        return
    if part.type == "use_as_clause":
        alias_node, path_node = part.child_by_field_name("alias"), part.child_by_field_name("path")
        alias = None if alias_node is None else rust.text.text(alias_node)
        path = "" if path_node is None else _path_text(rust, path_node)
    else:
        path = _path_text(rust, part)
    whole = prefix if path == "self" and prefix else _join(prefix, path)
    module, found, name = whole.rpartition("::")
    if path == "self" or not found:
        _add(rust, part, whole, name=None, alias=alias or name, is_reexport=is_reexport)
    else:
        _add(rust, part, module, name=name, alias=alias or name, is_reexport=is_reexport)


def _add(
    rust: RustWalk, part: Node, module: str, *, name: str | None, alias: str | None, is_reexport: bool
) -> None:
    if not module:
        return
    if alias == "_":
        alias = None
    if alias is not None:
        rust.imported[alias] = module if name is None else f"{module}::{name}"
    rust.imports.append(Import(rust.scope, rust.line(part), module, name, alias, is_reexport))


def _path_text(rust: RustWalk, node: Node) -> str:
    return "".join(rust.text.text(node).split())


def _join(prefix: str, path: str) -> str:
    return f"{prefix}::{path}" if prefix and path else prefix or path


def read_extern_crate(rust: RustWalk, node: Node) -> Expression:
    rust.take_attributes()
    name_node, alias_node = node.child_by_field_name("name"), node.child_by_field_name("alias")
    if name_node is not None:
        name = rust.text.text(name_node)
        alias = name if alias_node is None else rust.text.text(alias_node)
        _add(rust, node, name, name=None, alias=alias, is_reexport=False)
    return None


def import_module_file(rust: RustWalk, node: Node, name: str, *, attributes: list[Node]) -> None:
    """`mod name;`, whose file the linker finds."""
    is_public = any(child.type == "visibility_modifier" for child in node.named_children)
    paths = [d.text for d in rust.decorators(attributes) if d.name == "path" and '"' in d.text]
    module = paths[0].split('"')[1] if paths else f"self::{name}"
    _add(rust, node, module or f"self::{name}", name=None, alias=name, is_reexport=is_public)
