"""The three views of recalled memories: a line for each, a timeline, or all of their text within a budget."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from drift.kernel.render import render_value
from drift.kernel.text import plural, shorten
from drift.kernel.tokens import count_tokens
from drift.kernel.wire import to_wire
from drift.memory.dates import write_time
from drift.memory.details import AlikeRow, RedactedRow, day, write_place
from drift.memory.records import Memory
from drift.memory.work.code_changes import read_code_change
from drift.memory.work.disclosure import Level, disclose, excerpt, full_text
from drift.memory.work.packing import Offer, pack
from drift.memory.work.searched import SearchedMemory

Detail = Literal["compact", "timeline", "full"]

# Ten compact hits are promised at 350 tokens with the summary and the hint around them.
_COMPACT_ROW_TOKENS = 27
_FEW_ROWS = 10
_TITLE_CHARS = (80, 64, 52, 44, 36, 28)
_SNIPPET_CHARS = 120
_HEADING_CHARS = 40
_MANY_TOKENS = 2_000
_AROUND_TOKENS = 150  # the summary, the words that did not help, the next step


@dataclass(frozen=True, slots=True)
class CodeRow:
    """The code in a memory: lines its diffs add and remove, and the files it names."""

    added: int
    removed: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecalledRow:
    """A memory that was recalled; the further down, the more `detail` shows it. `stale`: its code changed."""

    id: str
    type: str
    title: str
    at: str | None = None
    snippet: str | None = None
    text: str | None = None
    kind: str | None = None
    source: str | None = None
    tags: tuple[str, ...] | None = None
    files: tuple[str, ...] | None = None
    code: CodeRow | None = None
    confidence: float | None = None
    superseded_by: str | None = None
    archived: bool | None = None
    purged: bool | None = None
    scope: str | None = None
    stale: str | None = None
    branch: str | None = None


def show(
    found: Sequence[SearchedMemory], detail: Detail, *, max_tokens: int | None = None
) -> tuple[RecalledRow, ...]:
    """The rows of a view: best first, but a timeline in the order of time."""
    if detail == "compact":
        return _fit_titles([_line(one) for one in found])
    if detail == "timeline":
        in_time = sorted(found, key=lambda one: (one.memory.recorded_at_ms, one.memory.id))
        return tuple(_moment(one) for one in in_time)
    if len(found) == 1:
        return (_whole(found[0]),)  # the budget of the answer cuts a text that is longer still
    return _pack(found, max(0, (max_tokens or _MANY_TOKENS) - _AROUND_TOKENS))


def code_row(text: str) -> CodeRow | None:
    """What the code in a text changes; None where it holds none."""
    change = read_code_change(text)
    if not change.has_diff and not change.code_lines:
        return None
    return CodeRow(change.added, change.removed, change.files)


def _line(one: SearchedMemory) -> RecalledRow:
    memory = one.memory
    return _marked(
        RecalledRow(
            memory.id, memory.type, memory.title, scope=one.scope, stale=one.stale, branch=one.branch
        ),
        memory,
    )


def _moment(one: SearchedMemory) -> RecalledRow:
    return replace(
        _line(one),
        title=shorten(one.memory.title, _TITLE_CHARS[0]),
        at=(write_time(one.memory.recorded_at_ms) or "")[:16],
        snippet=excerpt(one.memory, one.hit.words, chars=_SNIPPET_CHARS) or None,
    )


def _whole(one: SearchedMemory) -> RecalledRow:
    memory = one.memory
    said = full_text(memory)
    return replace(
        _line(one),
        title=_heading(memory.title, said),
        at=day(memory.recorded_at_ms),
        text=said,
        kind=memory.kind,
        source=memory.source,
        tags=memory.tags or None,
        files=tuple(map(write_place, memory.files)) or None,
        code=code_row(memory.text),
        confidence=round(one.confidence, 2),
    )


def _heading(title: str, text: str) -> str:
    """The title; only its beginning where the text begins with it anyway."""
    is_said = text.startswith(title.removesuffix("…"))
    return shorten(title, _HEADING_CHARS) if is_said else title


def _pack(found: Sequence[SearchedMemory], budget_tokens: int) -> tuple[RecalledRow, ...]:
    """Many in full: the best get their text first, the others a part of it or a line; none is left out."""
    rows = {one.memory.id: _rows_by_level(one) for one in found}
    offers = [
        Offer(memory_id, 1 / place, _costs(levels), least=Level.LINE)
        for place, (memory_id, levels) in enumerate(rows.items(), start=1)
    ]
    packed = pack(offers, budget_tokens=budget_tokens)
    return tuple(rows[memory_id][packed.levels[memory_id]] for memory_id in rows)


def _rows_by_level(one: SearchedMemory) -> tuple[RecalledRow, ...]:
    memory = one.memory
    line = replace(_line(one), title=shorten(memory.title, _TITLE_CHARS[0]))
    text = disclose(memory, Level.GIST)
    gist = replace(line, title=_heading(memory.title, text), at=day(memory.recorded_at_ms), text=text)
    return (line, line, gist, _whole(one))


def _costs(levels: tuple[RecalledRow, ...]) -> tuple[int, int, int, int]:
    reference, line, gist, full = (count_tokens(render_value([to_wire(row)])) for row in levels)
    return reference, line, gist, full


def _fit_titles(rows: list[RecalledRow]) -> tuple[RecalledRow, ...]:
    """The rows with titles as long as the promise for a list of this length allows."""
    fitted: tuple[RecalledRow, ...] = ()
    for chars in _TITLE_CHARS:
        fitted = tuple(replace(row, title=shorten(row.title, chars)) for row in rows)
        if count_tokens(render_value(to_wire(fitted))) <= _COMPACT_ROW_TOKENS * max(len(rows), _FEW_ROWS):
            break
    return fitted


def _marked(row: RecalledRow, memory: Memory) -> RecalledRow:
    return replace(
        row,
        superseded_by=memory.superseded_by,
        archived=True if memory.archived else None,
        purged=True if memory.is_purged else None,
    )


@dataclass(frozen=True, slots=True)
class SavedData:
    """What became of a text. `created` is false where the very same was there already."""

    id: str
    created: bool
    title: str
    type: str
    kind: str | None = None
    code: CodeRow | None = None
    redacted: tuple[RedactedRow, ...] | None = None
    similar: tuple[AlikeRow, ...] | None = None
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class RecalledData:
    """What was recalled, best first; `total` counts all that share a word of a query."""

    results: tuple[RecalledRow, ...]
    total: int | None = None
    ignored_words: tuple[str, ...] | None = None
    unknown_words: tuple[str, ...] | None = None


def count_recalled(shown: int, total: int | None, *, is_newest: bool, is_timeline: bool) -> str:
    if is_newest:
        # A timeline is read from its beginning.
        order = "the newest there are, oldest first" if is_timeline else "newest first"
        return f"{plural(shown, 'memory', 'memories')}, {order}"
    count = plural(shown if total is None else total, "memory", "memories")
    return count if total in (None, shown) else f"{shown} of {count}"
