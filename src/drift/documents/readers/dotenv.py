"""Files of environment variables: the names, and whether a value stands there."""

import re
from collections.abc import Iterator
from typing import Final

from drift.documents.items import Item, short

_LINE: Final = re.compile(r"[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]{0,200})[ \t]*(?:=|:[ \t])[ \t]*(.{0,3})")


def read(text: str, _kind: str) -> Iterator[Item]:
    """The variables that are set, in their order; of a text in quotes over several lines the first line alone counts."""
    open_quote = ""
    for number, line in enumerate(text.split("\n"), 1):
        if open_quote:
            open_quote = "" if open_quote in line else open_quote
            continue
        found = _LINE.match(line)
        if found is None:
            continue
        start = found[2].strip()
        yield Item(
            number,
            "variable",
            short(found[1]),
            has_value=bool(start.strip("\"'")) and not start.startswith("#"),
        )
        value = line[found.start(2) :].strip()
        if value[:1] in ('"', "'") and value.count(value[0]) == 1:
            open_quote = value[0]
