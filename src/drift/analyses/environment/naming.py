"""What the name of a variable says: how sensitive its value is, and who sets or reads it without a word in the project."""

import re
import tomllib
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

Sensitivity = Literal["secret", "credential", "config", "unknown"]

SENSITIVITIES: Final[tuple[Sensitivity, ...]] = ("secret", "credential", "config", "unknown")
_PARTS: Final = re.compile(r"[A-Z]{2,60}(?![a-z])|[A-Z]?[a-z]{1,60}|[A-Z]|\d{1,20}")


class _Words(NamedTuple):
    words: frozenset[str]
    pairs: frozenset[str]


class _Table(NamedTuple):
    secret: _Words
    about: frozenset[str]
    credential: _Words
    config: frozenset[str]
    provided: tuple[tuple[str, str], ...]
    reads: tuple[tuple[str, str], ...]


@cache
def _table() -> _Table:
    rows = tomllib.loads(files("drift.analyses.environment").joinpath("names.toml").read_text("utf-8"))

    def words(kind: str) -> _Words:
        return _Words(frozenset(rows[kind]["words"]), frozenset(rows[kind]["pairs"]))

    def patterns(kind: str) -> tuple[tuple[str, str], ...]:
        return tuple((name, row["by"]) for row in rows[kind] for name in row["names"])

    return _Table(
        words("secret"),
        frozenset(rows["secret"]["about"]),
        words("credential"),
        frozenset(rows["config"]["words"]),
        patterns("provided"),
        patterns("reads"),
    )


@lru_cache(maxsize=4096)
def sensitivity_of(name: str) -> Sensitivity:
    """How sensitive the value of a variable or setting is, as far as its name tells."""
    table = _table()
    parts = [part.lower() for part in _PARTS.findall(name)]
    pairs = {" ".join(parts[place : place + 2]) for place in range(len(parts) - 1)}
    last = parts[-1] if parts else ""
    is_secret = bool(pairs & table.secret.pairs) or not table.secret.words.isdisjoint(parts)
    if is_secret and (last not in table.about or pairs & table.secret.pairs & {" ".join(parts[-2:])}):
        return "secret"
    if pairs & table.credential.pairs or last in table.credential.words:
        return "credential"
    return "config" if is_secret or not table.config.isdisjoint(parts) else "unknown"


def provider_of(name: str) -> str | None:
    """Who sets a variable of this name by itself: the system, CI, the platform."""
    return _fitting(_table().provided, name)


def outside_reader_of(name: str) -> str | None:
    """What reads a variable of this name by itself: a framework, a run time."""
    return _fitting(_table().reads, name)


def _fitting(patterns: tuple[tuple[str, str], ...], name: str) -> str | None:
    return next((by for pattern, by in patterns if fnmatchcase(name, pattern)), None)
