"""What tests are given by name: `base.extend<{ cart: CartPage }>({ cart: async ({ page }, use) => use(new CartPage(page)) })`.

A test that takes `{ cart }` gets what the type says that `cart` is, else what its function hands to `use`, and that
function runs with it. Both are kept beside the variable under names that no source can write, which files that
import the variable import, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from drift.languages.expressions import Expression, dict_of, either_of
from drift.languages.facts import Binding, Import
from drift.languages.frameworks import load_frameworks
from drift.languages.typescript.suites import head_of
from drift.languages.typescript.vocabulary import ALL_MEMBERS, TYPE_STOOD_FOR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drift.languages.expressions import Entry
    from drift.languages.facts import Call
    from drift.languages.typescript.walk import Walk

_FRAMEWORKS: Final = load_frameworks("typescript")
_TESTS: Final = _FRAMEWORKS.names("tests", "names") | _FRAMEWORKS.names("tests", "preparing")
_RUNNERS: Final = _FRAMEWORKS.names("tests", "runners")
_MERGING: Final = _FRAMEWORKS.names("tests", "merging")
_EXTENDING: Final = "extend"
_VALUES: Final = "<values>"  # behind the name of a variable: what each fixture is
_SETUPS: Final = "<setups>"  # what runs to make it
_PATTERN: Final = "{"
_FEWEST_PARAMETERS: Final = 2


class _Known(NamedTuple):
    """The variables that tests are made with: imported, and with the fixtures that the file adds, and to which."""

    imported: frozenset[str]
    setups: dict[str, dict[str, Expression]]
    bases: dict[str, list[str]]

    def setup_of(self, name: str, fixture: str, steps: int = 8) -> Expression:
        """The function behind a fixture of a variable."""
        if name in self.imported:
            return ("member", ("name", f"{name}{_SETUPS}"), fixture)
        own = self.setups.get(name, {}).get(fixture)
        if own is not None or not steps:
            return own
        found = (self.setup_of(base, fixture, steps - 1) for base in self.bases.get(name, ()))
        return next((one for one in found if one is not None), None)


def settle_fixtures(walk: Walk) -> None:
    """Let what tests and fixtures take by name be what the fixture of that name gives."""
    own = {
        name: walk.calls[value[1]]
        for name, value in walk.values_by_name.items()
        if value is not None and value[0] == "result" and _makes_fixtures(walk, walk.calls[value[1]])
    }
    imported = {one.alias: one for one in walk.imports if one.alias is not None and _may_have_fixtures(one)}
    if not own and not imported:
        return
    walk.imports += [
        one._replace(name=f"{one.name}{mark}", alias=f"{alias}{mark}")
        for alias, one in imported.items()
        for mark in (_VALUES, _SETUPS)
    ]
    known = _Known(frozenset(imported), {}, {})
    for name, call in own.items():
        _declare(walk, name, call, known)
    for name, call in own.items():
        for _, value in _entries(_given(call)):
            _give(walk, value, name, known)
    for call in walk.calls:
        name = head_of(call.text).partition(".")[0]
        if name in own or name in imported:
            for _, value in call.arguments:
                _give(walk, value, name, known)


def _may_have_fixtures(one: Import) -> bool:
    is_test = not {one.alias, one.name}.isdisjoint(_TESTS)
    return one.name is not None and is_test and one.module not in _RUNNERS


def _given(call: Call) -> Expression:
    return call.arguments[0][1] if _is_declaring(call) and call.arguments else None


def _is_declaring(call: Call) -> bool:
    return call.callee is not None and call.callee[-1] == _EXTENDING


def _makes_fixtures(walk: Walk, call: Call) -> bool:
    """Whether a call gives a function for tests: fixtures take others by name, and what hands theirs on."""
    if call.text in _MERGING:
        return True
    return any(_is_fixture(walk, value) for _, value in _entries(_given(call)))


def _entries(value: Expression) -> Iterator[tuple[str, Expression]]:
    """The fixtures of an object by name; those with options stand first in a list."""
    for entry in value[1:] if value is not None and value[0] == "dict" else ():
        if entry[0] is None:
            continue
        held = entry[1]
        if held is not None and held[0] == "list" and len(held) > 1:
            held = held[1]
        yield entry[0], held


def _is_fixture(walk: Walk, value: Expression) -> bool:
    if value is None or value[0] != "symbol":
        return False
    parameters = walk.symbols[value[1]].parameters
    return len(parameters) >= _FEWEST_PARAMETERS and parameters[0].name.startswith(_PATTERN)


def _declare(walk: Walk, name: str, call: Call, known: _Known) -> None:
    if call.text in _MERGING:
        bases = [value[1] for _, value in call.arguments if value is not None and value[0] == "name"]
    else:
        base = call.callee[1] if call.callee is not None and call.callee[0] == "member" else None
        bases = [base[1]] if base is not None and base[0] == "name" else []
    fixtures = {each: value for each, value in _entries(_given(call)) if _is_fixture(walk, value)}
    known.setups[name], known.bases[name] = fixtures, bases
    values: list[Entry] = [
        (each, _handed_on(walk, value[1]))
        for each, value in fixtures.items()
        if value and value[0] == "symbol"
    ]
    setups: list[Entry] = [*fixtures.items()]
    for each in bases:
        values.append((ALL_MEMBERS, ("name", f"{each}{_VALUES}")))
        setups.append((ALL_MEMBERS, ("name", f"{each}{_SETUPS}")))
    stated = dict(call.arguments).get(TYPE_STOOD_FOR)
    whole: Expression = dict_of(values)
    walk.bindings += [
        Binding(0, f"{name}{_VALUES}", whole if stated is None else either_of([stated, whole]), call.line),
        Binding(0, f"{name}{_SETUPS}", dict_of(setups), call.line),
    ]


def _handed_on(walk: Walk, fixture: int) -> Expression:
    """What a fixture hands to its second parameter, as it is known outside of the function."""
    use = walk.symbols[fixture].parameters[1].name
    for call in walk.calls:
        if call.callee == ("name", use) and call.scope == fixture and call.arguments:
            value = call.arguments[0][1]
            if value is None or value[0] != "name":
                return value
            return next(
                (
                    one.value
                    for one in reversed(walk.bindings)
                    if one.scope == fixture and one.name == value[1]
                ),
                value,
            )
    return None


def _give(walk: Walk, taker: Expression, name: str, known: _Known) -> None:
    """Say what the first parameter of a function is that takes fixtures apart by name, and let it run them."""
    if taker is None or taker[0] != "symbol":
        return
    symbol = walk.symbols[taker[1]]
    first = symbol.parameters[0] if symbol.parameters else None
    if first is None or first.type is not None or not first.name.startswith(_PATTERN):
        return
    given = first._replace(type=("typeof", ("name", f"{name}{_VALUES}")))
    walk.symbols[taker[1]] = symbol._replace(parameters=(given, *symbol.parameters[1:]))
    whole = ("name", first.name)
    for one in walk.bindings:
        value = one.value
        if one.scope == taker[1] and value is not None and value[0] == "member" and value[1] == whole:
            setup = known.setup_of(name, value[2])
            if setup is not None and setup != taker:
                walk.reads.append((taker[1], symbol.start_byte, setup, "value"))
