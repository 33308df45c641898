"""Functions of Python's own whose result is made of their arguments, and which call what they are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from drift.languages.expressions import Expression, list_of
from drift.languages.facts import Call
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.containers import element_values, entry_values
from drift.scan.link.expected_errors import EXPECTING, expected_errors
from drift.scan.link.returns import returned_values, yielded_values
from drift.scan.link.values import (
    NOTHING,
    Arguments,
    Value,
    Values,
    as_instance,
    as_symbol,
    is_generated,
    is_instance,
    is_reference,
    is_symbol,
    merge,
    symbol_of,
)

_ACCESSORS: Final = ("fget", "fset")

Result = Callable[[Analysis, Call, int], Values]


def known_result(analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
    """What calling something outside gives that passes on its arguments; None where it is not known to."""
    special = _RESULTS.get(name)
    if special is not None:
        return special(analysis, call, scope)
    if name.rpartition(".")[2] in EXPECTING:
        return expected_errors(_first(analysis, call, scope), name)
    return None


def elements_given(name: str, call: Call) -> Iterator[tuple[int, Arguments]]:
    """For functions that a call goes through elements with: the place of such a function, and what it is given."""
    given = [(place, given) for place, (keyword, given) in enumerate(call.arguments) if keyword is None]
    if name in _APPLYING and given:
        yield given[0][0], tuple((None, ("item", source)) for _, source in given[1:] if source is not None)
    elif name in _KEYED and given and given[0][1] is not None:
        for place, (keyword, _) in enumerate(call.arguments):
            if keyword == "key":
                yield place, ((None, ("item", given[0][1])),)


def _positional(call: Call) -> list[Expression]:
    return [value for keyword, value in call.arguments if keyword is None]


def _first(analysis: Analysis, call: Call, scope: int) -> Values:
    given = _positional(call)
    return analysis.evaluate(given[0], scope) if given else NOTHING


def _element(analysis: Analysis, call: Call, scope: int) -> Values:
    return element_values(analysis, _first(analysis, call, scope))


def _class_of(analysis: Analysis, call: Call, scope: int) -> Values:
    """The class of an object, or the one that is made of a name, parents and members."""
    given = _positional(call)
    if len(given) == _MAKING_ARGUMENTS:
        return _made_class(analysis, given[1], given[2], scope)
    if len(call.arguments) != 1:
        return NOTHING
    values = _first(analysis, call, scope)
    return tuple(as_symbol(value) for value in values if is_instance(value))


def _made_class(analysis: Analysis, parents: Expression, members: Expression, scope: int) -> Values:
    """The only parent of a class that is made (`type("Form", (Form,), fields)`), unless it is given code of its own."""
    found = analysis.evaluate(("item", parents), scope) if parents is not None else NOTHING
    held = analysis.evaluate(members, scope)
    entries = [one for value in held for one in _entries_of(analysis, value)]
    has_code = any(is_symbol(one) for one in entries)
    is_known = len(found) == 1 and is_symbol(found[0])
    return found if is_known and not has_code else NOTHING


def _entries_of(analysis: Analysis, value: Value) -> Values:
    if not isinstance(value, tuple) or value[0] != "container":
        return NOTHING
    return entry_values(analysis, value[1])


def _model(analysis: Analysis, call: Call, scope: int) -> Values:
    """The model that a setting names which is handed over."""
    return tuple(one for one in _first(analysis, call, scope) if is_symbol(one))


def _gathered(analysis: Analysis, call: Call, scope: int) -> Values:
    """A new container with the elements of the argument."""
    given = _positional(call)
    return _made(analysis, call, scope, ("item", given[0]) if given and given[0] is not None else None)


def _last_gathered(analysis: Analysis, call: Call, scope: int) -> Values:
    given = _positional(call)
    return _made(
        analysis, call, scope, ("item", given[1]) if len(given) > 1 and given[1] is not None else None
    )


def _numbered(analysis: Analysis, call: Call, scope: int) -> Values:
    """A container of pairs: a number, and an element of the argument."""
    given = _positional(call)
    element: Expression = ("item", given[0]) if given and given[0] is not None else None
    return _made(analysis, call, scope, None if element is None else list_of((None, element)))


def _tupled(analysis: Analysis, call: Call, scope: int) -> Values:
    """A container of tuples, each of one element of each argument."""
    parts: list[Expression] = [None if value is None else ("item", value) for value in _positional(call)]
    return _made(analysis, call, scope, list_of(parts) if any(parts) else None)


def _mapped(analysis: Analysis, call: Call, scope: int) -> Values:
    given = _positional(call)
    return _made(analysis, call, scope, ("called", given[0]) if given and given[0] is not None else None)


def _called(analysis: Analysis, call: Call, scope: int) -> Values:
    """What the function that is given away gives back."""
    given = _positional(call)
    return analysis.evaluate(("called", given[0]), scope) if given else NOTHING


def _provided(analysis: Analysis, call: Call, scope: int) -> Values:
    """What a function or class makes that is named as what provides a parameter."""
    given = _positional(call)
    found: list[Values] = []
    for value in analysis.evaluate(given[0], scope) if given else ():
        made = returned_values(analysis, symbol_of(value)) if is_reference(value) else NOTHING
        if is_symbol(value) and analysis.program.symbol(symbol_of(value)).kind in TYPE_KINDS:
            found.append((as_instance(value),))
        elif any(map(is_generated, made)) and is_reference(value):
            found.append(yielded_values(analysis, symbol_of(value)))
        else:
            found.append(made)
    return merge(found)


def _entered(analysis: Analysis, call: Call, scope: int) -> Values:
    """What `with closing(x)` gives is x, of which it runs neither `__enter__` nor `__exit__`."""
    callee = call.callee
    if callee is None or callee[0] != "member" or callee[1] is None or callee[1][0] != "result":
        return NOTHING
    return _first(analysis, analysis.program.table_of(scope).facts.calls[callee[1][1]], scope)


def _property(analysis: Analysis, call: Call, scope: int) -> Values:
    """What reads and sets a member, of the functions of the project that are given for it."""
    places = dict(zip(_ACCESSORS, _positional(call), strict=False))
    places.update((keyword, value) for keyword, value in call.arguments if keyword in _ACCESSORS)
    found: list[int | None] = []
    for name in _ACCESSORS:
        values = analysis.evaluate(places.get(name), scope)
        functions = [symbol_of(value) for value in values if is_symbol(value)]
        found.append(functions[0] if len(functions) == 1 else None)
    return (
        (("property", found[0], found[1]),)
        if any(one is not None for one in found)
        else ("builtins.property",)
    )


def _made(analysis: Analysis, call: Call, scope: int, entry: Expression) -> Values:
    value, made = analysis.container(("made", scope, call.line, call.column, call.text), "list", scope)
    if made is not None and entry is not None:
        made.entries.append((None, entry, scope))
    return (value,)


_RESULTS: Final[dict[str, Result]] = {
    "builtins.type": _class_of,
    "builtins.property": _property,
    "builtins.next": _element,
    "builtins.anext": _element,
    "builtins.min": _element,
    "builtins.max": _element,
    "random.choice": _element,
    "builtins.iter": _first,
    "builtins.aiter": _first,
    "copy.copy": _first,
    "copy.deepcopy": _first,
    "weakref.proxy": _first,
    "asyncio.create_task": _first,
    "asyncio.ensure_future": _first,
    "asyncio.run": _first,
    "asyncio.wait_for": _first,
    "asyncio.shield": _first,
    "functools.update_wrapper": _first,
    "builtins.staticmethod": _first,
    "builtins.classmethod": _first,
    "functools.wraps": lambda _analysis, _call, _scope: NOTHING,
    "contextlib.AbstractContextManager.__enter__": _entered,
    "builtins.list": _gathered,
    "builtins.tuple": _gathered,
    "builtins.set": _gathered,
    "builtins.frozenset": _gathered,
    "builtins.dict": _gathered,
    "builtins.sorted": _gathered,
    "builtins.reversed": _gathered,
    "collections.deque": _gathered,
    "itertools.chain": _gathered,
    "builtins.filter": _last_gathered,
    "builtins.map": _mapped,
    "fastapi.Depends": _provided,
    "fastapi.Security": _provided,
    "builtins.enumerate": _numbered,
    "django.utils.functional.SimpleLazyObject": _called,
    "werkzeug.local.LocalProxy": _called,
    "builtins.zip": _tupled,
    "django.apps.apps.get_model": _model,
    "django.apps.registry.apps.get_model": _model,
}
_MAKING_ARGUMENTS: Final = 3  # the name of a class that is made, its parents and its members
_APPLYING: Final = frozenset({"builtins.map", "builtins.filter", "functools.reduce", "itertools.starmap"})
_KEYED: Final = frozenset({"builtins.sorted", "builtins.min", "builtins.max"})
