"""The table of rules and lists of words."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load_table() -> dict[str, Any]:
    """rules.toml as it stands, read once."""
    return tomllib.loads(files("drift.kernel.redaction").joinpath("rules.toml").read_text(encoding="utf-8"))


def fill_lists(pattern: str) -> str:
    """The pattern with `<<name>>` as any of the words of that list."""
    for name, words in load_table()["lists"].items():
        pattern = pattern.replace(f"<<{name}>>", "|".join(words))
    return pattern
