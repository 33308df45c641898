"""Whether a value becomes an object of a class of C++ by being given: a constructor is called for it."""

from __future__ import annotations

from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import constructors_of
from drift.scan.link.overloads import takes_count


def converts(analysis: Analysis, owner: int) -> bool:
    """Whether a class has a constructor that takes one value and need not be named."""
    program = analysis.program
    if program.symbol(owner).kind == "type":
        return True  # another name for what nothing is known of
    constructors = [program.symbol(one) for one in constructors_of(analysis, owner)]
    return any("explicit" not in one.modifiers and takes_count(one.parameters, 1) for one in constructors)
