"""A commit, what it did to which file, and what its subject says of its kind."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

_TYPE: Final = re.compile(r"(?P<type>[a-zA-Z]{2,20})(?:\([^)]{0,80}\))?!?:\s")


class Change(NamedTuple):
    """What a commit did to a file: A, M, D, R or another of git's letters.

    Paths are below the project's root. Lines are null before they are counted, and of files that are no text.
    """

    letter: str
    path: str
    old_path: str | None
    added: int | None = None
    removed: int | None = None


class Commit(NamedTuple):
    """A commit with its changes inside the project, none of a merge."""

    hash: str
    parents: tuple[str, ...]
    time: int
    """Of the committer, in seconds since 1970."""
    author: str
    mail: str
    subject: str
    changes: tuple[Change, ...]

    @property
    def type(self) -> str | None:
        """The conventional type that the subject begins with, as written."""
        return conventional_type(self.subject)

    @property
    def kind(self) -> str | None:
        """What kind of change the subject tells of, by the rules of commit_kinds.toml."""
        return kind_of(self.subject)


def conventional_type(subject: str) -> str | None:
    """The word before the colon of `type(scope): …`, in lower case."""
    found = _TYPE.match(subject)
    return found["type"].lower() if found else None


def kind_of(subject: str) -> str | None:
    """Fix, feat, refactor and the like: by the conventional type, else by the words the subject begins with."""
    rules = _rules()
    written = conventional_type(subject)
    if written is not None and written in rules.by_type:
        return rules.by_type[written]
    found = rules.opening.match(subject.lower())
    return rules.by_opening[found[0]] if found else None


class _Rules(NamedTuple):
    by_type: dict[str, str]
    by_opening: dict[str, str]
    opening: re.Pattern[str]


@cache
def _rules() -> _Rules:
    rows = tomllib.loads(files("drift.history").joinpath("commit_kinds.toml").read_text("utf-8"))["kind"]
    by_opening = {words: row["name"] for row in rows for words in row["openings"]}
    longest_first = sorted(by_opening, key=len, reverse=True)
    pattern = "|".join(rf"{re.escape(words)}(?!\w)" for words in longest_first)
    return _Rules(
        {written: row["name"] for row in rows for written in row["types"]}, by_opening, re.compile(pattern)
    )
