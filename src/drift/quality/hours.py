"""How long findings take to mend, from the table in hours.toml: one place for all answers that add up hours."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


def complexity_minutes(points_above: float) -> float:
    return _linear("complexity", points_above)


def clone_minutes(lines: int) -> float:
    return _linear("clone", lines)


def dead_code_minutes(symbols: int = 1) -> float:
    return float(_table()["dead_code"]["base"]) * symbols


def cycle_minutes(cut_symbols: int) -> float:
    return float(_table()["cycle"]["base"]) * max(1, cut_symbols)


def comment_minutes(category: str) -> float:
    return float(_table()["debt_comment"][category])


def in_hours(minutes: float) -> float:
    return round(minutes / 60, 1)


def _linear(kind: str, amount: float) -> float:
    row = _table()[kind]
    return float(row["base"] + row["step"] * max(0.0, amount) / row["per"])


@cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("drift.quality").joinpath("hours.toml").read_text("utf-8"))
