"""The kinds of weaknesses there are: kinds.toml."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from drift.libraries.form import Kind


@cache
def kinds() -> Mapping[str, Kind]:
    """Every kind by its name."""
    tables = tomllib.loads(files("drift.libraries").joinpath("kinds.toml").read_text(encoding="utf-8"))
    return {name: Kind(name, **table) for name, table in tables.items()}
