"""Which errors a handler catches: what types descend from, in the project and in the languages themselves.

Types go by their last names, as handlers write them: two of one name in one language are taken for one.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from drift.index import IndexReader

# JavaScript and TypeScript are one language here.
_SAME: Final = {
    "typescript": "javascript",
    "tsx": "javascript",
    "jsx": "javascript",
    "kotlin": "java",
    "c": "cpp",
}
_MOST_ANCESTORS: Final = 200


class Family(NamedTuple):
    """What a language says of its errors."""

    root: str
    catches_all: frozenset[str]
    beside: frozenset[str]
    placeholders: frozenset[str]
    parents: Mapping[str, frozenset[str]]


def family_name(language: str) -> str:
    """The language whose errors those of a language are."""
    return _SAME.get(language, language)


def last_name(written: str) -> str:
    """The last part of a type as written: of `errors.NotFound`, `const NotFound&`, `NotFound.class` and their like."""
    bare = written.partition("<")[0].partition("[")[0].partition("(")[0].removesuffix(".class")
    bare = bare.removeprefix("const ").strip("*&:\\ ")
    return bare.replace("::", ".").replace("\\", ".").rpartition(".")[2].strip()


class Hierarchy:
    """What the types of a project descend from."""

    def __init__(self, reader: "IndexReader") -> None:
        languages = {number: one.language for number, one in reader.errors.files().items()}
        self._parents: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for symbol, name, base in reader.errors.bases():
            family = family_name(languages.get(symbol >> 16, ""))
            self._parents[family][name].add(last_name(base))
        self._known: dict[tuple[str, str], frozenset[str]] = {}

    def ancestors(self, language: str, name: str) -> frozenset[str]:
        """The type itself and all it descends from; one of which nothing is known descends from the root."""
        key = (language, name)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._climb(language, name)
        return found

    def catches(self, language: str, handler: Iterable[str], thrown: str) -> bool:
        """Whether a handler of these types catches what is thrown; one of none catches all."""
        wanted = [last_name(each) for each in handler]
        return not wanted or not self.ancestors(language, thrown).isdisjoint(wanted) or "..." in wanted

    def _climb(self, language: str, name: str) -> frozenset[str]:
        family, own = families().get(language), self._parents.get(language, {})
        seen, level = {name}, [name]
        while level and len(seen) < _MOST_ANCESTORS:
            above: set[str] = set()
            for each in level:
                above |= own.get(each, set())
                above |= family.parents.get(each, frozenset()) if family is not None else frozenset()
            level = [each for each in above if each not in seen]
            seen.update(level)
        if family is not None and seen.isdisjoint({family.root, *family.beside}):
            seen |= self._climb(language, family.root) if name != family.root else {name}
        return frozenset(seen)


def catches_everything(language: str, types: Iterable[str]) -> bool:
    """Whether a handler of these types catches whatever is thrown."""
    named = [last_name(each) for each in types]
    family = families().get(family_name(language))
    return not named or "..." in named or (family is not None and not family.catches_all.isdisjoint(named))


def root_of(language: str) -> str:
    """What an error of the language is of which nothing is known."""
    family = families().get(language)
    return family.root if family is not None else "error"


@cache
def families() -> dict[str, Family]:
    """The errors of each language, as hierarchy.toml has them."""
    folder = files("drift.analyses.error_handling")
    tables = tomllib.loads(folder.joinpath("hierarchy.toml").read_text("utf-8"))
    found = {}
    for language, table in tables.items():
        parents: dict[str, set[str]] = defaultdict(set)
        for parent, children in table["children"].items():
            for child in children:
                parents[child].add(parent)
        found[language] = Family(
            table["root"],
            frozenset(table["all"]),
            frozenset(table["beside"]),
            frozenset(table.get("placeholders", ())),
            {name: frozenset(some) for name, some in parents.items()},
        )
    return found
