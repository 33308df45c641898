"""Types as expressions that name them, and the references which that makes.

`List<T>` and `T[]` become `("list", T)`, `Map<K, V>` becomes `("dict", (None, V))`, so that an item of a
value of such a type is a value of T. A type parameter is what bounds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.java.vocabulary import DICT_TYPES, EVERYDAY_TYPES, LIST_TYPES
from drift.languages.objects import dotted_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.objects import ObjectWalk

_PAIR: Final = 2
_CONTAINER_PACKAGES: Final = frozenset({"java.util", "java.util.concurrent", "java.util.stream"})
_MOST_DIMENSIONS: Final = 8
_DOTTED: Final = frozenset({"annotated_type", "field_access", "scoped_identifier", "scoped_type_identifier"})


def name_type(walk: ObjectWalk, node: Node) -> Expression:
    """The class that a type names, whatever its arguments; notes no reference."""
    if node.type == "type_identifier":
        return ("name", walk.text.text(node))
    waiting, names = [node], []
    while waiting:
        part = waiting.pop()
        if part.type in {"type_identifier", "identifier"}:
            names.append(walk.text.text(part))
        elif part.type == "generic_type":
            waiting += part.named_children[:1]
        elif part.type in _DOTTED:
            waiting += reversed(part.named_children)
    return dotted_form(names)


def read_type_parameters(walk: ObjectWalk, node: Node) -> dict[str, Expression]:
    """Put the type parameters of a declaration in force; gives those of before, for the caller to restore."""
    outer = walk.generics
    listed = node.child_by_field_name("type_parameters")
    if listed is None:
        return outer
    parameters = [child for child in listed.named_children if child.type == "type_parameter"]
    names: dict[str, Expression] = dict(outer)
    bounds: list[tuple[str, Node]] = []
    for parameter in parameters:
        name = ""
        for child in parameter.named_children:
            if child.type in {"type_identifier", "identifier"}:
                name = walk.text.text(child)
                names[name] = None
            elif child.type == "type_bound":
                bounds.append((name, child))
    walk.generics = names
    for name, bound in bounds:
        values = [walk.visit(child) for child in bound.named_children]
        names[name] = values[0] if values else None
    return outer


def _read_name(walk: ObjectWalk, node: Node) -> Expression:
    name = walk.text.text(node)
    if name in walk.generics:
        return walk.generics[name]
    if name == "var":
        return None
    value: Expression = ("name", name)
    if name not in EVERYDAY_TYPES:
        walk.refer(node, value, "type")
    return value


def _read_scoped(walk: ObjectWalk, node: Node) -> Expression:
    value = name_type(walk, node)
    walk.refer(node, value, "type")
    for child in node.named_children:
        if child.type == "generic_type":
            _read_arguments(walk, child)
    return value


def _read_arguments(walk: ObjectWalk, generic: Node) -> list[Expression]:
    values: list[Expression] = []
    for child in generic.named_children[1:]:
        if child.type == "type_arguments":
            for argument in child.named_children:
                values.append(walk.visit(argument))  # noqa: PERF401 (a comprehension costs a stack frame)
    return values


def read_generic(walk: ObjectWalk, node: Node) -> Expression:
    first = node.named_children[0] if node.named_child_count else None
    value = walk.visit(first) if first is not None else None
    arguments = _read_arguments(walk, node)
    name = value[-1] if value else None
    if arguments and name in LIST_TYPES and _is_of_library(walk, value):
        return ("list", arguments[0])
    if len(arguments) == _PAIR and name in DICT_TYPES and _is_of_library(walk, value):
        return ("dict", (None, arguments[1]))
    return value


def _is_of_library(walk: ObjectWalk, named: Expression) -> bool:
    """Whether a type with the name of a container is one, rather than a class of the project with that name."""
    if named is None:
        return False
    if named[0] != "name":
        return not _is_near(walk, ".".join(_parts(named)))
    known = walk.library_types.get(named[1])
    if known is None:
        known = walk.library_types[named[1]] = _is_imported_from_afar(walk, named[1])
    return known


def _is_imported_from_afar(walk: ObjectWalk, name: str) -> bool:
    """Whether a bare name comes from another project: what is not imported is of the package itself."""
    for written in walk.imports:
        if written.name == name:
            return not _is_near(walk, written.module)
    if _is_declared_here(walk, name):
        return False
    if name in EVERYDAY_TYPES or not walk.package:
        return True
    return any(written.name == "*" and _may_hold_containers(walk, written.module) for written in walk.imports)


def _is_declared_here(walk: ObjectWalk, name: str) -> bool:
    """Whether the file itself declares a class of that name, which goes before all that `import java.util.*` brings."""
    names = (child.child_by_field_name("name") for child in walk.root.named_children)
    return any(node is not None and walk.text.text(node) == name for node in names)


def _may_hold_containers(walk: ObjectWalk, package: str) -> bool:
    if package.startswith("java."):
        return package in _CONTAINER_PACKAGES
    return not _is_near(walk, package)


def _is_near(walk: ObjectWalk, dotted: str) -> bool:
    """Whether a package begins as that of the file does, so that both are of one project."""
    parts = zip(dotted.split("."), walk.package.split(".")[:_PAIR], strict=False)
    return bool(walk.package) and all(one == other for one, other in parts)


def _parts(named: Expression) -> list[str]:
    found: list[str] = []
    while named is not None and named[0] == "member":
        found.append(named[2])
        named = named[1]
    return [*([named[1]] if named is not None and named[0] == "name" else []), *reversed(found)]


def _read_array(walk: ObjectWalk, node: Node) -> Expression:
    value = walk.visit_field(node, "element")
    dimensions = node.child_by_field_name("dimensions")
    signs = dimensions.children if dimensions is not None else []
    for _ in range(min(_MOST_DIMENSIONS, sum(sign.type == "[" for sign in signs))):
        value = ("list", value)
    return value


def _read_last(walk: ObjectWalk, node: Node) -> Expression:
    """What stands after annotations, `extends` or `super`."""
    value: Expression = None
    for child in node.named_children:
        value = walk.visit(child)
    return value


def _read_primitive(walk: ObjectWalk, node: Node) -> Expression:
    return ("literal", walk.text.text(node))


def _literal(kind: str) -> Callable[[ObjectWalk, Node], Expression]:
    value: Expression = ("literal", kind)
    return lambda _walk, _node: value


TYPE_HANDLERS: Final[dict[str, Callable[[ObjectWalk, Node], Expression]]] = {
    "annotated_type": _read_last,
    "array_type": _read_array,
    "boolean_type": _literal("bool"),
    "floating_point_type": _read_primitive,
    "generic_type": read_generic,
    "integral_type": _read_primitive,
    "scoped_type_identifier": _read_scoped,
    "type_identifier": _read_name,
    "void_type": _literal("none"),
    "wildcard": _read_last,
}
