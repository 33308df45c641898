"""Which of several functions of one name a call means: by whether it gives type arguments (`Get<User>(id)`)."""

from __future__ import annotations

from drift.languages import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.type_counts import arity_of


def of_that_form(analysis: Analysis, call: Call, functions: tuple[int, ...]) -> tuple[int, ...]:
    """Those that take type arguments where the call gives some, those that take none where it does not; else all."""
    if len(functions) < 2:  # noqa: PLR2004  # one is no choice
        return functions
    is_given = call.text.endswith(">")
    return tuple(one for one in functions if _is_generic(analysis, one) == is_given) or functions


def _is_generic(analysis: Analysis, function: int) -> bool:
    return bool(arity_of(analysis.program.symbol(function)))
