"""Text as a terminal may show it: nothing in it moves the cursor, changes colours or reads backwards."""

import unicodedata
from typing import Final

_WIDE: Final = frozenset({"W", "F"})


def shown(text: str) -> str:
    """The text on one line, with every control and formatting character visible as an escape."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def shown_lines(text: str) -> list[str]:
    """The lines of a text, each fit to be shown."""
    return [shown(line.expandtabs(4)) for line in text.splitlines()] or [""]


def measure(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(_measure_character(char) for char in text)


def cut(text: str, width: int) -> str:
    """The beginning of a text that fits, with an ellipsis where something is missing."""
    if measure(text) <= width:
        return text
    kept, used = [], 1
    for char in text:
        used += _measure_character(char)
        if used > width:
            break
        kept.append(char)
    return "".join(kept) + "…"


def _measure_character(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in _WIDE else 1


def _escape(char: str) -> str:
    if char == "\n":
        return "⏎"
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")
