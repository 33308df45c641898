"""The audit of conventions: what to approve, what to look at, what says the same twice, and how the whole stands.

The audit's score, of 100, is the mean of what could be measured, weighed: .30 the scores, .20 the share that is approved, .20
compliance, .15 the share that nothing else repeats. Whether something else bears the conventions out (.15) is not measured.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import mean
from typing import Final, Literal

from drift.conventions.mining import Convention
from drift.conventions.picture import Picture
from drift.kernel.text import plural
from drift.state import HealthGlance

Advice = Literal["approve", "review", "doubt"]

_LIKE: Final = 0.85
_SAME: Final = 0.9
_APPROVE_FROM: Final = 0.90
_REVIEW_FROM: Final = 0.70
_MOST_OUTLYING: Final = 0.5
_LEAST_PLACES: Final = 3


@dataclass(frozen=True, slots=True)
class AdviceRow:
    """What to do about a convention, and why."""

    id: str
    rule: str
    advice: Advice
    score: float
    followed: int
    outliers: int
    status: str


@dataclass(frozen=True, slots=True)
class DuplicateRow:
    """Two conventions of the same places."""

    first: str
    second: str
    overlap: float
    advice: Literal["merge", "review"]


@dataclass(frozen=True, slots=True)
class AuditData:
    """The audit; parts that could not be measured are null."""

    audit_score: float | None
    mean_score: float | None
    approved_share: float | None
    compliance: float | None
    duplicate_free: float | None
    cross_validation: float | None
    undecided: tuple[str, ...]
    duplicates: tuple[DuplicateRow, ...]
    advice: tuple[AdviceRow, ...]
    project_health: HealthGlance | None = None


def audit(
    picture: Picture, *, threshold: float = _APPROVE_FROM, categories: tuple[str, ...] = ()
) -> AuditData:
    """The audit of all conventions or those of some categories."""
    chosen = [
        each for each in picture.mined.conventions if not categories or each.dimension.category in categories
    ]
    rows = [advise(picture, each, threshold=threshold) for each in chosen]
    duplicates = tuple(_duplicates(chosen))
    doubled = {each.second for each in duplicates}
    followed, outlying = sum(row.followed for row in rows), sum(row.outliers for row in rows)
    undecided = tuple(
        f"{each.id}: " + ", ".join(f"{name} {tally.sites}" for name, tally in list(each.tallies.items())[:4])
        for each in picture.mined.undecided
        if not categories or each.dimension.category in categories
    )
    if not rows:
        return AuditData(None, None, None, None, None, None, undecided, (), ())
    parts = {
        "mean_score": (0.30, mean(row.score for row in rows)),
        "approved_share": (0.20, mean(row.status == "approved" for row in rows)),
        "compliance": (0.20, followed / (followed + outlying)),
        "duplicate_free": (0.15, 1 - len(doubled) / len(rows)),
    }
    total = sum(weight * value for weight, value in parts.values()) / sum(
        weight for weight, _ in parts.values()
    )
    order = {"approve": 0, "review": 1, "doubt": 2}
    return AuditData(
        round(100 * total, 1),
        **{name: round(value, 3) for name, (_, value) in parts.items()},
        cross_validation=None,
        project_health=None,
        undecided=undecided,
        duplicates=duplicates,
        advice=tuple(sorted(rows, key=lambda row: (order[row.advice], -row.score, row.id))),
    )


def advise(picture: Picture, convention: Convention, *, threshold: float = _APPROVE_FROM) -> AdviceRow:
    """What to do about a convention."""
    outliers = len(picture.outliers(convention))
    score = convention.measures.score
    is_clear = outliers / convention.followed <= _MOST_OUTLYING and convention.followed >= _LEAST_PLACES
    advice: Advice = (
        "approve" if score >= threshold and is_clear else "review" if score >= _REVIEW_FROM else "doubt"
    )
    status = picture.status_of(convention)
    return AdviceRow(
        convention.id, convention.rule, advice, round(score, 3), convention.followed, outliers, status
    )


def audit_summary(data: AuditData) -> str:
    """A line on the audit."""
    if data.audit_score is None:
        return "There are no conventions to audit"
    counts = {
        each: sum(1 for row in data.advice if row.advice == each) for each in ("approve", "review", "doubt")
    }
    told = f"{counts['approve']} to approve, {counts['review']} to review, {counts['doubt']} in doubt"
    return f"Audit score {data.audit_score:.0f} of 100: {told}, {plural(len(data.undecided), 'dimension')} undecided"


def _duplicates(conventions: list[Convention]) -> Iterable[DuplicateRow]:
    places = {
        each.id: frozenset((site.file_id, site.line) for site in each.sites if site.variant == each.variant)
        for each in conventions
    }
    for number, first in enumerate(conventions):
        for second in conventions[number + 1 :]:
            if first.dimension.category != second.dimension.category:
                continue
            one, other = places[first.id], places[second.id]
            # What differs too much in size cannot overlap that far.
            if min(len(one), len(other)) < _LIKE * max(len(one), len(other)):
                continue
            overlap = len(one & other) / len(one | other)
            if overlap >= _LIKE:
                advice: Literal["merge", "review"] = "merge" if overlap > _SAME else "review"
                yield DuplicateRow(first.id, second.id, round(overlap, 3), advice)
