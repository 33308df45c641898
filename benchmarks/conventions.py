"""Do conventions hold for code that was written later? Mined at an old commit, held against the lines added since.

    python benchmarks/conventions.py REPOSITORY... [--days 540] [--save FILE] [--fit]

Each repository needs its history. The tree of the last commit so many days before the newest is mined as Drift mines any
project; in the newest tree the sites are looked at that stand in lines added since. How often did they follow what had been
claimed for their place? A table tells it by repository and by bin of the claimed score, with the mean gap between score and
follow rate (ECE, ten bins). No convention counts for more than 30 new sites. Outliers: the share of their lines that was
changed or deleted since, beside that of sites that followed. `--fit` prints points for conventions/calibration.toml: the follow
rate by the weighted sum, made monotone.
"""

import argparse
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from drift.conventions.gathering import Found, Gathered, gather
from drift.conventions.mining import Convention, Mined, area_language, counted_part, mine
from drift.conventions.scopes import scopes_of
from drift.conventions.statistics import calibration
from drift.dimensions import shipped_dimensions
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

MOST_SITES = 30
BINS = 10
HUNK = re.compile(r"@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@")

Lines = dict[str, set[int]]


class Claim(NamedTuple):
    """A convention claimed at the old commit, and what the new sites did."""

    repository: str
    id: str
    score: float
    level: str
    measures: dict[str, float]
    sites: int
    new: int
    followed: int


class Fate(NamedTuple):
    """How many old sites there were, and how many of their lines were changed or deleted since."""

    sites: int = 0
    gone: int = 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--days", type=int, default=540)
    parser.add_argument("--save", type=Path, metavar="FILE", help="add the claims to this file")
    parser.add_argument("--fit", action="store_true")
    chosen = parser.parse_args()
    claims = read_claims(chosen.save)
    for repository in chosen.repositories:
        claims = [each for each in claims if each.repository != repository.name]
        found, outliers, others = look_at(repository, chosen.days)
        claims += found
        tell_repository(repository.name, found, outliers, others)
        if chosen.save:
            chosen.save.write_text(json.dumps([each._asdict() for each in claims], indent=1))
    tell_bins(claims)
    if chosen.fit:
        tell_fit(claims)
    return 0


def read_claims(path: Path | None) -> list[Claim]:
    if path is None or not path.exists():
        return []
    return [Claim(**each) for each in json.loads(path.read_text())]


def look_at(repository: Path, days: int) -> tuple[list[Claim], Fate, Fate]:
    """The claims of a repository and what became of them, of its outliers, and of sites that followed."""
    newest = git(repository, "rev-parse", "HEAD").strip()
    seconds = int(git(repository, "log", "-1", "--format=%ct", newest)) - days * 86_400
    old = git(repository, "rev-list", "-1", f"--before={seconds}", newest).strip()
    if not old:
        sys.exit(f"{repository} has no commit {days} days before its newest")
    added, removed = changed_lines(repository, old, newest)
    recent = added_lately(repository, old, seconds)
    with tempfile.TemporaryDirectory(prefix="drift-conventions-") as place:
        before = gathered(unpack(repository, old, Path(place) / "old"))
        ages = {file: recent[each.path] for file, each in before.files.items() if each.path in recent}
        mined = mine(before, shipped_dimensions(), ages)
        after = gathered(unpack(repository, newest, Path(place) / "new"))
    claims = follow(repository.name, mined, after, added)
    outliers, others = fates(mined, removed)
    return claims, outliers, others


def follow(name: str, mined: Mined, after: Gathered, added: Lines) -> list[Claim]:
    """The claims with the new sites that each was about."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    governing = Governing(mined, after)
    for site in after.sites():
        file = after.files[site.file_id]
        if site.line not in added.get(file.path, ()):
            continue
        claim = governing.claim(site)
        if claim is not None:
            counts[claim.id][0] += 1
            counts[claim.id][1] += site.variant == claim.variant
    return [
        Claim(
            name,
            each.id,
            each.measures.score,
            each.measures.level,
            {key: value for key, value in each.measures._asdict().items() if key not in {"score", "level"}},
            len(each.sites),
            *counts[each.id],
        )
        for each in mined.conventions
        if counts[each.id][0]
    ]


class Governing:
    """Which claim of the old tree a site of the new tree stands under."""

    def __init__(self, mined: Mined, after: Gathered) -> None:
        self._after = after
        self._scopes = scopes_of(after.files)
        self._claims: dict[tuple[str, str | None, str, str], Convention] = {
            tuple(each.area): each for each in mined.conventions
        }

    def claim(self, site: Found) -> Convention | None:
        file = self._after.files[site.file_id]
        dimension = shipped_dimensions()[site.dimension]
        part = counted_part(file, dimension, has_product=True)
        if part is None:
            return None
        language = area_language(dimension, file)
        for scope in reversed(self._scopes[site.file_id]):
            found = self._claims.get((site.dimension, language, part, scope))
            if found is not None:
                return found
        return None


def fates(mined: Mined, removed: Lines) -> tuple[Fate, Fate]:
    outliers, others = Fate(), Fate()
    for convention in mined.conventions:
        for site in convention.sites:
            is_gone = site.line in removed.get(mined.files[site.file_id].path, ())
            if site.variant == convention.variant:
                others = Fate(others.sites + 1, others.gone + is_gone)
            else:
                outliers = Fate(outliers.sites + 1, outliers.gone + is_gone)
    return outliers, others


def gathered(root: Path) -> Gathered:
    scan(root, ScanOptions(jobs=2))
    with IndexReader(StateDir(root).index_db) as reader, reader.snapshot():
        return gather(reader, shipped_dimensions().values())


def unpack(repository: Path, commit: str, place: Path) -> Path:
    place.mkdir()
    content = subprocess.run(
        ["git", "-C", repository, "archive", commit], check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=BytesIO(content)) as archive:
        archive.extractall(place, filter="data")
    return place


def changed_lines(repository: Path, old: str, new: str) -> tuple[Lines, Lines]:
    """The lines that were added to the new tree, and those of the old one that were changed or deleted."""
    added: Lines = defaultdict(set)
    removed: Lines = defaultdict(set)
    before = after = ""
    for line in git(repository, "diff", "-U0", "--no-color", "--no-ext-diff", "-M", old, new).splitlines():
        if line.startswith("--- "):
            before = line[4:].removeprefix("a/")
        elif line.startswith("+++ "):
            after = line[4:].removeprefix("b/")
        elif found := HUNK.match(line):
            first, count, new_first, new_count = (int(part) if part else 1 for part in found.groups())
            removed[before].update(range(first, first + count))
            added[after].update(range(new_first, new_first + new_count))
    return added, removed


def added_lately(repository: Path, old: str, seconds: int) -> dict[str, float]:
    """How many days files had been there that came within the month before a commit."""
    log = git(
        repository,
        "log",
        "--diff-filter=A",
        "--name-only",
        "--format=@%ct",
        f"--since={seconds - 31 * 86_400}",
        old,
    )
    ages: dict[str, float] = {}
    time = seconds
    for line in log.splitlines():
        if line.startswith("@"):
            time = int(line[1:])
        elif line:
            ages[line] = (seconds - time) / 86_400
    return ages


def git(repository: Path, *words: str) -> str:
    command = ["git", "-C", str(repository), *words]
    return subprocess.run(command, check=True, capture_output=True).stdout.decode("utf-8", "replace")


def weight_of(claim: Claim) -> float:
    return float(min(claim.new, MOST_SITES))


def rate_of(claims: Iterable[Claim]) -> float | None:
    pairs = [(weight_of(each), each.followed / each.new) for each in claims]
    total = sum(weight for weight, _ in pairs)
    return sum(weight * rate for weight, rate in pairs) / total if total else None


def tell_repository(name: str, claims: list[Claim], outliers: Fate, others: Fate) -> None:
    new = sum(each.new for each in claims)
    high = rate_of(each for each in claims if each.level == "high")
    shares = [each.gone / each.sites if each.sites else float("nan") for each in (outliers, others)]
    print(
        f"{name:24} {len(claims):4} claims {new:6} new sites, followed {shown(rate_of(claims))}, high {shown(high)};"
        f" lines gone: outliers {shares[0]:.2f} of {outliers.sites}, others {shares[1]:.2f} of {others.sites}",
        flush=True,
    )


def tell_bins(claims: list[Claim]) -> None:
    total = sum(map(weight_of, claims)) or 1.0
    gap = 0.0
    print("score      claims  sites  claimed  followed")
    for number in range(BINS):
        inside = [each for each in claims if min(int(each.score * BINS), BINS - 1) == number]
        weight = sum(map(weight_of, inside))
        if not weight:
            continue
        claimed = sum(weight_of(each) * each.score for each in inside) / weight
        followed = rate_of(inside) or 0.0
        gap += weight / total * abs(claimed - followed)
        print(
            f"{number / BINS:.1f}-{(number + 1) / BINS:.1f} {len(inside):10} {weight:6.0f} {claimed:8.3f} {followed:9.3f}"
        )
    high = rate_of(each for each in claims if each.level == "high")
    print(f"ECE {gap:.3f}; follow rate of high {shown(high)}; {len(claims)} claims")


def shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def tell_fit(claims: list[Claim]) -> None:
    """Points for calibration.toml, by pooling neighbours that would make the rate fall."""
    weights = calibration().weights
    pairs: list[Any] = sorted(
        (
            sum(weights[name] * each.measures[name] for name in weights),
            weight_of(each),
            each.followed / each.new,
        )
        for each in claims
    )
    pools: list[list[float]] = []  # weight, weighted sums, weighted rates
    for at, weight, rate in pairs:
        pools.append([weight, weight * at, weight * rate])
        while len(pools) > 1 and pools[-2][2] / pools[-2][0] >= pools[-1][2] / pools[-1][0]:
            last = pools.pop()
            pools[-1] = [one + other for one, other in zip(pools[-1], last, strict=True)]
    for weight, sums, rates in pools:
        print(f"[[points]]\nsum = {sums / weight:.3f}\nscore = {rates / weight:.3f}  # {weight:.0f} sites")


if __name__ == "__main__":
    raise SystemExit(main())
