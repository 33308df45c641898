"""Paths of groups that functions of the project make: `MapApiGroup("orders")` is `api/orders`.

The file of the function says what it puts before the routes and by which parameters; a call of it stands in angle
brackets in the path of a route or a mount, whichever file that is in.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:  # what reads files joins routes, and needs no database
    from drift.index.route_rows import MountedRow

_DECLARED: Final = re.compile(r"(\w{1,100})\(([\w,]{0,400})\)=(.{1,400})", re.DOTALL)
_CALL: Final = re.compile(r"<(\w{1,100})\(([^<>()]{0,200}(?:\([^<>()]{0,200}\)[^<>()]{0,200})?)\)>")
_ARGUMENT: Final = re.compile(r"(?:\"[^\"]{0,200}\"|[^,\"]){1,200}")
_NAME_OF: Final = re.compile(r"nameof\((?:\w{1,100}\.){0,8}(\w{1,100})\)")
_BY_CLASS: Final = "[controller]"
_GROUP: Final = "group"


class _Made(NamedTuple):
    parameters: tuple[str, ...]
    text: str


class RouteGroups:
    """The functions that make groups, by their names."""

    def __init__(self, mounts: Iterable[MountedRow]) -> None:
        self._made: defaultdict[str, list[_Made]] = defaultdict(list)
        for mount in mounts:
            found = _DECLARED.fullmatch(mount.prefix) if mount.kind == _GROUP else None
            if found is not None:
                names = tuple(filter(None, found[2].split(",")))
                self._made[found[1]].append(_Made(names, found[3]))

    def fill(self, written: str) -> str:
        """A path with what such functions make in the place of their calls."""
        return _CALL.sub(self._path, written) if self._made and "(" in written else written

    def _path(self, call: re.Match[str]) -> str:
        given = [one.strip() for one in _ARGUMENT.findall(call[2])]
        fitting = [one for one in self._made.get(call[1], ()) if len(one.parameters) >= len(given)]
        made = {_filled(one, given) for one in fitting}
        if len(made) != 1:
            return call[0]
        text = made.pop()
        # A text without holes is the path itself; what is left of names may be constants.
        plain = text.lstrip("$@")
        is_plain = plain[:1] == plain[-1:] == '"' and "{" not in plain and '"' not in plain[1:-1]
        return plain[1:-1] if is_plain else f"<{text}>"


def _filled(made: _Made, given: list[str]) -> str:
    text = made.text
    for name, argument in zip(made.parameters, given, strict=False):
        said = _NAME_OF.sub(r'"\1"', argument)
        is_text = said[:1] == said[-1:] == '"'
        bare = said.strip('"') if is_text else f"{{{said}}}"
        text = text.replace(f"{{{name}}}", bare)
        if text == name:
            text = said
    return text
