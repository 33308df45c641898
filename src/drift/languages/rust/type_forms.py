"""Types and paths as expressions.

References, pointers and wrappers (`Box`, `Arc`, `Option`, `Result`, `Mutex` …) are what is inside them:
`?`, `await`, `unwrap` and deref lead there sooner or later. `Vec<T>`, `[T]`, `impl Iterator<Item = T>` and
tuples become `list` forms, maps `("dict", (None, V))`. `dyn Trait` and `impl Trait` are the trait, a type
parameter is its first bound, `Self` is the type of the impl.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import KEYS, list_of, signature_of
from drift.languages.rust.vocabulary import ITEM_TRAITS, LISTS, MAPS, WRAPPERS
from drift.languages.rust.walk import COMMENTS, is_standard

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.rust.walk import RustWalk

_GENERIC_PARTS: Final = frozenset({"generic_type", "generic_type_with_turbofish"})
_PATH_PARTS: Final = frozenset({"scoped_identifier", "scoped_type_identifier", *_GENERIC_PARTS})
_MOST_SEGMENTS: Final = 40  # a longer path is no code a person wrote


def read_path(rust: RustWalk, node: Node) -> Expression:
    """`a::b::c` as members of members, without noting a use."""
    names: list[str] = []
    while node.type in _PATH_PARTS:
        if node.type in _GENERIC_PARTS:
            _visit_arguments(rust, node)
            inner = node.child_by_field_name("type")
        else:
            name, inner = node.child_by_field_name("name"), node.child_by_field_name("path")
            if name is not None:
                names.append(rust.text.text(name))
        if inner is None:
            return _joined(None, names)
        node = inner
    if node.type == "bracketed_type":
        return _joined(_read_bracketed(rust, node), names)
    text = rust.text.text(node)
    if names and text in rust.locals:
        return _joined(("outer", text), names)  # a path begins with a module or a type, never with a variable
    return _joined(rust.generics[text] if text in rust.generics else rust.name_form(text), names)


def _joined(start: Expression, names: list[str]) -> Expression:
    """Members in the order written, given innermost last."""
    if len(names) > _MOST_SEGMENTS:
        return None
    names.reverse()
    form = start
    if form is None and names:
        form = ("name", names.pop(0))
    for name in names:
        form = ("member", form, name)
    return form


def _read_bracketed(rust: RustWalk, node: Node) -> Expression:
    """`<T as Trait>` is a T."""
    inner = next(iter(node.named_children), None)
    if inner is not None and inner.type == "qualified_type":
        rust.visit_field(inner, "alias")
        return rust.visit_field(inner, "type")
    return None if inner is None else rust.visit(inner)


def _read_name(rust: RustWalk, node: Node) -> Expression:
    name = rust.text.text(node)
    if name in rust.generics:
        return rust.generics[name]
    form = rust.name_form(name)
    if name != "Self" and form is not None:
        rust.refer(node, form, "type")
    return form


def _read_scoped(rust: RustWalk, node: Node) -> Expression:
    form = read_path(rust, node)
    if form is not None:
        rust.refer(node, form, "type")
    return form


def _visit_arguments(rust: RustWalk, node: Node) -> list[Expression]:
    arguments = node.child_by_field_name("type_arguments")
    if arguments is None:
        return []
    skipped = {"lifetime", *COMMENTS}
    return [rust.visit(child) for child in arguments.named_children if child.type not in skipped]


def _read_generic(rust: RustWalk, node: Node) -> Expression:
    inner = node.child_by_field_name("type")
    if inner is None:
        return None
    written = rust.text.text(inner)
    name = rust.imported.get(written, written).rpartition("::")[2]
    is_known = _is_wrapper(name) or name in LISTS or name in MAPS or name in ITEM_TRAITS
    may_be_own = not is_known or _may_be_own(rust, written)
    form = rust.visit(inner) if may_be_own else None
    arguments = _visit_arguments(rust, node)
    # What the library has by such a name holds something; with lifetimes alone it is a type of the project.
    if not is_known or (may_be_own and not arguments):
        return form
    held = _held_type(name, arguments)
    return ("own", form, held) if may_be_own else held


def _is_wrapper(name: str) -> bool:
    """Whether a type reads as what it holds; by convention `DbResult<T>` is a Result, unless the project has such a type."""
    return name in WRAPPERS or name == "Future" or name.endswith("Result")


def _held_type(name: str, arguments: list[Expression]) -> Expression:
    first = arguments[0] if arguments else None
    if _is_wrapper(name):
        return first
    if name not in MAPS:
        return ("list", first)
    held: tuple[None, Expression] = (None, arguments[-1] if arguments else None)
    return ("dict", held, (KEYS, first)) if len(arguments) > 1 and first is not None else ("dict", held)


def _may_be_own(rust: RustWalk, written: str) -> bool:
    """Whether a type with the name of one of the library may be one of the project."""
    first, is_path, _ = written.partition("::")
    if is_path:
        return not is_standard(rust.imported.get(first, first))
    return rust.own_names.may_be_own(written)


def _read_inner(rust: RustWalk, node: Node) -> Expression:
    """The last type inside: after lifetimes and `mut`."""
    inner = [rust.visit(c) for c in node.named_children if c.type not in _MARKS]
    return inner[0] if inner else None


def _read_list(rust: RustWalk, node: Node) -> Expression:
    inner = [rust.visit(c) for c in node.named_children if c.type not in COMMENTS]
    return list_of(inner)


def _read_array(rust: RustWalk, node: Node) -> Expression:
    rust.visit_field(node, "length")
    return ("list", rust.visit_field(node, "element"))


def _read_function(rust: RustWalk, node: Node) -> Expression:
    """`fn(A) -> B`, `Fn(A) -> B`: nothing with members, but what a closure in its place is given."""
    given: list[Expression] = []
    for child in node.named_children:
        if child.type == "parameters":
            given += [rust.visit(one) for one in child.named_children if one.type not in _MARKS]
        elif child.type not in _MARKS and rust.text.text(child) not in {"Fn", "FnMut", "FnOnce"}:
            rust.visit(child)
    return signature_of(given) if any(given) else None


def _read_binding(rust: RustWalk, node: Node) -> Expression:
    """`Item = T`."""
    return rust.visit_field(node, "type")


def _read_primitive(rust: RustWalk, node: Node) -> Expression:
    return ("name", rust.text.text(node))


def _read_nothing(_rust: RustWalk, _node: Node) -> Expression:
    return None


_MARKS: Final = frozenset(
    {"lifetime", "mutable_specifier", "for_lifetimes", "function_modifiers", "removed_trait_bound", *COMMENTS}
)
TYPE_HANDLERS: Final[dict[str, Callable[[RustWalk, Node], Expression]]] = {
    "abstract_type": _read_inner,
    "array_type": _read_array,
    "bounded_type": _read_inner,
    "bracketed_type": _read_bracketed,
    "dynamic_type": _read_inner,
    "function_type": _read_function,
    "generic_type": _read_generic,
    "generic_type_with_turbofish": _read_generic,
    "higher_ranked_trait_bound": _read_inner,
    "lifetime": _read_nothing,
    "never_type": _read_nothing,
    "pointer_type": _read_inner,
    "primitive_type": _read_primitive,
    "reference_type": _read_inner,
    "scoped_type_identifier": _read_scoped,
    "tuple_type": _read_list,
    "type_binding": _read_binding,
    "type_identifier": _read_name,
    "unit_type": _read_nothing,
}
