"""A tool's answer for a person: the summary, then tables and key-value lines, then what to type next."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from drift.cli.answer_lines import value_lines
from drift.cli.answer_rows import Page
from drift.cli.command_lines import command_line
from drift.cli.console import Console, Ink
from drift.cli.context_page import context_lines
from drift.cli.shown import cut, shown
from drift.cli.tables import wrap
from drift.cli.wording import say_instant
from drift.registry import Toolbox, ToolDefinition
from drift.registry.schema import Schema

_LONGEST_PAGE: Final = 100  # entries a person would read at once

# Answers with a form of their own for people; all others are written by their shape.
_FORMS: Final[Mapping[str, Callable[[Any, Page], Iterator[str]]]] = {"drift_context": context_lines}


def say_answer(
    answer: Mapping[str, Any], console: Console, toolbox: Toolbox, *, tool: ToolDefinition | None = None
) -> None:
    """Write an answer as lines that fit the terminal; `tool` is the one that gave it."""
    now = datetime.now(UTC)
    fields = None if tool is None else field_names(tool.output_schema)
    page = Page(console.width, now, fields, console.paint)
    for line in wrap(shown(str(answer["summary"])), console.width):
        console.say(console.paint(line, Ink.BOLD))
    for warning in answer.get("warnings") or ():
        for number, line in enumerate(wrap(shown(str(warning)), console.width - 2)):
            console.say(console.paint(f"{' ' if number else '!'} {line}", Ink.YELLOW))
    write = value_lines if tool is None else _FORMS.get(tool.name, value_lines)
    lines = list(write(answer.get("data"), page))
    for line in ["", *lines] if lines else ():
        console.say(line)
    notes = list(_notes(answer, now))
    for note in ["", *notes] if notes else ():
        console.say(console.paint(note, Ink.DIM) if note else "")
    _say_next(answer.get("nextActions") or (), console, toolbox)


def field_names(schema: Schema) -> frozenset[str]:
    """Every name a schema gives to a member, at any depth."""
    names: set[str] = set()
    pending: list[Any] = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, Mapping):
            properties = part.get("properties")
            names |= set(properties) if isinstance(properties, Mapping) else set()
            pending += part.values()
        elif isinstance(part, list):
            pending += part
    return frozenset(names)


def _notes(answer: Mapping[str, Any], now: datetime) -> Iterator[str]:
    pagination, meta = answer.get("pagination") or {}, answer.get("meta") or {}
    if pagination.get("nextCursor"):
        total = pagination["total"]
        is_page = isinstance(total, int) and total <= _LONGEST_PAGE
        more = f"--limit {total}" if is_page else f"--cursor {shown(str(pagination['nextCursor']))}"
        yield f"{total} in all; for more add: {more}"
    if meta.get("truncated"):
        of = f" of {meta['totalAvailable']}" if meta.get("totalAvailable") else ""
        yield f"Cut to fit{of}; for the rest add: --max-tokens 100000"
    if meta.get("freshness") == "stale":
        age = say_instant(str(meta.get("dataAge")), now=now)
        yield f"The answer is older than the files (scanned {shown(age)})"


def _say_next(actions: Sequence[Mapping[str, Any]], console: Console, toolbox: Toolbox) -> None:
    if not actions:
        return
    console.say()
    console.say("Next:")
    for action in actions:
        line = shown(command_line(str(action["tool"]), action.get("args") or {}, toolbox))
        reason = cut(shown(str(action["reason"])), console.prose_width)
        console.say(f"  {console.paint(line, Ink.CYAN)}  {console.paint(f'# {reason}', Ink.DIM)}")
