"""Paths of requests: what they are made of, and how alike two of them are."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

_ORIGIN: Final = re.compile(r"\A[a-z]{2,6}://[^/]{1,200}")
_PARAMETER: Final = re.compile(
    r"\A(?:[:*$].{1,200}|<.{1,200}>|\(.{1,200}\)\??|\[.{1,200}\]|.{0,200}\{.{1,200}\}.{0,200}|\(\?P?<.{1,200})\Z"
)
_BASE: Final = re.compile(r"\A\{[^{}]{1,200}\}(?=\w)")  # `${base}users`, where the base ends with a slash
# What a router is mounted at as it is written, where it is not known: <`${base}/users`>
_WRITTEN: Final = re.compile(r"<`([^`<>]{0,200})`>")
_LEADING: Final = re.compile(r"\A\$\{[^{}]{0,100}\}")
_GLUED: Final = re.compile(r"\A([\w.-]{1,100})\{[^{}]{1,200}\}\Z")
PARAMETER: Final = ":param"

_NAMES, _COUNT, _SUFFIX, _RESOURCE, _POSITIONS = 0.25, 0.10, 0.30, 0.25, 0.10
_SINGLE, _BARE = 0.5, 0.3
_BOTH_OPEN: Final = 0.7
_NEAR: Final = 0.8
LEAST_SIMILARITY: Final = 0.65

Parts = tuple[str, ...]


def all_parts(path: str) -> Parts:
    """The parts of a path without its origin and its query; one that any text fits is `:param`."""
    # `{name?}` may be left out; it is no query.
    bare = _ORIGIN.sub("", path.strip()).replace("?}", "}").partition("?")[0].partition("#")[0]
    bare = _WRITTEN.sub(lambda found: _LEADING.sub("", found[1]), bare)
    bare = _BASE.sub("", bare)
    found = (part.strip("^$") for part in bare.split("/"))
    return tuple(_part(part) for part in found if part)


def parts_of(path: str) -> Parts:
    """The parts of a path without beginnings that say nothing of what it leads to."""
    parts = all_parts(path)
    while len(parts) > 1 and _prefix().fullmatch(parts[0]):
        parts = parts[1:]
    return parts


def _part(part: str) -> str:
    glued = _GLUED.match(part)
    # What is put right behind a name is a query.
    if glued is not None:
        return glued[1].lower()
    return PARAMETER if _PARAMETER.match(part) else part.lower()


@cache
def _prefix() -> re.Pattern[str]:
    return re.compile(data()["paths"]["prefixes"])


def similarity(one: Parts, other: Parts) -> float:
    """How alike two paths are, 0 to 1, by the parts they share and where those stand."""
    if one == other:
        return 1.0
    if not one or not other:
        return 0.0
    longest = max(len(one), len(other))
    mine, theirs = set(one) - {PARAMETER}, set(other) - {PARAMETER}
    union = mine | theirs
    names = len(mine & theirs) / len(union) if union else 1.0
    count = 1 - abs(len(one) - len(other)) / longest
    positions = sum((a == PARAMETER) == (b == PARAMETER) for a, b in zip(one, other, strict=False)) / longest
    found = (
        _NAMES * names
        + _COUNT * count
        + _SUFFIX * _same_end(one, other)
        + _RESOURCE * _same_resource(one, other)
        + _POSITIONS * positions
    )
    shortest = min(one, other, key=len)
    if len(shortest) == 1:
        found *= _BARE if shortest[0] == PARAMETER else _SINGLE
    return round(found, 4)


def _same_end(one: Parts, other: Parts) -> float:
    """The share of parts, from the end, that are the same up to the first that is not."""
    total = 0.0
    for a, b in zip(reversed(one), reversed(other), strict=False):
        if a != b:
            break
        total += _BOTH_OPEN if a == PARAMETER else 1.0
    return total / max(len(one), len(other))


def _same_resource(one: Parts, other: Parts) -> float:
    """Whether the last names are the same, or one begins or ends with the other."""
    a = next((part for part in reversed(one) if part != PARAMETER), "")
    b = next((part for part in reversed(other) if part != PARAMETER), "")
    if a == b:
        return 1.0 if a else 0.0
    is_near = bool(a and b) and (a.startswith(b) or b.startswith(a) or a.endswith(b) or b.endswith(a))
    return _NEAR if is_near else 0.0


@cache
def data() -> dict[str, Any]:
    """What clients.toml says."""
    return tomllib.loads(files("drift.analyses.contracts").joinpath("clients.toml").read_text("utf-8"))
