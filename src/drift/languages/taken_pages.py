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
OBJECT: Final = "@"
"""Before the name of a variable that is shown by the page of its class."""
_COMPONENTS: Final = "components."
_MOST: Final = 500
_NEVER: Final = "(?!)"


def taken_pages(source: bytes, ending: str) -> tuple[Constant, ...]:
    """The names of the pages that a page with this ending takes in, each where it stands first."""
    text = source.decode("utf-8", "replace")
    found: dict[str, int] = {}
    names, unknown, going_on, objects = _names()[ending]
    for match in objects.finditer(text):
        found.setdefault(f"{OBJECT}{match[1]}", match.start())
    for match in names.finditer(text):
        component = match[2] if match.re.groups > 1 else None
        name = unknown.sub(OPEN, match[1]) if match[1] else f"{_COMPONENTS}{component}"
        found.setdefault(f"{name}{OPEN}" if going_on.match(text, match.end()) else name, match.start())
        if len(found) >= _MOST:
            break
    return tuple(Constant(0, text.count("\n", 0, at) + 1, PAGE, name) for name, at in found.items())


@cache
def _names() -> dict[str, tuple[re.Pattern[str], ...]]:
    tables = tomllib.loads(files("drift.languages").joinpath("taken_pages.toml").read_text("utf-8"))
    keys = ("names", "open", "going_on", "objects")
    return {
        ending: tuple(re.compile(table.get(key, _NEVER)) for key in keys) for ending, table in tables.items()
    }
