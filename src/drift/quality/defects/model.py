"""A logistic model over features that are z-scored within the project; its coefficients are data (model.json).

`benchmarks/defects_train.py` fits it on public histories. The share of files that were fixed in the year before stands
for how much a project fixes at all, so that probabilities mean something in quiet projects, too.
"""

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from statistics import fmean, pstdev
from typing import Final, NamedTuple

from drift.quality.defects.features import FEATURES, FileFeatures

_MOST_Z: Final = 4.0  # beyond, a file is like no other and the model has seen none like it
_LEAST_RATE, _MOST_RATE = 0.005, 0.9


class Model(NamedTuple):
    """The fitted weights by feature, what is added to all, and the weight of how much the project fixes."""

    weights: Mapping[str, float]
    intercept: float
    rate_weight: float
    trained_on: tuple[str, ...]


class Contribution(NamedTuple):
    """What a feature adds to the log-odds of a file: its value there, how far that is from the mean, the product."""

    feature: str
    value: float | None
    z: float
    contribution: float


class Prediction(NamedTuple):
    """How likely a file is to be changed by a fix within a year, and what that is made of, the largest part first."""

    path: str
    probability: float
    contributions: tuple[Contribution, ...]
    known_share: float
    """Of the features, that could be measured."""


@cache
def load_model() -> Model:
    """The model that comes with Drift."""
    row = json.loads(files("drift.quality.defects").joinpath("model.json").read_text("utf-8"))
    return Model(row["weights"], row["intercept"], row["rate_weight"], tuple(row["trained_on"]))


def predict(features: Sequence[FileFeatures], model: Model) -> list[Prediction]:
    """The predictions for all files of a project, the most likely first."""
    scores = standardise(features)
    base = model.intercept + model.rate_weight * rate_logit(features)
    found = []
    for one, row in zip(features, scores, strict=True):
        parts = [
            Contribution(name, value, round(z, 4), round(model.weights.get(name, 0.0) * z, 4))
            for name, value, z in zip(FEATURES, one.values, row, strict=True)
        ]
        logit = base + sum(model.weights.get(name, 0.0) * z for name, z in zip(FEATURES, row, strict=True))
        known = sum(value is not None for value in one.values) / len(one.values)
        ordered = sorted(parts, key=lambda part: (-abs(part.contribution), part.feature))
        found.append(Prediction(one.path, 1 / (1 + math.exp(-logit)), tuple(ordered), known))
    return sorted(found, key=lambda one: (-one.probability, one.path))


def standardise(features: Sequence[FileFeatures]) -> list[list[float]]:
    """Each value as its distance from the project's mean in standard deviations; an unknown one is like the mean."""
    columns = []
    for number in range(len(FEATURES)):
        known = [one.values[number] for one in features]
        values = [value for value in known if value is not None]
        mean, spread = (fmean(values), pstdev(values)) if values else (0.0, 0.0)
        columns.append(
            [
                max(-_MOST_Z, min(_MOST_Z, (value - mean) / spread)) if value is not None and spread else 0.0
                for value in known
            ]
        )
    return [list(row) for row in zip(*columns, strict=True)]


def rate_logit(features: Sequence[FileFeatures]) -> float:
    """The log-odds of a file having been fixed in the year before."""
    share = sum(one.fixes_last_year > 0 for one in features) / max(1, len(features))
    bounded = max(_LEAST_RATE, min(_MOST_RATE, share))
    return math.log(bounded / (1 - bounded))
