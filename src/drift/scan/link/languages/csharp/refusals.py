"""Whether the methods that an object has itself refuse a call, so that C# looks for extension methods."""

from __future__ import annotations

from drift.languages import Call
from drift.scan.link.analysis import MOST_OVERLOADS, Analysis
from drift.scan.link.hierarchy import class_of, line_of_descent, own_members
from drift.scan.link.languages.csharp.overloads import refuses
from drift.scan.link.overloads import takes_count
from drift.scan.link.type_counts import arguments_behind, arity_of
from drift.scan.link.values import Values, is_bound, is_internal, symbol_of


def are_refused(analysis: Analysis, call: Call, scope: int, values: Values) -> bool:
    """Whether no method of the object takes as many arguments, or arguments and type arguments of that kind."""
    program = analysis.program
    methods = [symbol_of(value) for value in values if is_bound(value)]
    is_of_methods = len(methods) == sum(map(is_internal, values))
    if not is_of_methods or len(methods) > MOST_OVERLOADS or any(keyword for keyword, _ in call.arguments):
        return False
    members: dict[int, None] = {}
    for method in methods:
        owner, name = class_of(analysis, method), program.symbol(method).name
        if program.symbol(method).kind != "method" or owner is None:
            return False
        for ancestor in line_of_descent(analysis, owner):
            if isinstance(ancestor, int):
                members.update(dict.fromkeys(own_members(analysis, ancestor, name)))
    return all(_is_refused(analysis, call, scope, one) for one in members)


def _is_refused(analysis: Analysis, call: Call, scope: int, method: int) -> bool:
    symbol = analysis.program.symbol(method)
    if not takes_count(symbol.parameters, len(call.arguments)):
        return True
    given_count = arguments_behind(call.text)
    if given_count and arity_of(symbol) != given_count:
        return True
    return refuses(analysis, call, scope, function=method)
