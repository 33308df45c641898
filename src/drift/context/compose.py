"""Composes the context of a task: places, symbols and sections, as many as the depth has room for."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from drift.context.answers import Context, ContextFile, ContextSymbol, Depth, FileSymbol, Remark
from drift.context.leaning import leaning_of
from drift.context.localize import FoundFile, Question, locate
from drift.context.reasons import explain_file
from drift.context.sections import SECTIONS, Task, gather_sections
from drift.context.symbols import FoundSymbol, find_key_lines, rank_symbols, term_values
from drift.conventions.picture import Picture
from drift.index import IndexReader
from drift.kernel.render import render_value
from drift.kernel.text import shorten
from drift.kernel.tokens import count_tokens
from drift.kernel.wire import to_wire
from drift.project import StateDir

if TYPE_CHECKING:
    from drift.context.instructions import Instructions

T = TypeVar("T")

_LONGEST_SIGNATURE: Final = 160
_SHRINK: Final = 0.8
_MOST_ROUNDS: Final = 12
# Symbols of files further down are not looked at: it would take long, and they are hardly the ones meant.
_MOST_SYMBOL_FILES: Final = 12
_INSTRUCTIONS: Final = "instructions"
# Instructions take at most this part of the room; where that is less than so many tokens, what is left over alone.
_INSTRUCTION_SHARE: Final = 0.08
_SHORT_TOKENS: Final = 1_500
_INSTRUCTION_ROWS: Final = 0.5  # of the usual rows
_MOST_INSTRUCTIONS: Final = 8


class Room(NamedTuple):
    """How much of everything is told."""

    tokens: int
    files: int
    file_symbols: int
    symbols: int
    key_lines: int
    remarks: int


_ROOMS: Final[Mapping[Depth, Room]] = {
    "brief": Room(1_000, files=8, file_symbols=2, symbols=5, key_lines=0, remarks=3),
    "overview": Room(1_800, files=10, file_symbols=2, symbols=6, key_lines=0, remarks=4),
    "standard": Room(5_600, files=15, file_symbols=5, symbols=16, key_lines=4, remarks=12),
    "deep": Room(11_500, files=25, file_symbols=10, symbols=40, key_lines=8, remarks=40),
}


class Composed(NamedTuple):
    """A context and what a reader must know of how it came about."""

    context: Context
    warnings: tuple[str, ...]


def compose_context(
    reader: IndexReader,
    state: StateDir,
    question: Question,
    *,
    intent: str,
    depth: Depth,
    max_tokens: int | None = None,
    memory_stores: tuple[Path, ...] = (),
    instructions: "Instructions | None" = None,
    conventions: Callable[[], Picture | None] | None = None,
) -> Composed:
    """The context of a task within the room of its depth, or in less where less is allowed."""
    room = _ROOMS[depth]
    leaning = leaning_of(intent)
    located = locate(reader, state, question, most=room.files, leaning=leaning)
    files = located.files
    symbols = tuple(rank_symbols(reader, located, files[:_MOST_SYMBOL_FILES]))
    values = term_values(located)
    task = Task(
        reader, intent, located, files, symbols, values, question.text, state.root, memory_stores, conventions
    )  # fmt: skip
    rows = {
        each.name: max(1, round(room.remarks * leaning.sections.get(each.name, each.share)))
        for each in SECTIONS
    }
    context = Context(
        tuple(_file_row(task, file, room) for file in files),
        tuple(_symbol_row(state, each, symbols[0].score, values, room) for each in symbols[: room.symbols]),
        gather_sections(task, rows, SECTIONS),
    )
    remarks, faults = _choose_instructions(instructions, task, question.active_file, most=room.remarks)
    return Composed(
        join_instructions(context, remarks, min(room.tokens, max_tokens or room.tokens)),
        (*_doubts(task), *located.problems, *faults),
    )


def _choose_instructions(
    instructions: "Instructions | None", task: Task, active_file: str | None, *, most: int
) -> tuple[tuple[Remark, ...], tuple[str, ...]]:
    """A line for each instruction that bears on the task, and what is wrong with others."""
    if instructions is None:
        return (), ()
    from drift.context import instructions as joining  # brings the catalog, which most projects do not use

    located = task.located
    paths = (*([active_file] if active_file else []), *located.places, *(each.path for each in task.files))
    asked = joining.Task(
        frozenset(located.focus.terms), task.intent, tuple(dict.fromkeys(paths)), task.root.name
    )
    rows = min(max(2, round(most * _INSTRUCTION_ROWS)), _MOST_INSTRUCTIONS)
    return joining.choose_instructions(instructions, asked, most=rows)


def join_instructions(context: Context, remarks: tuple[Remark, ...], max_tokens: int) -> Context:
    """The context within its room, with as many instructions as their share of it holds.

    Where the room is short, they get only what the code leaves over.
    """
    fitted = _fit(context, max_tokens)
    kept = remarks
    while kept and _count({_INSTRUCTIONS: kept}) > max_tokens * _INSTRUCTION_SHARE:
        kept = kept[:-1]
    for count in range(len(kept), 0, -1):
        joined = _with_instructions(fitted, kept[:count])
        if _count(joined) <= max_tokens:
            return joined
        if max_tokens >= _SHORT_TOKENS:
            cost = _count({_INSTRUCTIONS: kept[:count]})
            joined = _with_instructions(_fit(context, max_tokens - cost), kept[:count])
            if _count(joined) <= max_tokens:
                return joined
    return fitted


def _with_instructions(context: Context, remarks: tuple[Remark, ...]) -> Context:
    return replace(context, sections={_INSTRUCTIONS: remarks, **context.sections})


def _count(value: object) -> int:
    return count_tokens(render_value(to_wire(value)))


def _file_row(task: Task, file: FoundFile, room: Room) -> ContextFile:
    own = [each.symbol for each in task.symbols if each.symbol.path == file.path][: room.file_symbols]
    return ContextFile(
        file.path,
        round(file.score / task.files[0].score, 2),
        explain_file(task.reader, task.located, file),
        tuple(
            FileSymbol(each.qualname, each.line, shorten(each.signature, _LONGEST_SIGNATURE)) for each in own
        ),
    )


def _symbol_row(
    state: StateDir, found: FoundSymbol, best: float, values: Mapping[str, float], room: Room
) -> ContextSymbol:
    symbol = found.symbol
    lines = find_key_lines(state.root, found, values, most=room.key_lines)
    return ContextSymbol(
        symbol.qualname,
        symbol.kind,
        f"{symbol.path}:{symbol.line}",
        round(found.score / best, 2),
        tuple(f"{each.line}: {each.text}" for each in lines) or None,
    )


def _doubts(task: Task) -> list[str]:
    """Why the answer may be wrong: little of the task stands in the source."""
    terms = task.located.focus.terms
    if not terms and not task.located.places:
        return ["The focus has no word to look for; name the feature, the error, a symbol or a path"]
    spellings = task.located.focus.spellings
    unknown = [spellings.get(term, term) for term in terms if not task.located.counts.get(term)]
    if terms and len(unknown) * 2 > len(terms):
        return [f"Most words of the focus stand nowhere in the source: {', '.join(unknown[:8])}"]
    return []


def _fit(context: Context, max_tokens: int) -> Context:
    """The context with its tails cut, lists alike, until it is no longer than allowed."""
    for _ in range(_MOST_ROUNDS):
        tokens = _count(context)
        if tokens <= max_tokens:
            break
        keep = max(_SHRINK * max_tokens / tokens, 0.5) if tokens > max_tokens * 2 else _SHRINK
        context = Context(
            # The list of files is what most callers came for: it is the last to lose its tail.
            tuple(_thin(each, keep) for each in _head(context.files, max(keep, 0.9))),
            _head(context.symbols, keep),
            {name: _head(remarks, keep) for name, remarks in context.sections.items()},
        )
    return context


def _thin(file: ContextFile, keep: float) -> ContextFile:
    return ContextFile(file.file, file.score, file.why, _head(file.symbols, keep))


def _head(rows: tuple[T, ...], keep: float) -> tuple[T, ...]:
    return rows[: max(1, int(len(rows) * keep))]
