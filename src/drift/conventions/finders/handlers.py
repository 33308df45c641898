"""Handlers of errors, throws, and checks of errors that are values."""

import json
from typing import Final

from drift.conventions.finders.form import Finder, fits, is_true, last_name
from drift.index.site_records import SiteHandling
from drift.languages.facts import HandlingTrait

_BROAD: Final = frozenset({"Exception", "BaseException", "Throwable", "Error", "StandardError", "..."})


def _types(row: SiteHandling) -> tuple[str, ...]:
    return tuple(last_name(each) for each in json.loads(row.types or "[]"))


def _is_broad(row: SiteHandling) -> bool:
    types = _types(row)
    return not types or not _BROAD.isdisjoint(types)


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
