"""Scripts in which plain objects and functions do the work of classes: members put on them, `this` inside those.

`app.use = function () { this.set() }` gives `app` a method, `Object.assign(app, other)` those of `other`.
"""

from __future__ import annotations

from typing import Final

from drift.languages.kinds import CODE_KINDS, VALUE_KINDS
from drift.scan.link.analysis import MOST_GIVEN, Analysis
from drift.scan.link.tables import FileTable, LateStore
from drift.scan.link.values import SYMBOL_MASK, Value, Values, is_internal, merge

_WHOLE: Final = "module.exports"
ALL_MEMBERS: Final = "*"
"""Stands for the name of a store that gives an object all members of another, and for the key of one it is made of."""


def holder_values(analysis: Analysis, scope: int) -> Values:
    """What `this` is in a function that is a member of a plain object; an arrow function has that of its place."""
    program = analysis.program
    table = program.table_of(scope)
    number = scope & SYMBOL_MASK
    while number and "arrow" in program.symbol(table.first + number).modifiers:
        number = table.symbols[number].parent
    symbol = program.symbol(table.first + number)
    if not number or symbol.kind not in CODE_KINDS:
        return ()
    holder = program.symbol(table.first + symbol.parent)
    if holder.kind in VALUE_KINDS:
        return analysis.evaluate(("name", holder.name), table.first + holder.parent)
    if _is_in_whole(analysis, table, number):
        return analysis.evaluate(("name", _WHOLE), table.first)
    return _written_object(analysis, table, number)


def _written_object(analysis: Analysis, table: FileTable, number: int) -> Values:
    """The object that a function is written in, where another function gives it back or it is handed on."""
    found = table.written_objects.get(number)
    if found is None:
        return ()
    if found.called and not found.scope:
        analysis.program.note_calls(table, found.called)
    else:
        analysis.program.note_body(table.first + found.scope)
    return analysis.evaluate(found.value, table.first + found.scope)


def _is_in_whole(analysis: Analysis, table: FileTable, number: int) -> bool:
    """Whether a function is written in the object that is all its file exports: `module.exports = { … }`."""
    values = [one.value for one in analysis.program.definitions(table, 0, _WHOLE) or ()]
    return any(
        ("symbol", number) in (part for _, part in value[1:])
        for value in values
        if value is not None and value[0] == "dict"
    )


def stored_members(analysis: Analysis, holder: Value, name: str, *, scope: int) -> Values:
    """What the file of a scope puts on a value under a name, else what it puts there with all else of another."""
    found = [
        analysis.evaluate(store.value, store.scope)
        for store in _stores_on(analysis, holder, name, scope=scope)
    ]
    return merge(found) if any(found) else _copied_members(analysis, holder, name, scope=scope)


def _copied_members(analysis: Analysis, holder: Value, name: str, *, scope: int) -> Values:
    stores = _stores_on(analysis, holder, ALL_MEMBERS, scope=scope)
    found = merge(analysis.evaluate(("member", store.value, name), store.scope) for store in stores)
    sources = merge(analysis.evaluate(store.value, store.scope) for store in stores)
    # What is outside might have any member, which proves nothing where the project's own may have it too.
    is_outside = all(isinstance(source, str) for source in sources)
    return found if is_outside else tuple(filter(is_internal, found))


def _stores_on(analysis: Analysis, holder: Value, name: str, *, scope: int) -> list[LateStore]:
    table = analysis.program.table_of(scope)
    analysis.program.note_stores(table, name)
    stores = table.late_stores.get(name, ())[:MOST_GIVEN]
    return [store for store in stores if holder in analysis.evaluate(store.receiver, store.scope)]
