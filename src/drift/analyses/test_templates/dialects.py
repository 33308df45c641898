"""The ways of writing tests that dialects.toml knows."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

Signs = Mapping[str, re.Pattern[str]]


class Dialect(NamedTuple):
    """Of a language: what gives each way away, and what is taken where no test shows one."""

    framework: Signs
    style: Signs
    mock: Signs
    assertion: Signs
    default_framework: str
    default_style: str
    default_files: Mapping[str, str]  # by the type of the test


def dialect_of(family: str) -> Dialect | None:
    """How tests of a language are written; None for a language without any."""
    return _dialects().get(family)


@cache
def _dialects() -> dict[str, Dialect]:
    text = files("drift.analyses.test_templates").joinpath("dialects.toml").read_text("utf-8")
    return {family: _dialect(table) for family, table in tomllib.loads(text).items()}


def _dialect(table: Mapping[str, Any]) -> Dialect:
    default = table["default"]
    return Dialect(
        framework=_signs(table["framework"]),
        style=_signs(table["style"]),
        mock=_signs(table["mock"]),
        assertion=_signs(table["assertion"]),
        default_framework=default["framework"],
        default_style=default["style"],
        default_files={
            "unit": default["file"],
            "integration": table["integration"],
            "e2e": table["e2e"],
        },
    )


def _signs(table: Mapping[str, str]) -> Signs:
    return {name: re.compile(pattern, re.MULTILINE) for name, pattern in table.items()}
