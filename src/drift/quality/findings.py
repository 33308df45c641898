"""A finding: one place that breaks a rule, under an id that survives moved lines."""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from drift.quality.rules import Severity, rules

Baseline = Literal["new", "unchanged", "absent"]
Value = int | float | str

_DIGITS: Final = 16  # of the id: 64 bits, so that two of a million findings never share one by chance
_ORDER: Final[dict[Severity, int]] = {"error": 0, "warning": 1, "info": 2}


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found. `evidence` are the numbers it was made from, each by its name."""

    id: str
    rule: str
    severity: Severity
    message: str
    file: str
    line: int
    end_line: int
    symbol: str | None = None
    evidence: dict[str, Value] | None = None
    suggestion: str | None = None
    """What to do here, where that is more than the rule says."""
    baseline: Baseline | None = None


def finding(
    rule: str,
    message: str,
    *,
    file: str,
    lines: tuple[int, int] = (1, 1),
    symbol: str | None = None,
    snippet: str = "",
    severity: Severity | None = None,
    evidence: dict[str, Value] | None = None,
    suggestion: str | None = None,
) -> Finding:
    """A finding; of a rule that Drift does not ship with its severity. `snippet` is what stays the same while lines move: a signature, a comment's text."""
    return Finding(
        identify(rule, file=file, symbol=symbol, snippet=snippet),
        rule,
        severity or rules()[rule].severity,
        message,
        file,
        max(1, lines[0]),
        max(1, *lines),
        symbol,
        evidence or None,
        suggestion,
    )


def identify(rule: str, *, file: str, symbol: str | None, snippet: str) -> str:
    """The id: the rule, the symbol in its file, and the snippet whatever its white space."""
    parts = (rule, file, symbol or "", " ".join(snippet.split()))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The gravest first, then by place; each under an id of its own: what is found alike again gets a number."""
    ordered = sorted(findings, key=lambda one: (_ORDER[one.severity], one.file, one.line, one.rule, one.id))
    seen: Counter[str] = Counter()
    told = []
    for one in ordered:
        seen[one.id] += 1
        times = seen[one.id]
        told.append(one if times == 1 else replace(one, id=f"{one.id}-{times}"))
    return tuple(told)


def against_baseline(findings: Sequence[Finding], known: Collection[str]) -> tuple[Finding, ...]:
    """The findings with what the baseline says of each: its id is among the known ones, or it is new."""
    return tuple(replace(one, baseline="unchanged" if one.id in known else "new") for one in findings)


def count_severities(findings: Iterable[Finding]) -> dict[Severity, int]:
    """How many there are of each severity, the gravest first."""
    counts = Counter(one.severity for one in findings)
    return {severity: counts[severity] for severity in _ORDER}
