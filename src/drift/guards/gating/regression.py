"""Regression: what a change takes away from conventions as a whole.

What it does: counts each convention with and without the lines of the change, and compares score and compliance.
Why it matters: single outliers pass one by one; together they turn a rule into an open question.
Known limits: lines that the change took away are not counted, so a convention that loses sites by deletion is not seen.
"""

from collections import Counter
from functools import cache
from typing import Final

from drift.conventions.gathering import Found as Site
from drift.conventions.mining import Convention
from drift.conventions.statistics import Tally, measure
from drift.guards.gating.form import Found, Settings, Subject, number, words
from drift.guards.gating.past_sites import choices_before
from drift.guards.gating.patterns import Judged, new_outliers
from drift.kernel.text import plural
from drift.quality import Finding, finding
from drift.quality.gate import NotMeasurableError

REGRESSION: Final = "regression-detection"
RULE: Final = "regression/convention"
SETTINGS: Final[Settings] = {
    "confidence_drop": 5,
    "compliance_drop": 10,
    "new_outliers": 3,
    "critical": ("auth", "security"),
    "min_confidence": 0.85,
}
_LEAST_BEFORE: Final = 5
_PERCENT: Final = 100


def check_regression(subject: Subject, settings: Settings) -> Found:
    """The gate. Needs a change: all code has nothing before it."""
    if subject.change is None:
        raise NotMeasurableError("all code was asked for, which has no state before it")
    picture = subject.picture()
    critical = words(settings, "critical")
    choices = cache(lambda path: choices_before(subject, picture, path))
    findings: list[Finding] = []
    looked_at = 0
    for convention in picture.mined.conventions:
        new = [
            each
            for each in convention.sites
            if subject.is_wanted(picture.mined.files[each.file_id].path, each.line)
        ]
        if not new or picture.status_of(convention) == "ignored":
            continue
        looked_at += 1
        before = _before(convention, new)
        if before is None:
            continue
        if before.measures.score < number(settings, "min_confidence"):
            continue
        outliers = [each for each in picture.outliers(convention) if each in set(new)]
        if _is_weaker(before, convention, len(outliers), len(new), settings=settings):
            # What an edited or moved line chose before is no outlier of this change.
            outliers = list(new_outliers(subject, picture, Judged(convention, (), tuple(outliers)), choices))
        if _is_weaker(before, convention, len(outliers), len(new), settings=settings):
            dropped, fallen = _losses(before, convention)
            findings.append(
                finding(
                    RULE,
                    f"{convention.rule}: otherwise in {len(outliers)} of {plural(len(new), 'place')} on changed lines,"
                    f" elsewhere in {len(before.sites) - before.followed} of {len(before.sites)}",
                    file=picture.path_of(outliers[0]),
                    lines=(outliers[0].line, outliers[0].line),
                    snippet=convention.id,
                    severity="error" if convention.dimension.category in critical else "warning",
                    evidence={"outliers": len(outliers), "confidenceDrop": dropped, "complianceDrop": fallen},
                )
            )
    told = subject.told(findings)
    message = f"{plural(len(told), 'convention')} of {looked_at} that the change decides by became weaker"
    return Found(not told, message, told, {"conventions": looked_at, "weaker": len(told)})


def _losses(before: Convention, now: Convention) -> tuple[float, float]:
    """By how many points a convention lost score and share."""
    return (
        round(_PERCENT * (before.measures.score - now.measures.score), 1),
        round(_PERCENT * (before.measures.frequency - now.measures.frequency), 1),
    )


def _is_weaker(before: Convention, now: Convention, outliers: int, new: int, *, settings: Settings) -> bool:
    dropped, fallen = _losses(before, now)
    # Some outliers among many that follow are what every rule has: more of the new sites must do otherwise.
    is_many = outliers >= number(settings, "new_outliers") and 2 * outliers > new and dropped > 0
    is_low = dropped >= number(settings, "confidence_drop") or fallen >= number(settings, "compliance_drop")
    return outliers > 0 and (is_many or is_low)


def _before(convention: Convention, new: list[Site]) -> Convention | None:
    """The convention without some of its sites; None where too little is left to have been one."""
    gone = set(new)
    kept = [each for each in convention.sites if each not in gone]
    left = Counter(each.variant for each in kept)
    if left.total() < _LEAST_BEFORE or not left[convention.variant]:
        return None
    pairs = {(each.variant, each.file_id) for each in kept}
    in_files = Counter(variant for variant, _ in pairs)
    tallies = {variant: Tally(times, in_files[variant]) for variant, times in left.items()}
    files = len({file for _, file in pairs})
    measures = measure(tallies, convention.variant, files_with_any=files, days=convention.days)
    return convention._replace(measures=measures, tallies=tallies, sites=tuple(kept))
