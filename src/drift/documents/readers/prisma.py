"""Prisma's schema: models as tables with their columns, enums, and the variables that sources of data ask for."""

import re
from collections.abc import Iterator
from typing import Final

from drift.documents.items import Item, short

_BLOCK: Final = re.compile(r"\s*(model|enum|type|view|datasource|generator)\s+(\w{1,200})\s*\{")
_FIELD: Final = re.compile(r"\s*(\w{1,200})\s+([A-Za-z]\w{0,200})(?:\(\"[^\"]*\"\))?(\[\])?(\?)?(?:\s|$)")
_MAP: Final = re.compile(r"@@?map\((?:name:\s*)?\"([^\"]{1,200})\"\)")
_ENV: Final = re.compile(r"env\(\"(\w{1,200})\"\)")
_TABLES: Final = frozenset({"model", "view"})


def read(text: str, _kind: str) -> Iterator[Item]:
    """The blocks in their order; a table's type is the name it has in the database, where that is another."""
    block = name = ""
    pending: list[Item] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.partition("//")[0] if '"' not in raw else raw
        for variable in _ENV.findall(line):
            yield Item(number, "read", variable)
        if found := _BLOCK.match(line):
            block, name = found[1], short(found[2])
            if block in _TABLES | {"enum", "type"}:
                pending = [
                    Item(
                        number,
                        "table" if block in _TABLES else "schema",
                        name,
                        type=None if block in _TABLES else block,
                    )
                ]
        elif line.strip() == "}":
            yield from pending
            block, pending = "", []
        elif line.lstrip().startswith("@@map") and pending and (mapped := _MAP.search(line)):
            pending[0] = pending[0]._replace(type=mapped[1])
        elif pending:
            pending += _member(number, line, block, name)
    yield from pending


def _member(number: int, line: str, block: str, owner: str) -> list[Item]:
    if block == "enum":
        word = line.split(maxsplit=1)[0] if line.split() else ""
        return [Item(number, "value", short(word), owner)] if word.isidentifier() else []
    found = _FIELD.match(line)
    if found is None:
        return []
    name, kind, many, optional = found.groups()
    mapped = _MAP.search(line)
    return [
        Item(
            number, "column" if block in _TABLES else "field", short(name), owner, short(f"{kind}{many or ''}"),
            path=mapped[1] if mapped else None, has_value="@default" in line, is_required=not optional and not many,
        )
    ]  # fmt: skip
