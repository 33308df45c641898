"""What Rust's traits for iteration and indexing give of an object."""

from __future__ import annotations

from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.containers import element_values, methods_named
from drift.scan.link.returns import returned_values
from drift.scan.link.values import Values, merge, symbol_of

_GIVING: Final = ("next", "index")
_ITERATORS: Final = ("into_iter", "iter")


def object_elements(analysis: Analysis, value: int) -> Values:
    """An element of an object."""
    return analysis.memoised(("elements", symbol_of(value)), _elements, value)


def _elements(analysis: Analysis, value: int) -> Values:
    found = merge(
        returned_values(analysis, symbol_of(one)) for one in methods_named(analysis, value, _GIVING)
    )
    if found:
        return found
    iterators = (
        returned_values(analysis, symbol_of(one)) for one in methods_named(analysis, value, _ITERATORS)
    )
    return element_values(analysis, tuple(one for one in merge(iterators) if one != value))
