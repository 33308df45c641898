"""How the arguments of a call flow into the parameters of what it calls."""

from __future__ import annotations

from drift.languages.facts import Call, Expression, Parameter
from drift.scan.link.analysis import Analysis
from drift.scan.link.returns import returned_values, yielded_values
from drift.scan.link.values import GENERATED, NOTHING, SYMBOL_MASK, Values, merge


def link_arguments(analysis: Analysis, function: int, call: Call, scope: int, *, is_bound: bool) -> None:
    """Let each argument flow into the parameter that takes it."""
    parameters = analysis.program.symbol(function).parameters
    if not parameters or not call.arguments:
        return
    positional = [
        place
        for place, parameter in enumerate(parameters)
        if parameter.kind == "plain" or (parameter.kind == "receiver" and not is_bound)
    ]
    rest = next((place for place, parameter in enumerate(parameters) if parameter.kind == "rest"), None)
    flows = _Flows(analysis, function, scope, parameters)
    at = 0
    for keyword, value in call.arguments:
        if keyword is None:
            place = positional[at] if at < len(positional) else rest
            at += 1
            if place is not None:
                flows.add(place, value)
        elif keyword == "*":
            for place in positional[at:]:
                flows.add(place, None if value is None else ("item", value))
            if rest is not None:
                flows.add(rest, None if value is None else ("item", value))
        elif keyword == "**":
            flows.spread(value)
        else:
            flows.add_keyword(keyword, value)


class _Flows:
    """The parameters of one callee, as a call fills them."""

    def __init__(
        self, analysis: Analysis, function: int, scope: int, parameters: tuple[Parameter, ...]
    ) -> None:
        self._analysis = analysis
        self._function = function
        self._scope = scope
        self._parameters = parameters

    def add(self, place: int, value: Expression) -> None:
        # A literal says nothing about which code runs, and would crowd out what does.
        if value is None or value[0] == "literal":
            return
        kind = self._parameters[place].kind
        if kind in {"rest", "keywords"}:
            number = collected(self._analysis, self._function, place)
            self._analysis.add_entry(number, None, (value, self._scope))
        else:
            self._analysis.add_argument(self._function, place, (value, self._scope))

    def add_keyword(self, keyword: str, value: Expression) -> None:
        if value is None or value[0] == "literal":
            return
        for place, parameter in enumerate(self._parameters):
            if parameter.name == keyword and parameter.kind not in {"rest", "keywords"}:
                self.add(place, value)
                return
        for place, parameter in enumerate(self._parameters):
            if parameter.kind == "keywords":
                number = collected(self._analysis, self._function, place)
                self._analysis.add_entry(number, keyword, (value, self._scope))

    def spread(self, value: Expression) -> None:
        if value is None or value[0] == "literal":
            return
        for place, parameter in enumerate(self._parameters):
            if parameter.kind in {"plain", "keyword"}:
                self.add(place, ("key", value, parameter.name))
            elif parameter.kind == "keywords":
                number = collected(self._analysis, self._function, place)
                self._analysis.add_entry(number, None, (("item", value), self._scope))


def collected(analysis: Analysis, function: int, place: int) -> int:
    """The number of the container that collects the surplus arguments of a function."""
    parameter = analysis.program.symbol(function).parameters[place]
    kind = "dict" if parameter.kind == "keywords" else "tuple"
    value, _ = analysis.container(("collected", function, place), kind, function)
    assert isinstance(value, tuple)
    number: int = value[1]
    return number


def parameter_values(analysis: Analysis, function: int, place: int) -> Values:
    """What a parameter may be: of its declared type, else whatever is seen to flow in."""
    parameter = analysis.program.symbol(function).parameters[place]
    if parameter.kind == "receiver":
        return analysis.evaluate(("this",), function)
    if parameter.kind in {"rest", "keywords"}:
        number = collected(analysis, function, place)
        declared = parameter.type
        if declared is not None:
            analysis.add_entry(number, None, (declared, analysis.program.parent(function)))
        return (("container", number),)
    values = analysis.evaluate(parameter.type, analysis.program.parent(function))
    values = values or _provided_values(analysis, function, parameter.name)
    if values:
        return values
    analysis.is_provisional = True
    given = analysis.arguments.get((function, place))
    if not given:
        return NOTHING
    return merge(analysis.evaluate(value, scope) for value, scope in given)


def _provided_values(analysis: Analysis, function: int, name: str) -> Values:
    """What a framework gives to a parameter: the result of the function that provides it."""
    program = analysis.program
    table = program.table_of(function)
    place = program.rules(table).provider(table.path, function & SYMBOL_MASK, name)
    if place is None or place[0] not in program.files:
        return NOTHING
    provider = program.table(program.files[place[0]]).first + place[1]
    values = returned_values(analysis, provider)
    generators = [value for value in values if isinstance(value, int) and value & 3 == GENERATED]
    if not generators:
        return values
    return yielded_values(analysis, provider)
