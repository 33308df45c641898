"""What runs around whatever a framework is handed: behaviours of a mediator, interceptors of a store, validators.

The rows are those of `words.dispatch` that take `any` or `made`; `handlers` says what they state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.dispatching import MOST_FILES, handed_over_classes, is_sender, methods_of
from drift.scan.link.handlers import ANY, Dispatch, dispatches, handlings
from drift.scan.link.hierarchy import constructors_of, line_of_descent
from drift.scan.link.keys import handling_key
from drift.scan.link.links import CallLink, Target
from drift.scan.link.tables import FileTable
from drift.scan.link.type_counts import split_arguments
from drift.scan.link.values import SYMBOL_MASK, is_symbol, symbol_of

_AROUND: Final = 0.6  # it may not be registered, or only for some of what is handed over
_CONSTRAINED: Final = 0.3  # it takes things of a type alone, and what is handed over is not known
_MOST_AROUND: Final = 40
_WHERE: Final = r"\bwhere\s+{}\s*:\s*([^:{{]{{1,200}})"
_NAME: Final = re.compile(r"[A-Za-z_]\w*")


def with_pipeline(analysis: Analysis, call: Call, scope: int, *, link: CallLink) -> CallLink:
    """What is said of a call with what runs around what it hands over, which takes no share of what is called."""
    table = analysis.program.table_of(scope)
    if call.callee is None:
        return link
    outside = [name for name in (link.external_name, f"{ANY}.{call.callee[-1]}") if name is not None]
    found: dict[int, float] = {}
    for row in dispatches(table.file_semantics.frameworks):
        if row.takes in {"any", "made"} and any(is_sender(name, row) for name in outside):
            handed = set(handed_over_classes(analysis, call, scope, row)) if row.of == "argument" else set()
            for one, sureness in _running(analysis, table, handed, row):
                found[one] = max(sureness, found.get(one, 0.0))
    if not found or len(found) > _MOST_AROUND:
        return link
    known = {one.place for one in (*link.targets, *link.overriders)}
    beside = tuple(
        Target(place, sureness, "dispatched")
        for one, sureness in found.items()
        if (place := analysis.program.place(one)) not in known
    )
    return link._replace(overriders=(*link.overriders, *beside))


def _running(
    analysis: Analysis, here: FileTable, handed: set[int], row: Dispatch
) -> Iterator[tuple[int, float]]:
    """The methods that run around what is handed over, or the constructors of what is made for it."""
    if row.takes == "any":
        for owner in _classes_below(analysis, here, row.bases, row):
            sureness = _sureness(analysis, owner, handed, row)
            if sureness:
                yield from ((one, sureness) for one in methods_of(analysis, owner, row))
        return
    if handed and any(
        _asks_for(analysis, one, row) for one in _classes_below(analysis, here, row.asking, row)
    ):
        for name in sorted({analysis.program.symbol(one).name for one in handed}):
            for maker in _classes_below(analysis, here, frozenset({name}), row):
                yield from ((one, _AROUND) for one in constructors_of(analysis, maker) or [maker])


def _classes_below(
    analysis: Analysis, here: FileTable, names: frozenset[str], row: Dispatch
) -> Iterator[int]:
    """The classes of the project that say they handle one of these names."""
    program = analysis.program
    for name in sorted(names):
        paths = program.providing(handling_key(here.facts.language, name))
        for table in program.tables_at(paths) if len(paths) <= MOST_FILES else ():
            for number, symbol in enumerate(table.symbols):
                if symbol.bases and any(
                    one.name.rpartition(".")[2] == name for one in handlings(symbol, _rows_of(here, row))
                ):
                    yield table.first + number


def _rows_of(here: FileTable, row: Dispatch) -> tuple[Dispatch, ...]:
    """The row, and for one that makes something those by which the asking is found."""
    if row.takes == "any":
        return (row,)
    return (row, *(one for one in dispatches(here.file_semantics.frameworks) if one.takes == "any"))


def _asks_for(analysis: Analysis, owner: int, row: Dispatch) -> bool:
    """Whether a class is made with one of what the row makes: `IEnumerable<IValidator<T>>`."""
    program = analysis.program
    return any(
        not row.bases.isdisjoint(_NAME.findall(parameter.type_text or ""))
        for maker in constructors_of(analysis, owner)
        for parameter in program.symbol(maker).parameters
    )


def _sureness(analysis: Analysis, owner: int, handed: set[int], row: Dispatch) -> float:
    """How surely a class handles what is handed over: of any type, of those of a parent, or of one alone."""
    symbol = analysis.program.symbol(owner)
    base = next((one.text for one in symbol.bases if _NAME.findall(one.text.partition("<")[0])[-1:] and
                 _NAME.findall(one.text.partition("<")[0])[-1] in row.bases), "")  # fmt: skip
    first = next(iter(split_arguments(base.partition("<")[2])), "")
    if not first:
        return _AROUND
    own = analysis.program.semantics_at(owner).type_variables(symbol)
    wanted = [first] if first not in own else _constraints(symbol.signature, first)
    types = {
        symbol_of(value)
        for name in wanted
        for value in analysis.evaluate(("name", name), owner)
        if is_symbol(value) and symbol_of(value) & SYMBOL_MASK
    }
    if not types:
        return _AROUND if first in own else 0.0
    if not handed:
        return _CONSTRAINED if first in own else 0.0
    is_taken = any(types.intersection(line_of_descent(analysis, one)) for one in handed)
    return _AROUND if is_taken else 0.0


def _constraints(signature: str, variable: str) -> list[str]:
    found = re.search(_WHERE.format(re.escape(variable)), signature)
    return _NAME.findall(found[1].partition(" where ")[0])[:_MOST_AROUND] if found is not None else []
