"""Test files that may be about a file though nothing in the code leads from one to the other.

By name: `test_pay.py`, `pay.spec.ts` and `PayTests.java` are about what `pay` is the name of. By history: files that
mostly change in the same commits. Both say less than a call, and are told with how much they say.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.history import Commit, Wanted, opened_history
from drift.kernel.errors import DriftError

if TYPE_CHECKING:
    from drift.index import IndexReader

_NAMED: Final = 0.4
_TOGETHER: Final = 0.5  # times the share of its commits that changed both
_LEAST_COMMITS: Final = 2
_LEAST_SHARE: Final = 0.3
_MOST_COMMITS: Final = 1_000
_MOST_CHANGES: Final = 30  # a commit of more files says nothing of two of them
_MOST_ROWS: Final = 5  # for each file
_MARK: Final = re.compile(
    r"^tests?[_-]|[_.-](?:tests?|spec|e2e|it)$|(?<=[a-z0-9])(?:Tests?|TestCase|Spec|IT|Should)$"
)


class NearTest(NamedTuple):
    """A test file that may be about a file of the product: why, and how surely."""

    path: str
    about: str
    why: str
    confidence: float


def find_near_tests(reader: "IndexReader", root: Path, paths: Collection[str]) -> tuple[NearTest, ...]:
    """The test files that may be about these files, the surest first."""
    if not paths:
        return ()
    tests = {one.path for one in reader.files.stamps() if one.role == "test"}
    found = [*_by_name(tests, paths), *_by_history(_read(root), tests, paths)]
    best: dict[tuple[str, str], NearTest] = {}
    for one in sorted(found, key=lambda one: (-one.confidence, one.path)):
        best.setdefault((one.about, one.path), one)
    rows: dict[str, list[NearTest]] = defaultdict(list)
    for one in best.values():
        rows[one.about].append(one)
    return tuple(one for about in rows for one in rows[about][:_MOST_ROWS])


def plain_stem(path: str) -> str:
    """The name of a file without its ending and without what marks a test."""
    name = path.rpartition("/")[2]
    stem = name[: name.rfind(".")] if "." in name[1:] else name
    while (shorter := _MARK.sub("", stem)) not in {stem, ""}:
        stem = shorter
    return stem.lower().replace("-", "").replace("_", "")


def _by_name(tests: Iterable[str], paths: Collection[str]) -> list[NearTest]:
    named: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        named[plain_stem(test)].append(test)
    return [
        NearTest(test, path, f"named after {path.rpartition('/')[2]}", _NAMED)
        for path in paths
        for test in named.get(plain_stem(path), ())
    ]


def _by_history(commits: Iterable[Commit], tests: Collection[str], paths: Collection[str]) -> list[NearTest]:
    total: Counter[str] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for commit in commits:
        changed = {change.path for change in commit.changes}
        if len(changed) > _MOST_CHANGES:
            continue
        for path in changed.intersection(paths):
            total[path] += 1
            both.update((path, test) for test in changed.intersection(tests))
    return [
        NearTest(
            test,
            path,
            f"changed with {path.rpartition('/')[2]} in {times} of {total[path]} commits",
            round(_TOGETHER * times / total[path], 2),
        )
        for (path, test), times in both.items()
        if times >= _LEAST_COMMITS and times / total[path] >= _LEAST_SHARE
    ]


def _read(root: Path) -> list[Commit]:
    try:
        with opened_history(root, Wanted(commits=_MOST_COMMITS)) as history:
            return history.latest(_MOST_COMMITS)
    except DriftError:  # no repository, or git fails: the names alone are left
        return []
