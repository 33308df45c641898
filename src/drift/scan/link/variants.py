"""Variants of enums that are made by calling them, as in Rust: `Shape::Circle(radius)`."""

from __future__ import annotations

from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.designation import designate


def named_variants(analysis: Analysis, call: Call, scope: int) -> list[int]:
    """The variants that a call makes, where its callee names variants."""
    program = analysis.program
    if program.table_of(scope).facts.language != "rust":
        return []
    return [
        symbol
        for symbol in designate(analysis, call.callee, scope)
        if program.symbol(symbol).kind == "constant" and program.symbol(program.parent(symbol)).kind == "enum"
    ]
