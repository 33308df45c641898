"""Types as expressions that name them, and the references which that makes.

`List<T>` and `T[]` become `("list", T)`, `Map<K, V>` becomes `("dict", (None, V))`, so that an item of a
value of such a type is a value of T. A type parameter is what bounds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import last_name
from drift.languages.java.vocabulary import DICT_TYPES, EVERYDAY_TYPES, LIST_TYPES
from drift.languages.objects import dotted_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.objects import ObjectWalk

_PAIR: Final = 2
_PLATFORM: Final = "java."
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
    held = held_type(last_name(value), _read_arguments(walk, node))
    if held is None or _is_of_package(walk, value):
        return value
    return held if _is_of_platform(walk, value) else ("own", value, held)


def held_type(name: str, arguments: list[Expression]) -> Expression:
    """What a generic type of the library holds, as a container; None for other types."""
    if arguments and name in LIST_TYPES:
        return ("list", arguments[0])
    return ("dict", (None, arguments[1])) if len(arguments) == _PAIR and name in DICT_TYPES else None


def _is_of_platform(walk: ObjectWalk, named: Expression) -> bool:
    """Whether a type is written or imported with the package of the platform that has it."""
    if walk.package.startswith(_PLATFORM):
        return False
    if named is not None and named[0] == "name":
        return any(one.name == named[1] and one.module.startswith(_PLATFORM) for one in walk.imports)
    while named is not None and named[0] == "member":
        named = named[1]
    return named == ("name", "java")


def _is_of_package(walk: ObjectWalk, named: Expression) -> bool:
    """Whether a bare name can only be of the package of the file: no import has it, nor may have it."""
    if named is None or named[0] != "name":
        return False
    known = walk.package_types.get(named[1])
    if known is None:
        known = walk.package_types[named[1]] = _is_seen_without_import(walk, named[1])
    return known


def _is_seen_without_import(walk: ObjectWalk, name: str) -> bool:
    if any(written.name == name for written in walk.imports):
        return False
    if _is_declared_here(walk, name):
        return True
    return bool(walk.package) and name not in EVERYDAY_TYPES and not _may_be_starred(walk)


def _is_declared_here(walk: ObjectWalk, name: str) -> bool:
    """Whether the file itself declares a class of that name, which goes before all that `import java.util.*` brings."""
    names = (child.child_by_field_name("name") for child in walk.root.named_children)
    return any(node is not None and walk.text.text(node) == name for node in names)


def _may_be_starred(walk: ObjectWalk) -> bool:
    """Whether one of the packages that a file imports whole may have types that hold others."""
    starred = [written.module for written in walk.imports if written.name == "*"]
    return any(module in _CONTAINER_PACKAGES or not module.startswith(_PLATFORM) for module in starred)


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
