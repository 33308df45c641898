"""Reads rendered text back into values: the proof that a client of the text alone loses nothing."""

import json
import re
from typing import Any

_BARE_KEY = re.compile(r"[^\W\d][\w./@$-]*")
_BARE_STEP = re.compile(r"[^\W\d][\w/@$-]*")
_COUNT = re.compile(r"\[(\d+)\](?=[:{])")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")
_WORDS = {"null": None, "true": True, "false": False}
_JSON = json.JSONDecoder()


def read_value(text: str) -> Any:
    """The value `render_value` was given, up to members that are null."""
    reader = _Reader(text.split("\n"))
    value = reader.read_node(reader.lines[0], column=0, bullet="")
    assert reader.position == len(reader.lines), f"unread: {reader.lines[reader.position :]}"
    return value


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.position = 0

    def read_node(self, text: str, *, column: int, bullet: str) -> Any:
        if text == "|":
            return self.read_block(column)
        if count := _COUNT.match(text):
            return self.read_list(text[count.end() :], count=int(count[1]), column=column)
        if text.startswith(("[", "{")):
            self.position += 1
            return _read_whole(text)
        if _is_member(text):
            inner = column + len(bullet)
            self.lines[self.position] = " " * inner + text
            return self.read_members(inner)
        self.position += 1
        return _read_word(text)

    def read_members(self, column: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        while self.position < len(self.lines) and re.match(rf" {{{column}}}[^ ]", self.lines[self.position]):
            key, rest = _read_key(self.lines[self.position][column:], _BARE_KEY)
            assert key not in members
            members[key] = self.read_member(rest, column=column)
        return members

    def read_member(self, rest: str, *, column: int) -> Any:
        if rest == ":":
            self.position += 1
            return self.read_members(column + 1)
        if count := _COUNT.match(rest):
            return self.read_list(rest[count.end() :], count=int(count[1]), column=column)
        if rest.startswith("{"):
            return self.read_named_rows(_Header(rest), column=column)
        assert rest.startswith(": ")
        text = rest[2:]
        if text == "|":
            return self.read_block(column)
        self.position += 1
        return _read_whole(text) if text.startswith(("[", "{")) else _read_word(text)

    def read_block(self, column: int) -> str:
        mark = " " * column + "|"
        lines: list[str] = []
        self.position += 1
        while self.position < len(self.lines) and self.lines[self.position].startswith(mark):
            lines.append(self.lines[self.position][len(mark) + 1 :])
            self.position += 1
        return "\n".join(lines)

    def read_list(self, rest: str, *, count: int, column: int) -> list[Any]:
        if rest.startswith(": "):
            self.position += 1
            cells = _read_cells(rest[2:])
            assert len(cells) == count
            return cells
        self.position += 1
        if rest == ":":
            return [self.read_bullet(column + 1) for _ in range(count)]
        return self.read_table(_Header(rest), count=count, column=column)

    def read_bullet(self, column: int) -> Any:
        line = self.lines[self.position]
        start = " " * column + "- "
        assert line.startswith(start), line
        return self.read_node(line[len(start) :], column=column, bullet="- ")

    def read_table(self, header: "_Header", *, count: int, column: int) -> list[Any]:
        rows: list[Any] = []
        heading = None
        while len(rows) < count:
            row = header.empty_row()
            if header.by and self.lines[self.position][column] != " ":
                (heading,) = _read_cells(self.lines[self.position][column:].removesuffix(":"))
                self.position += 1
            if header.paths:
                assert self.lines[self.position].startswith(" " * (column + 1))
                cells = _read_cells(self.lines[self.position][column + 1 :], empty=None)
                self.position += 1
                for path, cell in zip(header.paths, cells, strict=True):
                    _put(row, path, cell)
            if header.by:
                _put(row, header.by, heading)
            for path, value in header.constants:
                _put(row, path, value)
            rows.append(row)
        return rows

    def read_named_rows(self, header: "_Header", *, column: int) -> dict[str, Any]:
        rows: dict[str, Any] = {}
        margin = " " * (column + 1)
        self.position += 1
        while self.position < len(self.lines) and self.lines[self.position].startswith(margin):
            name, cells = _read_key(self.lines[self.position][len(margin) :], _BARE_KEY)
            row = header.empty_row()
            read = _read_cells(cells.removeprefix(":").removeprefix(" "), empty=None)
            for path, cell in zip(header.paths, read, strict=True):
                _put(row, path, cell)
            for path, value in header.constants:
                _put(row, path, value)
            rows[name] = row
            self.position += 1
        return rows


class _Header:
    """`{name,at{line}} by at.file with language=python:`."""

    def __init__(self, text: str) -> None:
        self.paths: list[tuple[str, ...]] = []
        self.groups: list[tuple[str, ...]] = []
        self.by: tuple[str, ...] = ()
        self.constants: list[tuple[tuple[str, ...], Any]] = []
        rest = self._read_names(text[1:], ())
        if rest.startswith(" by "):
            self.by, rest = _read_path(rest[4:])
        if rest.startswith(" with "):
            rest = "," + rest[6:]
        while rest != ":":
            path, rest = _read_path(rest[1:])
            assert rest.startswith("=")
            value, rest = _read_inner(rest[1:])
            self.constants.append((path, value))

    def _read_names(self, text: str, before: tuple[str, ...]) -> str:
        while not text.startswith("}"):
            key, text = _read_key(text.removeprefix(","), _BARE_KEY)
            if text.startswith("{"):
                self.groups.append((*before, key))
                text = self._read_names(text[1:], (*before, key))
            else:
                self.paths.append((*before, key))
        return text[1:]

    def empty_row(self) -> dict[str, Any]:
        row: dict[str, Any] = {}
        for group in self.groups:
            _put(row, group, {})
        return row


def _put(row: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for key in path[:-1]:
        row = row.setdefault(key, {})
    if value is not None:
        row[path[-1]] = value


def _is_member(text: str) -> bool:
    if not text.startswith('"'):
        return ":" in text
    _, end = _JSON.raw_decode(text)
    return end < len(text)


def _read_key(text: str, bare: re.Pattern[str]) -> tuple[str, str]:
    if text.startswith('"'):
        key, end = _JSON.raw_decode(text)
        return key, text[end:]
    match = bare.match(text)
    assert match, text
    return match[0], text[match.end() :]


def _read_path(text: str) -> tuple[tuple[str, ...], str]:
    key, text = _read_key(text, _BARE_STEP)
    path = [key]
    while text.startswith("."):
        key, text = _read_key(text[1:], _BARE_STEP)
        path.append(key)
    return tuple(path), text


def _read_cells(text: str, *, empty: Any = "") -> list[Any]:
    cells: list[Any] = []
    text = "," + text
    while text:
        text = text[1:]
        if text.startswith(('"', "[", "{")):
            value, text = _read_inner(text)
        else:
            word, comma, after = text.partition(",")
            value, text = (_read_word(word) if word else empty), comma + after
        cells.append(value)
        assert not text or text.startswith(","), text
    return cells


def _read_whole(text: str) -> Any:
    value, rest = _read_inner(text)
    assert not rest, rest
    return value


def _read_inner(text: str, *, ends: str = r",:=()\[\]{}") -> tuple[Any, str]:
    if text.startswith('"'):
        value, end = _JSON.raw_decode(text)
        return value, text[end:]
    if text.startswith("["):
        items: list[Any] = []
        text = text[1:]
        while not text.startswith("]"):
            item, text = _read_inner(text.removeprefix(","), ends=r",\[\]{}")
            items.append(item)
        return items, text[1:]
    if text.startswith("{"):
        members: dict[str, Any] = {}
        text = text[1:]
        while not text.startswith("}"):
            key, text = _read_key(text.removeprefix(","), _BARE_KEY)
            members[key], text = _read_inner(text.removeprefix(":"))
        return members, text[1:]
    match = re.match(f"[^{ends}]+", text)
    assert match, text
    return _read_word(match[0]), text[match.end() :]


def _read_word(text: str) -> Any:
    if text.startswith('"'):
        return json.loads(text)
    if text in _WORDS:
        return _WORDS[text]
    if _NUMBER.fullmatch(text) or text in {"nan", "inf", "-inf"}:
        return float(text) if re.search("[.enaif]", text) else int(text)
    assert text, "a bare word is never empty"
    return text
