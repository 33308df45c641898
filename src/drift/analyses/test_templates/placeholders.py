"""A value to begin with for a parameter, by its type."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

_OPTIONAL: Final = (
    re.compile(r"""^["']?(.+?)(?<!\s)\s*+\|\s*+(?:None|null|undefined)["']?$"""),
    re.compile(r"^(?:typing\.)?Optional\[(.+)\]$"),
    re.compile(r"^(?:typing\.)?Annotated\[([^,\[\]]+(?:\[[^\]]*\])?),.*\]$"),
)


def placeholder(family: str, type_text: str | None) -> str | None:
    """A plain value of the type; None where only the author can say."""
    if not type_text:
        return None
    text = " ".join(type_text.split())
    if family in {"python", "script"}:
        text = _without_optional(text)
    for pattern, value in _values().get(family, ()):
        if pattern.fullmatch(text):
            return value.replace("{type}", text)
    return None


def _without_optional(text: str) -> str:
    for pattern in _OPTIONAL:
        if found := pattern.match(text):
            return found.group(1).strip()
    return text


@cache
def _values() -> dict[str, tuple[tuple[re.Pattern[str], str], ...]]:
    text = files("drift.analyses.test_templates").joinpath("placeholders.toml").read_text("utf-8")
    return {
        family: tuple((re.compile(pattern), value) for pattern, value in table.items())
        for family, table in tomllib.loads(text).items()
    }
