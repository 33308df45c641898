"""The words that no symbol can be called."""

import tomllib
from functools import cache
from importlib.resources import files


@cache
def keywords_of(language: str | None) -> frozenset[str]:
    """The keywords of a language; of one without a list, those that most have."""
    table = _table()
    return frozenset(table.get(language or "", table["common"]))


@cache
def _table() -> dict[str, list[str]]:
    table = tomllib.loads(files("drift.analyses.usages").joinpath("keywords.toml").read_text("utf-8"))
    return table | {"typescript": table["javascript"]}
