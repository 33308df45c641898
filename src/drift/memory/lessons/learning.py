"""From a correction to a memory: what it was about, the rule in it, and how sure that is."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from drift.kernel.text import shorten
from drift.memory.lessons.correction_diff import CodeChange, compare_code
from drift.memory.lessons.principles import Principle, extract_principle
from drift.memory.records import Draft, FileLink, Importance
from drift.memory.stems import stem

_WORD: Final = re.compile(r"[^\W_]+(?:_[^\W_]+)*|n\+1")
_SAID: Final = 1.0
_SHOWN: Final = 1.5  # the code itself speaks more plainly than a word about it
_MOST_EXAMPLE: Final = 2_000
_MOST_FEEDBACK: Final = 4_000
OTHER: Final = "other"

# Parts of the confidence; each is times a share from 0 to 1 that is reckoned below.
_START: Final = 0.30
_EVIDENCE: Final = 0.25
_USAGE: Final = 0.15
_TEMPORAL: Final = 0.15
_VALIDATION: Final = 0.15
_ENOUGH_ALIKE: Final = 3
_ENOUGH_DAYS: Final = 7
_DAY_MS: Final = 86_400_000


class Correction(NamedTuple):
    """What was made, what was said of it, and what it should have been."""

    original: str
    feedback: str
    corrected: str | None = None
    file: FileLink | None = None
    intent: str | None = None


class Category(NamedTuple):
    """What a correction is about, by how much, and what shows it."""

    name: str
    type: str
    share: float | None
    reasons: tuple[str, ...]


class Lesson(NamedTuple):
    """What a correction teaches."""

    category: Category
    principle: Principle | None
    change: CodeChange | None


class Calibration(NamedTuple):
    """A confidence with the shares it is made of."""

    confidence: float
    evidence: float
    usage: float
    temporal: float
    validation: float


@cache
def _categories() -> Mapping[str, Any]:
    return tomllib.loads(
        files("drift.memory.lessons").joinpath("learning_categories.toml").read_text(encoding="utf-8")
    )


def learn(correction: Correction) -> Lesson:
    """What a correction teaches, by its words and by the change of the code."""
    change = (
        compare_code(correction.original, correction.corrected) if correction.corrected is not None else None
    )
    return Lesson(
        _categorize(correction.feedback, change), extract_principle(correction.feedback, change), change
    )


def _categorize(feedback: str, change: CodeChange | None) -> Category:
    lowered = feedback[:_MOST_FEEDBACK].lower()
    said = {stem(word): word for word in _WORD.findall(lowered)} | dict.fromkeys(_WORD.findall(lowered), "")
    signals = change.signals if change else ()
    scores: dict[str, float] = {}
    reasons: dict[str, tuple[str, ...]] = {}
    for name, row in _categories().items():
        # By stem: "naming" is one sign, not also one for "name" and "named".
        heard = {stem(word) or word: word for word in row["words"] if _is_said(word, said, lowered)}
        words = list(heard.values())
        shown = [signal for signal in row["changes"] if signal in signals]
        scores[name] = _SAID * len(words) + _SHOWN * len(shown)
        reasons[name] = (
            *(f"the feedback says “{word}”" for word in words),
            *(f"the change shows {signal.replace('_', ' ')}" for signal in shown),
        )
    best = max(scores, key=scores.__getitem__)
    if not scores[best]:
        return Category(
            OTHER, _categories()[OTHER]["type"], None, ("no word and no change points to a category",)
        )
    share = round(scores[best] / sum(scores.values()), 2)
    return Category(best, _categories()[best]["type"], share, reasons[best])


def _is_said(word: str, said: Mapping[str, str], lowered: str) -> bool:
    if not word.isalpha():
        return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", lowered) is not None
    return word in said or stem(word) in said


def calibrate(
    lesson: Lesson, correction: Correction, *, alike_at_ms: Sequence[int], now_ms: int
) -> Calibration:
    """How sure a lesson is; `alike_at_ms` are the times of the memories that say nearly the same already.

    Said again counts (usage), and more so on other days (temporal).
    """
    principle, change = lesson.principle, lesson.change
    witnesses = (
        change is not None,
        principle is not None,
        principle is not None and principle.reason is not None,
        lesson.category.name != OTHER,
        correction.file is not None,
    )
    evidence = sum(witnesses) / len(witnesses)
    usage = min(1.0, len(alike_at_ms) / _ENOUGH_ALIKE)
    days = max(0, now_ms - min(alike_at_ms, default=now_ms)) / _DAY_MS
    temporal = round(min(1.0, days / _ENOUGH_DAYS), 2)
    validation = _validation(principle, change)
    total = _START + _EVIDENCE * evidence + _USAGE * usage + _TEMPORAL * temporal + _VALIDATION * validation
    return Calibration(round(total, 3), evidence, usage, temporal, validation)


def _validation(principle: Principle | None, change: CodeChange | None) -> float:
    """How far the corrected code does what the rule says: what to use came, what to avoid went."""
    if principle is None or change is None:
        return 0.0
    came, went = frozenset(change.added_names), frozenset(change.removed_names)
    tests = [
        bool(frozenset(_WORD.findall(named)) & names)
        for named, names in ((principle.use, came), (principle.avoid, went))
        if named
    ]
    return sum(tests) / len(tests) if tests else 0.0


def draft_lesson(lesson: Lesson, correction: Correction, *, confidence: float) -> Draft:
    """The memory that keeps a lesson, of the type its category asks for."""
    rule = lesson.principle.statement if lesson.principle else shorten(correction.feedback.strip(), 280)
    is_grave = lesson.category.name == "security_issue"
    return Draft(
        type=lesson.category.type,
        title=shorten(rule, 280),
        text=correction.feedback.strip()[:_MOST_FEEDBACK],
        content=_content(lesson, correction, rule),
        confidence=confidence,
        importance=Importance.CRITICAL if is_grave else Importance.NORMAL,
        tags=("correction", lesson.category.name, *((correction.intent,) if correction.intent else ())),
        files=(correction.file,) if correction.file else (),
        source="correction",
    )


def _content(lesson: Lesson, correction: Correction, rule: str) -> dict[str, Any]:
    reason = lesson.principle.reason if lesson.principle else None
    old, new = correction.original[:_MOST_EXAMPLE], (correction.corrected or "")[:_MOST_EXAMPLE]
    name = lesson.category.name
    scope = correction.file.path if correction.file else None
    by_type: dict[str, dict[str, Any]] = {
        "tribal": {
            "topic": name, "knowledge": rule, "source": "correction",
            "severity": "critical" if name == "security_issue" else "warning",
        },
        "pattern_rationale": {"rationale": reason or rule},
        "constraint_override": {"reason": reason or rule, "scope": scope, "alternative": rule},
        "preference": {"preference": rule, "category": name, "scope": scope},
        "decision_context": {"context": rule},
        "code_smell": {"name": rule, "reason": reason, "suggestion": rule, "badExample": old, "goodExample": new},
        "feedback": {
            "originalOutput": old, "correction": new, "feedbackType": name,
            "extractedRule": lesson.principle.statement if lesson.principle else None,
        },
    }  # fmt: skip
    return {key: value for key, value in by_type[lesson.category.type].items() if value}
