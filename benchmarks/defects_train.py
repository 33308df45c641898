"""Fits the model of defects on public histories, and says how well it ranks files of repositories it has not seen.

    python benchmarks/defects_train.py MIRRORS CHECKOUTS [--write] [--fresh]

MIRRORS holds repositories with their whole history as `owner+name/repo`, CHECKOUTS is where their trees of some years
ago are checked out and scanned (`owner+name@years`, made where they are missing). Features are what the product
measures at that commit, so nothing after it is seen; a file is positive where a commit whose subject tells of a fix
changes it in the year after, renames followed. Training is on trees of two years before the newest commit (labels from
the year that follows), testing on other repositories one year before it: split by repository and by time.
"""

import argparse
import json
import os
import pickle
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from drift.history import log
from drift.history.commits import kind_of
from drift.index import IndexReader
from drift.project import StateDir
from drift.quality.defects.features import FEATURES, YEAR, FileFeatures, measure_features
from drift.quality.defects.model import rate_logit, standardise
from drift.quality.duplicates import find_duplicates
from drift.quality.scope import choose_scope
from drift.scan import ScanOptions, scan

TRAIN = (
    "BookStackApp+BookStack", "GoogleCloudPlatform+microservices-demo", "LemmyNet+lemmy", "apache+answer",
    "brocoders+nestjs-boilerplate", "elk-zone+elk", "go-shiori+shiori", "mattermost+focalboard",
    "mealie-recipes+mealie", "mempool+mempool", "pallets+click", "pretix+pretix", "saleor+saleor-storefront",
    "thedevs-network+kutt", "usememos+memos",
)  # fmt: skip
TEST = (
    "dani-garcia+vaultwarden", "fastify+fastify", "ghostfolio+ghostfolio", "healthchecks+healthchecks", "honojs+hono",
    "koel+koel", "lobsters+lobsters", "microcks+microcks", "miniflux+v2", "navidrome+navidrome",
    "paperless-ngx+paperless-ngx", "wger-project+wger",
)  # fmt: skip
# Chosen by leaving out each of the training repositories in turn; 100 is as good, 2 and 2,000 are worse.
PENALTY = 300.0
LEAST_FILES, LEAST_FIXED = (
    100,
    20,
)  # of a repository to learn from: of fewer, one weighs as much as hundreds elsewhere
# Mirrors lack their largest files, and git fails where it has to look into one: only files that moved unchanged are
# followed here. The product follows the others, too.
log._SHAPE = ("--relative", "--find-renames=100%", "-z")  # noqa: SLF001 - the mirrors leave no other way
MODEL = Path(__file__).parents[1] / "src/drift/quality/defects/model.json"


class Sample(NamedTuple):
    name: str
    features: tuple[FileFeatures, ...]
    labels: list[bool]
    lines: list[float]

    @property
    def scores(self) -> np.ndarray:
        return np.array(standardise(self.features))


def git(place: Path, *arguments: str) -> str:
    environment = {"GIT_DIR": str(place), "PATH": os.environ["PATH"]}
    done = subprocess.run(("git", *arguments), env=environment, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def check_out(mirrors: Path, checkouts: Path, name: str, years: int) -> Path:
    root = checkouts / f"{name}@{years}"
    if not (root / ".done").exists():
        mirror = mirrors / name / "repo"
        before = int(git(mirror, "log", "-1", "--format=%ct")) - years * YEAR
        commit = git(mirror, "rev-list", "-1", f"--before={before}", "HEAD").strip()
        subprocess.run(("git", "clone", "-q", "--shared", "--no-checkout", mirror, root), check=True)
        for arguments in (
            ("update-ref", "--no-deref", "HEAD", commit),
            ("read-tree", commit),
            ("checkout-index", "-a", "-f"),
        ):
            # A mirror may lack its largest files, which are no code.
            subprocess.run(("git", *arguments), cwd=root, check=False, stderr=subprocess.DEVNULL)
        scan(root, ScanOptions(jobs=1))
        (root / ".done").touch()
    return root


def fixed_files(mirror: Path, commit: str) -> set[str]:
    """The files of a commit, by their names there, that fixes of the year after change."""
    began = int(git(mirror, "log", "-1", "--format=%ct", commit))
    told = git(
        mirror,
        "log",
        "--no-merges",
        "--reverse",
        "--name-status",
        "-M100%",
        "-z",
        "--format=%x01%ct %s%x00",
        f"{commit}..HEAD",
    )
    before: dict[str, str] = {}
    found = set()
    for entry in told.split("\x01")[1:]:
        head, *parts = entry.split("\0")
        time, _, subject = head.partition(" ")
        is_fix = kind_of(subject) == "fix" and int(time) <= began + YEAR
        words = [part.lstrip("\n") for part in parts if part.strip("\n")]
        at = 0
        while at < len(words):
            letter, path = words[at], words[at + 1]
            if letter[0] in "RC":
                new = words[at + 2]
                origin = before.get(path, path)
                if letter[0] == "R":
                    before[new] = origin
                path, at = new, at + 1
            at += 2
            if is_fix:
                found.add(before.get(path, path))
    return found


def read_sample(mirrors: Path, checkouts: Path, name: str, years: int, *, fresh: bool) -> Sample:
    root = check_out(mirrors, checkouts, name, years)
    kept = root / ".sample"
    if kept.exists() and not fresh:
        return pickle.loads(kept.read_bytes())
    with IndexReader(StateDir(root).index_db) as reader:
        scope = choose_scope(reader, with_tests=False)
        duplicates = find_duplicates(reader, root, choose_scope(reader))
        features = measure_features(reader, root, scope.files, duplicates)
    commit = subprocess.run(
        ("git", "rev-parse", "HEAD"), cwd=root, capture_output=True, check=True, text=True
    ).stdout.strip()
    fixed = fixed_files(mirrors / name / "repo", commit)
    sample = Sample(
        f"{name}@{years}",
        features.files,
        [one.path in fixed for one in features.files],
        [float(one.code_lines or 0) for one in scope.files],
    )
    kept.write_bytes(pickle.dumps(sample))
    return sample


def area(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """The chance that a fixed file stands above one that was not, ties half."""
    order = np.argsort(scores, kind="stable")
    sorted_scores = np.asarray(scores)[order]
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    for value in np.unique(sorted_scores):
        same = np.asarray(scores) == value
        ranks[same] = ranks[same].mean()
    positive = np.asarray(labels)
    count = positive.sum()
    return float((ranks[positive].sum() - count * (count + 1) / 2) / (count * (len(labels) - count)))


def newton(
    inputs: np.ndarray, wanted: np.ndarray, weights: np.ndarray, penalties: Sequence[float]
) -> np.ndarray:
    """Logistic regression with a ridge penalty on each coefficient."""
    penalty = np.diag(penalties)
    found = np.zeros(inputs.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ (weights * (wanted - chance)) - penalty @ found
        curve = (inputs * (weights * chance * (1 - chance))[:, None]).T @ inputs + penalty
        step = np.linalg.solve(curve, slope)
        found += step
        if np.abs(step).max() < 1e-9:
            break
    return found


def fit(samples: Sequence[Sample]) -> np.ndarray:
    """Weights of the features, of the project's rate, and the intercept; each repository weighs the same.

    The penalty makes the ranking steady and the probabilities timid, so they are stretched by a second fit without one.
    """
    scores = np.vstack([one.scores for one in samples])
    rates = np.concatenate([np.full(len(one.labels), rate_logit(one.features)) for one in samples])
    ones = np.ones(len(rates))
    wanted = np.concatenate([np.array(one.labels, float) for one in samples])
    weights = np.concatenate([np.full(len(one.labels), 300 / len(one.labels)) for one in samples])
    penalties = [PENALTY] * len(FEATURES) + [0.01, 0.01]
    first = newton(np.column_stack([scores, rates, ones]), wanted, weights, penalties)
    ranking = scores @ first[: len(FEATURES)]
    stretch, rate, intercept = newton(np.column_stack([ranking, rates, ones]), wanted, weights, [0.01] * 3)
    return np.concatenate([first[: len(FEATURES)] * stretch, [rate, intercept]])


def chances(sample: Sample, fitted: np.ndarray) -> np.ndarray:
    logits = sample.scores @ fitted[:-2] + rate_logit(sample.features) * fitted[-2] + fitted[-1]
    return 1 / (1 + np.exp(-logits))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("--write", action="store_true", help="write the model into the package")
    parser.add_argument("--fresh", action="store_true", help="measure features again")
    arguments = parser.parse_args()
    read = [arguments.mirrors, arguments.checkouts]
    train = [read_sample(*read, name, 2, fresh=arguments.fresh) for name in TRAIN]
    train = [one for one in train if len(one.labels) >= LEAST_FILES and sum(one.labels) >= LEAST_FIXED]
    print(f"trained on {len(train)} repositories, {sum(len(one.labels) for one in train):,} files")
    fitted = fit(train)
    for name, weight in zip((*FEATURES, "rate", "intercept"), fitted, strict=True):
        print(f"  {name:18} {weight:+.3f}")
    test = [read_sample(*read, name, 1, fresh=arguments.fresh) for name in TEST]
    gains, cells = [], []
    for sample in test:
        found = chances(sample, fitted)
        cells += zip(found, sample.labels, strict=True)
        ours, theirs = area(found, sample.labels), area(sample.lines, sample.labels)
        gains.append(ours - theirs)
        positive = sum(sample.labels)
        print(
            f"{sample.name:32} {len(sample.labels):5} files {positive:4} fixed  model {ours:.3f}  lines {theirs:.3f}  {gains[-1]:+.3f}"
        )
    print(f"mean gain {np.mean(gains):+.3f}, least {min(gains):+.3f}")
    print("| predicted | files | mean predicted | fixed |\n| --- | --- | --- | --- |")
    for low, high in zip(
        (0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7), (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.01), strict=True
    ):
        inside = [cell for cell in cells if low <= cell[0] < high]
        if inside:
            mean, share = (float(np.mean([cell[at] for cell in inside])) for at in (0, 1))
            print(f"| {low:.2f}-{min(high, 1):.2f} | {len(inside):,} | {mean:.2f} | {share:.2f} |")
    if arguments.write:
        model = {
            "weights": {
                name: round(float(weight), 4) for name, weight in zip(FEATURES, fitted, strict=False)
            },
            "intercept": round(float(fitted[-1]), 4),
            "rate_weight": round(float(fitted[-2]), 4),
            "trained_on": [one.name.replace("+", "/").partition("@")[0] for one in train],
        }
        MODEL.write_text(json.dumps(model, indent=2) + "\n")


if __name__ == "__main__":
    main()
