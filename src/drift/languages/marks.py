"""What decorators, annotations and attributes of a route say by their names alone."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from drift.languages.frameworks import load_frameworks

_QUOTED: Final = re.compile(r"'[^']*+'|\"[^\"]*+\"|`[^`]*+`")


@cache
def _words() -> Mapping[str, frozenset[str]]:
    text = files("drift.languages").joinpath("marks.toml").read_text("utf-8")
    return {name: frozenset(found) for name, found in tomllib.loads(text).items()}


def mark_name(text: str) -> str:
    """The last name of a decorator, annotation or attribute as written."""
    return text.strip("@#[]").partition("(")[0].replace("::", ".").rpartition(".")[2]


def keeps_nobody_out(text: str, language: str | None) -> bool:
    """Whether a mark makes the route, says what it is like or tells readers about it, whatever its words are."""
    name = mark_name(text)
    return name in _words()["documenting"] or name in _words()["plain"] or name in _making(language)


@cache
def _making(language: str | None) -> frozenset[str]:
    """The names of marks that make routes."""
    name = "typescript" if language == "javascript" else language
    if name is None or not files("drift.languages.frameworks").joinpath(f"{name}.toml").is_file():
        return frozenset()
    rules = load_frameworks(name).decorators
    return frozenset(name for name, rows in rules.items() if any(row.kind == "http" for row in rows))


def names_in_mark(text: str) -> str:
    """What a mark says in names: without its quoted texts, which are paths and prose, unless they name what stands before."""
    name = mark_name(text).lower()
    return text if any(word in name for word in _words()["naming_guards"]) else _QUOTED.sub("", text)
