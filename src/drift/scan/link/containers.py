"""Elements: of lists and dicts, of what generators yield, of objects that can be gone through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drift.languages.expressions import ENTRY, KEYS, DerivedForm, Expression, KeyedForm, place_key
from drift.scan.link.analysis import MOST_GIVEN, Analysis, Container
from drift.scan.link.call_sites import filled_name
from drift.scan.link.returns import returned_values, yielded_values
from drift.scan.link.tables import FILLING
from drift.scan.link.type_arguments import member_objects
from drift.scan.link.values import (
    GENERATED,
    INSTANCE,
    NOTHING,
    SYMBOL,
    Form,
    Value,
    Values,
    instance_value,
    is_instance,
    is_internal,
    is_reference,
    merge,
    symbol_of,
    tag_of,
    unsure_value,
)

# An annotation of these says what a value can do, nothing of what it is.
_SHAPELESS: Final = ("typing.", "typing_extensions.", "types.GenericAlias")

_KEYED: Final = 3  # the parts of an element that a constant key asks for
MOST_ENTRIES: Final = 200  # looked at in each container

Entry = tuple[str | None, Form, int]
"""A constant key or None, a value, and the scope it stands in."""


def keyed_values(analysis: Analysis, number: int, key: str) -> Values:
    """What a container holds under a constant key."""
    held = _entries(analysis, number)
    return merge(analysis.evaluate(value, scope) for name, value, scope in held if name == key)


def item_values(analysis: Analysis, expression: DerivedForm | KeyedForm, scope: int) -> Values:
    """What an expression means that names an element, or a part, of another."""
    held = expression[1]
    values = analysis.evaluate(held, scope)
    key = expression[2] if len(expression) == _KEYED else None
    if key is not None and key[0] == "[" and ":" in key:
        return _part_values(analysis, values, key, scope)
    # With brackets behind it a type is still that type; an element of an object outside may be anything.
    if _is_variable(held) and analysis.program.semantics_at(scope).telling_words:
        values = tuple(unsure_value(one) if isinstance(one, str) else one for one in values)
    found = element_values(analysis, values) if key is None else _elements_under(analysis, values, key)
    is_told = (
        not any(map(is_internal, found)) or analysis.program.semantics_at(scope).has_sure_element_methods
    )
    if (key is None or key == ENTRY) and is_told:
        return _typed_elements(analysis, values, expression, scope) or found
    return found


def _typed_elements(
    analysis: Analysis, values: Values, expression: DerivedForm | KeyedForm, scope: int
) -> Values:
    """An element of objects whose class says by a type variable what that is."""
    parts: list[Values] = []
    for value in values:
        if not is_instance(value):
            continue
        rules = analysis.program.semantics_at(symbol_of(value))
        for method in methods_named(analysis, value, rules.generic_element_methods):
            given = member_objects(analysis, symbol_of(method), expression[1], scope)
            parts.append(NOTHING if given is None else _gone_through(analysis, given, expression))
    return merge(parts)


def _gone_through(analysis: Analysis, given: Values, expression: DerivedForm | KeyedForm) -> Values:
    """What a loop is at, of what begins it: an element, or the object that an iterator is at."""
    is_entry = len(expression) == _KEYED
    held = tuple(one for one in given if isinstance(one, tuple))
    beside = tuple(one for one in given if not isinstance(one, tuple))
    return merge(
        [beside, _elements_under(analysis, held, ENTRY) if is_entry else element_values(analysis, held)]
    )


def pair_part(analysis: Analysis, number: int, key: str) -> Values:
    """A part of a pair, or of the entry of a map that an iterator is at."""
    held = _entries(analysis, number)
    if any(name == key for name, _, _ in held):
        return keyed_values(analysis, number, key)
    return keyed_values(analysis, number, KEYS) if key == place_key(0) else entry_values(analysis, number)


def _is_variable(form: Expression) -> bool:
    return form is not None and form[0] == "name" and form[1][:1].islower()


def entries_of(analysis: Analysis, values: Values) -> Values:
    """What a loop is at, of each of the values: of a map an entry of it, where the language has such."""
    return _elements_under(analysis, values, ENTRY)


def _elements_under(analysis: Analysis, values: Values, key: str) -> Values:
    """The element of each of the values that a constant key asks for."""
    return merge(
        # Entries ask for one another, so each is asked for once.
        analysis.memoised(("entry", value[1], key), _entry_under, value[1], key)
        if isinstance(value, tuple) and value[0] == "container"
        else _part_of_object(analysis, value, key)
        for value in values
    )


def _part_of_object(analysis: Analysis, value: Value, key: str) -> Values:
    if key != ENTRY and is_instance(value):
        part = analysis.program.semantics_at(symbol_of(value)).object_part(analysis, value, key)
        if part is not None:
            return part
    return _elements_of(analysis, value)


def _entry_under(analysis: Analysis, number: int, key: str) -> Values:
    """What a container holds under a key, and what it was given under keys that nobody knows; all where it has no such."""
    container = analysis.containers[number]
    has_pairs = container.kind == "dict" and analysis.program.semantics_at(container.scope).pair_keys
    if key == ENTRY:
        return (("container", number),) if has_pairs else entry_values(analysis, number)
    if has_pairs:
        return pair_part(analysis, number, key)
    held = _entries(analysis, number)
    if all(name != key for name, _, _ in held):
        return entry_values(analysis, number)
    return merge(analysis.evaluate(value, scope) for name, value, scope in held if name in {key, None})


def entry_values(analysis: Analysis, number: int) -> Values:
    """Everything a container holds."""
    return analysis.memoised(("entries", number), _entry_values, number)


def _entry_values(analysis: Analysis, number: int) -> Values:
    held = _entries(analysis, number)
    return merge(analysis.evaluate(value, scope) for key, value, scope in held if key != KEYS)


def _entries(analysis: Analysis, number: int) -> list[Entry]:
    """What a container is made with, and what calls in its file put in."""
    found: list[Entry] | tuple[()] = analysis.cached(("held", number), _find_entries, number)
    return found or []


def _part_values(analysis: Analysis, values: Values, key: str, scope: int) -> Values:
    """A part of each of the values; of what is no container the same as the whole."""
    return tuple(
        _part(analysis, value[1], key, scope)
        if isinstance(value, tuple) and value[0] == "container"
        else value
        for value in values
    )


def _part(analysis: Analysis, number: int, key: str, scope: int) -> Value:
    value, made = analysis.container(("part", number, key), analysis.containers[number].kind, scope)
    if made is not None:
        first, last = (int(one) if one.isdigit() else None for one in key[1:-1].split(":"))
        made.part = (number, first, last)
    return value


def _placed_anew(held: list[Entry], first: int | None, last: int | None) -> Iterator[Entry]:
    """What a part of a list holds, under the places in it; those that are not known are in any part."""
    for key, value, scope in held:
        place = int(key[1:-1]) if key is not None and key[:1] == "[" and key[1:-1].isdigit() else None
        if first is None or place is None:
            yield None, value, scope
        elif first <= place and (last is None or place < last):
            yield place_key(place - first), value, scope


def _find_entries(analysis: Analysis, number: int) -> list[Entry]:
    container = analysis.containers[number]
    if container.part is not None:
        whole, first, last = container.part
        return list(_placed_anew(_entries(analysis, whole), first, last))
    found = list(container.entries)
    if container.function is not None:
        function, place = container.function
        for keyword, (value, scope) in analysis.surplus(analysis, function, place):
            found.append((keyword, value, scope))
    if container.name is not None:
        found.extend(_put_in(analysis, number, container))
    return found[:MOST_ENTRIES]


def _put_in(analysis: Analysis, number: int, container: Container) -> Iterator[Entry]:
    assert container.name is not None
    table = analysis.program.table_of(container.scope)
    analysis.program.note_calls(table, f"{container.name}.")
    for at in table.calls_on.get(container.name, ())[:MOST_GIVEN]:
        call = table.facts.calls[at]
        scope = table.first + call.scope
        given = [value for keyword, value in call.arguments if keyword is None]
        assert call.callee is not None
        assert call.callee[0] == "member"
        place = FILLING[call.callee[2]]
        filled, levels = filled_name(call.callee[1])
        if not given or ("container", number) not in analysis.evaluate(filled, scope):
            continue
        for value in given if place < 0 else (given[min(place, len(given) - 1)],):
            if value is not None and value[0] != "literal":
                held: Expression = ("item", value) if place < 0 else value
                for _ in range(levels):
                    held = ("list", held)
                yield None, held, scope


def element_values(analysis: Analysis, values: Values) -> Values:
    """An element of each of the values."""
    return merge(_elements_of(analysis, value) for value in values)


def _elements_of(analysis: Analysis, value: Value) -> Values:
    if isinstance(value, str):
        return NOTHING if value.startswith(_SHAPELESS) else (_outside_element(value),)
    if isinstance(value, tuple):
        return entry_values(analysis, value[1]) if value[0] == "container" else NOTHING
    number, tag = symbol_of(value), tag_of(value)
    if tag == GENERATED:
        return yielded_values(analysis, number)
    if tag == INSTANCE:
        return _object_elements(analysis, value)
    if tag == SYMBOL:
        kind = analysis.program.symbol(number).kind
        if analysis.program.semantics_at(number).are_classes_collections:
            return (instance_value(number),) if kind == "class" else NOTHING
        # `Box[int]` is still Box; going through an enum gives its members.
        is_itself = kind == "class" or (
            kind == "function" and analysis.program.semantics_at(number).are_functions_indexed
        )
        return (instance_value(number),) if kind == "enum" else (value,) if is_itself else NOTHING
    return NOTHING


def _outside_element(value: str) -> str:
    """An element of something outside, which may be of the project; with brackets behind it a type is still that type."""
    is_type = value.rpartition(".")[2][:1].isupper()
    return value if is_type else unsure_value(value)


def _object_elements(analysis: Analysis, value: int) -> Values:
    semantics = analysis.program.semantics_at(symbol_of(value))
    own = semantics.object_elements(analysis, value)
    if own is not None:
        return own
    parts: list[Values] = [
        returned_values(analysis, symbol_of(method))
        for method in methods_named(analysis, value, semantics.element_methods)
    ]
    for method in methods_named(analysis, value, semantics.iterator_methods):
        for iterator in returned_values(analysis, symbol_of(method)):
            if is_instance(iterator):
                steps = methods_named(analysis, iterator, semantics.step_methods)
                parts.extend(returned_values(analysis, symbol_of(step)) for step in steps)
            else:
                parts.append(_elements_of(analysis, iterator))
    return merge(parts)


def methods_named(analysis: Analysis, value: int, names: tuple[str, ...]) -> list[int]:
    """The methods that an object has under any of these names."""
    found = merge(analysis.evaluate(("of", value, name), symbol_of(value)) for name in names)
    return [method for method in found if is_reference(method)]
