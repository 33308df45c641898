"""Objects of an answer as rows of a table: places first and whole, what all rows share said once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from drift.cli.console import Ink
from drift.cli.shown import measure, shown
from drift.cli.tables import Paint, format_table, unpainted
from drift.cli.wording import say_name, say_value

Key = tuple[str, ...]
Row = Mapping[Key, Any]

PLACES: Final = frozenset({"at", "file", "path", "root", "where"})
NOT_KNOWN: Final = "-"
_WHERE: Final = "where"
_FLATTENED_LEVELS: Final = 2
_FEWEST_TO_SHARE: Final = 3  # rows; fewer are read as fast as a note about them
_LONGEST_SHARED: Final = 40
_MOST_SPARSE: Final = 4  # columns of an inner object that may be mostly empty, less one
_NAMING: Final = frozenset({"flag"})  # members whose values are names of ours
_GRADES: Final[Mapping[str, Ink]] = {
    **dict.fromkeys(("critical", "error", "fail", "failed", "high", "broken"), Ink.RED),
    **dict.fromkeys(("medium", "stale", "warn", "warning"), Ink.YELLOW),
    **dict.fromkeys(("ok", "passed", "valid"), Ink.GREEN),
}
# "high" is bad of a risk and good of a confidence, so only these columns are coloured by their words.
_GRADED: Final = frozenset({"risk", "severity", "status", "verdict"})


@dataclass(frozen=True, slots=True)
class Page:
    """How an answer is written.

    `fields` are the names that are ours and are said in words, None for all; other keys are the project's own.
    """

    width: int
    now: datetime
    fields: frozenset[str] | None = None
    paint: Paint = unpainted

    def narrowed(self, by: int) -> "Page":
        return replace(self, width=max(self.width - by, 1))

    def name(self, key: str) -> str:
        return shown(say_name(key) if self.fields is None or key in self.fields else key)

    def scalar(self, key: str, value: Any) -> str:
        if value is None:
            return NOT_KNOWN
        return shown(say_name(value) if key in _NAMING else say_value(key, value, now=self.now))

    def short(self, key: str, value: Any) -> str:
        """A value that stands behind its name or in a cell."""
        if isinstance(value, list):
            return ", ".join(self.scalar(key, item) for item in value) or "none"
        return "none" if value == {} else self.scalar(key, value)


def ink_for(key: str, text: str) -> Ink | None:
    """The colour of a value by what it means."""
    if key in PLACES:
        return Ink.MAGENTA
    return _GRADES.get(text) if key in _GRADED else None


def is_short(value: Any) -> bool:
    """Whether a value has room behind its key or in a cell."""
    if isinstance(value, str):
        return "\n" not in value
    if isinstance(value, list):
        return all(not isinstance(item, (Mapping, list)) and is_short(item) for item in value)
    return not isinstance(value, Mapping) or not value


def with_place(members: Mapping[str, Any]) -> Mapping[str, Any]:
    """The members with a file and its line as one place that a terminal can open."""
    file, line = members.get("file"), members.get("line")
    if not isinstance(file, str) or not isinstance(line, int) or _WHERE in members:
        return members
    rest = {key: value for key, value in members.items() if key not in ("file", "line")}
    return {_WHERE: f"{file}:{line}", **rest}


def flatten(item: Any, levels: int = _FLATTENED_LEVELS) -> dict[Key, Any] | None:
    """An object as a row, inner objects as columns of their own; None for what is no row."""
    if not isinstance(item, Mapping):
        return None
    row: dict[Key, Any] = {}
    for key, value in with_place(item).items():
        if isinstance(value, Mapping) and value:
            inner = flatten(value, levels - 1) if levels else None
            if inner is None:
                return None
            is_place = list(inner) == [(_WHERE,)]
            row |= {((key,) if is_place else (key, *name)): cell for name, cell in inner.items()}
        elif is_short(value):
            row[(key,)] = value
        else:
            return None
    return row


def rows_by_key(members: Mapping[str, Any]) -> list[Row]:
    """Objects of one shape under different keys are rows, too: the key is their first column."""
    values = list(members.values())
    shapes = {tuple(value) for value in values if isinstance(value, Mapping)}
    if len(values) < 2 or len(shapes) != 1 or not all(isinstance(value, Mapping) for value in values):  # noqa: PLR2004 - one row is no table
        return []
    rows = [flatten(value) for value in values]
    if any(row is None for row in rows):
        return []
    return [{("",): key, **row} for key, row in zip(members, rows, strict=True) if row is not None]


def _sparse(rows: Sequence[Row]) -> frozenset[str]:
    """Inner objects of which each row has other members: as columns they would be mostly empty."""
    columns: dict[str, dict[Key, int]] = {}
    for row in rows:
        for key in row:
            if len(key) > 1:
                counts = columns.setdefault(key[0], {})
                counts[key] = counts.get(key, 0) + 1
    return frozenset(
        first
        for first, counts in columns.items()
        if len(counts) >= _MOST_SPARSE and sum(counts.values()) * 2 < len(counts) * len(rows)
    )


def _folded(row: Row, sparse: frozenset[str], page: Page) -> Row:
    """The row with such objects in one column each: every member with its name."""
    folded: dict[Key, Any] = {}
    for key, value in row.items():
        if len(key) > 1 and key[0] in sparse:
            said = f"{page.name(key[-1])} {page.short(key[-1], value)}"
            before = folded.get((key[0],))
            folded[(key[0],)] = f"{before}, {said}" if before else said
        else:
            folded[key] = value
    return folded


def table_lines(rows: Sequence[Row], page: Page) -> Iterator[str]:
    """The table of the rows, then a line about what is the same in all of them."""
    rows = [_folded(row, _sparse(rows), page) for row in rows]
    keys = _ordered_keys(rows)
    if not keys:
        return
    cells = {key: [page.short(key[-1], row.get(key)) for row in rows] for key in keys}
    shared = [key for key in keys if _is_shared(key, cells[key])]
    kept = [key for key in keys if key not in shared] or keys[:1]
    whole = {at for at, key in enumerate(kept) if _is_place(key, rows)}

    def ink_of(row: int, column: int) -> Ink | None:
        key = kept[column]
        if column == 0 and 0 in whole and row and _file_of(cells[key][row - 1]) == _file_of(cells[key][row]):
            return Ink.DIM  # the file is the one of the row above
        return ink_for(key[-1], cells[key][row])

    yield from format_table(
        [_heading(key, page) for key in kept],
        [[cells[key][at] for key in kept] for at in range(len(rows))],
        width=page.width,
        whole=whole,
        paint=page.paint,
        ink_of=ink_of,
    )
    said = [f"{_heading(key, page)} {cells[key][0]}" for key in shared if key not in kept]
    if said:
        yield page.paint(f"all: {', '.join(said)}", Ink.DIM)


def _ordered_keys(rows: Sequence[Row]) -> list[Key]:
    """The columns in which anything stands, a place before the others."""
    keys = list(dict.fromkeys(key for row in rows for key, value in row.items() if value not in (None, "")))
    place = next((key for key in keys if key[-1] in PLACES), None)
    # A column without a name holds the rows' own keys, and stays before all.
    return keys if place is None or keys[0] == ("",) else [place, *(key for key in keys if key != place)]


def _is_shared(key: Key, cells: Sequence[str]) -> bool:
    return (
        len(cells) >= _FEWEST_TO_SHARE
        and key[-1] not in PLACES
        and len(set(cells)) == 1
        and measure(cells[0]) <= _LONGEST_SHARED
    )


def _is_place(key: Key, rows: Sequence[Row]) -> bool:
    # A list under such a name is a way through several places.
    return key[-1] in PLACES and not any(isinstance(row.get(key), list) for row in rows)


def _heading(key: Key, page: Page) -> str:
    return " ".join(page.name(part) for part in key)


def _file_of(place: str) -> str:
    file, colon, line = place.rpartition(":")
    return file if colon and line.isdecimal() else place
