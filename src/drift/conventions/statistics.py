"""What the counts of a dimension's sites say: how common the dominant variant is, how evenly, how widely, how long."""

import math
import tomllib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

Level = Literal["high", "medium", "low", "uncertain"]

LEAST_FREQUENCY: Final = 0.6
"""Below it a dimension is undecided: a project that does a thing in both ways has no rule for it."""
LEAST_FILES: Final = 2
"""What one file does is its author's habit."""
SMALL_PROJECT_FILES: Final = 50
LEAST_SITES_SMALL: Final = 3
SETTLED_DAYS: Final = 30  # what has lasted so long is taken for settled
_Z: Final = 1.96  # of a confidence of 95 %
_LEVELS: Final[tuple[tuple[float, Level], ...]] = ((0.85, "high"), (0.70, "medium"), (0.50, "low"))


class Tally(NamedTuple):
    """How often a variant was chosen, and in how many files."""

    sites: int
    files: int


class Measures(NamedTuple):
    """What counts say; all between 0 and 1."""

    frequency: float
    consistency: float
    spread: float
    age: float
    wilson: float
    score: float
    level: Level


def measure(
    tallies: Mapping[str, Tally], dominant: str, *, files_with_any: int, days: float | None
) -> Measures:
    """The measures of a dominant variant; `days` is how long it has been there, None where nobody knows."""
    sites = sum(each.sites for each in tallies.values())
    chosen = tallies[dominant]
    frequency = chosen.sites / sites
    parts = {
        "frequency": frequency,
        "consistency": consistency([each.sites for each in tallies.values()]),
        "spread": chosen.files / files_with_any,
        "age": 0.0 if days is None else min(1.0, max(0.0, days) / SETTLED_DAYS),
        "wilson": wilson(chosen.sites, sites),
    }
    score = calibrated(sum(calibration().weights[name] * value for name, value in parts.items()))
    return Measures(**parts, score=score, level=level_of(score))


def consistency(counts: Sequence[int]) -> float:
    """One less the entropy of the variants over the greatest it could be; 1 where there is one variant."""
    total = sum(counts)
    present = [each for each in counts if each]
    if len(present) <= 1:
        return 1.0
    entropy = -sum(each / total * math.log(each / total) for each in present)
    return max(0.0, 1 - entropy / math.log(len(present)))


def wilson(chosen: int, total: int) -> float:
    """The lower end of what the true share may be, so that 3 of 3 does not outrank 290 of 300."""
    if not total:
        return 0.0
    share, square = chosen / total, _Z * _Z
    centre = share + square / (2 * total)
    margin = _Z * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    return max(0.0, (centre - margin) / (1 + square / total))


def level_of(score: float) -> Level:
    """The word for a score."""
    return next((level for least, level in _LEVELS if score >= least), "uncertain")


def deviation(variant: Tally, dominant: Tally) -> float:
    """How far a site is from the rule: 0 for a variant as common as the dominant one, near 1 for a rare one."""
    return 1 - variant.sites / dominant.sites


def least_sites(wanted: int, *, project_files: int) -> int:
    """From how many sites on a dimension is spoken of."""
    is_small = project_files < SMALL_PROJECT_FILES
    return min(wanted, LEAST_SITES_SMALL) if is_small else wanted


class Calibration(NamedTuple):
    """The weights of the parts, and points between which the score of their sum is found."""

    weights: Mapping[str, float]
    sums: tuple[float, ...]
    scores: tuple[float, ...]


@cache
def calibration() -> Calibration:
    """What calibration.toml says."""
    text = files("drift.conventions").joinpath("calibration.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    points = sorted((each["sum"], each["score"]) for each in data["points"])
    return Calibration(data["weights"], tuple(at for at, _ in points), tuple(score for _, score in points))


def calibrated(weighted: float) -> float:
    """The score of a weighted sum: straight lines between the points."""
    _, sums, scores = calibration()
    place = bisect_right(sums, weighted)
    if place == 0:
        return scores[0]
    if place == len(sums):
        return scores[-1]
    low, high = sums[place - 1], sums[place]
    return scores[place - 1] + (scores[place] - scores[place - 1]) * (weighted - low) / (high - low)
