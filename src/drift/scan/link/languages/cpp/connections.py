"""What signals of Qt run: the functions that are connected with them, wherever that is done.

Known limits: it is told by classes, not by objects, and nothing undoes a connection.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from drift.languages.expressions import Expression
from drift.languages.facts import Call, FileFacts
from drift.languages.frameworks import load_frameworks
from drift.languages.kinds import CODE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.bodies import bodies_of
from drift.scan.link.keys import connecting_key
from drift.scan.link.links import SIGNAL_CONFIDENCE, Target
from drift.scan.link.tables import FileTable
from drift.scan.link.values import symbol_of

_LANGUAGE: Final = "cpp"
_CONNECTING: Final = tuple(sorted(load_frameworks("cpp").names("signals", "connect")))
_LEAST_ARGUMENTS: Final = 3
_SIGNAL: Final = "signal"
_MOST_FILES: Final = 60  # that connect a signal of one name
_MOST_SLOTS: Final = 40  # of one signal
_MOST_STEPS: Final = 4  # from a signal to one that is connected with it


class Connection(NamedTuple):
    """A signal, by its name and as written, and what may be the function that is connected with it."""

    scope: int
    name: str
    signal: Expression
    slots: tuple[Expression, ...]


def connections_of(facts: FileFacts) -> Iterator[Connection]:
    """The signals that a file connects."""
    for call in facts.calls:
        if not call.text.endswith(_CONNECTING) or len(call.arguments) < _LEAST_ARGUMENTS:
            continue
        if call.callee is not None and call.callee[-1] in _CONNECTING:  # `disconnect` ends so, too
            yield from _connection(call)


def _connection(call: Call) -> Iterator[Connection]:
    values = [value for _, value in call.arguments]
    signal = values[1]
    if signal is not None and signal[0] == "member":
        yield Connection(call.scope, signal[2], signal, tuple(values[2:4]))


def connected(analysis: Analysis, methods: Iterable[int]) -> tuple[Target, ...]:
    """What runs where signals among these methods are sent."""
    program = analysis.program
    signals = [one for one in methods if _SIGNAL in program.symbol(one).modifiers]
    found: dict[int, None] = {}
    seen = set(signals)
    for _ in range(_MOST_STEPS):
        runs = [slot for signal in signals for slot in _slots_of(analysis, signal)]
        found.update(dict.fromkeys(runs))
        signals = [one for one in runs if one not in seen and _SIGNAL in program.symbol(one).modifiers]
        if not signals:
            break
        seen.update(signals)
    if len(found) > _MOST_SLOTS:
        return ()
    return tuple(Target(program.place(one), SIGNAL_CONFIDENCE, _SIGNAL) for one in found)


def _slots_of(analysis: Analysis, signal: int) -> tuple[int, ...]:
    found: tuple[int, ...] = analysis.cached(("slots", signal), _find_slots, signal)
    return found


def _find_slots(analysis: Analysis, signal: int) -> tuple[int, ...]:
    program = analysis.program
    name = program.symbol(signal).name
    paths = program.providing(connecting_key(_LANGUAGE, name))
    if len(paths) > _MOST_FILES:
        return ()
    found: dict[int, None] = {}
    for table in program.tables_at(paths):
        for one in _by_name(analysis, table).get(name, ()):
            scope = table.first + one.scope
            if signal in _symbols(analysis, one.signal, scope):
                slots = (each for form in one.slots for each in _symbols(analysis, form, scope))
                found.update(dict.fromkeys(body for slot in slots for body in bodies_of(analysis, slot)))
    return tuple(found)


def _by_name(analysis: Analysis, table: FileTable) -> Mapping[str, list[Connection]]:
    known: Mapping[str, list[Connection]] = analysis.cached(
        ("connections", table.first), _group_by_name, table.facts
    )
    return known


def _group_by_name(_: Analysis, facts: FileFacts) -> Mapping[str, list[Connection]]:
    found: defaultdict[str, list[Connection]] = defaultdict(list)
    for one in connections_of(facts):
        found[one.name].append(one)
    return found


def _symbols(analysis: Analysis, form: Expression, scope: int) -> list[int]:
    """The functions that a form names."""
    values = analysis.evaluate(form, scope) if form is not None else ()
    symbols = [symbol_of(value) for value in values if isinstance(value, int)]
    return [one for one in symbols if analysis.program.symbol(one).kind in CODE_KINDS]
