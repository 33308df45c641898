"""Files that a framework finds by what a text or a chain of names says, told as if they were imported.

`sails.helpers.cards.createOne.with({…})` is the function of api/helpers/cards/create-one.js, `'POST /cards': 'cards/create'` in
config/routes.js leads to that of api/controllers/cards/create.js, and config/policies.js names the files of api/policies.
Which frameworks do so is `words.files_by_name` of the frameworks: `chains` begin with the names of `name` and end with those of
`through`; `routes` and `lists` stand in a `file` as what it exports under a name; `member` is what is run of the file found.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from drift.languages.facts import EntryPoint, Import
from drift.languages.frameworks import METHODS_OF_HTTP, load_frameworks
from drift.languages.typescript.literals import string_value, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.typescript.walk import Walk

_WORDS: Final[dict[str, list[dict[str, Any]]]] = load_frameworks("typescript").words["files_by_name"]
_MARKS: Final = tuple(row["name"].encode() for row in _WORDS["chains"])
_TABLES: Final = tuple(
    (row["file"], row, is_route)
    for kind, is_route in (("routes", True), ("lists", False))
    for row in _WORDS[kind]
)
_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PLAIN: Final = re.compile(r"[\w-]{1,80}(?:/[\w-]{1,80}){0,5}")
_MOST_KEYS: Final = 10
_MOST_ROWS: Final = 5_000
_ALL: Final = "ALL"


def note_files_by_name(walk: Walk, root: Node, path: str) -> None:
    """Note what the files that a framework finds by name are used for."""
    file, known = PurePosixPath(path.replace("\\", "/")), _Known(walk)
    if any(mark in walk.source for mark in _MARKS):
        for row in _WORDS["chains"]:
            _note_chains(known, file, row)
    for name, row, is_route in _TABLES:
        if (
            f"/{file.as_posix()}".endswith(f"/{name}")
            and (table := _exported(walk, root, row["export"])) is not None
        ):
            for key, value in _pairs(table):
                _note_row(known, row, key, value, is_route=is_route)


class _Known:
    """The files of one walk that are known by a name, each imported once."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self._aliases: set[str] = set()

    def name(self, home: list[str], place: str, member: str | None, line: int) -> Expression:
        """A name for what a file has, in the folder that the way home leads to."""
        alias = f"<{place}>"
        if alias not in self._aliases:
            self._aliases.add(alias)
            module = "/".join((*(home or ["."]), place))
            self.walk.imports.append(Import(0, line, module, member, alias))
        return ("name", alias)


def _note_chains(known: _Known, file: PurePosixPath, row: dict[str, Any]) -> None:
    walk = known.walk
    home = _home(file, row["around"])
    if home is None:
        return
    beginning = row["name"].split(".")
    for number, call in enumerate(walk.calls):
        names = _names(call.callee)
        if names is None or names[: len(beginning)] != beginning:
            continue
        keys = names[len(beginning) :]
        while keys and keys[-1] in row["through"]:
            keys.pop()
        if keys and keys[0] not in row["outside"]:
            found = "/".join(_CAPITAL.sub("-", key).lower() for key in keys)
            callee = known.name(home, f"{row['folder']}/{found}", row["member"], call.line)
            walk.calls[number] = call._replace(callee=callee)


def _names(callee: Expression) -> list[str] | None:
    """The names of a chain of members; None for one that begins with anything but a name."""
    names: list[str] = []
    while callee is not None and callee[0] == "member" and len(names) < _MOST_KEYS:
        names.append(callee[2])
        callee = callee[1]
    return [callee[1], *reversed(names)] if callee is not None and callee[0] == "name" else None


def _note_row(known: _Known, row: dict[str, Any], key: Node, value: Node, *, is_route: bool) -> None:
    walk = known.walk
    home, line = [".."] * (len(PurePosixPath(row["file"]).parts) - 1), walk.line_of(key)
    said = [string_value(walk, value)]
    if value.type == "object":
        said = [texts_of(walk, value).get(row.get("key", ""))]
    elif value.type == "array":
        said = [string_value(walk, each) for each in value.named_children]
    title = (string_value(walk, key) or "").split()
    for each in said:
        if each is None or not _PLAIN.fullmatch(each):
            continue
        handler = known.name(home, f"{row['folder']}/{each}", row["member"] or None, line)
        if not is_route:
            walk.read(handler, value)
        elif title and title[-1].startswith("/"):
            word = title[0].upper() if len(title) > 1 and title[0].upper() in METHODS_OF_HTTP else _ALL
            walk.entry_points.append(EntryPoint(0, "http", f"{word} {title[-1]}", line, handler))


def _exported(walk: Walk, root: Node, name: str) -> Node | None:
    """The object that a file exports under a name: `module.exports.routes = {…}`."""
    for statement in root.named_children:
        inner = statement.named_children[0] if statement.named_child_count else statement
        left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
        is_object = left is not None and right is not None and right.type == "object"
        if is_object and walk.name_of(left) in {f"module.exports.{name}", f"exports.{name}"}:
            return right
    return None


def _pairs(table: Node) -> Iterator[tuple[Node, Node]]:
    for child in table.named_children[:_MOST_ROWS]:
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        if key is not None and value is not None:
            yield key, value


def _home(file: PurePosixPath, around: list[str]) -> list[str] | None:
    """The way from a file to the folder that its application stands in; None for a file of none."""
    parts = file.parts[:-1]
    at = next((number for number, part in enumerate(parts) if part in around), None)
    return None if at is None else [".."] * (len(parts) - at)
