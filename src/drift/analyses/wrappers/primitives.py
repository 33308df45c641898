"""What libraries give a project to build on: the table of primitives, and what a full name is in it."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

_MOST_PARTS: Final = 12


class Primitive(NamedTuple):
    """What a library gives for a purpose."""

    library: str
    purpose: str


class _Table(NamedTuple):
    whole: Mapping[str, Primitive]
    begun: Mapping[str, Primitive]
    """Names that have something behind them."""


@cache
def primitive_of(name: str) -> Primitive | None:
    """What a full name outside of the project is in the table, if it is there.

    What is called on the result of a primitive is none itself.
    """
    table, parts = _table(), name.replace("::", ".").split(".")
    if len(parts) > _MOST_PARTS:
        return None
    for start in range(len(parts)):
        # A package stands at the beginning; a type may have its namespace before it, or not.
        if start and not parts[start][:1].isupper():
            continue
        found = table.whole.get(".".join(parts[start:]))
        if found is not None:
            return found
        for end in range(max(start + 1, len(parts) - 2), len(parts)):
            found = table.begun.get(".".join(parts[start:end]))
            if found is not None and (end == len(parts) - 1 or parts[end][:1].isupper()):
                return found
    return None


@cache
def purposes() -> tuple[str, ...]:
    return tuple(_read()["purposes"])


@cache
def _table() -> _Table:
    whole: dict[str, Primitive] = {}
    begun: dict[str, Primitive] = {}
    for library, given in _read().items():
        if library == "purposes":
            continue
        for purpose, names in given.items():
            for name in names:
                found = Primitive(library, purpose)
                if name.endswith(".*"):
                    begun[name.removesuffix(".*")] = found
                else:
                    whole[name] = found
    return _Table(whole, begun)


def _read() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((files(__package__) / "primitives.toml").read_text("utf-8"))
