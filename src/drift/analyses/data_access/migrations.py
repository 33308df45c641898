"""Columns of tables as migrations make them, for frameworks whose models do not name their fields."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.data_access.rows import ModelField
from drift.analyses.data_access.sources import open_source

_MOST_FILES: Final = 2_000
_OPENER: Final = re.compile(
    r"(?:Schema::(?:create|table)|\bcreate_table|\bchange_table|\.(?:createTable|alterTable))\s{0,4}\(?\s{0,4}[:\"'](\w{1,80})[\"']?"
)
_COLUMN: Final = re.compile(
    r"(?:\$\w{1,30}->|^\s{0,40}\w{1,30}\.)(\w{2,40})\s{0,2}\(?\s{0,10}[:\"']([a-z_]\w{0,80})[\"']?",
    re.MULTILINE,
)
_ADDED: Final = re.compile(
    r"\badd_column\s{0,2}\(?\s{0,4}[:\"'](\w{1,80})[\"']?,\s{0,10}[:\"'](\w{1,80})[\"']?,\s{0,10}[:\"'](\w{1,40})"
)
# Calls on a table in a migration that make no column.
_NO_COLUMNS: Final = frozenset(
    [
        "index",
        "unique",
        "primary",
        "foreign",
        "references",
        "dropColumn",
        "drop",
        "dropIndex",
        "dropForeign",
        "dropUnique",
        "renameColumn",
        "foreignIdFor",
        "rename",
        "remove",
        "timestamps",
        "fullText",
        "spatialIndex",
        "check_constraint",
        "foreign_key",
        "remove_index",
        "remove_column",
        "onDelete",
        "on",
        "where",
        "update",
    ]
)


class Column(NamedTuple):
    """A column of a table, and where a migration makes it."""

    table: str
    file: str
    field: ModelField


def read_migrations(root: Path, paths: Iterable[str]) -> Mapping[str, list[Column]]:
    """The columns of each table that files which may be migrations make, the first time each is made."""
    found: dict[str, dict[str, Column]] = defaultdict(dict)
    for path in sorted(path for path in paths if _may_be(path))[:_MOST_FILES]:
        source = open_source(root, path)
        for column in _columns(source.text, path) if source is not None else ():
            found[column.table].setdefault(column.field.name, column)
    return {table: list(columns.values()) for table, columns in found.items()}


def _may_be(path: str) -> bool:
    return (
        "migrat" in path.lower() and path.endswith((".php", ".rb", ".js", ".ts"))
    ) or path == "db/schema.rb"


def _columns(text: str, path: str) -> Iterator[Column]:
    openers = [*_OPENER.finditer(text)]
    ends = [*(one.start() for one in openers[1:]), len(text)]
    for opener, end in zip(openers, ends, strict=False):
        line = text.count("\n", 0, opener.end()) + 1
        for match in _COLUMN.finditer(text, opener.end(), end):
            kind, name = match.groups()
            if kind not in _NO_COLUMNS:
                here = line + text.count("\n", opener.end(), match.start(2))
                yield Column(opener.group(1), path, ModelField(name, kind, None, here))
    for added in _ADDED.finditer(text):
        line = text.count("\n", 0, added.start()) + 1
        yield Column(added.group(1), path, ModelField(added.group(2), added.group(3), None, line))
