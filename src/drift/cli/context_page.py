"""The context of a task for a person: where to look, best first, then what to know about it, by subject."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any, Final

from drift.cli.answer_rows import Page
from drift.cli.console import Ink
from drift.cli.shown import cut, shown
from drift.kernel.text import plural

_MOST_FILES: Final = 8
_MOST_SYMBOLS: Final = 4
_MOST_REMARKS: Final = 6
_INDENT: Final = "  "
# Agents know these by short names.
_TITLES: Final = {"patterns": "Conventions", "dna": "How evenly the project decides"}


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
            yield page.paint(_TITLES.get(title, shown(title).capitalize()), Ink.BOLD)
            yield from _remark_lines(remarks[:_MOST_REMARKS], page)
            yield from _rest(remarks[_MOST_REMARKS:], "remark", page)


def _file_lines(file: Mapping[str, Any], page: Page) -> Iterator[str]:
    yield f"{_INDENT}{page.paint(shown(file['file']), Ink.MAGENTA)}"
    yield page.paint(cut(f"{_INDENT * 2}{shown(file['why'])}", page.width), Ink.DIM)
    symbols = file["symbols"][:_MOST_SYMBOLS]
    widest = max((len(str(symbol["line"])) for symbol in symbols), default=0)
    for symbol in symbols:
        line = page.paint(f":{symbol['line']:<{widest}}", Ink.MAGENTA)
        yield f"{_INDENT * 2}{line}  {cut(shown(symbol['name']), page.width - widest - 7)}"


def _remark_lines(remarks: Sequence[Mapping[str, Any]], page: Page) -> Iterator[str]:
    """What is said, then where: a place is often so long that nothing fits beside it."""
    for remark in remarks:
        said = shown(f"{remark['about']}: {remark['says']}")
        yield from wrap(said, page.width, initial_indent=_INDENT, subsequent_indent=_INDENT * 2)
        if remark["at"]:
            yield f"{_INDENT * 2}{page.paint(shown(remark['at']), Ink.MAGENTA)}"


def _rest(left: Sequence[Any], noun: str, page: Page) -> Iterator[str]:
    if left:
        yield page.paint(f"{_INDENT}and {plural(len(left), f'more {noun}')}; --json has all", Ink.DIM)
