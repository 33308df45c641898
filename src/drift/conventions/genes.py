"""The profile of a project: how each category of decisions is taken, how evenly, and where it is taken otherwise.

A gene is a category; its alleles are what the dimensions of the category come to. The score, of 100, is 40 x the mean consistency,
30 x the mean frequency of what dominates, 20 x (1 - the weight of mutations) and 10 x the share of dimensions that are decided. A mutation
weighs 3, 2 or 1 by how rare its variant is and how clear the rule; all weigh in full from one for every two files on.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import mean
from typing import Final, Literal

from drift.conventions.mining import Convention
from drift.conventions.picture import Picture
from drift.state import HealthGlance

Impact = Literal["high", "medium", "low"]

_WEIGHTS: Final[dict[Impact, int]] = {"high": 3, "medium": 2, "low": 1}
_RARE: Final = 0.1
_SELDOM: Final = 0.3
_CLEAR: Final = 0.8
_MUTATIONS_PER_FILE: Final = 0.5
_LEVELS: Final = ((90, "excellent"), (70, "good"), (50, "fair"))
_MOST_ALLELES: Final = 8
_MOST_NAMED: Final = 3
_MOST_MUTATIONS: Final = 10


@dataclass(frozen=True, slots=True)
class AlleleRow:
    """What a dimension comes to: the rule, or null where the project does it in several ways."""

    dimension: str
    dominant: str | None
    rule: str | None
    frequency: float
    sites: int
    alternatives: tuple[str, ...] | None
    exemplar: str | None


@dataclass(frozen=True, slots=True)
class GeneRow:
    """A category of decisions; confidence is the mean frequency of what dominates, mutations are outliers."""

    gene: str
    consistency: float
    confidence: float
    decided: int
    undecided: int
    mutations: int
    alleles: tuple[AlleleRow, ...]


@dataclass(frozen=True, slots=True)
class MutationRow:
    """A place that does otherwise, and how much that weighs."""

    file: str
    line: int
    gene: str
    dimension: str
    expected: str
    actual: str
    impact: Impact


@dataclass(frozen=True, slots=True)
class DnaData:
    """The genes of a project; the score, which is of its conventions alone, is null where nothing was counted."""

    dna_score: float | None
    level: str | None
    diversity: float | None
    genes: tuple[GeneRow, ...]
    mutations: tuple[MutationRow, ...]
    project_health: HealthGlance | None = None


def profile(picture: Picture, *, gene: str | None = None) -> DnaData:
    """The genes, all or one."""
    chosen = [each for each in _all(picture) if gene in (None, each.dimension.category)]
    groups: dict[str, list[Convention]] = {}
    for each in chosen:
        groups.setdefault(each.dimension.category, []).append(each)
    genes = tuple(_gene(picture, name, group) for name, group in sorted(groups.items()))
    mutations = [one for each in chosen if each.is_decided for one in _mutations(picture, each)]
    mutations.sort(key=lambda row: (-_WEIGHTS[row.impact], row.file, row.line))
    score = _score(picture, chosen, mutations)
    level = None if score is None else next((word for least, word in _LEVELS if score >= least), "poor")
    spread = 1 - mean(each.measures.consistency for each in chosen) if chosen else None
    shown = tuple(mutations[:_MOST_MUTATIONS])
    return DnaData(score, level, None if spread is None else round(spread, 3), genes, shown)


def _all(picture: Picture) -> Iterable[Convention]:
    return (*picture.mined.conventions, *picture.mined.undecided)


def _score(picture: Picture, conventions: list[Convention], mutations: list[MutationRow]) -> float | None:
    if not conventions:
        return None
    files = sum(1 for each in picture.mined.files.values() if each.language) or 1
    penalty = min(1.0, sum(_WEIGHTS[each.impact] for each in mutations) / (_MUTATIONS_PER_FILE * files))
    parts = (
        40 * mean(each.measures.consistency for each in conventions),
        30 * mean(each.measures.frequency for each in conventions),
        20 * (1 - penalty),
        10 * mean(each.is_decided for each in conventions),
    )
    return round(sum(parts), 1)


def _gene(picture: Picture, name: str, group: list[Convention]) -> GeneRow:
    group = sorted(group, key=lambda each: (-each.measures.score, each.id))
    decided = [each for each in group if each.is_decided]
    return GeneRow(
        name,
        round(mean(each.measures.consistency for each in group), 3),
        round(mean(each.measures.frequency for each in group), 3),
        len(decided),
        len(group) - len(decided),
        sum(len(picture.outliers(each)) for each in decided),
        tuple(_allele(picture, each) for each in group[:_MOST_ALLELES]),
    )


def _allele(picture: Picture, convention: Convention) -> AlleleRow:
    is_decided = convention.is_decided
    others = [variant for variant in convention.tallies if variant != convention.variant or not is_decided]
    first = next((each for each in convention.sites if each.variant == convention.variant), None)
    return AlleleRow(
        convention.id,
        convention.variant if is_decided else None,
        convention.rule if is_decided else None,
        round(convention.measures.frequency, 3),
        len(convention.sites),
        tuple(others[:4]) or None,
        f"{picture.path_of(first)}:{first.line}" if first and is_decided else None,
    )


def _mutations(picture: Picture, convention: Convention) -> Iterable[MutationRow]:
    total = len(convention.sites)
    for site in picture.outliers(convention):
        share = convention.tallies[site.variant].sites / total
        yield MutationRow(
            picture.path_of(site),
            site.line,
            convention.dimension.category,
            convention.id,
            convention.variant,
            site.variant,
            _impact(share, convention.measures.frequency),
        )


def _impact(share: float, dominant: float) -> Impact:
    if share < _RARE and dominant > _CLEAR:
        return "high"
    return "medium" if share < _SELDOM else "low"


def dna_line(picture: Picture) -> str | None:
    """How the project decides, in a line: its most and its least even categories; None where nothing was counted."""
    groups: dict[str, list[float]] = {}
    for each in _all(picture):
        groups.setdefault(each.dimension.category, []).append(each.measures.consistency)
    ordered = sorted(((mean(values), name) for name, values in groups.items()), reverse=True)
    if not ordered:
        return None
    ends = [*ordered[:_MOST_NAMED], *ordered[max(_MOST_NAMED, len(ordered) - 1) :]]
    told = ", ".join(f"{name} {value:.2f}" for value, name in ends)
    decided, undecided = len(picture.mined.conventions), len(picture.mined.undecided)
    return f"{decided} decided, {undecided} undecided; how evenly: {told}"


def dna_summary(data: DnaData) -> str:
    """A line on the profile."""
    if data.dna_score is None:
        return "Too few places to tell how this project decides anything"
    decided = sum(each.decided for each in data.genes)
    undecided = sum(each.undecided for each in data.genes)
    mutated = sum(each.mutations for each in data.genes)
    return f"DNA score {data.dna_score:.0f} of 100 ({data.level}): {decided} decided, {undecided} undecided, {mutated} mutations"
