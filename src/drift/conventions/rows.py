"""Conventions as answers show them."""

from collections.abc import Sequence
from dataclasses import dataclass
from posixpath import commonpath, dirname
from typing import Final, Literal
from urllib.parse import quote

from drift.conventions.gathering import Found
from drift.conventions.mining import Convention
from drift.conventions.picture import Picture
from drift.conventions.rulebook import Decision
from drift.conventions.statistics import SETTLED_DAYS, deviation
from drift.kernel.answer import Link
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.similar import similar_names
from drift.kernel.text import plural

Status = Literal["discovered", "approved", "ignored", "stale"]
PATTERN_SORTS: Final = ("score", "id", "outliers")
_DIGITS: Final = 3
_MOST_AT_ONCE: Final = 10
_MOST_LINKS: Final = 3


@dataclass(frozen=True, slots=True)
class PatternRow:
    """A convention: `followed` of `sites` places in `files` do so; `outliers` do not and are not excused."""

    id: str
    rule: str
    category: str
    status: Status
    score: float | None
    level: str | None
    followed: int | None
    sites: int | None
    files: int | None
    outliers: int | None
    severity: str | None


@dataclass(frozen=True, slots=True)
class PatternsData:
    """Conventions, and how many decisions the project takes in several ways."""

    patterns: tuple[PatternRow, ...]
    undecided: int
    problems: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class VariantRow:
    """One of the ways, and how often it was chosen."""

    variant: str
    means: str
    sites: int
    files: int


@dataclass(frozen=True, slots=True)
class ConfidenceRow:
    """What the counts say, each between 0 and 1; `days` is how long the chosen way has been there, at most 30 are counted."""

    score: float
    level: str
    frequency: float
    consistency: float
    spread: float
    age: float
    wilson: float
    days: int | None


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A place that follows."""

    file: str
    line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class OutlierRow:
    """A place that does otherwise, and the nearest one to learn from."""

    file: str
    line: int
    uses: str
    reason: str
    deviation_score: float
    example: str | None
    since: str | None = None
    """The day and commit that brought the line as it is; null where git does not tell, or nobody asked it."""


@dataclass(frozen=True, slots=True)
class PatternDetail:
    """A convention with all that is known of it."""

    id: str
    rule: str
    title: str
    category: str
    status: Status
    severity: str
    language: str | None
    code: str
    scope: str | None
    confidence: ConfidenceRow
    variants: tuple[VariantRow, ...]
    looks_at: str
    why: str
    limits: str
    example: str
    followed: int
    sites: int
    files: int
    locations: tuple[PlaceRow, ...] | None
    outliers: tuple[OutlierRow, ...] | None
    outlier_count: int
    excused: int
    first_seen: str | None
    decided_by: str | None = None
    decided_at: str | None = None
    reason: str | None = None
    same_as: tuple[str, ...] | None = None
    other_scopes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    """Which conventions are wanted; empty is all."""

    categories: tuple[str, ...] = ()
    status: str | None = None
    min_confidence: float = 0.0
    search: str | None = None
    path: str | None = None

    def fits(self, row: PatternRow) -> bool:
        if self.categories and row.category not in self.categories:
            return False
        if self.status and row.status != self.status:
            return False
        if (row.score or 0.0) < self.min_confidence:
            return False
        words = (self.search or "").lower().split()
        return all(word in f"{row.id} {row.rule}".lower() for word in words)


def list_patterns(picture: Picture, wish: Wish) -> Ranked[PatternRow]:
    """The wanted conventions, the surest first; those that were approved and are gone are stale."""
    rows = [pattern_row(picture, each) for each in picture.mined.conventions]
    rows += [_gone_row(each) for each in picture.gone()]
    kept = [row for row in rows if wish.fits(row)]
    by_score: Sort[PatternRow] = Sort(lambda row: (-(row.score or 0.0), -(row.sites or 0), row.id), "desc")
    by_id: Sort[PatternRow] = Sort(lambda row: (row.id,))
    by_outliers: Sort[PatternRow] = Sort(lambda row: (-(row.outliers or 0), row.id), "desc")
    sorts = (by_score, by_id, by_outliers)
    return Ranked(kept, dict(zip(PATTERN_SORTS, sorts, strict=True)))


def count_undecided(picture: Picture, wish: Wish) -> int:
    """How many of the wanted categories are undecided."""
    every = picture.mined.undecided
    return sum(1 for each in every if not wish.categories or each.dimension.category in wish.categories)


def pattern_links(rows: Sequence[PatternRow]) -> tuple[Link, ...]:
    """Where the first of them and all can be read again as resources."""
    first = tuple(
        Link(f"drift://patterns/{quote(row.id)}", row.id, "A convention with its places")
        for row in rows[:_MOST_LINKS]
    )
    return (*first, Link("drift://conventions", "Conventions", "All of them")) if first else ()


def patterns_summary(found: Ranked[PatternRow], undecided: int) -> str:
    """What was found, in a line."""
    approved = sum(1 for row in found.rows if row.status == "approved")
    outliers = sum(row.outliers or 0 for row in found.rows)
    told = f"{plural(len(found.rows), 'convention')} ({approved} approved), {plural(outliers, 'outlier')}"
    return f"{told}; {undecided} more {'is' if undecided == 1 else 'are'} undecided" if undecided else told


def patterns_data(picture: Picture, undecided: int, shown: tuple[PatternRow, ...]) -> PatternsData:
    return PatternsData(shown, undecided, picture.rulebook.problems or None)


def pattern_row(picture: Picture, convention: Convention) -> PatternRow:
    measures = convention.measures
    return PatternRow(
        convention.id,
        convention.rule,
        convention.dimension.category,
        status_of(picture, convention),
        round(measures.score, _DIGITS),
        measures.level,
        convention.followed,
        len(convention.sites),
        convention.files,
        len(picture.outliers(convention)),
        convention.dimension.severity,
    )


def status_of(picture: Picture, convention: Convention) -> Status:
    return picture.status_of(convention)  # type: ignore[return-value]  # of these four


def _gone_row(decision: Decision) -> PatternRow:
    category = decision.id.partition("/")[0]
    nothing = (None,) * 7
    return PatternRow(decision.id, decision.rule or "no longer seen", category, "stale", *nothing)


def require_convention(picture: Picture, convention: str) -> Convention:
    """The convention of an id; PATTERN_NOT_FOUND with those that are called alike."""
    found = picture.find(convention)
    if found is not None:
        return found
    undecided = next(
        (each for each in picture.mined.undecided if convention in (each.id, each.dimension.id)), None
    )
    names = [each.id for each in picture.mined.conventions]
    said = f"No convention is called {convention}"
    if undecided is not None:
        shares = ", ".join(f"{one} {tally.sites}" for one, tally in list(undecided.tallies.items())[:4])
        said = f"{convention} is undecided in this project: {shares}"
    elif convention in picture.rulebook.dimensions:
        said = f"{convention} has too few places in this project to say anything"
    similar = tuple(similar_names(convention, names))
    raise DriftError(ErrorCode.PATTERN_NOT_FOUND, said, Recovery(similar=similar))


def wanted_conventions(
    picture: Picture, categories: tuple[str, ...], pattern: str | None
) -> list[Convention]:
    """One convention, or those of some categories that are not ignored, the surest first."""
    if pattern is not None:
        return [require_convention(picture, pattern)]
    chosen = [
        each
        for each in picture.mined.conventions
        if (not categories or each.dimension.category in categories) and picture.status_of(each) != "ignored"
    ]
    return sorted(chosen, key=lambda each: (-each.measures.score, each.id))[:_MOST_AT_ONCE]


def detail_summary(detail: PatternDetail) -> str:
    """A line on a convention."""
    return f"{detail.rule}: {detail.followed} of {detail.sites} places, {detail.confidence.level} ({detail.status})"


def describe_pattern(
    picture: Picture, convention: Convention, *, most: int, locations: bool = True, outliers: bool = True
) -> PatternDetail:
    """All that is known of a convention."""
    dimension, decision = convention.dimension, picture.rulebook.decision_on(convention.id)
    outlying = picture.outliers(convention)
    following = [each for each in convention.sites if each.variant == convention.variant]
    others = [
        each.id
        for each in picture.mined.conventions
        if each.dimension is dimension
        and each.id != convention.id
        and each.area.language == convention.area.language
    ]
    seen = picture.sightings.get(convention.id)
    return PatternDetail(
        id=convention.id,
        rule=convention.rule,
        title=dimension.title,
        category=dimension.category,
        status=status_of(picture, convention),
        severity=dimension.severity,
        language=convention.area.language
        or (dimension.languages[0] if len(dimension.languages) == 1 else None),
        code=convention.area.part,
        scope=convention.area.scope or None,
        confidence=_confidence(convention),
        variants=tuple(
            VariantRow(variant, dimension.phrase(variant), *tally)
            for variant, tally in convention.tallies.items()
        )[:20],
        looks_at=dimension.looks_at,
        why=dimension.why,
        limits=dimension.limits,
        example=dimension.example,
        followed=convention.followed,
        sites=len(convention.sites),
        files=convention.files,
        locations=tuple(_place(picture, each) for each in spread_out(following, most)) if locations else None,
        outliers=tuple(outlier_row(picture, convention, each) for each in outlying[:most])
        if outliers
        else None,
        outlier_count=len(outlying),
        excused=len(convention.sites) - convention.followed - len(outlying),
        first_seen=seen.first.date().isoformat() if seen else None,
        decided_by=decision.by if decision else None,
        decided_at=decision.at if decision else None,
        reason=decision.reason if decision else None,
        same_as=convention.same_as or None,
        other_scopes=tuple(others) or None,
    )


def _confidence(convention: Convention) -> ConfidenceRow:
    measures, days = convention.measures, convention.days
    return ConfidenceRow(
        score=round(measures.score, _DIGITS),
        level=measures.level,
        frequency=round(measures.frequency, _DIGITS),
        consistency=round(measures.consistency, _DIGITS),
        spread=round(measures.spread, _DIGITS),
        age=round(measures.age, _DIGITS),
        wilson=round(measures.wilson, _DIGITS),
        days=None if days is None else int(min(days, SETTLED_DAYS)),
    )


def _place(picture: Picture, site: Found) -> PlaceRow:
    return PlaceRow(picture.path_of(site), site.line, site.end_line)


def spread_out(sites: list[Found], most: int) -> list[Found]:
    """Some of the sites, of as many files as there are."""
    by_file: dict[int, list[Found]] = {}
    for each in sites:
        by_file.setdefault(each.file_id, []).append(each)
    chosen: list[Found] = []
    depth = 0
    while len(chosen) < min(most, len(sites)):
        chosen += [found[depth] for found in by_file.values() if len(found) > depth][: most - len(chosen)]
        depth += 1
    return chosen


def outlier_row(picture: Picture, convention: Convention, site: Found) -> OutlierRow:
    """An outlier with its reason and an example nearby."""
    dimension = convention.dimension
    tallies = convention.tallies
    reason = (
        f"uses {dimension.phrase(site.variant)}; {convention.followed} of {len(convention.sites)} places"
        f" {_whereabouts(convention)} use {dimension.phrase(convention.variant)}"
    )
    example = nearest_example(picture, convention, site)
    return OutlierRow(
        picture.path_of(site),
        site.line,
        site.variant,
        reason,
        round(deviation(tallies[site.variant], tallies[convention.variant]), _DIGITS),
        f"{picture.path_of(example)}:{example.line}" if example else None,
    )


def _whereabouts(convention: Convention) -> str:
    return f"in {convention.area.scope}" if convention.area.scope else "in the project"


def nearest_example(picture: Picture, convention: Convention, site: Found) -> Found | None:
    """The place nearest to a site that follows: in its file, its folder, or as near to it as there is one."""
    path = picture.path_of(site)

    def distance(other: Found) -> tuple[int, int, str]:
        if other.file_id == site.file_id:
            return -1000, abs(other.line - site.line), ""
        other_path = picture.path_of(other)
        shared = commonpath([f"/{dirname(path)}", f"/{dirname(other_path)}"]).strip("/")
        return -len(shared.split("/")) if shared else 0, 0, other_path

    following = (each for each in convention.sites if each.variant == convention.variant)
    return min(following, key=distance, default=None)
