"""The patterns of constructs as the folders of the languages have them; `constructs.py` says what they mean."""

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, Final

_FOLDERS: Final = {
    "c": "cpp", "cpp": "cpp", "csharp": "csharp", "go": "golang", "java": "java", "javascript": "typescript",
    "php": "php", "python": "python", "ruby": "ruby", "rust": "rust", "tsx": "typescript", "typescript": "typescript",
}  # fmt: skip


def pattern_data(grammar: str) -> dict[str, Any]:
    """The patterns of a grammar: those of its language, and those that it alone has."""
    source = files(f"drift.languages.{_FOLDERS[grammar]}").joinpath("constructs.toml").read_text("utf-8")
    data = tomllib.loads(source)
    for section, kinds in data.pop("also", {}).get(grammar, {}).items():
        for kind, patterns in kinds.items():
            own = data.setdefault(section, {})
            own[kind] = [*own.get(kind, ()), *patterns]
    return data


def listed_patterns(data: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Section, kind and pattern of each, with what its shorthands mean."""
    shorthands = data.get("shorthands", {})
    for section in ("calls", "handlers", "exits", "constructs"):
        for kind, patterns in data.get(section, {}).items():
            for pattern in patterns:
                yield section, kind, _expand(pattern, shorthands)


def _expand(pattern: str, shorthands: dict[str, str]) -> str:
    """The pattern with what its shorthands mean; one may use those before it."""
    for name, meaning in reversed(shorthands.items()):
        pattern = pattern.replace(f"<{name}>", meaning)
    return pattern
