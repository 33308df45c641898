"""How assertions, mocks and set-up are written, as signs.toml says."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

from drift.kernel.words import split_words

MockKind = Literal["module", "function", "class", "object"]
TargetForm = Literal["string", "member", "argument", "type", "receiver", "name", "field", "none", "provided"]

# Languages that are written alike share their signs.
_ALIKE: Final = {"typescript": "javascript"}


class MockSign(NamedTuple):
    """Calls that replace something, and how they name it."""

    kind: MockKind
    target: TargetForm
    calls: re.Pattern[str]
    unless: re.Pattern[str] | None


class MarkSign(NamedTuple):
    """Decorators and annotations that replace something."""

    kind: MockKind
    target: TargetForm
    names: frozenset[str]


class Signs(NamedTuple):
    """All signs, the patterns by language."""

    assertions: dict[str, re.Pattern[str]]
    errors: dict[str, re.Pattern[str]]
    edges: dict[str, re.Pattern[str]]
    error_words: frozenset[str]
    edge_words: frozenset[str]
    mocks: dict[str, tuple[MockSign, ...]]
    marks: dict[str, tuple[MarkSign, ...]]
    setup_names: frozenset[str]
    globals: frozenset[str]

    def is_assertion(self, language: str, text: str) -> bool:
        """Whether a call, as written, checks something."""
        return _fits(self.assertions, language, text)

    def is_error_check(self, language: str, text: str) -> bool:
        """Whether a call, as written, expects a failure."""
        return _fits(self.errors, language, text)

    def is_edge_check(self, language: str, text: str) -> bool:
        """Whether a call, as written, checks for nothing, emptiness and the like."""
        return _fits(self.edges, language, text)

    def mock_of(self, language: str, text: str) -> MockSign | None:
        """The sign by which a call, as written, replaces something."""
        for sign in self.mocks.get(_ALIKE.get(language, language), ()):
            if sign.calls.fullmatch(text) and not (sign.unless and sign.unless.fullmatch(text)):
                return sign
        return None

    def mark_of(self, language: str, name: str) -> MarkSign | None:
        """The sign by which a decorator or annotation replaces something."""
        signs = self.marks.get(_ALIKE.get(language, language), ())
        return next((sign for sign in signs if name in sign.names), None)


@cache
def load_signs() -> Signs:
    """The signs of signs.toml."""
    tables = tomllib.loads(files("drift.analyses.testing").joinpath("signs.toml").read_text("utf-8"))
    mocks: dict[str, tuple[MockSign, ...]] = {}
    for table in tables["mocks"]:
        unless = re.compile(table["unless"]) if "unless" in table else None
        sign = MockSign(table["kind"], table["target"], re.compile(table["calls"]), unless)
        mocks[table["language"]] = (*mocks.get(table["language"], ()), sign)
    marks: dict[str, tuple[MarkSign, ...]] = {}
    for table in tables["marks"]:
        mark = MarkSign(table["kind"], table.get("target", "string"), frozenset(table["names"]))
        marks[table["language"]] = (*marks.get(table["language"], ()), mark)
    return Signs(
        assertions=_patterns(tables["assertions"]),
        errors=_patterns(tables["errors"]),
        edges=_patterns(tables["edges"]),
        error_words=frozenset(tables["words"]["errors"]),
        edge_words=frozenset(tables["words"]["edges"]),
        mocks=mocks,
        marks=marks,
        setup_names=frozenset(tables["setup"]["names"]),
        globals=frozenset(tables["globals"]["names"]),
    )


def words_of(name: str) -> frozenset[str]:
    """The words a name or title is made of, in lower case."""
    return frozenset(split_words(name))


def _patterns(table: dict[str, str]) -> dict[str, re.Pattern[str]]:
    return {language: re.compile(pattern) for language, pattern in table.items()}


def _fits(patterns: dict[str, re.Pattern[str]], language: str, text: str) -> bool:
    pattern = patterns.get(_ALIKE.get(language, language))
    return pattern is not None and pattern.fullmatch(text) is not None
