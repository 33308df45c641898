"""Dockerfiles: stages with their images, variables, arguments and ports."""

import re
from collections.abc import Iterator
from typing import Final

from drift.documents.items import Item, short

_PAIR: Final = re.compile(
    r"""(?:^|(?<=\s))([A-Za-z_]\w{0,100})=("(?:[^"\\]|\\.){0,400}+"|'[^']{0,400}+'|[^\s"'])?"""
)
_ARGUMENT: Final = re.compile(r"""\s*([A-Za-z_]\w{0,200})(?:=("(?:[^"\\]|\\.)*"|'[^']*'|\S*))?(?=\s|$)""")
_FROM: Final = re.compile(r"(?:--\S+\s+)*(\S+)(?:\s+as\s+(\S+))?", re.IGNORECASE)
_LONGEST: Final = 100_000


def read(text: str, _kind: str) -> Iterator[Item]:
    """What the instructions declare, in their order; variables belong to the stage they stand in."""
    stage = None
    for line, word, rest in _instructions(text):
        if word == "FROM" and (found := _FROM.match(rest)):
            stage = short(found[2] or found[1])
            yield Item(line, "stage", stage, type=short(found[1]))
        elif word == "ENV":
            yield from _variables(line, rest, stage)
        elif word == "ARG":
            at = 0
            while found := _ARGUMENT.match(rest, at):
                yield Item(line, "argument", found[1], stage, has_value=bool((found[2] or "").strip("\"'")))
                at = found.end()
        elif word == "EXPOSE":
            for port in rest.split():
                yield Item(line, "port", short(port), stage)


def _variables(line: int, rest: str, stage: str | None) -> Iterator[Item]:
    first, _, following = rest.partition(" ")
    if "=" not in first:
        if first:
            yield Item(line, "variable", short(first), stage, has_value=bool(following.strip()))
        return
    for name, value in _PAIR.findall(rest):
        yield Item(line, "variable", name, stage, has_value=bool(value.strip("\"'")))


def _instructions(text: str) -> Iterator[tuple[int, str, str]]:
    """Each instruction with the line it begins on; lines that end in a backslash go on."""
    pending, begun = "", 0
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        begun = begun or number
        if stripped.endswith("\\") and len(pending) < _LONGEST:
            pending += f"{stripped[:-1]} "
            continue
        word, _, rest = f"{pending}{stripped}".partition(" ")
        yield begun, word.upper(), rest.strip()
        pending, begun = "", 0
