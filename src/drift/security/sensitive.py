"""Which fields hold what must not get out, and why: by their names, their types and what is said of them.

What it does: names fields of models and columns that hold credentials, money, health or persons' data.
Why it matters: what reaches such a field is what a review looks at first.
Example: `password_hash` is a credential by its name; `password_changed_at` is about one, and is none.
Known limits: a name that says nothing (`data`, `value`) is not seen, whatever is kept under it.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple, cast

from drift.analyses.data_access import DataMap, Model, ModelField

Sensitivity = Literal["credentials", "financial", "health", "personal"]
SENSITIVITIES: Final[tuple[Sensitivity, ...]] = ("credentials", "financial", "health", "personal")

_PART: Final = re.compile(r"[A-Z]{2,40}(?=[A-Z][a-z])|[A-Z]?[a-z]{1,60}|[A-Z]{1,60}|\d{1,20}")
_FLAGS: Final = ("bool",)
_TIMES: Final = ("datetime", "timestamp", "instant", "localdate", "datefield", "date")
# A field of one word that so many tables have is a part of how the project works, not what it hides.
_MANY_TABLES: Final = 5
_MOST_WORDS: Final = 12


class Verdict(NamedTuple):
    """What a field holds, how bad a leak of it is, who has rules about it, and what gave it away."""

    kind: Sensitivity
    score: int
    regulations: tuple[str, ...]
    why: str
    only_of_people: bool = False


@dataclass(frozen=True, slots=True)
class SensitiveField:
    """A field of a model that holds what must not get out."""

    table: str
    field: str
    kind: Sensitivity
    score: int
    why: str
    regulations: tuple[str, ...]
    file: str
    line: int
    model: str


class _Rule(NamedTuple):
    kind: Sensitivity
    score: int
    regulations: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    only_of_people: bool


class _Rules(NamedTuple):
    names: tuple[_Rule, ...]
    types: tuple[_Rule, ...]
    marks: tuple[_Rule, ...]
    others: tuple[tuple[str, ...], ...]
    endings: frozenset[str]
    beginnings: frozenset[str]
    people: frozenset[str]


@cache
def _rules() -> _Rules:
    data = tomllib.loads(files("drift.security").joinpath("sensitive.toml").read_text("utf-8"))
    return _Rules(
        tuple(map(_rule, data["rule"])),
        tuple(map(_rule, data["type"])),
        tuple(map(_rule, data["mark"])),
        tuple(tuple(phrase.split()) for one in data["not"] for phrase in one["words"]),
        frozenset(data["about_endings"]),
        frozenset(data["about_beginnings"]),
        frozenset(data["people"]),
    )


def _rule(table: dict[str, object]) -> _Rule:
    words = tuple(cast("list[str]", table["words"]))
    return _Rule(
        cast("Sensitivity", table["kind"]),
        cast("int", table["score"]),
        tuple(cast("list[str]", table.get("regulations", []))),
        tuple(tuple(phrase.lower().split()) for phrase in words),
        words,
        bool(table.get("only_of_people", False)),
    )


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, whatever its case."""
    return tuple(part.lower() for part in _PART.findall(name)[:_MOST_WORDS])


@lru_cache(maxsize=65_536)
def judge_name(name: str) -> Verdict | None:
    """What a field of this name holds, as far as the name says."""
    words = words_of(name)
    rules = _rules()
    if not words or any(_has(words, phrase) for phrase in rules.others):
        return None
    fitting = [
        (len(phrase), rule.score, rule, phrase)
        for rule in rules.names
        for phrase in rule.phrases
        if _has(words, phrase) and not _is_about(words, phrase, rules)
    ]
    if not fitting:
        return None
    # More words say more: an ip address is no address of a person.
    _, _, rule, phrase = max(fitting, key=lambda one: one[:2])
    why = f"its name says {' '.join(phrase)}"
    return Verdict(rule.kind, rule.score, rule.regulations, why, rule.only_of_people)


def _has(words: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    width = len(phrase)
    return any(words[at : at + width] == phrase for at in range(len(words) - width + 1))


def _is_about(words: tuple[str, ...], phrase: tuple[str, ...], rules: _Rules) -> bool:
    """Whether the name is of something about the thing: a time, a flag, a reference."""
    is_ending = words[-len(phrase) :] == phrase
    return words[0] in rules.beginnings or (not is_ending and words[-1] in rules.endings)


def judge_field(field: ModelField, *, marks: str = "") -> Verdict | None:
    """What a field holds, by its name, its type and what is said of it; the worst counts."""
    kind = (field.type or "").lower()
    by_name = judge_name(field.name) or (judge_name(field.column) if field.column else None)
    is_time = any(word in kind for word in _TIMES) and by_name is not None and by_name.kind != "personal"
    if is_time or any(word in kind for word in _FLAGS):
        by_name = None
    found = [by_name] if by_name else []
    rules = _rules()
    for rule in rules.types:
        word = next((word for word in rule.words if word in re.split(r"\W+", field.type or "")), None)
        if word is not None:
            found.append(Verdict(rule.kind, rule.score, rule.regulations, f"its type is {word}"))
    for rule in rules.marks:
        word = next((word for word in rule.words if word in marks), None)
        if word is not None:
            found.append(Verdict(rule.kind, rule.score, rule.regulations, f"it is marked {word}"))
    if not found:
        return None
    worst = max(found, key=lambda one: one.score)
    reasons = dict.fromkeys(one.why for one in found if one.kind == worst.kind)
    return worst._replace(why="; ".join(reasons))


def find_sensitive(data: DataMap) -> tuple[SensitiveField, ...]:
    """The sensitive fields of the models, the worst first."""
    found = [one for model in data.models for one in _of_model(model)]
    times = Counter(one.field for one in found)
    found = [
        one
        for one in found
        if times[one.field] < _MANY_TABLES or len(words_of(one.field)) > 1 or one.kind == "personal"
    ]
    return tuple(sorted(found, key=lambda one: (-one.score, one.table, one.field)))


def _of_model(model: Model) -> Iterator[SensitiveField]:
    judged = [(field, judge_field(field, marks=field.marks)) for field in model.fields]
    is_of_people = not _rules().people.isdisjoint(words_of(model.name)) or any(
        verdict is not None and verdict.kind == "personal" and not verdict.only_of_people
        for _field, verdict in judged
    )
    for field, verdict in judged:
        if verdict is not None and (is_of_people or not verdict.only_of_people):
            yield SensitiveField(
                model.table,
                field.column or field.name,
                verdict.kind,
                verdict.score,
                verdict.why,
                verdict.regulations,
                model.file,
                field.line,
                model.name,
            )
