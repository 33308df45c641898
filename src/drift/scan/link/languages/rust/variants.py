"""Variants of enums that are made by calling them, as in Rust: `Shape::Circle(radius)`."""

from __future__ import annotations

from drift.languages.expressions import Expression
from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.names import definition_values
from drift.scan.link.referenced_symbols import referenced_symbols
from drift.scan.link.values import NOTHING, Values, merge


def named_variants(analysis: Analysis, call: Call, scope: int) -> list[int]:
    """The variants that a call makes, where its callee names variants."""
    return _variants(analysis, call.callee, scope)


def variant_fields(analysis: Analysis, variant: Expression, name: str, *, scope: int) -> Values:
    """What a field of the variants that an expression names holds: a pattern takes them apart."""
    found = _variants(analysis, variant, scope)
    return merge(definition_values(analysis, one, name) for one in found) if found else NOTHING


def _variants(analysis: Analysis, expression: Expression, scope: int) -> list[int]:
    program = analysis.program
    if program.table_of(scope).facts.language != "rust":
        return []
    return [
        symbol
        for symbol in referenced_symbols(analysis, expression, scope)
        if program.symbol(symbol).kind == "constant" and program.symbol(program.parent(symbol)).kind == "enum"
    ]
