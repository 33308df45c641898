"""What is known of a toolchain: how it is called, which commands it has, what belongs into its projects."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from drift.templates.engine import Value, Values, read_body, render

_ORDER: Final = (
    "rust", "deno", "python-uv", "node", "go", "java-maven", "php-composer", "dotnet", "cpp-cmake",
)  # fmt: skip


@cache
def toolchains() -> Mapping[str, Mapping[str, Any]]:
    """The toolchains in the order of listings, each a table of data/toolchains."""
    folder = files(__package__).joinpath("data/toolchains")
    return {
        name: {"name": name, **tomllib.loads(folder.joinpath(f"{name}.toml").read_text("utf-8"))}
        for name in _ORDER
    }


def describe_toolchain(name: str, *, project_name: str) -> Values:
    """What a body may say of its toolchain; one that only the project knows has but its name."""
    known: Values = toolchains().get(name, {"name": name, "title": name})
    return {key: _named(value, project_name) for key, value in known.items()}


def _named(value: Value, project_name: str) -> Value:
    """The value with the project's name in its commands and paths."""
    if isinstance(value, str):
        body = read_body(value, {"project_name"}) if "{{" in value else None
        return value if body is None else render(body, {"project_name": project_name})
    if isinstance(value, Mapping):
        return {key: _named(item, project_name) for key, item in value.items()}
    return value if isinstance(value, bool | int) else [_named(item, project_name) for item in value]
