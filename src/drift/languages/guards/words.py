"""The words of a language's frameworks that give guards away."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from drift.languages.frameworks import load_frameworks

_FILES: Final = {
    "csharp": "csharp", "go": "go", "java": "java", "javascript": "typescript", "php": "php", "python": "python",
    "ruby": "ruby", "rust": "rust", "tsx": "typescript", "typescript": "typescript",
}  # fmt: skip
_NO_NAMES: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class GuardWords:
    """Which names say what; a language has those that its frameworks know."""

    routes: frozenset[str]  # calls that register a route
    decorators: frozenset[str]  # likewise
    mounting: frozenset[str]  # calls that mount a router
    providers: tuple[str, ...]  # calls in the defaults and types of parameters
    between: bool = False  # arguments between the path and the handler are guards
    after_handler: tuple[str, ...] = ()  # packages whose guards stand behind the handler
    wrapped: frozenset[str] = _NO_NAMES  # routes whose handler may be wrapped
    unwrapping: frozenset[str] = _NO_NAMES  # calls around a handler that guard nothing
    keywords: frozenset[str] = (
        _NO_NAMES  # keyword arguments, and keys of objects and lists that are arguments
    )
    chained: frozenset[str] = _NO_NAMES  # calls before or behind a route in its chain
    named: bool = False  # what is chained or used says what it is by its own name
    behind: frozenset[str] = _NO_NAMES  # calls that hold for the routes before them in their chain alone
    groups: frozenset[str] = _NO_NAMES  # calls that make a router and may be given guards
    path_first: bool = False  # the first argument of a group is its path, however it is written
    uses: frozenset[str] = _NO_NAMES  # calls that give a router a guard
    unordered: frozenset[str] = _NO_NAMES  # of them: those that hold for routes before them, too
    hooks: frozenset[str] = _NO_NAMES  # decorators of a router that make a function a guard
    attributes: frozenset[str] = _NO_NAMES  # members of a class
    base_endings: tuple[str, ...] = ()  # of the names of parents
    filters: frozenset[str] = _NO_NAMES  # calls in a class
    router_endings: tuple[str, ...] = ()  # of names that are routers, which are mounted rather than used


@cache
def guard_words(grammar: str) -> GuardWords | None:
    """The words of a grammar's language; None where its frameworks have none.

    Raises:
        TypeError: a row has a name that is none of the fields above.
    """
    file = _FILES.get(grammar)
    if file is None:
        return None
    known = load_frameworks(file)
    rows: dict[str, Any] = {
        name: value if isinstance(value, bool) else _listed(name, value)
        for name, value in known.words["guards"].items()
    }
    providers = known.words.get("injection", {}).get("providers", ())
    routes, decorators = frozenset(known.calls), frozenset(known.decorators)
    mounting = frozenset(known.mounts) | rows.get("groups", _NO_NAMES)
    return GuardWords(routes, decorators, mounting, tuple(f"{each}(" for each in providers), **rows)


def _listed(name: str, value: list[str]) -> tuple[str, ...] | frozenset[str]:
    return tuple(value) if name.endswith("_endings") or name == "after_handler" else frozenset(value)
