"""Arguments that a tool takes and this call does not use: whoever gives one is told, instead of wondering."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from drift.registry import ToolDefinition


class Rule(NamedTuple):
    """An argument goes with these values of another."""

    argument: str
    by: str
    values: frozenset[str]


@cache
def rules_by_tool() -> Mapping[str, tuple[Rule, ...]]:
    """The rules of `used_with.toml`; those of an argument that is always used have no values."""
    table = tomllib.loads(files(__package__).joinpath("used_with.toml").read_text("utf-8"))
    return {
        tool: tuple(
            Rule(argument, rule["by"], frozenset(values)) for argument, values in rule["arguments"].items()
        )
        for rule in table["rules"]
        for tool in rule["tools"]
    }


def unused_arguments(tool: ToolDefinition, given: Mapping[str, Any]) -> Iterator[str]:
    """A warning for each argument that was given and has no effect."""
    defaults = {parameter.wire: parameter.default for parameter in tool.parameters}
    for rule in rules_by_tool().get(tool.name, ()):
        chosen = given.get(rule.by, defaults.get(rule.by))
        if rule.argument in given and rule.values and chosen is not None and chosen not in rule.values:
            fitting = " or ".join(sorted(rule.values & set(tool.input_schema["properties"][rule.by]["enum"])))
            yield f"{rule.argument} had no effect: it goes with {rule.by}={fitting}"
