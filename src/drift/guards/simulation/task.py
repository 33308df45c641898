"""What a task asks for: its words, what it is about, and wishes that an approach has to keep."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple, get_args

from drift.guards.constraints.form import fits_path
from drift.kernel.words import split_parts, stem, stop_words

TaskCategory = Literal[
    "rate-limiting", "authentication", "authorization", "api-endpoint", "data-access", "error-handling", "caching",
    "logging", "testing", "validation", "middleware", "refactoring", "generic",
]  # fmt: skip
_SHORTEST = 3


class Task(NamedTuple):
    """A task in stems: its own, and those of what it is about."""

    text: str
    category: TaskCategory
    words: frozenset[str]
    hints: frozenset[str]

    @property
    def all_words(self) -> frozenset[str]:
        return self.words | self.hints


class Wishes(NamedTuple):
    """What an approach has to keep."""

    avoided: tuple[str, ...]
    most_files: int | None
    required: tuple[str, ...]
    unread: tuple[str, ...]


@cache
def settings() -> dict[str, Any]:
    """What categories.toml says."""
    return tomllib.loads(files("drift.guards.simulation").joinpath("categories.toml").read_text("utf-8"))


def limit(name: str) -> int:
    found: int = settings()["limits"][name]
    return found


def read_task(text: str, category: TaskCategory | None) -> Task:
    """The task that a text tells of; of the category that most of its words speak for, the first of them in doubt."""
    told = stems(text)
    words = frozenset(told) - {stem(each) for each in stop_words("english", "tasks", "code")}
    tables = settings()["categories"]
    hints = {name: frozenset(map(stem, table["words"])) for name, table in tables.items()}
    if category is None:
        # What is done comes first, and where behind it: "cache the answers of the api".
        first = {name: next((at for at, one in enumerate(told) if one in hints[name]), 0) for name in hints}
        best = max(get_args(TaskCategory)[:-1], key=lambda name: (len(words & hints[name]), -first[name]))
        category = best if words & hints[best] else "generic"
    return Task(text, category, words, hints.get(category, frozenset()))


def stems(text: str) -> list[str]:
    """The stems of the words of a text, names in parts."""
    return [stem(part.lower()) for part in split_parts(text) if len(part) >= _SHORTEST]


def read_wishes(texts: tuple[str, ...]) -> Wishes:
    """What `avoid-changing: PATH`, `max-files: N` and `must-work-with: NAME` ask for; others are said not to be read."""
    avoided, required, unread = [], [], []
    most: int | None = None
    for text in texts:
        kind, _, value = text.partition(":")
        kind, value = kind.strip().lower(), value.strip()
        if kind == "avoid-changing" and value:
            avoided.append(value)
        elif kind == "max-files" and value.isdigit():
            most = int(value)
        elif kind in ("must-work-with", "pattern-required", "framework-required") and value:
            required.append(value)
        else:
            unread.append(text)
    return Wishes(tuple(avoided), most, tuple(required), tuple(unread))


def is_avoided(wishes: Wishes, path: str) -> bool:
    return fits_path(wishes.avoided, path) or any(
        path.startswith(f"{each.rstrip('/')}/") for each in wishes.avoided
    )
