"""Files that code names by their paths in strings, as pages and other languages load scripts.

What it does: looks for strings that are the end of a file's path. Why it matters: no import leads from there, so that a
script which C# loads (`"import", "/js/history.js"`) would seem to have no users. Known limits: paths that are put together.
"""

import json
from typing import Final

from drift.index import IndexReader

_BEGINNINGS: Final = ("", "/", "./", "~/", "../")
_MOST_PARTS: Final = 8
_MOST_EXAMPLES: Final = 3


def named_file_warnings(reader: IndexReader, path: str) -> tuple[str, ...]:
    """That strings of code name a file, with their places; nothing where none does."""
    parts = path.split("/")
    ends = ["/".join(parts[start:]) for start in range(max(len(parts) - _MOST_PARTS, 0), len(parts))]
    names = [f"{before}{end}" for end in ends for before in _BEGINNINGS]
    found = reader.unused.strings_equal_to(json.dumps(names))
    places = sorted({f"{place}:{line}" for place, line in found.values() if place != path})
    if not places:
        return ()
    return (
        f"{path} is named in a string at {', '.join(places[:_MOST_EXAMPLES])}: what is given it may load it",
    )
