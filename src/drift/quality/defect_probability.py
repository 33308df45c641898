"""How likely each file is to be changed by a fix within a year.

What it does: measures code, history, neighbours, duplication, names and tests of every file of the product, and weighs
them by a logistic model that was fitted on public histories. Why it matters: reviews and tests are best spent where
faults will be. Example: a file that many people changed lately, with a hard function in it, stands far above the mean.
Known limits: a fix is a commit whose subject says so; a project without history is judged by its code alone, which the
confidence says. How well the model ranks files it has not seen, and how its probabilities come true: docs/quality.md.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural
from drift.quality.defects import FEATURES, Prediction, load_model, measure_features, predict
from drift.quality.duplicates import find_duplicates
from drift.quality.findings import Finding, finding, in_order
from drift.quality.reporters import Report, Table

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.quality.scope import Scope

Risk = Literal["high", "medium", "low"]

# Of 100 files that are called high risk, more than half were fixed; of those called low risk, about one in ten.
_RISKS: Final[tuple[tuple[float, Risk], ...]] = ((0.5, "high"), (0.2, "medium"))
_FEWEST_FILES: Final = 20  # below, what is far from the mean is chance
_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class FeatureRow:
    """What a feature adds to the log-odds: its value, how far that is from the project's mean, and the product."""

    feature: str
    counts: str
    value: float | None
    z: float
    contribution: float


@dataclass(frozen=True, slots=True)
class DefectRow:
    """A file, the chance that a fix changes it within a year, and how much is known of it."""

    file: str
    probability: float
    risk: Risk
    confidence: float
    main_factor: str
    features: tuple[FeatureRow, ...] | None = None


@dataclass(frozen=True, slots=True)
class DefectData:
    """The files most likely to need a fix first; `expected_fixed` is the sum of all probabilities."""

    files: int
    by_risk: dict[str, int]
    expected_fixed: float
    model: str
    predictions: tuple[DefectRow, ...] | None = None
    document: str | None = None


class Defects(NamedTuple):
    """The predictions that are confident enough, and what has to be said of them."""

    predictions: tuple[Prediction, ...]
    left_out: int
    notes: tuple[str, ...]
    confidence: Mapping[str, float]

    @property
    def summary(self) -> str:
        risky = sum(risk_of(one.probability) == "high" for one in self.predictions)
        first = f"; most likely: {self.predictions[0].path}" if self.predictions else ""
        return f"{plural(len(self.predictions), 'file')}, {risky:,} of high risk{first}"

    def ranked(self) -> Ranked[Prediction]:
        sorts: dict[str, Sort[Prediction]] = {
            "probability": Sort(lambda one: (-one.probability, one.path), "desc"),
            "file": Sort(lambda one: (one.path,)),
        }
        return Ranked(self.predictions, sorts)

    def data(
        self,
        form: str,
        shown: Sequence[Prediction] = (),
        *,
        explain: bool,
        write: Callable[[Report], str] | None,
    ) -> DefectData:
        """The answer: figures always, rows or a text by the form."""
        risks = [risk_of(one.probability) for one in self.predictions]
        data = DefectData(
            len(self.predictions),
            {risk: risks.count(risk) for risk in ("high", "medium", "low")},
            round(sum(one.probability for one in self.predictions), 1),
            f"logistic, {len(FEATURES)} features, fitted on {len(load_model().trained_on)} repositories",
        )
        if write is not None:
            return replace(data, document=write(self.report()))
        if form == "summary":
            return data
        return replace(data, predictions=tuple(self._row(one, explain=explain) for one in shown))

    def report(self, subject: str = ".") -> Report:
        """All predictions, and a finding for each file of high risk."""
        columns = ("file", "probability", "risk", "confidence", *FEATURES)
        rows: list[tuple[str | int | float | bool | None, ...]] = []
        for one in self.predictions:
            given = {part.feature: part.contribution for part in one.contributions}
            parts = (given[name] for name in FEATURES)
            rows.append(
                (one.path, _rounded(one), risk_of(one.probability), self.confidence[one.path], *parts)
            )
        table = Table("files", columns, tuple(rows))
        findings = in_order(
            map(_finding, (one for one in self.predictions if risk_of(one.probability) == "high"))
        )
        return Report(
            "analyze_defect_probability", subject, self.summary, (), (table,), findings, notes=self.notes
        )

    def _row(self, one: Prediction, *, explain: bool) -> DefectRow:
        features = tuple(
            FeatureRow(
                part.feature,
                FEATURES[part.feature],
                round(part.value, _DIGITS) if part.value is not None else None,
                part.z,
                part.contribution,
            )
            for part in one.contributions
        )
        return DefectRow(
            one.path,
            _rounded(one),
            risk_of(one.probability),
            self.confidence[one.path],
            _main_factor(one),
            features if explain else None,
        )


def find_defects(
    reader: "IndexReader",
    root: Path,
    scope: "Scope",
    *,
    min_confidence: float = 0.0,
    check: Callable[[], None] = lambda: None,
) -> Defects:
    """The files of a scope, most likely to need a fix first. Features are compared within the scope."""
    files = [one for one in scope.files if one.role != "test"]
    notes = list(scope.notes)
    duplicates = find_duplicates(reader, root, scope, check=check)
    try:
        measured = measure_features(reader, root, files, duplicates, check=check)
    except DriftError as error:
        if error.code is not ErrorCode.STORE_UNAVAILABLE:
            raise
        measured = measure_features(reader, None, files, duplicates, check=check)
        notes.append("there is no git history, so that only the code tells: expect less of the order")
    if len(files) < _FEWEST_FILES:
        notes.append(f"of {plural(len(files), 'file')} no mean can be told that others could be far from")
    predictions = predict(measured.files, load_model())
    size = min(1.0, len(files) / _FEWEST_FILES)
    confidence = {one.path: round(one.known_share * size, 2) for one in predictions}
    sure = tuple(one for one in predictions if confidence[one.path] >= min_confidence)
    left_out = len(predictions) - len(sure)
    if left_out:
        notes.append(f"{left_out:,} files below the confidence of {min_confidence} are left out")
    return Defects(sure, left_out, (*notes, *measured.notes), confidence)


def risk_of(probability: float) -> Risk:
    """The word for a probability."""
    return next((risk for least, risk in _RISKS if probability >= least), "low")


def _rounded(one: Prediction) -> float:
    return round(one.probability, _DIGITS)


def _main_factor(one: Prediction) -> str:
    """What speaks for a fix most."""
    best = max(one.contributions, key=lambda part: part.contribution)
    return FEATURES[best.feature] if best.contribution > 0 else "nothing stands out"


def _finding(one: Prediction) -> Finding:
    return finding(
        "defects/likely",
        f"{one.probability:.0%} likely to need a fix within a year: {_main_factor(one)}",
        file=one.path,
        evidence={part.feature: part.contribution for part in one.contributions},
    )
