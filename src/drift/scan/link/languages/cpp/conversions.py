"""Whether a value becomes an object of a class of C++ by being given: a constructor is called for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import Call, Parameter
from drift.scan.link.analysis import Analysis
from drift.scan.link.bodies import bodies_of
from drift.scan.link.hierarchy import constructors_of, declared_members, line_of_descent
from drift.scan.link.languages.cpp.pointer_aliases import named_pointer
from drift.scan.link.overloads import accepts, fitting_overloads, takes_count
from drift.scan.link.values import INSTANCE, SYMBOL, SYMBOL_MASK, Values, is_instance, symbol_of

_CLASSES: Final = frozenset({"class", "struct"})
_LISTED: Final = "initializer_list"
_MOST_LEVELS: Final = 3  # of lists in each other


def converts(analysis: Analysis, owner: int) -> bool:
    """Whether a class has a constructor that takes one value and need not be named."""
    program = analysis.program
    if program.symbol(owner).kind == "type":
        return True  # another name for what nothing is known of
    constructors = [program.symbol(one) for one in constructors_of(analysis, owner)]
    return any("explicit" not in one.modifiers and takes_count(one.parameters, 1) for one in constructors)


def conversions_of(
    analysis: Analysis, function: int, given: Sequence[Expression], scope: int
) -> tuple[int, ...]:
    """The constructors that run because a function takes objects of classes that it is not given."""
    wanted: tuple[tuple[int, int], ...] = analysis.cached(
        ("converting", function), _converting_parameters, function
    )
    return tuple(
        dict.fromkeys(
            one
            for place, owner in wanted
            if place < len(given)
            for one in _made(analysis, owner, given[place], scope, level=0)
        )
    )


def _converting_parameters(analysis: Analysis, function: int) -> tuple[tuple[int, int], ...]:
    """The places of parameters that are objects of a class of the project, with that class."""
    program = analysis.program
    plain = [one for one in program.symbol(function).parameters if one.kind == "plain"]
    scope = program.parent(function)
    owners = [_class_taken(analysis, one, scope) for one in plain]
    return tuple((place, owner) for place, owner in enumerate(owners) if owner is not None)


def _class_taken(analysis: Analysis, parameter: Parameter, scope: int) -> int | None:
    text = parameter.type_text or ""
    # What may be changed has to be there before the call.
    is_changed = text.endswith("&") and not text.endswith("&&") and "const" not in text
    if is_changed or "*" in text or "<" in text:
        return None
    return _only_class(analysis, analysis.evaluate(parameter.type, scope))


def _only_class(analysis: Analysis, declared: Values) -> int | None:
    """The class that a type is; None for a pointer by another name, and where nothing is converted to it."""
    owners = {symbol_of(value) for value in declared if isinstance(value, int)}
    owners = {one for one in owners if analysis.program.symbol(one).kind in _CLASSES}
    is_pointer = any(named_pointer(analysis, declared, tag) is not None for tag in (INSTANCE, SYMBOL))
    if len(owners) != 1 or is_pointer:
        return None
    owner = owners.pop()
    return owner if constructors_of(analysis, owner) else None


def _made(analysis: Analysis, owner: int, form: Expression, scope: int, *, level: int) -> Iterator[int]:
    """The constructors that make an object of a class of what is written so."""
    if form is None or level > _MOST_LEVELS:
        return
    if form[0] == "list":
        yield from _made_of_list(analysis, owner, form[1:], scope, level=level)
        return
    values = analysis.evaluate(form, scope)
    if not values or any(_is_none_to_make(analysis, owner, value) for value in values):
        return
    program = analysis.program
    constructors = tuple(
        one
        for one in constructors_of(analysis, owner)
        if "explicit" not in program.symbol(one).modifiers
        and takes_count(program.symbol(one).parameters, 1)
        and not _is_copying(analysis, one, owner)
        and accepts(analysis, one, [values])
    )
    yield from _only(analysis, constructors, (form,), scope)


def _is_copying(analysis: Analysis, constructor: int, owner: int) -> bool:
    """Whether a constructor takes an object of its own class, for which none is made on the way."""
    plain = [one for one in analysis.program.symbol(constructor).parameters if one.kind == "plain"]
    declared = analysis.evaluate(plain[0].type, owner) if plain else ()
    return any(isinstance(value, int) and symbol_of(value) == owner for value in declared)


def _is_none_to_make(analysis: Analysis, owner: int, value: object) -> bool:
    """Whether a value is an object of the class already, becomes one by itself, or may be anything."""
    if not isinstance(value, int):
        return isinstance(value, tuple) and value[0] != "literal"
    if not is_instance(value):
        return True
    name = analysis.program.symbol(owner).name
    return owner in line_of_descent(analysis, symbol_of(value)) or bool(
        declared_members(analysis, symbol_of(value), f"operator {name}")
    )


def _made_of_list(
    analysis: Analysis, owner: int, elements: tuple[Expression, ...], scope: int, *, level: int
) -> Iterator[int]:
    """What `{a, b}` makes: the constructor for lists comes first, and makes objects of the elements."""
    program = analysis.program
    constructors = tuple(constructors_of(analysis, owner))
    for one in constructors if elements else ():
        plain = [each for each in program.symbol(one).parameters if each.kind == "plain"]
        if len(plain) == 1 and _LISTED in (plain[0].type_text or ""):
            yield from bodies_of(analysis, one)
            declared = plain[0].type
            held = (
                declared[1] if declared is not None and declared[0] == "list" and len(declared) > 1 else None
            )
            inner = _only_class(analysis, analysis.evaluate(held, program.parent(one)))
            for element in elements if inner is not None else ():
                assert inner is not None
                yield from _made(analysis, inner, element, scope, level=level + 1)
            return
    counted = tuple(one for one in constructors if takes_count(program.symbol(one).parameters, len(elements)))
    yield from _only(analysis, counted, elements, scope)


def _only(
    analysis: Analysis, constructors: tuple[int, ...], given: tuple[Expression, ...], scope: int
) -> tuple[int, ...]:
    """The constructor that takes what is given; none where several do."""
    call = Call(scope & SYMBOL_MASK, 0, 0, None, "", tuple((None, value) for value in given))
    fitting = fitting_overloads(analysis, call, scope, symbols=constructors)
    return bodies_of(analysis, fitting[0]) if len(fitting) == 1 else ()
