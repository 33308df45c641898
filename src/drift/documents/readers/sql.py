"""SQL: the tables, views and types that a text creates, with their columns."""

import re
from collections.abc import Iterator
from typing import Final

from drift.documents.items import Item, short

# What is not closed goes to the end, so that no place is looked at twice.
_SKIPPED: Final = re.compile(r"--[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?+|'(?:[^']|'')*+'?+", re.DOTALL)
_NAME: Final = (
    r"(?:(?:\w{1,100}|\"[^\"\n]{1,100}\"|`[^`\n]{1,100}`|\[[^\]\n]{1,100}\])\s{0,4}\.\s{0,4}){0,3}"
    r"(?:\w{1,100}|\"[^\"\n]{1,100}\"|`[^`\n]{1,100}`|\[[^\]\n]{1,100}\])"
)
_CREATE: Final = re.compile(
    r"\bcreate\s{1,20}(?:or\s{1,20}replace\s{1,20})?(?:(?:global|local|temp|temporary|unlogged|materialized|foreign|external)\s{1,20}){0,2}"
    rf"(?P<kind>table|view|type)\s{{1,20}}(?:if\s{{1,20}}not\s{{1,20}}exists\s{{1,20}})?(?P<name>{_NAME})",
    re.IGNORECASE,
)
_ALTER: Final = re.compile(
    rf"\balter\s{{1,20}}table\s{{1,20}}(?:if\s{{1,20}}exists\s{{1,20}})?(?:only\s{{1,20}})?(?P<name>{_NAME})\s{{1,20}}"
    rf"add\s{{1,20}}(?:column\s{{1,20}})?(?:if\s{{1,20}}not\s{{1,20}}exists\s{{1,20}})?(?P<column>{_NAME})\s{{1,20}}(?P<rest>[^;]{{1,300}})",
    re.IGNORECASE,
)
_COLUMN: Final = re.compile(rf"\s*(?P<name>{_NAME})\s+(?P<rest>\S.*)", re.DOTALL)
_TYPE: Final = re.compile(
    r"(?:\w+\s*\([^()]{0,200}\)|\w+|\"[^\"]+\")(?:\s+(?:varying|precision|unsigned|with(?:out)?\s+time\s+zone)(?:\s*\([^()]{0,20}\))?)?(?:\s*\[\s*\])?",
    re.IGNORECASE,
)
_NO_COLUMNS: Final = frozenset(
    {
        "constraint",
        "primary",
        "foreign",
        "unique",
        "check",
        "index",
        "key",
        "exclude",
        "like",
        "fulltext",
        "spatial",
        "period",
    }
)
_REQUIRED: Final = re.compile(r"\bnot\s+null\b|\bprimary\s+key\b", re.IGNORECASE)
_DEFAULT: Final = re.compile(
    r"\bdefault\b|\bgenerated\b|\bautoincrement\b|\bauto_increment\b|\bidentity\b|^\s*(?:big|small)?serial\b",
    re.IGNORECASE,
)


def read(text: str, _kind: str) -> Iterator[Item]:
    """What is created, in the order of the text, and the columns that are added later."""
    bare = _SKIPPED.sub(_blanked, text)
    found = [(each.start(), each) for pattern in (_CREATE, _ALTER) for each in pattern.finditer(bare)]
    lines = _Lines(bare)
    for start, each in sorted(found, key=lambda pair: pair[0]):
        name, line = _plain(each["name"]), lines.of(start)
        if each.re is _ALTER:
            if _plain(each["column"]).lower() not in _NO_COLUMNS:
                yield _column(
                    lines.of(each.start("column")), each["column"], name, each["rest"].partition("\n")[0]
                )
            continue
        kind = each["kind"].lower()
        yield Item(
            line, "table" if kind != "type" else "schema", name, type=None if kind == "table" else kind
        )
        if kind == "table":
            yield from _columns(bare, each.end(), name, lines)


def _columns(text: str, at: int, table: str, lines: "_Lines") -> Iterator[Item]:
    opening = re.compile(r"\s*\(").match(text, at)
    if opening is None:
        return
    for start, part in _parts(text, opening.end()):
        found = _COLUMN.match(part)
        if found is not None and _plain(found["name"]).lower() not in _NO_COLUMNS:
            yield _column(lines.of(start + found.start("name")), found["name"], table, found["rest"])


def _column(line: int, name: str, table: str, rest: str) -> Item:
    kind = _TYPE.match(rest)
    return Item(
        line, "column", _plain(name), table, short(kind[0]) if kind else None,
        has_value=bool(_DEFAULT.search(rest)), is_required=bool(_REQUIRED.search(rest)),
    )  # fmt: skip


def _parts(text: str, at: int) -> Iterator[tuple[int, str]]:
    """What commas part within a pair of brackets, up to the closing one, with the place of each."""
    depth, start = 0, at
    for found in re.compile(r"[(),;]").finditer(text, at):
        mark = found[0]
        if mark == "(":
            depth += 1
        elif mark == ";" or (mark == ")" and depth == 0):
            yield start, text[start : found.start()]
            return
        elif mark == ")":
            depth -= 1
        elif depth == 0:
            yield start, text[start : found.start()]
            start = found.end()


class _Lines:
    """The lines of places that are asked for from the first to the last."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._line = text, 0, 1

    def of(self, place: int) -> int:
        if place < self._at:
            self._at, self._line = 0, 1
        self._line += self._text.count("\n", self._at, place)
        self._at = place
        return self._line


def _blanked(found: re.Match[str]) -> str:
    # A text keeps its quotes, so that a default is still seen; its value is gone.
    lines = "\n" * found[0].count("\n")
    return f"''{lines}" if found[0].startswith("'") else f" {lines}"


def _plain(name: str) -> str:
    return short(re.sub(r'["`\[\]]|\s', "", name))
