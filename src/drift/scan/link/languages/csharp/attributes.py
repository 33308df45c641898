"""The class that an attribute is of: by its name, or by that with `Attribute` behind it."""

from __future__ import annotations

from drift.languages.csharp.attributes import ATTRIBUTE, whole_name
from drift.languages.expressions import Expression
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.languages.csharp.platform import descends
from drift.scan.link.referenced_symbols import referenced_symbols


def attribute_classes(analysis: Analysis, named: Expression, scope: int) -> tuple[int, ...]:
    """The classes that an attribute may be of: those that descend from the platform's, or may do so."""
    for form in dict.fromkeys((whole_name(named), named)):
        found = tuple(
            one for one in referenced_symbols(analysis, form, scope) if _may_be_attribute(analysis, one)
        )
        if found:
            return found
    return ()


def _may_be_attribute(analysis: Analysis, owner: int) -> bool:
    if analysis.program.symbol(owner).kind not in TYPE_KINDS:
        return False
    outside = [one.rpartition(".")[2] for one in line_of_descent(analysis, owner) if isinstance(one, str)]
    return any(one.endswith(ATTRIBUTE) or descends(one, ATTRIBUTE) is not False for one in outside)
