"""Classes that C++ defines outside of the class they belong to: `class Owner::Name {`."""

from __future__ import annotations

from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.keys import type_key


def outside_class(analysis: Analysis, owner: int, name: str) -> int | None:
    """The class that `class Owner::Name {` defines outside of its owner."""
    program = analysis.program
    language = program.table_of(owner).facts.language
    written = f"{program.symbol(owner).name}::{name}"
    for other in program.tables_at(program.providing(type_key(language, name))):
        for number, symbol in enumerate(other.symbols):
            is_named = symbol.name == name and symbol.kind in TYPE_KINDS
            if is_named and written in program.symbol(other.first + number).signature.partition("{")[0]:
                return other.first + number
    return None
