"""All decisions of a project: what commits show, what belongs together, records that people wrote, what was confirmed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from drift.conventions.picture import look
from drift.decisions.book import apply_book, read_book
from drift.decisions.dependencies import NOTES, look_at, read_delta, touches_manifests
from drift.decisions.finding import day_of, find_break, find_in_dependencies, find_layers, find_moves
from drift.decisions.form import Decision
from drift.decisions.migrations import find_migrations
from drift.decisions.records import read_records
from drift.decisions.signs import is_upkeep, limit, words_of
from drift.history import WHOLE, Commit, Wanted, follow_renames, opened_history
from drift.index.path_text import path_to_text
from drift.kernel.errors import DriftError, ErrorCode
from drift.manifests.import_names import accounts_for

if TYPE_CHECKING:
    from drift.decisions.dependencies import Delta
    from drift.history import History
    from drift.index import IndexReader
    from drift.manifests.contents import Ecosystem
    from drift.project import Project

_MOST_KEPT: Final = 2
_LEAST_SHARED_WORDS: Final = 2


class Past(NamedTuple):
    """The decisions, newest first, and what has to be said of how far was looked."""

    decisions: tuple[Decision, ...]
    notes: tuple[str, ...]
    commits: int
    head: str | None


_kept: dict[tuple[Path, str | None, int], Past] = {}
_lock: Final = Lock()


def mine_decisions(reader: "IndexReader", project: "Project", today: date) -> Past:
    """What the history, the records and the book of a project say now. Manifests of new commits alone are read."""
    try:
        key, past = _look(reader, project, today, WHOLE)
    except DriftError as error:
        if error.code is not ErrorCode.ANALYSIS_FAILED:
            raise
        # Git lacks what is further back, as in a clone without old files: what it has is told.
        key, past = _look(reader, project, today, Wanted(commits=1))
        past = past._replace(notes=(f"Not all of the history can be read: {error.message}", *past.notes))
    with _lock:
        while len(_kept) >= _MOST_KEPT and key not in _kept:
            _kept.pop(next(iter(_kept)))
        _kept[key] = past
    book, problems = read_book(project.state)
    return past._replace(decisions=apply_book(past.decisions, book), notes=(*past.notes, *problems))


def _look(
    reader: "IndexReader", project: "Project", today: date, wanted: Wanted
) -> tuple[tuple[Path, str | None, int], Past]:
    with opened_history(project.root, wanted) as history:
        key = (project.root, history.reach.head, reader.generation())
        with _lock:
            known = _kept.get(key)
        return key, known or _mine(reader, project, history, today)


def _mine(reader: "IndexReader", project: "Project", history: "History", today: date) -> Past:
    commits = history.latest(-1)
    deciding = [each for each in commits if not is_upkeep(each)]
    manifests = [each for each in deciding if touches_manifests(each)][: limit("most_commits")]
    deltas = {
        hashed: read_delta(text) for hashed, text in history.noted(NOTES, manifests, look_at).items() if text
    }
    born = _born_files(commits)
    found = [
        *_in_commits(reader, deciding, deltas, _born_folders(commits)),
        *find_migrations(look(reader, project, today), born),
    ]
    records = list(read_records(project.root, born))
    joined = _joined(found)
    decisions = _related([*joined, *(_dated(each, born) for each in records)])
    ordered = sorted(decisions, key=lambda each: (each.until, each.confidence, each.id), reverse=True)
    return Past(tuple(ordered), history.reach.notes(), len(commits), history.reach.head)


def _in_commits(
    reader: "IndexReader",
    commits: list[Commit],
    deltas: Mapping[str, "Delta"],
    folders: Mapping[str, str],
) -> list[Decision]:
    used = _users(reader, deltas.values())
    sizes = Counter(
        "/".join(each.path.split("/")[:number])
        for each in reader.sites.files()
        for number in range(1, each.path.count("/") + 1)
    )
    found: list[Decision] = []
    for commit in commits:
        if commit.hash in deltas:
            found += find_in_dependencies(commit, deltas[commit.hash], used)
        found += find_break(commit)
        moves = list(find_moves(commit))
        found += moves or find_layers(commit, folders, sizes)
    return found


def _users(reader: "IndexReader", deltas: Iterable["Delta"]) -> dict[str, int]:
    """In how many places each package that was ever added is imported now."""
    imported: dict[str, int] = reader.facts.external_packages()
    declared = {(each.ecosystem, each.name) for delta in deltas for each in delta.added}
    return {
        name: sum(
            times
            for package, times in imported.items()
            if accounts_for(cast("Ecosystem", ecosystem), name, package)
        )
        for ecosystem, name in declared
    }


def _born_files(commits: list[Commit]) -> dict[str, Commit]:
    """The commit that added each file there is, under its present name."""
    born: dict[str, Commit] = {}
    for commit, changes in follow_renames(commits):
        for name, change in changes:
            if change.letter == "A":
                born[path_to_text(name)] = commit
    return born


def _born_folders(commits: list[Commit]) -> dict[str, str]:
    """The commit that put the first file into each folder; of the beginning of the history none."""
    born: dict[str, str] = {}
    for commit in commits:  # the newest first, so that the oldest stays
        for change in commit.changes:
            parts = path_to_text(change.path).split("/")[:-1]
            for number in range(min(len(parts), 4)):
                folder = "/".join(parts[: number + 1])
                # What is changed was there before: the history at hand need not be whole.
                born[folder] = commit.hash if change.letter in "AR" else ""
    early = {each.hash for each in commits[-limit("most_beginning") :]}
    return {folder: hashed for folder, hashed in born.items() if hashed and hashed not in early}


def _dated(record: Decision, born: Mapping[str, Commit]) -> Decision:
    """A record with the day it was written, where it says none itself."""
    commit = born.get(record.files[0])
    if record.since or commit is None:
        return record
    day = day_of(commit.time)
    return replace(record, since=day, until=day)


def _joined(found: list[Decision]) -> list[Decision]:
    """Decisions of one category about the same things, close in time, as one; the surest gives the title."""
    days = limit("days_together")
    groups: list[list[Decision]] = []
    for each in sorted(found, key=lambda one: (one.category, one.since)):
        home = next((group for group in groups if _belongs(each, group, days)), None)
        if home is None:
            groups.append([each])
        else:
            home.append(each)
    return [_join(group) for group in groups]


def _belongs(one: Decision, group: list[Decision], days: int) -> bool:
    last = group[-1]
    if one.category != last.category or not one.since or not last.until:
        return False
    apart = abs((date.fromisoformat(one.since) - date.fromisoformat(last.until)).days)
    if any(one.title == each.title for each in group) and apart <= limit("days_alike"):
        return True
    if apart > days:
        return False
    if one.category == "api-change":
        return False  # each break is one of its own: what they share are words
    return any(not set(one.keys).isdisjoint(each.keys) for each in group)


def _join(group: list[Decision]) -> Decision:
    best = max(group, key=lambda each: (each.confidence, each.since))
    if len(group) == 1:
        return best
    commits = {each.commit: each for one in group for each in one.commits}
    ordered = sorted(commits.values(), key=lambda each: each.date)
    return replace(
        best,
        confidence=round(min(0.95, best.confidence + 0.05), 2),
        since=min(each.since for each in group),
        until=max(each.until for each in group),
        commits=tuple(ordered),
        files=tuple(dict.fromkeys(path for each in group for path in each.files))[:40],
        evidence=tuple(dict.fromkeys(part for each in group for part in each.evidence))[:20],
        keys=tuple(dict.fromkeys(key for each in group for key in each.keys)),
    )


def _related(decisions: list[Decision]) -> list[Decision]:
    """Each with the ids of those about the same things: packages, folders, or words of a record."""
    by_key: dict[str, list[str]] = defaultdict(list)
    for each in decisions:
        if each.category != "api-change":
            for key in each.keys:
                by_key[key].append(each.id)
    records = [
        (each.id, words_of(f"{each.title} {each.decision}"))
        for each in decisions
        if each.category == "record"
    ]
    told = []
    for each in decisions:
        same = [other for key in each.keys for other in by_key.get(key, ()) if other != each.id]
        words = {key.lower() for key in each.keys}
        written = [
            id_
            for id_, said in records
            if id_ != each.id
            and each.category != "api-change"
            and len(words & said) >= min(_LEAST_SHARED_WORDS, len(words) or 1)
        ]
        told.append(replace(each, related=tuple(dict.fromkeys([*same, *written]))[:8]))
    return told
