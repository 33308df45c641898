"""Types as expressions: pointers, references and smart pointers are what they point to.

`std::vector<T>` and its like become `("list", T)`, maps `("dict", (None, V))`, so that an item of a value
of such a type is a value of T or V. A template's type parameters are unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.cpp.built_in import built_in_type, is_sized, pointer_to
from drift.languages.cpp.declarators import Declared, path_form, plain_name, segments
from drift.languages.expressions import KEYS, dict_of, last_name, library_shape, place_key

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk, Handler
    from drift.languages.expressions import Expression

LISTS: Final = frozenset(
    {"array", "deque", "forward_list", "initializer_list", "list", "multiset", "queue", "set", "span",
     "stack", "unordered_set", "vector", "QList", "QQueue", "QSet", "QStack", "QVarLengthArray", "QVector"}
)  # fmt: skip
# Maps that a loop goes through by their values.
_VALUED: Final = frozenset({"QHash", "QMap", "QMultiHash", "QMultiMap"})
DICTS: Final = frozenset({"map", "multimap", "unordered_map", "unordered_multimap"})
TRANSPARENT: Final = frozenset(
    {
        "atomic", "future", "optional", "reference_wrapper", "shared_ptr", "unique_ptr", "weak_ptr", "QPointer",
        "QScopedPointer", "QSharedPointer", "QWeakPointer",
    }
)  # fmt: skip
PARTS: Final = frozenset({"pair", "tuple", "QPair"})
POINTING: Final = frozenset(
    {
        "const_iterator", "const_reference", "const_reverse_iterator", "iterator", "reference",
        "reverse_iterator", "value_type",
    }
)  # fmt: skip


def read_type(cpp: CppWalk, node: Node | None) -> Expression:
    """The type a node names, None where it is unknown or `auto`."""
    if node is None:
        return None
    # The grammar has one node type for qualified names of types and of values.
    return _read_qualified(cpp, node) if node.type == "qualified_identifier" else cpp.visit(node)


def declared_type(form: Expression, declared: Declared | None) -> Expression:
    """The type of what a declarator makes of `form`: an array is a list, a pointer to characters a string."""
    if declared is None or form is None:
        return form
    if form[0] == "literal" and (declared.is_pointer or declared.is_array):
        pointer = pointer_to(form)
        if declared.is_pointer or pointer == ("literal", "str"):
            return pointer
    return ("list", form) if declared.is_array else form


def _read_name(cpp: CppWalk, node: Node) -> Expression:
    name = cpp.text.text(node)
    if name in cpp.type_parameters:
        return None
    form: Expression = ("name", name)
    cpp.refer(node, form, "type")
    return form


def _read_primitive(cpp: CppWalk, node: Node) -> Expression:
    return built_in_type(cpp.text.text(node))


def read_template(cpp: CppWalk, node: Node, form: Expression = None) -> Expression:
    """`name<A, B>`: a container of B, what a smart pointer holds, or the named type."""
    name = plain_name(cpp, node)
    values = template_arguments(cpp, node)
    is_known = is_known_template(name, len(values))
    held = held_type(name, values) if is_known else None
    if is_known and _is_standard(form):
        return held
    if form is None:
        if name in cpp.type_parameters:
            return None
        form = ("name", name)
    cpp.refer(node, form, "type")
    return ("own", form, held) if is_known else form


def is_known_template(name: str, count: int) -> bool:
    """Whether a template of the library with so many arguments is one that holds objects of them."""
    return bool(count) and (
        name in LISTS or name in TRANSPARENT or (count > 1 and name in DICTS | PARTS | _VALUED)
    )


def held_type(name: str, values: list[Expression]) -> Expression:
    """What a type of the library holds, as a container where it is one."""
    if name in LISTS:
        return ("list", values[0])
    if name in _VALUED:
        return ("list", values[1])
    if name in PARTS:
        return dict_of((place_key(place), value) for place, value in enumerate(values))
    if name not in DICTS:
        return values[0]
    return (
        ("dict", (None, values[1]), (KEYS, values[0]))
        if is_class_form(values[0])
        else ("dict", (None, values[1]))
    )


def pointed_type(held: Expression, name: str) -> Expression:
    """What `std::vector<T>::iterator` is at, or what it may be of a map; None for other types of a container."""
    if held is None or name not in POINTING or held[0] not in {"dict", "list"}:
        return None
    return held[1] if held[0] == "list" and len(held) > 1 else held


def _is_standard(form: Expression) -> bool:
    """Whether a type is written with the namespace of the library: `std::vector`, `std::pmr::vector`."""
    while form is not None and form[0] == "member":
        form = form[1]
    return form == ("name", "std")


def is_class_form(form: Expression) -> bool:
    """Whether a type may be a class of the project: it is a name, and neither a number nor a container."""
    return form is not None and form[0] in {"name", "member", "symbol"}


def class_name(cpp: CppWalk, form: Expression) -> str:
    """The last name of what `is_class_form` accepts."""
    return cpp.symbols[form[1]].name if form is not None and form[0] == "symbol" else last_name(form)


def is_constant(cpp: CppWalk, node: Node) -> bool:
    """Whether what a declaration or parameter declares may not be changed."""
    return any(child.type == "type_qualifier" and cpp.text.text(child) == "const" for child in node.children)


def is_holder(cpp: CppWalk, node: Node | None) -> bool:
    """Whether a type is one that only holds another or points to it, so that to make it makes none of the other."""
    while node is not None and node.type == "qualified_identifier":
        scope = node.child_by_field_name("scope")
        node = node.child_by_field_name("name")
        if scope is not None and scope.type == "template_type" and plain_name(cpp, scope) in LISTS | DICTS:
            return True  # std::vector<Box>::iterator
    return node is not None and node.type == "template_type" and plain_name(cpp, node) in TRANSPARENT


def template_arguments(cpp: CppWalk, node: Node) -> list[Expression]:
    """The types and values between angle brackets."""
    arguments = node.child_by_field_name("arguments")
    if arguments is None:
        return []
    return [cpp.visit(child) for child in arguments.named_children if child.type != "comment"]


def called_types(cpp: CppWalk, node: Node) -> list[Expression]:
    """The types that a function or a method is called for: `bind<Store, MemoryStore>`."""
    if node.type == "template_function":
        return template_arguments(cpp, node)
    field = node.child_by_field_name("field") if node.type == "field_expression" else None
    if field is not None and field.type == "dependent_name" and field.named_child_count:
        field = field.named_children[0]
    return template_arguments(cpp, field) if field is not None and field.type == "template_method" else []


def _read_qualified(cpp: CppWalk, node: Node) -> Expression:
    names = segments(cpp, node)
    if len(names) == 2 and names[0] == "std" and is_sized(names[1]):  # noqa: PLR2004 - std::size_t
        return built_in_type(names[1])
    last: Node | None = node
    while last is not None and last.type == "qualified_identifier":
        scope = last.child_by_field_name("scope")
        last = last.child_by_field_name("name")
        if scope is not None and scope.type == "template_type":
            held = library_shape(read_template(cpp, scope, ("name", names[0])))
            if (pointed := pointed_type(held, names[-1])) is not None:
                return pointed
    if names and names[0] in cpp.type_parameters:
        return None
    form = path_form(names)
    if last is not None and last.type == "template_type":
        return read_template(cpp, last, form)
    cpp.refer(node, form, "type")
    return form


def _read_descriptor(cpp: CppWalk, node: Node) -> Expression:
    form = read_type(cpp, node.child_by_field_name("type"))
    declarator = node.child_by_field_name("declarator")
    if declarator is not None and declarator.type == "abstract_array_declarator":
        return ("list", form)
    if declarator is not None:
        cpp.visit(declarator)
        return pointer_to(form) if declarator.type == "abstract_pointer_declarator" else form
    return form


def _read_first(cpp: CppWalk, node: Node) -> Expression:
    return read_type(cpp, node.named_children[0]) if node.named_child_count else None


def _read_nothing(_cpp: CppWalk, _node: Node) -> None:
    return


TYPE_HANDLERS: Final[dict[str, Handler]] = {
    "auto": _read_nothing,
    "dependent_type": _read_first,
    "placeholder_type_specifier": _read_nothing,
    "primitive_type": _read_primitive,
    "sized_type_specifier": _read_primitive,
    "template_type": read_template,
    "trailing_return_type": _read_first,
    "type_descriptor": _read_descriptor,
    "type_identifier": _read_name,
    "type_qualifier": _read_nothing,
}
