"""Which of several C++ functions of one name a call means, from how many arguments it gives to how they are written."""

from __future__ import annotations

from drift.languages import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.languages.cpp.numbers import certain_values
from drift.scan.link.languages.cpp.overloads import closest_overloads, without_withheld
from drift.scan.link.languages.cpp.shapes import overloads_by_shape
from drift.scan.link.languages.cpp.temporaries import overloads_for_forms
from drift.scan.link.overloads import accepts, by_name, counted_overloads, has_keywords, without_deleted


def chosen_overloads(
    analysis: Analysis, call: Call, scope: int, *, functions: tuple[int, ...]
) -> tuple[int, ...]:
    """Those of the functions that take what the call gives; all where that leaves none."""
    if has_keywords(call):
        return functions
    functions = without_withheld(analysis, without_deleted(analysis, functions))
    counted = counted_overloads(analysis, call, functions)
    if len(counted) < 2:  # noqa: PLR2004  # one is no choice
        return counted or functions
    forms = [value for _, value in call.arguments]
    given = [
        by_name(certain_values(analysis, form, analysis.evaluate(form, scope), scope=scope)) for form in forms
    ]
    shaped = overloads_by_shape(analysis, counted, forms, given=given)
    typed = tuple(one for one in shaped if accepts(analysis, one, given)) or shaped
    typed = overloads_for_forms(analysis, typed, forms, given=given, scope=scope)
    return closest_overloads(analysis, typed, given) if len(typed) > 1 and any(given) else typed
