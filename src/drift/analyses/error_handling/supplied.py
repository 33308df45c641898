"""Throws that a library does with an error it is given: `orders.findById(id).orElseThrow(NotFound::new)`.

The facts have the call, and not what it is given: its lines are read again.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from drift.analyses.source_text import read_lines
from drift.index.error_queries import PlacedError

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.error_queries import ErrorFile, UsedCall

_LANGUAGES: Final = frozenset({"java", "kotlin", "scala"})
_ENDINGS: Final = (".orElseThrow",)
_SUPPLIED: Final = re.compile(r"orElseThrow\(\s{0,80}(?:\(\)\s{0,9}->\s{0,80}new\s{1,9})?([A-Z]\w{0,100})")
_BEHIND: Final = 4  # lines from the name of a call to what it is given
_MOST: Final = 5_000


def supplied_throws(
    reader: "IndexReader", root: Path, files: Mapping[int, "ErrorFile"]
) -> Iterator[PlacedError]:
    """What is thrown by what is called with it."""
    if not any(file.language in _LANGUAGES for file in files.values()):
        return
    calls = [call for ending in _ENDINGS for call in reader.errors.calls_ending(ending)][:_MOST]
    by_file: dict[int, list[UsedCall]] = defaultdict(list)
    for call in calls:
        by_file[call.caller >> 16].append(call)
    for file, some in by_file.items():
        last = max(call.line for call in some) + _BEHIND
        lines = read_lines(root, files[file].path, first=1, count=last)
        for call in some:
            found = _SUPPLIED.search("\n".join(lines[call.line - 1 : call.line - 1 + _BEHIND]))
            if found:
                yield PlacedError(
                    call.caller,
                    call.line,
                    call.line,
                    "throw",
                    (found[1],),
                    is_empty=False,
                    variable=None,
                    traits=0,
                )
