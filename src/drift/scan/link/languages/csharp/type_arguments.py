"""Which of several functions of one name a call means: by whether it gives type arguments (`Get<User>(id)`)."""

from __future__ import annotations

from typing import Final

from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.type_counts import arity_of

_GIVING_THEM_BEHIND_THE_NAME: Final = frozenset({"csharp"})


def of_that_form(analysis: Analysis, call: Call, symbols: list[int]) -> list[int]:
    """Those that take type arguments where the call gives some, those that take none where it does not; else all."""
    program = analysis.program
    if len(symbols) < 2:  # noqa: PLR2004  # one is no choice
        return symbols
    if program.table_of(symbols[0]).facts.language not in _GIVING_THEM_BEHIND_THE_NAME:
        return symbols
    is_given = call.text.endswith(">")
    alike = [one for one in symbols if _is_generic(analysis, one) == is_given]
    return alike or symbols


def _is_generic(analysis: Analysis, function: int) -> bool:
    return bool(arity_of(analysis.program.symbol(function)))
