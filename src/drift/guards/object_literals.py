"""Objects that are written where they are made: what they have stands between their braces."""

from collections.abc import Sequence

from drift.scan.link.analysis import Analysis
from drift.scan.link.holders import ALL_MEMBERS
from drift.scan.link.links import Place
from drift.scan.link.values import Value


def literal_functions(analysis: Analysis, values: Sequence[Value]) -> dict[str, Place] | None:
    """The functions of literals by their keys; None where a value is none, or may have keys that are not in sight."""
    found: dict[str, Place] = {}
    for value in values:
        if not isinstance(value, tuple) or value[0] != "container":
            return None
        made = analysis.containers[value[1]]
        is_literal = made.kind == "dict" and made.function is None
        if not is_literal or any(key is None or key == ALL_MEMBERS for key, _, _ in made.entries):
            return None
        first = analysis.program.table_of(made.scope).first
        for key, form, _ in made.entries:
            if key is not None and form is not None and form[0] == "symbol":
                found[key] = analysis.program.place(first + form[1])
    return found or None


def files_making(analysis: Analysis, values: Sequence[Value]) -> set[str]:
    """The files that make some literals."""
    numbers = (value[1] for value in values if isinstance(value, tuple) and value[0] == "container")
    return {analysis.program.table_of(analysis.containers[number].scope).path for number in numbers}
