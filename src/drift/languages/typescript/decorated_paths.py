"""The paths and versions that decorators of controllers and of their methods state, read from their texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from drift.languages.facts import Symbol

_ARGUMENTS: Final = re.compile(r"\(\s{0,20}(?:\{(?:[^{}]{0,400}?[\s{,])??path\s{0,9}:\s{0,9})?")
_QUOTED: Final = re.compile(r"""\s{0,20}(?:'([^']{0,200})'|"([^"]{0,200})"|`([^`]{0,200})`)""")
_NAMED: Final = re.compile(r"\s{0,20}([A-Za-z_$][\w$.]{0,100})\s{0,20}(?=[,)\]}]|$)")
_LIST: Final = re.compile(r"\[([^\]]{0,400})\]")
_HOLE: Final = re.compile(r"\$\{\s{0,9}([\w$.]{1,100})\s{0,9}\}")
_SAID: Final = re.compile(
    r"\bversion\s{0,9}:\s{0,9}(\[[^\]]{0,200}\]|['\"`][\w.-]{1,30}['\"`]|[A-Za-z_$][\w$.]{0,80})"
)
_VERSION: Final = re.compile(r"""['"`]([\w.-]{1,30})['"`]|([A-Za-z_$][\w$.]{0,80})""")
NEUTRAL: Final = "VERSION_NEUTRAL"
"""The version of a route that answers without one."""
_MARK: Final = "@"


def written_paths(text: str) -> list[str]:
    """The paths that a decorator is given: one, several in a list, or by names, which stand in angle brackets."""
    opening = _ARGUMENTS.search(text)
    if opening is None:
        return []
    rest = text[opening.end() :]
    several = _LIST.match(rest)
    if several is None:
        return [path for path in [_path(rest)] if path is not None]
    return [path for each in several[1].split(",") if (path := _path(each)) is not None]


def _path(text: str) -> str | None:
    quoted = _QUOTED.match(text)
    if quoted is not None:
        said = next((each for each in quoted.groups() if each is not None), "")
        return _HOLE.sub(r"<\1>", said) if quoted[3] is not None else said
    named = _NAMED.match(text)
    return f"<{named[1]}>" if named is not None and named[1] not in {"undefined", "null"} else None


def controller_paths(owner: Symbol, decorators: frozenset[str]) -> list[str]:
    """What a class puts before the paths of its methods, by the first of these decorators that it has."""
    found = next((each for each in owner.decorators if each.name in decorators), None)
    return (written_paths(found.text) if found is not None else []) or [""]


def versioned(symbols: Iterable[Symbol]) -> str:
    """The versions of a route, its own or its controller's, marked so that their prefix can be put before them."""
    for symbol in symbols:
        for decorator in symbol.decorators:
            said = _SAID.search(decorator.text) if decorator.name == "Controller" else None
            written = decorator.text.partition("(")[2] if decorator.name == "Version" else said and said[1]
            versions = list(_versions(written)) if written else []
            if versions:
                return f"/{_MARK}{','.join(versions)}{_MARK}"
    return ""


def _versions(written: str) -> Iterator[str]:
    for found in _VERSION.finditer(written):
        if found[1]:
            yield found[1]
        else:
            yield NEUTRAL if found[2].endswith(NEUTRAL) else f"<{found[2]}>"
