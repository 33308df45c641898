"""Elements of Go's named types: no method gives them, the type itself says what they are."""

from __future__ import annotations

from drift.scan.link.analysis import Analysis
from drift.scan.link.containers import element_values
from drift.scan.link.values import Values


def type_elements(analysis: Analysis, number: int) -> Values:
    """What `type Rows []Row` has elements of."""
    # Memoised, as a type may be one of its own elements: `type Tree []Tree`.
    return analysis.memoised(("elements", number), _type_elements, number)


def _type_elements(analysis: Analysis, number: int) -> Values:
    held = analysis.program.symbol(number).value_type
    return element_values(analysis, analysis.evaluate(held, analysis.program.parent(number)))
