"""What a class only says it implements: an interface gives it no members."""

from __future__ import annotations

from collections.abc import Collection

from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import Ancestor, base_values, line_of_descent
from drift.scan.link.partials import other_parts
from drift.scan.link.values import symbol_of


def giving_ancestors(analysis: Analysis, owner: int) -> Collection[Ancestor]:
    """The class and those of its ancestors from which it has members: not what it only says it implements."""
    if analysis.program.semantics_at(owner).has_members_of_interfaces:
        return line_of_descent(analysis, owner)
    found: Collection[Ancestor] = analysis.cached(("giving", owner), _find_giving, owner)
    return found


def _find_giving(analysis: Analysis, owner: int) -> Collection[Ancestor]:
    program = analysis.program
    found: dict[Ancestor, None] = dict.fromkeys((owner, *other_parts(analysis, owner)))
    waiting: list[Ancestor] = list(found)
    while waiting:
        here = waiting.pop()
        bases = program.symbol(here).bases if isinstance(here, int) else ()
        for position, base in enumerate(bases):
            values = () if base.kind == "implements" else base_values(analysis, int(here), position)
            for one in values:
                ancestor = symbol_of(one) if isinstance(one, int) else str(one)
                if ancestor not in found:
                    found[ancestor] = None
                    waiting.append(ancestor)
    return tuple(found)
