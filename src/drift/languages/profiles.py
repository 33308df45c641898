"""What there is to tell of a language beyond its facts: `profile.toml` in its folder.

- `title`, `languages`: how it is called, and the names of `table.py` that it stands for;
- `frameworks`, in the order they are asked: `name`, the beginnings of the `packages` that give one away, `paths` of files
  that its routes stand in, and whether its `routes` are read;
- `blocking`: calls that hold up an event loop by their full names, a dot at the end for all below; `instead`: what to use;
- `errors`: the rules of `analyses/language_profiles/errors.py` that hold besides those of every language;
- `words`: lists that one analysis of the language asks for.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

_FOLDERS: Final = {"go": "golang", "wpf": "xaml"}
PROFILED: Final = ("typescript", "python", "java", "php", "go", "rust", "cpp", "wpf", "csharp")
"""The languages that have a profile, by its name."""


class Framework(NamedTuple):
    """A framework and what gives it away."""

    name: str
    packages: tuple[str, ...]
    paths: tuple[str, ...] = ()
    routes: bool = False

    def is_given_away(self, package: str) -> bool:
        """Whether a package or a full name is of the framework."""
        return any(
            package == each
            or (package.startswith(each) and (not each[-1].isalnum() or not package[len(each)].isalnum()))
            for each in self.packages
        )


@dataclass(frozen=True, slots=True)
class LanguageProfile:
    """The file of one language."""

    name: str
    title: str
    languages: tuple[str, ...]
    frameworks: tuple[Framework, ...]
    blocking: Mapping[str, str]  # what to use instead, by full name
    error_rules: tuple[str, ...]
    words: Mapping[str, tuple[str, ...]]

    @property
    def routed(self) -> tuple[Framework, ...]:
        """Those whose routes are read."""
        return tuple(each for each in self.frameworks if each.routes)


@cache
def load_profile(name: str) -> LanguageProfile:
    """The profile of a language, checked when first asked for.

    Raises:
        ValueError: the file states something that no profile can state.
    """
    folder = files(f"drift.languages.{_FOLDERS.get(name, name)}")
    data: dict[str, Any] = tomllib.loads(folder.joinpath("profile.toml").read_text("utf-8"))
    unknown = data.keys() - {"title", "languages", "frameworks", "blocking", "errors", "words"}
    if unknown:
        raise ValueError(f"the profile of {name} has unknown parts {sorted(unknown)}")
    return LanguageProfile(
        name,
        data["title"],
        tuple(data["languages"]),
        tuple(_framework(row) for row in data.get("frameworks", ())),
        {call: row["instead"] for row in data.get("blocking", ()) for call in row["calls"]},
        tuple(data.get("errors", {}).get("rules", ())),
        {key: tuple(words) for key, words in data.get("words", {}).items()},
    )


def _framework(row: Mapping[str, Any]) -> Framework:
    unknown = row.keys() - set(Framework._fields)
    if unknown:
        raise ValueError(f"a framework states unknown things: {sorted(unknown)}")
    return Framework(
        row["name"], tuple(row["packages"]), tuple(row.get("paths", ())), bool(row.get("routes", False))
    )
