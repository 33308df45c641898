"""The context of a task for a person: where to look, best first, then what to know about it, by subject."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from drift.cli.answer_rows import Page
from drift.cli.console import Ink
from drift.cli.shown import cut, shown
from drift.cli.tables import format_table
from drift.kernel.text import plural

_MOST_FILES: Final = 8
_MOST_SYMBOLS: Final = 4
_MOST_REMARKS: Final = 6
_INDENT: Final = "  "


def context_lines(data: Any, page: Page) -> Iterator[str]:
    """Files with the symbols to read in each, then callers, tests, risks and what else is known."""
    files: Sequence[Mapping[str, Any]] = data["files"]
    if not files:
        return
    yield page.paint("Look at", Ink.BOLD)
    for file in files[:_MOST_FILES]:
        yield from _file_lines(file, page)
    yield from _rest(files[_MOST_FILES:], "file", page)
    for title, remarks in data["sections"].items():
        if remarks:
            yield ""
            yield page.paint(shown(title).capitalize(), Ink.BOLD)
            yield from _remark_lines(remarks[:_MOST_REMARKS], page)
            yield from _rest(remarks[_MOST_REMARKS:], "remark", page)


def _file_lines(file: Mapping[str, Any], page: Page) -> Iterator[str]:
    path, symbols = shown(file["file"]), file["symbols"]
    yield f"{_INDENT}{page.paint(path, Ink.MAGENTA)}"
    yield page.paint(cut(f"{_INDENT * 2}{shown(file['why'])}", page.width), Ink.DIM)
    rows = [(f"{path}:{symbol['line']}", symbol["name"]) for symbol in symbols[:_MOST_SYMBOLS]]
    yield from _table(rows, page)


def _remark_lines(remarks: Sequence[Mapping[str, Any]], page: Page) -> Iterator[str]:
    rows = [(remark["at"] or "-", f"{remark['about']} {remark['says']}") for remark in remarks]
    yield from _table(rows, page)


def _table(rows: Sequence[tuple[str, str]], page: Page) -> Iterator[str]:
    if not rows:
        return
    _heading, *lines = format_table(
        ("", ""),
        rows,
        width=page.width - 2 * len(_INDENT),
        whole={0},
        paint=page.paint,
        ink_of=lambda _row, column: None if column else Ink.MAGENTA,
    )
    yield from (f"{_INDENT * 2}{line}" for line in lines)


def _rest(left: Sequence[Any], noun: str, page: Page) -> Iterator[str]:
    if left:
        yield page.paint(f"{_INDENT}and {plural(len(left), f'more {noun}')}; --json has all", Ink.DIM)
