"""What parameters.toml says."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def parameters(miner: str) -> dict[str, Any]:
    """The parameters of a miner."""
    found: dict[str, Any] = _all()[miner]
    return found


@cache
def _all() -> dict[str, Any]:
    return tomllib.loads(files("drift.guards.constraints").joinpath("parameters.toml").read_text("utf-8"))
