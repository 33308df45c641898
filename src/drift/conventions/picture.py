"""The conventions of a project as they are now: dimensions and decisions, sites, what they come to, and since when."""

from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

from drift.conventions.excuses import MARK, Excuses
from drift.conventions.gathering import Found, gather
from drift.conventions.glance import keep_glance
from drift.conventions.keeping import KeptSites
from drift.conventions.mining import Convention, Mined, mine
from drift.conventions.rulebook import Decision, Rulebook, is_excepted, read_whole_rulebook
from drift.history import Wanted, opened_history
from drift.index import IndexReader, read_index_state
from drift.index.path_text import path_to_text
from drift.index.site_queries import WHOLE
from drift.kernel.errors import DriftError
from drift.project import Project
from drift.state import Sighting, StateStore, state_stamp

_RECENT_DAYS: Final = 31  # what is older is settled, and need not be told apart
_MOST_HISTORY_SECONDS: Final = 0.5
_MOST_KEPT: Final = 4
_FEW_FILES: Final = 400  # looked through in a fraction of a second


class Picture(NamedTuple):
    """All that is known of a project's conventions."""

    mined: Mined
    rulebook: Rulebook
    excuses: Excuses
    sightings: Mapping[str, Sighting]

    def find(self, convention: str) -> Convention | None:
        """The convention of an id; of one that leaves out language or scope, the one with most sites."""
        exact = next((each for each in self.mined.conventions if each.id == convention), None)
        if exact is not None:
            return exact
        fitting = [
            each
            for each in self.mined.conventions
            if convention in (each.dimension.id, each.id.partition("@")[0], each.id.partition(":")[0])
            or convention in each.same_as
        ]
        return max(fitting, key=lambda each: len(each.sites), default=None)

    def status_of(self, convention: Convention) -> str:
        """discovered, approved or ignored; stale where what was approved is no longer what the project does."""
        decision = self.rulebook.decision_on(convention.id)
        if decision is None:
            return "discovered"
        is_other = decision.variant not in (None, convention.variant)
        return "stale" if decision.status == "approved" and is_other else decision.status

    def outliers(self, convention: Convention) -> list[Found]:
        """The sites that chose otherwise and that nothing excuses."""
        decision = self.rulebook.decision_on(convention.id)
        return [
            each
            for each in convention.sites
            if each.variant != convention.variant
            and not self.excuses.excuse(each)
            and not is_excepted(decision, self.path_of(each))
        ]

    def path_of(self, site: Found) -> str:
        return self.mined.files[site.file_id].path

    def gone(self) -> list[Decision]:
        """What was approved and is no longer seen."""
        seen = {
            name
            for each in self.mined.conventions
            for name in (each.id, each.id.partition("@")[0], each.dimension.id, *each.same_as)
        }
        return [
            each
            for each in self.rulebook.decisions.values()
            if each.status == "approved" and each.id not in seen
        ]


_Key = tuple[Path, int, str]
"""The index, its state, and that of the rules."""
_kept: dict[_Key, Picture] = {}
_told: dict[Path, _Key] = {}
_ages: dict[tuple[Path, date], Mapping[str, float]] = {}
_lock: Final = Lock()


def look_if_quick(reader: IndexReader, project: Project, today: date) -> Picture | None:
    """The conventions where they are at hand, or where a project is so small that they soon are."""
    is_small = (read_index_state(reader.path).file_count or 0) <= _FEW_FILES
    return look(reader, project, today) if is_small else _find_kept(reader, read_whole_rulebook(project))


def look(reader: IndexReader, project: Project, today: date) -> Picture:
    """The conventions in the state of the index that is read; kept until it or the rules change."""
    rulebook = read_whole_rulebook(project)
    key = (reader.path, reader.generation(), rulebook.digest)
    known = _find_kept(reader, rulebook)
    if known is not None:
        _tell(project, known, key)
        return known
    rulebook = _with_age(rulebook, reader.path)
    dimensions = rulebook.dimensions
    stores = project.stores
    # Only what lies in Drift's home is of this user for sure.
    keeping = KeptSites(stores.sites, dimensions.values()) if stores.home is not None else None
    gathered = gather(reader, dimensions.values(), keeping=keeping)
    sightings = _sightings(project)
    mined = mine(
        gathered,
        rulebook.counting,
        _file_ages(project.root, gathered.files, today),
        _days_seen(sightings, today),
    )
    picture = Picture(mined, rulebook, Excuses(reader.sites.comments_with(WHOLE, MARK)), sightings)
    with _lock:
        while len(_kept) >= _MOST_KEPT:
            _kept.pop(next(iter(_kept)))
        _kept[key] = picture
    _tell(project, picture, key)
    return picture


def _tell(project: Project, picture: Picture, key: _Key) -> None:
    """Keep what is to be seen at a glance, unless it was the last that was kept."""
    with _lock:
        is_told, _told[key[0]] = _told.get(key[0]) == key, key
    if not is_told:
        keep_glance(project, picture, key[1])


def _find_kept(reader: IndexReader, rulebook: Rulebook) -> Picture | None:
    with _lock:
        return _kept.get((reader.path, reader.generation(), rulebook.digest))


def _with_age(rulebook: Rulebook, index: Path) -> Rulebook:
    """The rulebook with a word where the index was made before its dimensions were."""
    if rulebook.scanned == read_index_state(index).rules:
        return rulebook
    old = "The rules in .drift/rules/ have changed since the last scan: run `drift scan` to have all files looked at by them"
    return rulebook._replace(problems=(*rulebook.problems, old))


def _sightings(project: Project) -> Mapping[str, Sighting]:
    with closing(StateStore(project.stores.state_db)) as store:
        return store.sightings()


def _days_seen(sightings: Mapping[str, Sighting], today: date) -> dict[str, float]:
    return {id_: float((today - each.first.date()).days) for id_, each in sightings.items()}


def _file_ages(root: Path, files: Mapping[int, object], today: date) -> Mapping[int, float] | None:
    """How many days the files are there that came lately, by git; None where there is no git."""
    key = (root, today)
    if key not in _ages:
        try:
            _ages[key] = _added_lately(root, today)
        except DriftError:
            return None
    recent = _ages[key]
    return {id_: recent[path] for id_, each in files.items() if (path := getattr(each, "path", "")) in recent}


def _added_lately(root: Path, today: date) -> Mapping[str, float]:
    start = datetime(today.year, today.month, today.day, tzinfo=UTC) - timedelta(days=_RECENT_DAYS)
    with opened_history(root, Wanted(days=_RECENT_DAYS), most_seconds=_MOST_HISTORY_SECONDS) as history:
        return {
            path_to_text(change.path): (today - datetime.fromtimestamp(commit.time, UTC).date()).days
            for commit in history.since(int(start.timestamp()))
            for change in commit.changes
            if change.letter == "A"
        }


def conventions_stamp(project: Project, environ: Mapping[str, str]) -> str:  # noqa: ARG001 - what every stamp is given
    """Another text whenever rules, decisions or what is kept over time changed."""
    return f"{read_whole_rulebook(project).digest}:{state_stamp(project.stores.state_db)}"
