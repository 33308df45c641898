"""What the project's commits tell about a task: which files changes like it touched, and which change often."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from math import log, sqrt
from pathlib import Path
from typing import Final, NamedTuple

from drift.context.focus import stems_in
from drift.history import Wanted, follow_renames, opened_history
from drift.kernel.errors import DriftError
from drift.project.git import git_head

_MOST_COMMITS: Final = 2_000
# Renames, licence years, reformattings: a commit of many files says little about each.
_MOST_FILES: Final = 30
_MOST_SIMILAR: Final = 40
# Added to the length of a subject, or one of a single word would be like everything with that word.
_SHORT_SUBJECT: Final = 3
# After so many later commits a change counts half.
_HABIT_HALF_LIFE: Final = 300
_LIKENESS_HALF_LIFE: Final = 1_500
_MOST_PROJECTS: Final = 4


class Commit(NamedTuple):
    """A commit: its subject, the stems in it, the files it touched, and how many commits came after it."""

    subject: str
    terms: frozenset[str]
    files: tuple[str, ...]
    age: int


class Past(NamedTuple):
    """The latest commits of a project, newest first; without them the reason."""

    commits: tuple[Commit, ...]
    document_counts: Mapping[str, int]  # in how many commits each stem stands
    problem: str | None = None


class Likeness(NamedTuple):
    """How strongly similar commits point to a file, and the most similar of them."""

    weight: float
    subject: str


def read_past(root: Path) -> Past:
    """The latest commits of the branch checked out; read once for each of its states."""
    head = git_head(root)
    if head is None:
        return Past((), {}, "no git history")
    try:
        return _read_log(root, head)
    except DriftError as error:
        return Past((), {}, f"git history could not be read: {error}")


@lru_cache(maxsize=_MOST_PROJECTS)
def _read_log(root: Path, _head: str) -> Past:
    # Raises rather than keeps a failure: the next question may have more luck.
    with opened_history(root, Wanted(commits=_MOST_COMMITS)) as history:
        latest = history.latest(_MOST_COMMITS)
    commits = []
    for age, (commit, changes) in enumerate(follow_renames(latest)):
        files = tuple(dict.fromkeys(name for name, _ in changes))
        if 0 < len(files) <= _MOST_FILES:
            commits.append(Commit(commit.subject, frozenset(stems_in(commit.subject)), files, age))
    counts: dict[str, int] = {}
    for each in commits:
        for term in each.terms:
            counts[term] = counts.get(term, 0) + 1
    return Past(tuple(commits), counts)


def find_alike(past: Past, terms: Mapping[str, float], candidates: Collection[str]) -> dict[str, Likeness]:
    """Those of the candidates that commits with subjects like these terms touched."""
    rarity = _value_terms(past, terms)
    shared = ((sum(rarity[t] for t in commit.terms if t in rarity), commit) for commit in past.commits)
    likened = [
        (value / sqrt(_SHORT_SUBJECT + len(commit.terms)), commit) for value, commit in shared if value
    ]
    likened.sort(key=lambda pair: (-pair[0], pair[1].age))
    found: dict[str, Likeness] = {}
    for value, commit in likened[:_MOST_SIMILAR]:
        files = [file for file in commit.files if file in candidates]
        weight = value * value / sqrt(len(files) or 1) * 0.5 ** (commit.age / _LIKENESS_HALF_LIFE)
        for file in files:
            earlier = found.get(file, Likeness(0.0, commit.subject))
            found[file] = Likeness(earlier.weight + weight, earlier.subject)
    return found


def weigh_same(past: Past, terms: Mapping[str, float]) -> float:
    """The likeness that one commit of these terms and no others would give: what likenesses are measured by."""
    rarity = _value_terms(past, terms)
    return sum(rarity.values()) ** 2 / (_SHORT_SUBJECT + len(rarity))


def _value_terms(past: Past, terms: Mapping[str, float]) -> dict[str, float]:
    total = len(past.commits)
    return {
        term: weight * log(1 + total / (past.document_counts[term] + 0.5))
        for term, weight in terms.items()
        if term in past.document_counts
    }


def weigh_habits(past: Past, candidates: Collection[str]) -> dict[str, float]:
    """How often each of the candidates changes, lately above all; what changed often will change again."""
    sums: dict[str, float] = {}
    for commit in past.commits:
        share = 0.5 ** (commit.age / _HABIT_HALF_LIFE)
        for file in commit.files:
            if file in candidates:
                sums[file] = sums.get(file, 0.0) + share
    return {file: log(1 + value) for file, value in sums.items()}
