"""The constructors that `super().__call__()` of a metaclass runs: those of the classes of its file that it makes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.metaclasses import CALLING, calls_of_class

_PLAIN_CALL: Final = (
    "builtins.type.__call__"  # what runs where no metaclass of the project says something else
)


def classes_made(analysis: Analysis, scope: int, outside: Collection[str | None]) -> tuple[int, ...]:
    """The classes of a file whose metaclass has the method at hand, where that goes on to make them."""
    if _PLAIN_CALL not in outside or analysis.program.symbol(scope).name != CALLING:
        return ()
    table = analysis.program.table_of(scope)
    classes = (table.first + number for number, one in enumerate(table.symbols) if one.kind in TYPE_KINDS)
    return tuple(one for one in classes if scope in calls_of_class(analysis, one))
