"""The rules that findings are made by, read from rules.toml."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "info"]


class Rule(NamedTuple):
    """One rule: what it is called, how grave a break is, why it matters and what to do."""

    id: str
    severity: Severity
    title: str
    why: str
    help: str


@cache
def rules() -> Mapping[str, Rule]:
    """All rules, by their ids."""
    rows = tomllib.loads(files("drift.quality").joinpath("rules.toml").read_text("utf-8"))["rule"]
    return {row["id"]: Rule(**row) for row in rows}
