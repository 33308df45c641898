"""Elements: of lists and dicts, of what generators yield, of objects that can be gone through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drift.scan.link.analysis import MOST_GIVEN, Analysis, Container
from drift.scan.link.returns import returned_values, yielded_values
from drift.scan.link.tables import FILLING
from drift.scan.link.values import BOUND, GENERATED, INSTANCE, NOTHING, SYMBOL, Form, Value, Values, merge

_ITERATORS: Final = ("__iter__", "__aiter__")
_STEPS: Final = ("__next__", "__anext__")
_PHP_ELEMENTS: Final = ("offsetGet", "current")
_PHP_ITERATORS: Final = ("getIterator",)
_RUST_ELEMENTS: Final = ("next", "index")
_RUST_ITERATORS: Final = ("into_iter", "iter")
# An annotation of these says what a value can do, nothing of what it is.
_SHAPELESS: Final = ("typing.", "typing_extensions.", "types.GenericAlias")

MOST_ENTRIES: Final = 200  # looked at in each container

Entry = tuple[str | None, Form, int]
"""A constant key or None, a value, and the scope it stands in."""


def keyed_values(analysis: Analysis, number: int, key: str) -> Values:
    """What a container holds under a constant key."""
    held = _entries(analysis, number)
    return merge(analysis.evaluate(value, scope) for name, value, scope in held if name == key)


def entry_values(analysis: Analysis, number: int) -> Values:
    """Everything a container holds."""
    return analysis.memoised(("entries", number), _entry_values, number)


def _entry_values(analysis: Analysis, number: int) -> Values:
    return merge(analysis.evaluate(value, scope) for _, value, scope in _entries(analysis, number))


def _entries(analysis: Analysis, number: int) -> list[Entry]:
    """What a container is made with, and what calls in its file put in."""
    found: list[Entry] = analysis.cached(("held", number), _find_entries, number)
    return found


def _find_entries(analysis: Analysis, number: int) -> list[Entry]:
    container = analysis.containers[number]
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
        if not given or ("container", number) not in analysis.evaluate(call.callee[1], scope):
            continue
        for value in given if place < 0 else (given[min(place, len(given) - 1)],):
            if value is not None and value[0] != "literal":
                yield None, ("item", value) if place < 0 else value, scope


def element_values(analysis: Analysis, values: Values) -> Values:
    """An element of each of the values."""
    return merge(_elements_of(analysis, value) for value in values)


def _elements_of(analysis: Analysis, value: Value) -> Values:
    if isinstance(value, str):
        return NOTHING if value.startswith(_SHAPELESS) else (value,)
    if isinstance(value, tuple):
        return entry_values(analysis, value[1]) if value[0] == "container" else NOTHING
    number, tag = value >> 2, value & 3
    if tag == GENERATED:
        return yielded_values(analysis, number)
    if tag == INSTANCE:
        return _object_elements(analysis, value)
    if tag == SYMBOL:
        kind = analysis.program.symbol(number).kind
        # `Box[int]` is still Box; going through an enum gives its members.
        is_itself = kind == "class" or (kind == "function" and _is_go(analysis, number))
        return (number << 2 | INSTANCE,) if kind == "enum" else (value,) if is_itself else NOTHING
    return NOTHING


def _is_go(analysis: Analysis, number: int) -> bool:
    return analysis.program.table_of(number).facts.language == "go"


def _iterated(analysis: Analysis, value: int) -> Values:
    """What Rust's traits for iteration and indexing give of an object."""
    found = merge(returned_values(analysis, one >> 2) for one in _methods(analysis, value, _RUST_ELEMENTS))
    if found:
        return found
    iterators = (returned_values(analysis, one >> 2) for one in _methods(analysis, value, _RUST_ITERATORS))
    return element_values(analysis, tuple(one for one in merge(iterators) if one != value))


def _object_elements(analysis: Analysis, value: int) -> Values:
    if _is_go(analysis, value >> 2):
        # Kept, as a type may be one of its own elements: `type Tree []Tree`.
        return analysis.memoised(("elements", value >> 2), _type_elements, value >> 2)
    language = analysis.program.table_of(value >> 2).facts.language
    if language == "cpp":
        return _indexed(analysis, value)
    if language == "rust":
        return analysis.memoised(("elements", value >> 2), _iterated, value)
    is_php = language == "php"
    giving = _PHP_ELEMENTS if is_php else ("__getitem__",)
    steps = _PHP_ELEMENTS if is_php else _STEPS
    parts: list[Values] = [
        returned_values(analysis, method >> 2) for method in _methods(analysis, value, giving)
    ]
    for method in _methods(analysis, value, _PHP_ITERATORS if is_php else _ITERATORS):
        for iterator in returned_values(analysis, method >> 2):
            if isinstance(iterator, int) and iterator & 3 == INSTANCE:
                parts.extend(
                    returned_values(analysis, step >> 2) for step in _methods(analysis, iterator, steps)
                )
            else:
                parts.append(_elements_of(analysis, iterator))
    return merge(parts)


def _indexed(analysis: Analysis, value: int) -> Values:
    """What an index or a loop gives: what the operator of the class does, or an iterator; of a pointer the object."""
    if methods := _methods(analysis, value, ("operator[]",)):
        return merge(returned_values(analysis, method >> 2) for method in methods)
    methods = _methods(analysis, value, ("begin",))
    if not methods:
        return (value,)
    iterators = merge(returned_values(analysis, method >> 2) for method in methods)
    return merge(_pointed_at(analysis, one) for one in iterators)


def _pointed_at(analysis: Analysis, value: Value) -> Values:
    """What an iterator is at; a pointer, which is an iterator too, is what it points to."""
    if not isinstance(value, int) or value & 3 != INSTANCE:
        return _elements_of(analysis, value)
    methods = _methods(analysis, value, ("operator*",))
    return merge(returned_values(analysis, one >> 2) for one in methods) if methods else (value,)


def _type_elements(analysis: Analysis, number: int) -> Values:
    """What `type Rows []Row` has elements of: no method gives them, the type itself says what they are."""
    held = analysis.program.symbol(number).value_type
    return element_values(analysis, analysis.evaluate(held, analysis.program.parent(number)))


def _methods(analysis: Analysis, value: int, names: tuple[str, ...]) -> list[int]:
    found = merge(analysis.evaluate(("of", value, name), value >> 2) for name in names)
    return [method for method in found if isinstance(method, int) and method & 3 in {BOUND, SYMBOL}]
