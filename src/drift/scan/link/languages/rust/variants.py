"""Variants of enums that are made by calling them: `Shape::Circle(radius)`."""

from __future__ import annotations

from drift.languages.expressions import Expression
from drift.scan.link.analysis import Analysis
from drift.scan.link.referenced_symbols import referenced_symbols


def named_variants(analysis: Analysis, named: Expression, scope: int) -> list[int]:
    """The variants that an expression names."""
    program = analysis.program
    return [
        symbol
        for symbol in referenced_symbols(analysis, named, scope)
        if program.symbol(symbol).kind == "constant" and program.symbol(program.parent(symbol)).kind == "enum"
    ]
