"""Rust's inherent methods, which come before those that a trait gives a type."""

from __future__ import annotations

from drift.scan.link.analysis import Analysis
from drift.scan.link.values import Value, Values, is_symbol, symbol_of


def inherent_first(analysis: Analysis, values: Values) -> Values:
    """Of members with one name those of the type's own impls, if there are any, else all.

    One that is not public hides nothing from those who cannot see it, and who asks is not known here.
    """
    own = tuple(value for value in values if not _is_of_trait(analysis, value))
    return own if any(_is_public(analysis, value) for value in own) else values


def _is_public(analysis: Analysis, value: Value) -> bool:
    return isinstance(value, int) and "exported" in analysis.program.symbol(symbol_of(value)).modifiers


def _is_of_trait(analysis: Analysis, value: Value) -> bool:
    """Whether a value is a method of an impl of a trait: it is public without saying so."""
    if not is_symbol(value):
        return False
    symbol = analysis.program.symbol(symbol_of(value))
    return symbol.kind == "method" and symbol.visibility == "public" and "exported" not in symbol.modifiers
