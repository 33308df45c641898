"""Types as expressions that name them, and the references which that makes.

`List<T>` and `T[]` become `("list", T)`, `Dictionary<K, V>` becomes `("dict", (None, V))`, and a task is what
it gives when awaited. A type parameter is what constrains it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.csharp.vocabulary import (
    DICT_TYPES,
    EVERYDAY_TYPES,
    LIST_TYPES,
    NUMBER_TYPES,
    PREDEFINED_TYPES,
    TRANSPARENT_TYPES,
)
from drift.languages.expressions import last_name, list_of
from drift.languages.objects import dotted_form

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.csharp.walk import CsharpWalk
    from drift.languages.expressions import Expression

_PAIR: Final = 2
_NULLABLE: Final = ("name", "Nullable")
_MOST_LEVELS: Final = 40
_NAMED: Final = frozenset({"alias_qualified_name", "generic_name", "identifier", "qualified_name"})
_WRAPPED: Final = frozenset({"nullable_type", "pointer_type", "ref_type", "scoped_type"})


def name_type(walk: CsharpWalk, node: Node) -> Expression:
    """The class that a type names, whatever its arguments; notes no reference."""
    if node.type == "identifier":
        return ("name", walk.text.text(node))
    waiting, names = [node], []
    while waiting:
        part = waiting.pop()
        if part.type in {"identifier", "predefined_type"}:
            name = walk.text.text(part)
            names += [name] if name != "global" else []
        elif part.type == "generic_name":
            waiting += part.named_children[:1]
        elif part.type in _NAMED or part.type == "member_access_expression":
            waiting += reversed(part.named_children)
        elif part.type in _WRAPPED and (inner := part.child_by_field_name("type")) is not None:
            waiting.append(inner)
    return dotted_form(names)


def constructed_type(form: Expression) -> Expression:
    """What `new()` makes where a value of a type is wanted: the class the type names."""
    if form is None:
        return None
    if form[0] == "own":
        # A collection is made itself, of a task what it gives.
        is_container = form[2] is not None and form[2][0] in {"dict", "list"}
        return form[1] if is_container else constructed_type(form[2])
    if form[0] in {"dict", "list"}:
        return ("name", "Dictionary" if form[0] == "dict" else "List")
    return form if form[0] in {"generic", "member", "name"} else None


def read_type(walk: CsharpWalk, node: Node | None, level: int = 0) -> Expression:
    """The expression of a type node, after noting the types it names; None for `var` and the unknown."""
    if node is None or level > _MOST_LEVELS:
        return None
    kind = node.type
    if kind in _NAMED:
        return _read_named(walk, node, level)
    if kind == "predefined_type":
        name = walk.text.text(node)
        literal = PREDEFINED_TYPES.get(name)
        return ("literal", literal) if literal else ("name", name)
    if kind == "nullable_type" and _is_plain_value(walk, node):
        return _NULLABLE
    if kind in _WRAPPED:
        return read_type(walk, node.child_by_field_name("type"), level + 1)
    if kind == "array_type":
        return ("list", read_type(walk, node.child_by_field_name("type"), level + 1))
    if kind == "tuple_type":
        elements = [each.child_by_field_name("type") for each in node.named_children]
        return list_of(read_type(walk, element, level + 1) for element in elements[:_MOST_LEVELS])
    return None


def _is_plain_value(walk: CsharpWalk, nullable: Node) -> bool:
    """Whether it is of a number, a character or a truth that a type says it may be missing: `int?`."""
    inner = nullable.child_by_field_name("type")
    if inner is None or inner.type != "predefined_type":
        return False
    name = walk.text.text(inner)
    return name in NUMBER_TYPES or name in {"bool", "char"}


def _read_named(walk: CsharpWalk, node: Node, level: int) -> Expression:
    value = name_type(walk, node)
    if value is None:
        return None
    name = value[-1]
    if value[0] == "name" and name in walk.generics:
        return walk.generics[name]
    if name not in EVERYDAY_TYPES:
        walk.refer(node, with_count(node, value), "type")
    arguments = read_type_arguments(walk, node, level)
    held = _held_type(last_name(value), arguments)
    if held is None and not (arguments and name in TRANSPARENT_TYPES):
        return with_count(node, value)
    # Any file of the namespaces in sight may have a type of that name, without a word about it here.
    return held if _is_of_system(value) else ("own", with_count(node, value), held)


def _held_type(name: str, arguments: list[Expression]) -> Expression:
    """What a generic type of the library holds, as a container where it is one; None for other types."""
    if arguments and name in LIST_TYPES:
        return ("list", arguments[0])
    if arguments and name in TRANSPARENT_TYPES:
        return arguments[0]
    return ("dict", (None, arguments[1])) if len(arguments) == _PAIR and name in DICT_TYPES else None


def _is_of_system(named: Expression) -> bool:
    """Whether a type is written with its namespace, which is the platform's."""
    while named is not None and named[0] == "member":
        named = named[1]
        if named == ("name", "System"):
            return True
    return False


def with_count(node: Node, value: Expression) -> Expression:
    """The class that a type names, with the number of types in angle brackets where there are some."""
    listed = _argument_list(node)
    if listed is None or value is None:
        return value
    return ("generic", value, sum(child.type == "," for child in listed.children) + 1)  # `Map<,>` names none


def read_type_arguments(walk: CsharpWalk, node: Node, level: int = 0) -> list[Expression]:
    """The types that a name is given in angle brackets."""
    listed = _argument_list(node)
    return [] if listed is None else [read_type(walk, one, level + 1) for one in listed.named_children]


def _argument_list(node: Node) -> Node | None:
    """What stands in angle brackets behind the last part of a name."""
    while node.type in {"alias_qualified_name", "qualified_name"}:
        last = node.child_by_field_name("name")
        if last is None:
            return None
        node = last
    if node.type != "generic_name":
        return None
    return next((child for child in node.named_children[1:] if child.type == "type_argument_list"), None)


def read_type_parameters(walk: CsharpWalk, node: Node) -> dict[str, Expression]:
    """Put the type parameters of a declaration in force; gives those of before, for the caller to restore."""
    outer = walk.generics
    names: dict[str, Expression] = {}
    constraints: list[Node] = []
    for child in node.named_children:
        if child.type == "type_parameter_list":
            for parameter in child.named_children:
                name = parameter.child_by_field_name("name")
                if name is not None:
                    names[walk.text.text(name)] = None
        elif child.type == "type_parameter_constraints_clause":
            constraints.append(child)
    if not names:
        return outer
    walk.generics = {**outer, **names}
    for clause in constraints:
        _read_constraints(walk, clause)
    return outer


def _read_constraints(walk: CsharpWalk, clause: Node) -> None:
    """`where T : Shape, new()`: the first type that constrains is what a T is known to be."""
    name = walk.text.text(clause.named_children[0]) if clause.named_child_count else ""
    for constraint in clause.named_children[1:]:
        value = read_type(walk, constraint.child_by_field_name("type"))
        if value is not None and walk.generics.get(name) is None:
            walk.generics[name] = value
