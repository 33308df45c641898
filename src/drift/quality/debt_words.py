"""Whether a comment admits debt, by the words of satd.toml: the marker, the category and the severity."""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

Category = Literal["requirement", "documentation", "test", "design", "defect", "performance", "security"]
DebtSeverity = Literal["low", "medium", "high", "critical"]

SEVERITIES: Final[tuple[DebtSeverity, ...]] = ("low", "medium", "high", "critical")
_LONGEST_COMMENT: Final = 4_000
_BEGINNING: Final = re.compile(r"[\s/*#;!<>.-]{0,12}", re.ASCII)


class Admission(NamedTuple):
    """What a comment admits: by which words, what it is about, how grave; `line` counts from 0 within the comment."""

    marker: str
    category: Category
    severity: DebtSeverity
    line: int


class _Marker(NamedTuple):
    category: Category
    severity: DebtSeverity
    form: str


class _Words(NamedTuple):
    phrases: re.Pattern[str]
    markers: dict[str, _Marker]
    topics: tuple[tuple[re.Pattern[str], Category, bool], ...]


def admitted_debt(text: str) -> Admission | None:
    """What a comment admits, by its gravest marker; None where it admits nothing."""
    words = _words()
    best: Admission | None = None
    for number, line in enumerate(text[:_LONGEST_COMMENT].split("\n")):
        for found in words.phrases.finditer(line):
            marker = words.markers[_plain(found[0])]
            if not _counts(marker, line, found):
                continue
            if best is None or SEVERITIES.index(marker.severity) > SEVERITIES.index(best.severity):
                best = Admission(found[0], marker.category, marker.severity, number)
    return _about(best, text[:_LONGEST_COMMENT]) if best else None


def _counts(marker: _Marker, line: str, found: re.Match[str]) -> bool:
    if marker.form == "anywhere":
        return True
    if marker.form == "asked":
        return "?" in line[found.end() : found.end() + 60]
    if found[0].isupper() or not found[0].isascii():
        return True
    opens = _BEGINNING.match(line)
    return (opens is not None and opens.end() == found.start()) or line[found.end() : found.end() + 1] in {
        ":",
        "(",
    }


def _about(one: Admission, text: str) -> Admission:
    if one.category not in {"requirement", "design", "defect"}:
        return one
    for pattern, category, is_graver in _words().topics:
        if pattern.search(text):
            step = min(SEVERITIES.index(one.severity) + int(is_graver), len(SEVERITIES) - 1)
            return one._replace(category=category, severity=SEVERITIES[step])
    return one


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("-", " ").split())


@cache
def _words() -> _Words:
    data = tomllib.loads(files("drift.quality").joinpath("satd.toml").read_text("utf-8"))
    markers = {
        word: _Marker(row["category"], row["severity"], row["as"])
        for row in data["marker"]
        for word in row["words"]
    }
    topics = tuple((_either(row["words"]), row["category"], row["raise"]) for row in data["topic"])
    return _Words(_either(markers), markers, topics)


def _either(words: Iterable[str]) -> re.Pattern[str]:
    """Any of the phrases as whole words, the longest first; between their words one blank or hyphen."""
    longest = sorted(words, key=len, reverse=True)
    phrases = ("[ -]".join(map(re.escape, word.split())) for word in longest)
    return re.compile(rf"(?<![\w@])(?:{'|'.join(phrases)})(?![\w@])", re.IGNORECASE)
