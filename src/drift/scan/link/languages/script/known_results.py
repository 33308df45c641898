"""What functions outside a script's project give back that is made of what they are given."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from drift.languages import Call
from drift.languages.expressions import Expression
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.languages.typescript.vocabulary import TYPE_STOOD_FOR
from drift.scan.link.analysis import Analysis
from drift.scan.link.languages.script.stores import store_state
from drift.scan.link.referenced_symbols import referenced_symbols
from drift.scan.link.values import NOTHING, SYMBOL_MASK, Values, as_instance, is_symbol, merge, symbol_of

_DEFAULT: Final = "default"
_MOST_JOINED: Final = 8


def script_result(analysis: Analysis, name: str, call: Call, scope: int) -> Values:
    """What a call of something outside gives of the project's own; nothing where that is not known."""
    state = store_state(analysis, name, call, scope)
    if state:
        return state
    given = call.arguments[0][1] if call.arguments else None
    if given is None:
        return NOTHING
    last = name.rpartition(".")[2]
    if last in _wrapping_names():
        return _code_in(analysis, analysis.evaluate(given, scope))
    if last in _giving().get(_package(name), ()):
        return _objects_of(analysis, analysis.evaluate(given, scope)) or _token_objects(
            analysis, given, scope
        )
    made = _MADE.get(name.removeprefix("globalThis.") if "$" in name else last)
    return made(analysis, call, scope) if made is not None else NOTHING


def _package(name: str) -> str:
    """The package that the full name of something outside begins with."""
    scope, is_scoped, rest = name.partition("/") if name.startswith("@") else ("", "", name)
    return scope + is_scoped + rest.partition(".")[0].partition("/")[0]


@cache
def _giving() -> dict[str, tuple[str, ...]]:
    """By package, the functions that give an object of the class they are given: containers of objects."""
    from drift.languages.frameworks import load_frameworks  # as below

    giving = load_frameworks("typescript").words["injection"]["giving"]
    return {package: tuple(names) for package, names in giving.items()}


def _objects_of(analysis: Analysis, values: Values) -> Values:
    symbol = analysis.program.symbol
    return tuple(
        as_instance(value)
        for value in values
        if is_symbol(value) and symbol(symbol_of(value)).kind in TYPE_KINDS
    )


def _token_objects(analysis: Analysis, given: Expression, scope: int) -> Values:
    """What is got for a token that an expression names."""
    program = analysis.program
    found: list[Values] = []
    for symbol in referenced_symbols(analysis, given, scope):
        table = program.table_of(symbol)
        around = program.parent(symbol)
        for definition in program.definitions(table, around & SYMBOL_MASK, program.symbol(symbol).name) or ():
            value = definition.value
            if value is not None and value[0] == "result":
                call = table.facts.calls[value[1]]
                found += [analysis.evaluate(form, around) for form in _stands_for(call)]
    return merge(found)


def _stands_for(call: Call) -> list[Expression]:
    names, factory = _token_words()
    if call.text.rpartition(".")[2] not in names:
        return []
    types: list[Expression] = [value for keyword, value in call.arguments if keyword == TYPE_STOOD_FOR]
    made: list[Expression] = [
        ("called", entry)
        for _, value in call.arguments
        if value is not None and value[0] == "dict"
        for key, entry in value[1:]
        if key == factory
    ]
    return types or made


@cache
def _token_words() -> tuple[frozenset[str], str]:
    from drift.languages.frameworks import load_frameworks  # as below

    words = load_frameworks("typescript").words["injection"]
    return frozenset(words["tokens"]), str(words["factory"])


@cache
def _wrapping_names() -> frozenset[str]:
    # Only projects with scripts pay for reading the words.
    from drift.languages.frameworks import load_frameworks

    return frozenset(
        name.rpartition(".")[2] for name in load_frameworks("typescript").names("wrappers", "names")
    )


def _code_in(analysis: Analysis, values: Values) -> Values:
    """Those of the values that are functions or classes: of others a wrapper makes something else."""
    symbol = analysis.program.symbol
    return tuple(
        value
        for value in values
        if is_symbol(value)
        and (symbol(symbol_of(value)).kind in CODE_KINDS or symbol(symbol_of(value)).kind in TYPE_KINDS)
    )


def _called(analysis: Analysis, call: Call, scope: int) -> Values:
    """What the function gives back that is given away, to be called once."""
    return analysis.evaluate(("called", call.arguments[0][1]), scope)


def _loaded(analysis: Analysis, call: Call, scope: int) -> Values:
    """The component that the module has as its default which a function loads."""
    module: Expression = ("called", call.arguments[0][1])
    return _code_in(analysis, analysis.evaluate(("member", module, _DEFAULT), scope))


def _same(analysis: Analysis, call: Call, scope: int) -> Values:
    """What is given away itself."""
    return analysis.evaluate(call.arguments[0][1], scope)


def _joined(analysis: Analysis, call: Call, scope: int) -> Values:
    """All that is put together into the first, which has the members of each."""
    plain = [value for keyword, value in call.arguments if keyword is None]
    if any(value is not None and value[0] == "item" for value in plain):
        return NOTHING
    return merge(analysis.evaluate(value, scope) for value in plain[:_MOST_JOINED])


_MADE: Final[dict[str, Callable[[Analysis, Call, int], Values]]] = {
    "assign": _joined,
    "lazy": _loaded,
    "useMemo": _called,
    "$state": _same,
    "$state.raw": _same,
    "$bindable": _same,
    "$derived": _same,
    "$derived.by": _called,
}
