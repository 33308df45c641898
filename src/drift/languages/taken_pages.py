"""The pages that a page takes in or stands in, by the names it says: taken_pages.toml."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

from drift.languages.facts import Constant

PAGE: Final = "page"
"""The kind of a constant that names a page."""
OPEN: Final = "*"
"""What is not known of a name that is put together."""
_COMPONENTS: Final = "components."
_MOST: Final = 500
_NEVER: Final = "(?!)"


def taken_pages(source: bytes, ending: str) -> tuple[Constant, ...]:
    """The names of the pages that a page with this ending takes in, each where it stands first."""
    text = source.decode("utf-8", "replace")
    found: dict[str, int] = {}
    names, unknown, going_on = _names()[ending]
    for match in names.finditer(text):
        component = match[2] if match.re.groups > 1 else None
        name = unknown.sub(OPEN, match[1]) if match[1] else f"{_COMPONENTS}{component}"
        found.setdefault(f"{name}{OPEN}" if going_on.match(text, match.end()) else name, match.start())
        if len(found) >= _MOST:
            break
    return tuple(Constant(0, text.count("\n", 0, at) + 1, PAGE, name) for name, at in found.items())


@cache
def _names() -> dict[str, tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]]:
    tables = tomllib.loads(files("drift.languages").joinpath("taken_pages.toml").read_text("utf-8"))
    return {
        ending: (
            re.compile(table["names"]),
            re.compile(table.get("open", _NEVER)),
            re.compile(table.get("going_on", _NEVER)),
        )
        for ending, table in tables.items()
    }
