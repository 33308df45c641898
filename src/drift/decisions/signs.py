"""What signs.toml says, and what words of a subject tell."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

from drift.history import Commit

_PREFIX: Final = re.compile(r"[a-zA-Z]{2,20}(?:\([^)]{0,80}\))?!?:\s{1,3}")
_BREAKING: Final = re.compile(r"[a-zA-Z]{2,20}(?:\([^)]{0,80}\))?!:\s")
_NUMBER: Final = re.compile(r"\s{0,3}[(\[]?(?:#|GH-|gh-|PR ?#?)\d{1,7}[)\]]?")
_TICKET: Final = re.compile(r"^\[?[A-Z]{2,10}-\d{1,6}\]?:?\s{1,3}")
_GITMOJI: Final = re.compile(r":[a-z_]{2,30}:")
_LEADING: Final = re.compile(r"^[^\w`'\"(@./<]{1,8}")
_TAG: Final = re.compile(r"^\[[^\]]{1,30}\]\s{0,3}")
_WORD: Final = re.compile(r"[a-z0-9@][a-z0-9._/@-]{0,80}")
LEAST_WORDS: Final = 3
MOST_TITLE: Final = 110
_ASIDE: Final = frozenset({"docs", "test", "style", "fix", "build", "chore"})


@cache
def signs() -> dict[str, Any]:
    """The lists and limits."""
    return tomllib.loads(files("drift.decisions").joinpath("signs.toml").read_text("utf-8"))


def limit(name: str) -> Any:
    return signs()["limits"][name]


def is_upkeep(commit: Commit) -> bool:
    """Whether a commit keeps up with versions or translations, or is a machine's: nobody decides anything there."""
    who = f"{commit.author} {commit.mail}".lower()
    subject = commit.subject.lower()
    return any(each in who for each in signs()["bots"]) or subject.startswith(tuple(signs()["upkeep"]))


def is_breaking(commit: Commit) -> bool:
    """Whether a subject says that something breaks for whoever uses the project: by its mark, or how it begins."""
    if _BREAKING.match(commit.subject):
        return True
    plain = clean_subject(commit.subject).lower()
    return commit.kind not in _ASIDE and plain.startswith(tuple(signs()["breaking"]))


def clean_subject(subject: str) -> str:
    """A subject as a title: without type, numbers of tickets and pictures, with a capital, without a stop."""
    text = _GITMOJI.sub("", subject).strip()
    text = _LEADING.sub("", text)
    text = _PREFIX.sub("", _TAG.sub("", text), count=1)
    text = _TICKET.sub("", _NUMBER.sub("", text))
    text = " ".join(text.split()).rstrip(" .,;:")
    return text[:1].upper() + text[1:]


def is_telling(subject: str) -> bool:
    """Whether a subject says enough to be a title."""
    text = clean_subject(subject).lower()
    is_fair = len(text.split()) >= LEAST_WORDS and len(text) <= MOST_TITLE
    return is_fair and text not in signs()["empty"]


def words_of(subject: str) -> frozenset[str]:
    """The words of a subject, names of packages whole and in parts."""
    found = _WORD.findall(subject.lower())
    parts = {part for word in found for part in re.split(r"[/@._-]", word) if len(part) > 2}  # noqa: PLR2004 - shorter ones are no names
    return frozenset(found) | parts


def names_it(subject: str, package: str) -> bool:
    """Whether a subject speaks of a package, by its name or the telling part of that."""
    words = words_of(subject)
    plain = package.lower()
    last = re.split(r"[/:\\]", plain)[-1]
    stem = re.sub(r"(?:^(?:py|python-|node-|laravel-|django-|@types/))|(?:[-_.](?:js|py|rs|go|php|net|core|cli|client|sdk|v\d{1,2})$)", "", last)  # fmt: skip
    return bool(words & {plain, last, stem}) or (len(stem) > 4 and stem in subject.lower())  # noqa: PLR2004 - shorter ones stand in other words
