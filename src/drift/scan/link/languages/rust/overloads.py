"""Which of several Rust methods of one name a call means: in impls for other type arguments it may take more or less."""

from __future__ import annotations

from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis


def overloads_with_count(analysis: Analysis, call: Call, functions: tuple[int, ...]) -> tuple[int, ...]:
    """Those that take as much as is given, the object too where a path names the method; all if none."""
    count = len(call.arguments)
    is_path = "::" in call.text.rpartition(".")[2]
    found = []
    for one in functions:
        parameters = analysis.program.symbol(one).parameters
        counts = is_path or not any(given.kind == "receiver" for given in parameters)
        if len(parameters) - (not counts) == count or any(given.kind == "rest" for given in parameters):
            found.append(one)
    return tuple(found) or functions
