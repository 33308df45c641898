"""Settings in Java's properties files."""

import re
from collections.abc import Iterator
from typing import Final

from drift.documents.items import Item, short
from drift.documents.kinds import route_prefix
from drift.documents.readers.variables import asked_variables

_LINE: Final = re.compile(r"[ \t]*([^\s=:#!][^\s=:]{0,300})[ \t]*(?:[=:]|(?=[ \t]))[ \t]*(\S?)")
_LONGEST_VALUE: Final = 300


def read(text: str, _kind: str) -> Iterator[Item]:
    """The settings in their order, then the variables that are asked for."""
    goes_on = False
    for number, line in enumerate(text.split("\n"), 1):
        is_rest, goes_on = goes_on, line.rstrip().endswith("\\")
        found = None if is_rest else _LINE.match(line)
        if found is not None:
            value = line[found.start(2) :][:_LONGEST_VALUE]
            path, place = route_prefix(found[1], value) or (None, None)
            yield Item(number, "setting", short(found[1]), type=place, path=path, has_value=bool(found[2]))
    yield from asked_variables(text)
