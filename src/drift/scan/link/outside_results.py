"""What functions outside the project give, and which functions they call that they are given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.dispatching import dispatched
from drift.scan.link.returns import returned_values
from drift.scan.link.tables import FILLING
from drift.scan.link.values import NOTHING, Arguments, Value, Values, merge, plain_name, unsure_value

# What such a name is followed by says nothing of the value's class.
_SHAPELESS: Final = ("typing.", "typing_extensions.")


def outside_result(analysis: Analysis, name: str, call: Call, scope: int) -> Values:
    """What calling something outside gives: something outside too, unless it passes on its arguments or may give anything."""
    rules, plain = analysis.program.semantics_at(scope), plain_name(name)
    known = rules.known_result(analysis, plain, call, scope)
    if known is not None and known != (plain,):
        return known
    handled = merge(returned_values(analysis, one) for one in dispatched(analysis, call, scope, (plain,)))
    if handled:
        return handled
    if name.startswith(_SHAPELESS):
        return NOTHING
    given = name if call.kind == "new" else rules.outside_names.result_of(name)
    return (unsure_value(name),) if given is None else (given,)


def elements_given(
    analysis: Analysis, value: Value, call: Call, scope: int
) -> Iterator[tuple[int, Arguments]]:
    """For functions that a call goes through elements with: the place of such a function, and what it is given."""
    if isinstance(value, str):
        yield from analysis.program.semantics_at(scope).elements_given(value, call)
    elif isinstance(value, tuple) and value[0] == "method":
        given = [place for place, (keyword, _) in enumerate(call.arguments) if keyword is None]
        if isinstance(value[1], tuple) and value[2] not in FILLING and given:
            yield given[0], ((None, ("held", value[1][1])),)
