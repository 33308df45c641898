"""Looks a prompt over before it becomes an instruction: secrets, unsafe demands, injections, vagueness.

Every check takes time in proportion to the text, whatever it holds.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

from drift.catalog.refusals import too_large
from drift.kernel.redaction import redact
from drift.kernel.text import shorten

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class ReviewSummary:
    """Issues by severity."""

    counts: Mapping[str, int]
    highest_severity: Severity | None = None
    is_cut: bool | None = None


MOST_BYTES: Final = 10 * 1024
_MOST_ISSUES: Final = 100
_MOST_SHOWN: Final = 80
_SHORTEST: Final = 10
_SEVERITIES: Final[tuple["ReviewSeverity", ...]] = ("error", "warning", "info")
# Characters that show as nothing, or turn the text around, so that people read other words than the model.
_HIDDEN: Final = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)
# Possessive: what a gap has taken it does not give back, so no text makes the search run away.
_SPACE: Final = r"\s++"
_GAP: Final = r"(?:\s++\w++){0,3}\s++"
_WORDLIKE: Final = re.compile(r"\w")

ReviewSeverity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing to look at, on which line, and what to do about it. A secret's text is never repeated."""

    rule: str
    category: str
    severity: ReviewSeverity
    message: str
    remediation: str
    line: int
    excerpt: str | None = None


class Review(NamedTuple):
    """What was found; `counts` by severity, `highest_severity` None without a finding."""

    issues: tuple[Issue, ...]
    counts: dict[str, int]
    highest_severity: ReviewSeverity | None
    is_cut: bool  # there are more than are shown


class _Rule(NamedTuple):
    id: str
    category: str
    severity: ReviewSeverity
    message: str
    remediation: str
    pattern: re.Pattern[str]


def review_prompt(prompt: str) -> Review:
    """The issues of a prompt in the order of its lines. Raises TOO_LARGE over 10 KB; NUL characters are ignored."""
    size = len(prompt.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise too_large("prompt", size, MOST_BYTES, unit="bytes")
    text = prompt.replace("\0", "")
    found = [*_find_secrets(text), *_find_hidden(text), *_find_phrases(text), *_find_emptiness(text)]
    found.sort(key=lambda issue: (issue.line, _SEVERITIES.index(issue.severity), issue.rule))
    counts = Counter(issue.severity for issue in found)
    highest = next((severity for severity in _SEVERITIES if counts[severity]), None)
    return Review(
        tuple(found[:_MOST_ISSUES]),
        {severity: counts[severity] for severity in _SEVERITIES},
        highest,
        is_cut=len(found) > _MOST_ISSUES,
    )


def _find_secrets(text: str) -> list[Issue]:
    return [
        Issue(
            "secret",
            "secret",
            "error" if finding.kind == "secret" else "warning",
            f"Holds {finding.what}",
            "Take it out and, if it was a credential, replace it where it is valid.",
            finding.line,
            None,
        )
        for finding in redact(text).findings
    ]


def _find_hidden(text: str) -> list[Issue]:
    lines = sorted({_line_at(text, found.start()) for found in _HIDDEN.finditer(text)})
    return [
        Issue(
            "hidden-characters",
            "injection",
            "error",
            "Has characters that do not show, or that turn the text around",
            "Type the line again without them.",
            line,
            None,
        )
        for line in lines
    ]


def _find_phrases(text: str) -> list[Issue]:
    return [
        Issue(
            rule.id,
            rule.category,
            rule.severity,
            rule.message,
            rule.remediation,
            _line_at(text, found.start()),
            shorten(" ".join(found[0].split()), _MOST_SHOWN),
        )
        for rule in _rules()
        for found in rule.pattern.finditer(text)
    ]


def _find_emptiness(text: str) -> list[Issue]:
    if len(text.strip()) >= _SHORTEST:
        return []
    message = "Says too little to act on"
    return [
        Issue(
            "too-short",
            "vagueness",
            "warning",
            message,
            "Say what to do, with what, and when it is done.",
            1,
            None,
        )
    ]


def _line_at(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


@cache
def _rules() -> tuple[_Rule, ...]:
    rows = tomllib.loads(files(__package__).joinpath("prompt_rules.toml").read_text(encoding="utf-8"))[
        "rules"
    ]
    return tuple(
        _Rule(
            row["id"],
            row["category"],
            row["severity"],
            row["message"],
            row["remediation"],
            _compile(row["phrases"]),
        )
        for row in rows
    )


def _compile(phrases: list[str]) -> re.Pattern[str]:
    """One pattern for all phrases."""
    return re.compile("|".join(map(_pattern_of, phrases)), re.IGNORECASE)


def _pattern_of(phrase: str) -> str:
    pieces = [_SPACE.join(map(re.escape, piece.split())) for piece in phrase.split("…")]
    pattern = _GAP.join(pieces)
    first, last = phrase[0], phrase[-1]
    return (
        (r"(?<!\w)" if _WORDLIKE.match(first) else "")
        + pattern
        + (r"(?!\w)" if _WORDLIKE.match(last) else "")
    )


@dataclass(frozen=True, slots=True)
class ReviewData:
    """What a review found."""

    issues: tuple[Issue, ...]
    summary: ReviewSummary
