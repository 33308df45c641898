"""What imports of whole modules and packages mean, and what of these they give."""

from __future__ import annotations

from drift.languages.kinds import CODE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.semantics import Semantics
from drift.scan.link.values import Values, symbol_of


def module_in(analysis: Analysis, spaces: Values) -> int | None:
    """The module that is all an import means."""
    if len(spaces) != 1 or not isinstance(spaces[0], int):
        return None
    return symbol_of(spaces[0]) if analysis.program.symbol(symbol_of(spaces[0])).kind == "module" else None


def seen_whole(analysis: Analysis, values: Values) -> Values:
    """The values that using all of a package gives: in some languages it gives no packages inside."""
    semantics_of = analysis.program.semantics_of
    return tuple(
        value
        for value in values
        if not (
            isinstance(value, tuple) and value[0] == "package" and semantics_of(value[1]).has_flat_packages
        )
    )


def of_space(analysis: Analysis, values: Values, semantics: Semantics) -> Values:
    """Without the functions of a file where a namespace holds types alone."""
    if semantics.has_functions_in_namespaces:
        return values
    symbol = analysis.program.symbol
    return tuple(
        one for one in values if not isinstance(one, int) or symbol(symbol_of(one)).kind not in CODE_KINDS
    )
