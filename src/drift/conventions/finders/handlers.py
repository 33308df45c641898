"""Handlers of errors, throws, and checks of errors that are values."""

import json
from typing import Final

from drift.conventions.finders.form import Finder, fits, is_true, last_name
from drift.index.site_records import SiteHandling
from drift.languages.facts import HandlingTrait

_BROAD: Final = frozenset({"Exception", "BaseException", "Throwable", "Error", "StandardError", "..."})
_OF_LANGUAGES: Final = frozenset({"", "builtins", "System", "java.lang", "std"})
"""Where errors are at home that all others descend from: `binascii.Error` is one of many."""


def _types(row: SiteHandling) -> tuple[str, ...]:
    return tuple(last_name(each) for each in json.loads(row.types or "[]"))


def _is_broad(row: SiteHandling) -> bool:
    types = json.loads(row.types or "[]")
    return not types or any(map(_is_root, types))


def _is_root(written: str) -> bool:
    name = last_name(written)
    return name in _BROAD and written.removesuffix(name).strip(".\\:") in _OF_LANGUAGES


def _action(row: SiteHandling) -> str:
    traits = row.traits
    if row.is_empty:
        return "nothing"
    if traits & HandlingTrait.RETHROWS:
        return "rethrow"
    if traits & HandlingTrait.THROWS_OTHER:
        return "wrap" if traits & HandlingTrait.KEEPS_CAUSE else "replace"
    if traits & HandlingTrait.LOGS:
        return "log"
    return "return" if traits & (HandlingTrait.RETURNS | HandlingTrait.PASSES_ON) else "handle"


HANDLERS: Final = Finder(
    rows=lambda source, run: source.sites.handlings(run),
    kind_of=lambda row: str(row.kind),
    texts={
        "type": _types,
        "action": _action,
        "variable": lambda row: row.variable or "",
        "breadth": lambda row: "all" if _is_broad(row) else "typed",
        "logs": lambda row: "true" if row.traits & HandlingTrait.LOGS else "false",
    },
    tests={
        "types": lambda row, values: any(fits(values, each) for each in _types(row)),
        "broad": is_true(_is_broad),
        "empty": is_true(lambda row: row.is_empty),
    },
)
