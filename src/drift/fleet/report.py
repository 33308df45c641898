"""How a fleet stands: which repositories are current, which are old, which could not be scanned, and why."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from drift.fleet.listing import Fleet
from drift.fleet.store import State
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural, shorten

Standing = Literal["current", "old", "failed", "never"]
_ORDER: Final = ("never", "failed", "old", "current")
_MOST_NAMED: Final = 5
_COMMIT_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class RepositoryRow:
    """A repository. failed: the last try did, and answers rest on the one before; never: nothing is known of it."""

    name: str
    standing: Standing
    url: str
    branch: str | None
    commit: str | None
    scanned_at: str | None
    tried_at: str | None
    reason: str | None
    files: int | None
    symbols: int | None
    snapshot_bytes: int | None
    seconds: float | None
    cpu_seconds: float | None
    attempts: int | None
    cut: str | None


REPOSITORY_SORTS: Final[Mapping[str, Sort[RepositoryRow]]] = {
    "standing": Sort(lambda row: (_ORDER.index(row.standing), row.name)),
    "name": Sort(lambda row: (row.name,)),
    "cpu": Sort(lambda row: (-(row.cpu_seconds or 0.0), row.name), "desc"),
}


@dataclass(frozen=True, slots=True)
class FleetReport:
    """All repositories of a list as they stand at a moment."""

    file: str
    made_at: str
    repositories: tuple[RepositoryRow, ...]

    def ranked(self) -> Ranked[RepositoryRow]:
        return Ranked(self.repositories, REPOSITORY_SORTS)

    def count(self, standing: Standing) -> int:
        return sum(row.standing == standing for row in self.repositories)

    @property
    def summary(self) -> str:
        """A line on all of them."""
        files, size = (
            sum(getattr(row, name) or 0 for row in self.repositories) for name in ("files", "snapshot_bytes")
        )
        told = ", ".join(f"{self.count(each)} {each}" for each in reversed(_ORDER) if self.count(each))
        return f"{plural(len(self.repositories), 'repository', 'repositories')}: {told or 'none'}; {files:,} files, {size / 1e6:,.1f} MB of indexes"

    @property
    def warnings(self) -> tuple[str, ...]:
        """What an answer from these repositories does not rest on."""
        return tuple(
            f"{_named(rows)} {why}"
            for rows, why in (
                (self._of("never"), "could never be scanned and are not in this answer"),
                (self._of("failed"), "could not be scanned the last time; what is said of them is older"),
                (self._of("old"), "were not scanned lately; what is said of them is old"),
                (
                    [row for row in self.repositories if row.cut],
                    "have more than is kept; part of it is missing",
                ),
            )
            if rows
        )

    def _of(self, standing: Standing) -> list[RepositoryRow]:
        return [row for row in self.repositories if row.standing == standing]


def report_fleet(fleet: Fleet, states: Mapping[str, State], now: datetime) -> FleetReport:
    """How the repositories of the list stand."""
    oldest = (now - timedelta(days=fleet.old_after_days)).astimezone(UTC).isoformat(timespec="seconds")
    rows = tuple(_row(each.name, *each.source, states.get(each.name), oldest) for each in fleet.repositories)
    return FleetReport(str(fleet.file), now.astimezone(UTC).isoformat(timespec="seconds"), rows)


def _row(name: str, url: str, branch: str | None, state: State | None, oldest: str) -> RepositoryRow:
    if state is None:
        state = State(name, url, branch, tried_at="", reason="not tried yet")
    standing: Standing = "current" if state.scanned_at is not None and state.scanned_at >= oldest else "old"
    if state.reason is not None:
        standing = "failed"
    if state.scanned_at is None:
        standing = "never"
    return RepositoryRow(
        name,
        standing,
        url,
        branch,
        state.commit[:_COMMIT_DIGITS] if state.commit else None,
        state.scanned_at,
        state.tried_at or None,
        state.reason,
        state.files,
        state.symbols,
        state.snapshot_bytes,
        state.seconds,
        state.cpu_seconds,
        state.attempts,
        state.cut or None,
    )


def _named(rows: Iterable[RepositoryRow]) -> str:
    found = list(rows)
    names = [f"{row.name} ({shorten(row.reason, 80)})" if row.reason else row.name for row in found]
    more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    return f"{', '.join(names[:_MOST_NAMED])}{more}"
