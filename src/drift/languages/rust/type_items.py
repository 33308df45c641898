"""Rust's types: structs, enums, unions, traits, aliases, and the impl blocks that give them methods."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from drift.languages.facts import Base
from drift.languages.kinds import SymbolKind
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS
from drift.languages.rust.entries import note_type, note_variant
from drift.languages.rust.functions import read_generics
from drift.languages.rust.macro_items import open_macros
from drift.languages.rust.vocabulary import EVERYDAY_TRAITS, WRAPPERS
from drift.languages.rust.walk import COMMENTS, OpenFields

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Symbol
    from drift.languages.rust.walk import RustWalk

_WORD: Final = re.compile(r"\w+")
_FOR_TESTS: Final = re.compile(
    r"#!?\[\s*cfg\s*\(\s*(?:test\s*\)|all\s*\((?!.{0,200}\bnot\s*\()(?:[^()]{0,200},)?\s*test\s*[,)])"
)
_TEST_CODE: Final = "test-only"
_MOST_ALIASES: Final = 10  # of each other
_KINDS: Final[Mapping[str, SymbolKind]] = {
    "struct_item": "struct",
    "enum_item": "enum",
    "union_item": "struct",
    "trait_item": "trait",
    "type_item": "type",
    "associated_type": "type",
}


def publish(rust: RustWalk, symbol: Symbol, node: Node) -> Symbol:
    """The symbol with its visibility: `pub` is public, `pub(crate)` and the like package, else private.

    What a trait or an enum declares, and what an impl of a trait has, is as public as that.
    """
    found = next((child for child in node.named_children if child.type == "visibility_modifier"), None)
    return _publish_as(rust, symbol, found)


def _publish_as(rust: RustWalk, symbol: Symbol, found: Node | None) -> Symbol:
    if found is None:
        return symbol if rust.in_trait else symbol._replace(visibility="private")
    text = "".join(rust.text.text(found).split())
    if text == "pub":
        return symbol._replace(modifiers=tuple(sorted({*symbol.modifiers, "exported"})))
    return symbol._replace(visibility="private" if text == "pub(self)" else "package")


def _read_type(rust: RustWalk, node: Node) -> Expression:
    attributes = rust.take_attributes()
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None:
        return None
    name = rust.text.text(name_node)
    symbol = publish(rust, rust.begin(_KINDS[node.type], name, node), node)
    end = node.end_byte if body is None else body.start_byte
    number = rust.keep(
        symbol._replace(
            signature=rust.text.brief_slice(
                node.start_byte, end, limit=MOST_SIGNATURE_CHARACTERS
            ).removesuffix(";"),
            decorators=rust.decorators(attributes),
            doc=rust.doc_of(node, attributes),
            modifiers=tuple(sorted({*symbol.modifiers, "union"}))
            if node.type == "union_item"
            else symbol.modifiers,
        )
    )
    rust.types[rust.scope, name] = number
    outer = (rust.generics, rust.self_form, rust.in_type, rust.in_trait)
    mark = rust.open_scope(number)
    rust.self_form = ("name", name)
    if found := read_generics(rust, node):
        rust.generics = {**rust.generics, **found}
    rust.in_type, rust.in_trait = True, node.type in {"trait_item", "enum_item"}
    bases = _read_supertraits(rust, node.child_by_field_name("bounds")) if node.type == "trait_item" else ()
    value_type = rust.visit_field(node, "type")
    if found and None in found.values():
        rust.open_fields[number] = OpenFields(tuple(found), [])
    if body is not None:
        _read_members(rust, body)
    rust.close_scope(mark)
    rust.generics, rust.self_form, rust.in_type, rust.in_trait = outer
    rust.symbols[number] = rust.symbols[number]._replace(bases=bases, value_type=value_type)
    note_type(rust, number, attributes)
    return None


def _read_supertraits(rust: RustWalk, bounds: Node | None) -> tuple[Base, ...]:
    found = []
    for child in () if bounds is None else bounds.named_children:
        form = rust.visit(child)
        if form is not None:
            found.append(Base(rust.text.brief(child, 200), form, "extends"))
    return tuple(found)


def _read_members(rust: RustWalk, body: Node) -> None:
    """Fields, variants and trait items."""
    attributes: list[Node] = []
    place, mark = 0, None
    for child in open_macros(rust, body.named_children):
        if child.type == "attribute_item":
            attributes.append(child)
            continue
        if child.type == "visibility_modifier":
            mark = child  # of the tuple field that follows
        if child.type in COMMENTS or child.type == "visibility_modifier":
            continue
        rust.attributes = attributes
        attributes = []
        if child.type == "field_declaration":
            name_node = child.child_by_field_name("name")
            _keep_field(rust, child, "" if name_node is None else rust.text.text(name_node))
        elif child.type == "enum_variant":
            _keep_variant(rust, child)
        elif body.type == "ordered_field_declaration_list":
            _keep_tuple_field(rust, child, str(place), mark)
            place, mark = place + 1, None
        else:
            rust.visit(child)
    rust.attributes = []


def _keep_field(rust: RustWalk, node: Node, name: str) -> None:
    attributes = rust.take_attributes()
    form = rust.visit_field(node, "type")
    if not name:
        return
    symbol = publish(rust, rust.begin("field", name, node), node)
    number = rust.keep(
        symbol._replace(
            signature=rust.text.brief(node, MOST_SIGNATURE_CHARACTERS),
            decorators=rust.decorators(attributes),
            doc=rust.doc_of(node, attributes),
            value_type=form,
        )
    )
    _note_open(rust, number, node.child_by_field_name("type"))


def _note_open(rust: RustWalk, field: int, type_node: Node | None) -> None:
    """Note a field that holds a value of a type parameter without a bound."""
    found = rust.open_fields.get(rust.scope)
    if found is None or type_node is None:
        return
    words = set(_WORD.findall(rust.text.text(type_node)))
    if any(name in words and rust.generics.get(name) is None for name in found.parameters):
        found.fields.append((field, type_node))


def _bound_fields(rust: RustWalk, owner: int, type_node: Node, bounds: dict[str, Expression]) -> None:
    """Give the fields of a type the types that an impl says its type parameters are of."""
    found = rust.open_fields.get(owner)
    arguments = type_node.child_by_field_name("type_arguments")
    if found is None or not found.fields or arguments is None:
        return
    given = [
        rust.text.text(one) for one in arguments.named_children if one.type not in {"lifetime", *COMMENTS}
    ]
    meant = {
        parameter: form
        for parameter, name in zip(found.parameters, given, strict=False)
        if (form := bounds.get(name)) is not None and form[-1] not in EVERYDAY_TRAITS
    }
    if not meant:
        return
    outer, rust.generics = rust.generics, {**rust.generics, **meant}
    before = len(rust.references)
    for field, node in found.fields:
        form = rust.visit(node)
        if form is not None:
            rust.symbols[field] = rust.symbols[field]._replace(value_type=form)
    del rust.references[before:]  # they are noted where they stand
    rust.generics = outer
    del rust.open_fields[owner]


def _keep_tuple_field(rust: RustWalk, node: Node, name: str, visibility: Node | None) -> None:
    """A field of a tuple, of which there is only the type, with its `pub` before it."""
    decorators = rust.decorators(rust.take_attributes())
    form = rust.visit(node)
    symbol = _publish_as(rust, rust.begin("field", name, node), visibility)
    signature = rust.text.brief(node, MOST_SIGNATURE_CHARACTERS)
    number = rust.keep(symbol._replace(signature=signature, decorators=decorators, value_type=form))
    _note_open(rust, number, node)


def _keep_variant(rust: RustWalk, node: Node) -> None:
    """A variant is a constant of its enum, with fields below it."""
    attributes = rust.take_attributes()
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None:
        return
    number = rust.keep(
        rust.begin("constant", rust.text.text(name_node), node)._replace(
            signature=rust.text.brief(node, MOST_SIGNATURE_CHARACTERS),
            decorators=rust.decorators(attributes),
            doc=rust.doc_of(node, attributes),
            value_type=rust.self_form,
        )
    )
    rust.visit_field(node, "value")
    note_variant(rust, number)
    if body is not None:
        mark = rust.open_scope(number)
        _read_members(rust, body)
        rust.close_scope(mark)


def _read_impl(rust: RustWalk, node: Node) -> Expression:
    for_tests, first = is_for_tests(rust, rust.take_attributes()), len(rust.symbols)
    type_node, trait_node = node.child_by_field_name("type"), node.child_by_field_name("trait")
    body = node.child_by_field_name("body")
    if type_node is None:
        return None
    outer = (rust.generics, rust.self_form, rust.in_type, rust.in_trait)
    if found := read_generics(rust, node):
        rust.generics = {**rust.generics, **found}
    before = len(rust.references)
    form = rust.visit(type_node)
    del rust.references[before : before + 1]  # belonging to a type is no use of it
    trait = None if trait_node is None else rust.visit(trait_node)
    number = _owner(rust, node, type_node, form)
    if trait_node is not None and trait is not None:
        _note_trait(rust, number, Base(rust.text.brief(trait_node, 200), trait, "implements"))
    _bound_fields(rust, number, type_node, found)
    outer_stars = rust.stars_inside
    mark = rust.open_scope(number)
    rust.self_form, rust.in_type, rust.in_trait = form, True, trait_node is not None
    rust.stars_inside = _stars_inside(type_node, rust.symbols[number])
    if body is not None:
        _read_members(rust, body)
    rust.close_scope(mark)
    rust.generics, rust.self_form, rust.in_type, rust.in_trait = outer
    rust.stars_inside = outer_stars
    for member in range(first, len(rust.symbols)) if for_tests else ():
        if rust.symbols[member].parent == number:
            note_test_code(rust, member)
    return None


def _note_trait(rust: RustWalk, number: int, base: Base) -> None:
    """Note a trait of a type, also of one that a module around has: there the trait is named through this one."""
    rust.implemented.setdefault(number, []).append(base)
    symbol = rust.symbols[number]
    around = rust.type_symbol(symbol.name) if "impl" in symbol.modifiers and rust.scope else None
    if around is not None and base.type is not None:
        here = base.type
        if here[0] == "name":
            here = ("either", ("member", ("symbol", rust.scope), here[1]), here)
        rust.implemented.setdefault(around, []).append(base._replace(type=here))


def _stars_inside(type_node: Node, owner: Symbol) -> int:
    """How many `*` before `self` lead to what the type of an impl refers to or holds; 0 where it holds nothing."""
    if "impl" not in owner.modifiers:
        return 0
    if type_node.type == "reference_type":
        return 1
    return 2 if type_node.type == "generic_type" and owner.name in WRAPPERS else 0


def _owner(rust: RustWalk, node: Node, type_node: Node, form: Expression) -> int:
    """The symbol below which an impl's methods stand.

    It is the type, where the file has it; else a namespace of the type's name, one for all its impls in
    this scope, whose base is the type.
    """
    named = type_node.child_by_field_name("type") if type_node.type == "generic_type" else type_node
    name = rust.text.brief(named or type_node, 100)
    if form is not None and form[0] == "own" and name.rpartition("::")[2] not in WRAPPERS:
        form = form[1]  # what methods are written for is no alias
    simple = name.rpartition("::")[2] if form is not None and form[0] in {"name", "member"} else name
    number = _type_here(rust, simple) if "::" not in name else None
    if number is None:
        number = rust.types.get((rust.scope, f"impl {name}"))
    if number is None:
        # A wrapper (`Option<T>`) reads as what it holds, which has none of its methods.
        is_type = form is not None and (form[-1] == simple or type_node.type == "reference_type")
        is_any = (
            _referred(rust, type_node) in rust.generics
        )  # all that have a trait, which is no method of it
        bases = (Base(name, form, "extends"),) if is_type and not is_any else ()
        symbol = rust.begin("namespace", simple, node)._replace(
            signature=f"impl {name}", bases=bases, modifiers=("impl",), visibility="private"
        )
        number = rust.types[rust.scope, f"impl {name}"] = rust.keep(symbol)
    return number


def _type_here(rust: RustWalk, name: str) -> int | None:
    """The type of that name that stands beside the impl, or what another name for it there stands for.

    The methods of one from a module or function around have the names of their own place, not of the type's.
    """
    number = rust.types.get((rust.scope, name))
    for _ in range(_MOST_ALIASES):
        symbol = None if number is None else rust.symbols[number]
        if symbol is None or symbol.kind != "type" or symbol.value_type is None:
            break
        aliased = rust.types.get((rust.scope, str(symbol.value_type[-1])))
        if symbol.value_type[0] != "name" or aliased is None:
            break
        number = aliased
    return number


def _referred(rust: RustWalk, node: Node) -> str:
    """The type behind all `&` of one, as written."""
    while node.type == "reference_type" and (inner := node.child_by_field_name("type")) is not None:
        node = inner
    return rust.text.brief(node, 100)


def is_for_tests(rust: RustWalk, attributes: list[Node]) -> bool:
    """Whether an item is compiled for tests alone: `#[cfg(test)]`, `#[cfg(all(test, unix))]`."""
    return any(_FOR_TESTS.match(rust.text.brief(node, 200)) is not None for node in attributes)


def note_test_code(rust: RustWalk, number: int) -> None:
    symbol = rust.symbols[number]
    rust.symbols[number] = symbol._replace(modifiers=tuple(sorted({*symbol.modifiers, _TEST_CODE})))


def settle_test_code(rust: RustWalk) -> None:
    """Mark what is compiled for tests alone, by its own attributes; what stands in it is found by where it stands."""
    for number, symbol in enumerate(rust.symbols):
        if any(one.name == "cfg" and _FOR_TESTS.match(one.text) for one in symbol.decorators):
            note_test_code(rust, number)


def settle_traits(rust: RustWalk) -> None:
    """Give each type the traits its impl blocks name."""
    for number, bases in rust.implemented.items():
        symbol = rust.symbols[number]
        rust.symbols[number] = symbol._replace(bases=(*symbol.bases, *bases))


TYPE_ITEM_HANDLERS: Final[dict[str, Callable[[RustWalk, Node], Expression]]] = {
    **dict.fromkeys(_KINDS, _read_type),
    "impl_item": _read_impl,
}
