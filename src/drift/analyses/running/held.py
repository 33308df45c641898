"""Functions that variables of files hold: tables of handlers, of converters, of checks.

What it does: who reads the variable may call what it holds. `COLUMNS = {"name": lambda path: path.name}` runs for who
looks columns up, and not for all that import its file.
Known limits: Python alone; which entry is looked up is not seen.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import Run
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_HELD: Final = 0.7


def held_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which functions run what by reading the variable that holds it."""
    held = reader.objects.held()
    spans: dict[SymbolId, list[tuple[int, int, SymbolId]]] = defaultdict(list)
    for file, variable, _, line, end_line in reader.objects.variables({file for file, _, _ in held}):
        spans[file].append((line, end_line, variable))
    functions: dict[SymbolId, set[SymbolId]] = defaultdict(set)
    for file, function, line in held:
        for first, last, variable in spans[file]:
            if first <= line <= last:
                functions[variable].add(function)
    for variable, user in reader.objects.readers(functions):
        yield from (Run(user, function, _HELD) for function in functions[variable] if function != user)
