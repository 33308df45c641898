"""Unresolved calls with a matching name: they may be calls of a symbol, so that none known is no proof of none."""

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from drift.analyses.arity import keeps_private, may_take
from drift.analyses.callables import CALLABLE_KINDS
from drift.analyses.outside_parents import dispatcher_of
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord
from drift.index.unresolved_queries import MOST_EXAMPLES, UnresolvedName
from drift.index.walk import Reached
from drift.languages.table import language_of

_MOST_LOOKED_AT: Final = 500
_WITHOUT_RECEIVER: Final = frozenset({"javascript", "typescript", "php"})
"""Languages in which a call of a function that an object stands before is one of another, or known."""
_KEEPING_ACTIONS: Final = frozenset({"ruby"})
"""Languages whose frameworks make the objects with handlers of requests for themselves."""
# What stands between an object and its method, in languages that write another mark behind a class.
_OBJECT_MARKS: Final = {"php": "->"}
_SCRIPTS: Final = frozenset({"javascript", "typescript"})  # call each other


class OpenName(NamedTuple):
    """A symbol, how far it is from what was asked about, and the unresolved calls that have its name."""

    symbol: SymbolRecord
    depth: int
    calls: UnresolvedName


def find_open_names(
    reader: IndexReader, starts: Collection[SymbolRecord], reached: Sequence[Reached] = (), *, limit: int = 3
) -> list[OpenName]:
    """The nearest symbols that unresolved calls may lead to, each name once; of one depth the most called first.

    None leads to what requests alone run: a view's `get` is not what `cache.get(key)` means.
    """
    near = {one.symbol_id: one.depth for one in reached[:_MOST_LOOKED_AT]}
    around = [*starts, *(one for one in reader.symbols.many(near) if one.role != "test")]
    told = [symbol for symbol in around if _is_told_by_name(symbol) and dispatcher_of(reader, symbol) is None]
    known = reader.unresolved.of_names({symbol.name for symbol in told}) if told else {}
    found: dict[str, OpenName] = {}
    actions = _actions(reader, told)
    for symbol in told:
        calls = known.get(symbol.name)
        fitting = _with_its_arguments(reader, symbol, calls) if calls is not None else None
        is_action = symbol.id in actions
        meant = _of_its_language(symbol, fitting, is_alone=is_action) if fitting is not None else None
        if meant is not None and symbol.name not in found:
            found[symbol.name] = OpenName(symbol, near.get(symbol.id, 0), meant)
    return sorted(found.values(), key=lambda one: (one.depth, -one.calls.times))[:limit]


def _with_its_arguments(
    reader: IndexReader, symbol: SymbolRecord, calls: UnresolvedName
) -> UnresolvedName | None:
    """The calls that give as many arguments as a function takes; a decorator may have changed how many these are."""
    if symbol.kind == "property" or "alias" in symbol.modifiers:
        return calls
    fit = [one for one in calls.by_arguments if may_take(symbol.language, symbol.parameters_json, one[0])]
    if len(fit) == len(calls.by_arguments) or reader.symbols.decorators(symbol.id):
        return calls
    if not fit:
        return None
    texts = {one.text: one for _, _, examples in reversed(fit) for one in examples}
    some = sorted(texts.values(), key=lambda one: (one.path, one.line))[:MOST_EXAMPLES]
    return UnresolvedName(sum(times for _, times, _ in fit), tuple(some), tuple(fit))


def _actions(reader: IndexReader, symbols: Collection[SymbolRecord]) -> frozenset[SymbolId]:
    """Those that a framework runs of objects which it keeps to itself: no object stands before a call of one."""
    if not any(one.kind == "method" and one.language in _KEEPING_ACTIONS for one in symbols):
        return frozenset()
    handlers = {handler for handler, language in reader.guards.handlers() if language in _KEEPING_ACTIONS}
    return frozenset(one.id for one in symbols if one.id in handlers and one.kind == "method")


def _of_its_language(symbol: SymbolRecord, calls: UnresolvedName, *, is_alone: bool) -> UnresolvedName | None:
    """The calls without those that stand in code of another language; None where that leaves none."""
    is_alone |= symbol.kind == "function" and symbol.language in _WITHOUT_RECEIVER
    is_kept = symbol.visibility == "private" and keeps_private(symbol.language)
    near = tuple(
        one
        for one in calls.examples
        if _may_call(one.path, symbol.language)
        and (not is_alone or one.text == symbol.name)
        and (not is_kept or one.path == symbol.path)
        and not _is_of_other_type(one.text, symbol)
        and not _is_of_an_object(one.text, symbol)
    )
    if not near:
        return None  # what was looked at is of others, and the rest most likely, too
    return calls._replace(examples=near)


def _is_of_other_type(text: str, symbol: SymbolRecord) -> bool:
    """Whether a call names another type than that of a symbol: `Cart::new`."""
    before = text.rpartition("::")[0]
    named = re.split(r"::|\\", before)[-1].partition("<")[0]
    owner = symbol.qualname.split(".")[-2] if "." in symbol.qualname else ""
    return named[:1].isupper() and named not in {owner, "Self"}


def _is_of_an_object(text: str, symbol: SymbolRecord) -> bool:
    """Whether an object is asked for what a class has by itself: `$items->get()` for `static function get`."""
    mark = _OBJECT_MARKS.get(symbol.language or "")
    return mark is not None and "static" in symbol.modifiers and text.endswith(f"{mark}{symbol.name}")


def _may_call(path: str, language: str | None) -> bool:
    written = language_of(path.rpartition("/")[2])
    return written is None or language is None or written == language or {written, language} <= _SCRIPTS


def _is_told_by_name(symbol: SymbolRecord) -> bool:
    """Whether calls of it are written with its name: what a language calls by itself has none."""
    return symbol.kind in CALLABLE_KINDS - {"constructor"} and not symbol.name.startswith("__")
