"""What the core asks of a language about types that take others: templates, pairs, pointers that hold an object."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from drift.languages.expressions import Expression
from drift.languages.facts import Symbol
from drift.scan.link.type_counts import arguments_of
from drift.scan.link.values import Values

if TYPE_CHECKING:
    from drift.scan.link.analysis import Analysis


class TypedSemantics:
    """One language in one project, as far as types say what objects hold."""

    pair_keys: Mapping[str, str] = MappingProxyType({})
    """The members of what is a pair, or at an entry of a map, with the key of that part."""
    arrow_members: tuple[str, ...] = ()
    """The methods of an object that give another, whose members it has as its own."""
    placing_methods: frozenset[str] = frozenset()
    """The methods of a map that put something in and give a pair: where that is, and whether it is new."""
    parts_given: Mapping[str, str] = MappingProxyType({})
    """The methods that give a list of parts: keys or values of a map, elements counted or paired with others."""
    generic_element_methods: tuple[str, ...] = ()
    """The methods of a generic class that say by their type what its elements are."""
    has_sure_element_methods = False
    """Whether these tell of every element, whatever else an object may give between brackets: a part of itself."""
    wrapper_methods: frozenset[str] = frozenset()
    """The methods of what only holds an object and reads as that one, which give it."""

    overloaded_names: frozenset[str] = frozenset()
    """The methods of which a type may have several, chosen by what is given, in a language that has no other overloads."""
    has_container_aliases = False
    """Whether another name for a type of containers is that type."""
    has_nameless_structs = False
    """Whether a value may be a struct without a name, known by its fields."""
    pointed_types: frozenset[str] = frozenset()
    """The types that a container names for what it holds, or for what is at it."""
    puts_types_together = False
    """Whether types are read from their texts with what is given for their variables."""

    def attribute_classes(self, analysis: Analysis, named: Expression, scope: int) -> tuple[int, ...]:
        """The classes of the project that an attribute is of, which need not be called just as it is written."""
        return ()

    def field_type(self, text: str, name: str) -> str:
        """The type of a field, of which the whole declaration is written."""
        return text

    def type_variables(self, symbol: Symbol) -> list[str]:
        """The type variables that a class declares, in their order."""
        return arguments_of(symbol.signature, symbol.name)

    def type_given(self, text: str, given: Mapping[str, str]) -> Expression:
        """A type as written, with what is given for its variables; None where the language does not put types together."""
        return None

    def object_part(self, analysis: Analysis, value: int, key: str) -> Values | None:
        """The part of an object that is taken apart by place; None where it is none that has such."""
        return None
