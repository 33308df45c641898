"""Workflows that are tools of their own: workflows.toml."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from drift.context.composition import Step, check_steps


class Workflow(NamedTuple):
    """Calls that answer as one."""

    name: str
    title: str
    max_tokens: int
    steps: tuple[Step, ...]


@cache
def workflow(name: str) -> Workflow:
    """The workflow of a tool."""
    return _workflows()[name]


@cache
def _workflows() -> dict[str, Workflow]:
    data = tomllib.loads(files("drift.context").joinpath("workflows.toml").read_text("utf-8"))
    found = {}
    for name, table in data.items():
        steps = tuple(Step(**step) for step in table["steps"])
        check_steps(steps)
        found[name] = Workflow(name, table["title"], table["max_tokens"], steps)
    return found
