"""Tokens of injection: what is got for one is of the type it is made for, or what its factory makes."""

from __future__ import annotations

from functools import cache

from drift.languages.expressions import Expression
from drift.languages.facts import Call
from drift.languages.typescript.vocabulary import TYPE_STOOD_FOR
from drift.scan.link.analysis import Analysis
from drift.scan.link.referenced_symbols import referenced_symbols
from drift.scan.link.values import SYMBOL_MASK, Values, merge


def token_objects(analysis: Analysis, given: Expression, scope: int) -> Values:
    """What is got for a token that an expression names."""
    program = analysis.program
    found: list[Values] = []
    for symbol in referenced_symbols(analysis, given, scope):
        table = program.table_of(symbol)
        around = program.parent(symbol)
        for definition in program.definitions(table, around & SYMBOL_MASK, program.symbol(symbol).name) or ():
            value = definition.value
            if value is not None and value[0] == "result":
                call = table.facts.calls[value[1]]
                found += [analysis.evaluate(form, around) for form in _stands_for(call)]
    return merge(found)


def _stands_for(call: Call) -> list[Expression]:
    names, factory = _words()
    if call.text.rpartition(".")[2] not in names:
        return []
    types: list[Expression] = [value for keyword, value in call.arguments if keyword == TYPE_STOOD_FOR]
    made: list[Expression] = [
        ("called", entry)
        for _, value in call.arguments
        if value is not None and value[0] == "dict"
        for key, entry in value[1:]
        if key == factory
    ]
    return types or made


@cache
def _words() -> tuple[frozenset[str], str]:
    from drift.languages.frameworks import load_frameworks  # only projects with scripts pay for reading it

    words = load_frameworks("typescript").words["injection"]
    return frozenset(words["tokens"]), str(words["factory"])
