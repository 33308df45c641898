"""What a change breaks elsewhere: callers that give what is no longer taken, and uses of what is gone."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from drift.guards.broken_imports import IMPORTED_BY_NAME, MADE_AT_RUN_TIME
from drift.guards.class_families import is_override
from drift.guards.overlay import OverlaidFile, Overlay
from drift.guards.signatures import RULES, describe, fit, optional_parameters
from drift.index.ids import SymbolId
from drift.index.path_text import path_to_text, text_to_path
from drift.index.records import SymbolRecord
from drift.languages.facts import Call, Parameter, Symbol
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.reasons import GUESSED

_MOST_CALLERS: Final = 200
_LEAST_CONFIDENCE: Final = 0.5
_CALL_MASK: Final = (1 << 20) - 1
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]{0,200}")
_LASTING: Final = CODE_KINDS | TYPE_KINDS


class BrokenCaller(NamedTuple):
    """A caller of something that changed; `problem` is None where what it calls is gone."""

    called: str
    line: int  # of what is called, in the changed text; 1 where it is gone
    file: str
    caller: str
    caller_line: int
    text: str
    problem: str | None
    signature: str | None


def broken_callers(
    overlay: Overlay, before: OverlaidFile, after: OverlaidFile | None
) -> Iterator[BrokenCaller]:
    """The callers in files that stay as they are which a change of one file breaks."""
    now = _by_name(after) if after is not None else {}
    for name, number in _by_name(before).items():
        symbol = before.facts.symbols[number]
        if symbol.kind not in _LASTING:
            continue
        there = now.get(name)
        if there is None and is_override(before.facts, number):
            continue  # callers get what the parent has
        if there is None:
            yield from _of_gone(overlay, before, number, name)
        elif symbol.kind in CODE_KINDS and after is not None:
            changed = after.facts.symbols[there]
            if _taken(symbol) != _taken(changed):
                yield from _of_changed(overlay, before, number, after=after, there=there)


class LostName(NamedTuple):
    """A name that a file no longer has, and an import of it in another file."""

    name: str
    file: str
    line: int


def lost_names(overlay: Overlay, before: OverlaidFile, after: OverlaidFile) -> Iterator[LostName]:
    """The imports elsewhere of names that the text before has and the text now says nowhere."""
    record = overlay.reader.files.at(path_to_text(before.path))
    if record is None or before.facts.language not in IMPORTED_BY_NAME or before.path != after.path:
        return
    said = frozenset(_NAME.findall(after.text))
    if any(mark in after.text for mark in MADE_AT_RUN_TIME):
        return
    for one in overlay.reader.facts.importers_of_file(record.id):
        path = text_to_path(one.path)
        # What led nowhere before is not for this change to answer.
        if (
            one.name
            and one.name not in said
            and one.target_symbol_id is not None
            and path not in overlay.files
        ):
            yield LostName(one.name, one.path, one.line)


def _by_name(file: OverlaidFile) -> dict[str, int]:
    """The symbols that have a qualified name alone: of overloads nobody can say which a caller means."""
    found: dict[str, int] = {}
    for number, name in enumerate(file.names):
        if number:
            found[name] = -1 if name in found else number
    return {name: number for name, number in found.items() if number > 0}


def _taken(symbol: Symbol) -> tuple[tuple[str, str, bool], ...]:
    return tuple((each.name, each.kind, each.default_text is None) for each in symbol.parameters)


def _id_of(file: OverlaidFile, number: int) -> SymbolId:
    numbers = file.draft.numbers
    return SymbolId(file.draft.rows.file.id << 16 | (numbers[number] if numbers is not None else number))


def _callers(
    overlay: Overlay, file: OverlaidFile, number: int
) -> Iterator[tuple[SymbolRecord, Call | None, int]]:
    """Who calls a symbol as the index has it, from files that stay as they are, with the call."""
    for one in overlay.reader.calls.callers(_id_of(file, number), limit=_MOST_CALLERS):
        path = text_to_path(one.symbol.path)
        if (
            path in overlay.files
            or path in overlay.gone
            or one.confidence < _LEAST_CONFIDENCE
            or one.reason in GUESSED
        ):
            continue
        calls = overlay.linking.sources.facts_of(path).calls
        place = one.call_id & _CALL_MASK
        call = calls[place] if one.call_id and place < len(calls) else None
        yield one.symbol, call, one.line


def _of_gone(overlay: Overlay, before: OverlaidFile, number: int, name: str) -> Iterator[BrokenCaller]:
    for caller, call, line in _callers(overlay, before, number):
        text = call.text if call is not None else name
        yield BrokenCaller(name, 1, caller.path, caller.qualname, line, text, None, None)


def _of_changed(
    overlay: Overlay, before: OverlaidFile, number: int, *, after: OverlaidFile, there: int
) -> Iterator[BrokenCaller]:
    rules = RULES.get(after.facts.language)
    symbol = after.facts.symbols[there]
    if rules is None:
        return
    optional = optional_parameters(overlay, after.path, there)
    if optional is None:
        return
    for caller, call, line in _callers(overlay, before, number):
        if call is None or call.kind not in {"call", "new"}:
            continue
        taken = _without_object(symbol.parameters)
        problem = fit(call, taken, rules=rules, optional=optional)
        was_fit = (
            fit(
                call, _without_object(before.facts.symbols[number].parameters), rules=rules, optional=optional
            )
            is None
        )
        if problem is not None and was_fit:
            signature = describe(symbol)
            yield BrokenCaller(
                after.names[there],
                symbol.line,
                caller.path,
                caller.qualname,
                line,
                call.text,
                problem,
                signature,
            )


def _without_object(parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    return parameters[1:] if parameters and parameters[0].kind == "receiver" else parameters
