"""What imports of whole modules and packages mean, and what of these they give."""

from __future__ import annotations

from typing import Final

from drift.languages.kinds import CODE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.values import Value, Values

_FLAT_PACKAGES: Final = frozenset({"csharp", "java"})


def module_in(analysis: Analysis, spaces: Values) -> int | None:
    """The module that is all an import means."""
    if len(spaces) != 1 or not isinstance(spaces[0], int):
        return None
    return spaces[0] >> 2 if analysis.program.symbol(spaces[0] >> 2).kind == "module" else None


def is_seen_whole(value: Value) -> bool:
    """Whether using all of a package gives the value: in some languages it gives no packages inside."""
    return not (isinstance(value, tuple) and value[0] == "package" and value[1] in _FLAT_PACKAGES)


def is_impl(analysis: Analysis, value: Value) -> bool:
    """Whether a value is an impl of a type from elsewhere, which its file sees by that name and gives to nobody."""
    return isinstance(value, int) and "impl" in analysis.program.symbol(value >> 2).modifiers


def of_space(analysis: Analysis, values: Values, language: str) -> Values:
    """Without the functions of a file where a namespace holds types alone: such stand in a class that is not readable."""
    if language != "csharp":
        return values
    symbol = analysis.program.symbol
    return tuple(one for one in values if not isinstance(one, int) or symbol(one >> 2).kind not in CODE_KINDS)
