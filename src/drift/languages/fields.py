"""The fields of types as data: their types, whether they may be missing, and what they are called elsewhere.

Everything is read from the signature and the annotations that extraction keeps of a field; what means what in
which language is data, in `fields.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from drift.languages.facts import FileFacts, Symbol

_MOST_TYPE_CHARACTERS: Final = 200
# What stands before the type where the type stands before the name.
_MODIFIERS: Final = re.compile(
    r"(?:#\[[^\]]{0,200}\]\s*|(?:public|private|protected|internal|static|final|readonly|required|volatile|transient"
    r"|virtual|override|abstract|sealed|const|mutable|inline|constexpr|var|new|partial)\s+)*"
)
_VALUE: Final = re.compile(r" =(?!>) ?| ?\{")
_NAMES: Final = re.compile(r"\w+(?:, ?\w+)*+ ")  # of Go: one, or several that share a type
_MADE_BY: Final = re.compile(r"[^=\[({]{1,200}= ?([A-Za-z_][\w.]{0,100})\(")
_CASES: Final[dict[str, Callable[[list[str]], str]]] = {
    "camelCase": lambda words: words[0].lower() + "".join(map(str.capitalize, words[1:])),
    "PascalCase": lambda words: "".join(map(str.capitalize, words)),
    "snake_case": lambda words: "_".join(map(str.lower, words)),
    "SCREAMING_SNAKE_CASE": lambda words: "_".join(map(str.upper, words)),
    "kebab-case": lambda words: "-".join(map(str.lower, words)),
    "SCREAMING-KEBAB-CASE": lambda words: "-".join(map(str.upper, words)),
    "lowercase": lambda words: "".join(map(str.lower, words)),
    "UPPERCASE": lambda words: "".join(map(str.upper, words)),
}


class TypeField(NamedTuple):
    """A field of a type, by the number of its symbol."""

    symbol: int
    type: str | None  # as written
    is_optional: bool
    wire_name: str | None  # null: nothing says that it differs from the field's name
    column_name: str | None  # likewise


class _Rules(NamedTuple):
    placement: str  # where a signature has the type
    optional: re.Pattern[str] | None
    wire: tuple[re.Pattern[str], ...]
    column: tuple[re.Pattern[str], ...]
    renaming: re.Pattern[str] | None
    words: tuple[str, ...]  # without any of which no pattern above fits; empty where that is not said


def type_fields(facts: FileFacts) -> Iterator[TypeField]:
    """The fields of a file's types of which more is said than their names."""
    rules = _rules().get(facts.language)
    if rules is None:
        return
    for number, symbol in enumerate(facts.symbols):
        if symbol.signature and _is_data(symbol, rules):
            found = _describe(number, symbol, facts.symbols[symbol.parent], rules)
            if any(found[1:]):
                yield found


@cache
def _rules() -> dict[str, _Rules]:
    """The rules of each language that has any."""
    data = tomllib.loads(files("drift.languages").joinpath("fields.toml").read_text("utf-8"))
    return {
        language: _Rules(
            placement,
            _compiled("|".join(data["optional"].get(language, ()))),
            tuple(map(re.compile, data["wire"].get(language, ()))),
            tuple(map(re.compile, data["column"].get(language, ()))),
            _compiled(data["renaming"].get(language)),
            tuple(data["words"].get(language, ())),
        )
        for placement, languages in data["types"].items()
        for language in languages
    }


def _compiled(pattern: str | None) -> re.Pattern[str] | None:
    return re.compile(pattern) if pattern else None


def _is_data(symbol: Symbol, rules: _Rules) -> bool:
    """Fields; also properties that are declared with a type, where these are what data is made of."""
    return symbol.kind == "field" or (symbol.kind == "property" and rules.placement == "before_name")


def _describe(number: int, symbol: Symbol, owner: Symbol, rules: _Rules) -> TypeField:
    annotations = [each.text for each in symbol.decorators]
    annotated = " ".join([*annotations, symbol.signature])
    if rules.words and not any(word in annotated for word in rules.words):
        return TypeField(
            number,
            _type_of(symbol, rules.placement),
            is_optional=False,
            wire_name=_renamed(symbol, owner, rules),
            column_name=None,
        )
    # Patterns that begin with the signature see it alone.
    is_optional = rules.optional is not None and bool(
        rules.optional.search(symbol.signature) or (annotations and rules.optional.search(annotated))
    )
    wire_name = _first(rules.wire, annotated) or _renamed(symbol, owner, rules)
    written = _type_of(symbol, rules.placement)
    if written is None and not symbol.decorators:  # a list or a table, which may say so of what it holds
        is_optional = False
    return TypeField(number, written, is_optional, wire_name, _first(rules.column, annotated))


def _first(patterns: tuple[re.Pattern[str], ...], text: str) -> str | None:
    return next((found[1] for pattern in patterns if (found := pattern.search(text))), None)


def _renamed(symbol: Symbol, owner: Symbol, rules: _Rules) -> str | None:
    """The name that the type gives all its fields by a rule; None where it has none, or one nobody knows."""
    if rules.renaming is None:
        return None
    rule = _first((rules.renaming,), " ".join(each.text for each in owner.decorators))
    case = _CASES.get(rule or "")
    words = [word for word in symbol.name.split("_") if word]
    renamed = case(words) if case and words else None
    return renamed if renamed != symbol.name else None


def _type_of(symbol: Symbol, placement: str) -> str | None:
    signature = symbol.signature
    if placement == "after_name":
        names = _NAMES.match(signature)
        written = signature[names.end() :].partition("`")[0] if names else ""
    elif placement == "after_colon":
        head, colon, behind = signature.partition(":")
        if colon and "=" not in head:
            written = _VALUE.split(behind, maxsplit=1)[0]
        else:  # the fields of models are told by what makes them
            made_by = _MADE_BY.match(signature)
            written = made_by[1] if made_by else ""
    else:
        before, _name, _rest = _VALUE.split(signature, maxsplit=1)[0].rpartition(symbol.name)
        modifiers = _MODIFIERS.match(before)
        written = before[modifiers.end() if modifiers else 0 :].strip().removesuffix("$")
    written = written.strip().rstrip(",;")
    return written[:_MOST_TYPE_CHARACTERS] or None
