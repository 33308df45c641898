"""A run over a fleet: what changed since the last one is fetched and scanned again, what fails is told and left for the next."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from drift.fleet.cluster import local_cluster, remote_cluster, run_tasks
from drift.fleet.facts import Facts, unpack
from drift.fleet.listing import Fleet, Repository
from drift.fleet.store import FleetStore, State
from drift.fleet.task import COPIES, Outcome, Task
from drift.index.engine import engine_digest
from drift.kernel.files import locked
from drift.project.git_mirror import drop_mirror

_LOCK_SECONDS: Final = 5.0
Told = Callable[[int, int, Outcome], None]
"""Called with how many are done, of how many, and the last one."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How a run goes about it."""

    scheduler: str | None = None
    workers: int | None = None
    only: frozenset[str] = frozenset()
    is_forced: bool = False


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run came to."""

    repositories: int
    scanned: int
    unchanged: int
    failed: int
    gone: int
    cpu_seconds: float


def update_fleet(fleet: Fleet, wish: Wish, *, told: Told = lambda *_: None) -> RunReport:
    """Bring every repository of the list up to date; each is noted as soon as it is done, so that a run can be cut short.

    STORE_UNAVAILABLE while another run has the fleet.
    """
    fleet.home.mkdir(parents=True, exist_ok=True)
    with (
        locked(fleet.database, timeout_seconds=_LOCK_SECONDS),
        FleetStore(fleet.database, may_make=True) as store,
    ):
        gone = store.keep_only({each.name for each in fleet.repositories})
        for name in gone:
            drop_mirror(fleet.home / COPIES / name)
        wanted = [each for each in fleet.repositories if not wish.only or each.name in wish.only]
        outcomes = list(_outcomes(fleet, wish, store, wanted, told))
    ran = [each for each in outcomes if each.reason is None]
    return RunReport(
        len(wanted),
        sum(each.facts is not None for each in ran),
        sum(each.facts is None for each in ran),
        len(outcomes) - len(ran),
        len(gone),
        round(sum(each.cpu_seconds for each in outcomes), 2),
    )


def _outcomes(
    fleet: Fleet, wish: Wish, store: FleetStore, wanted: list[Repository], told: Told
) -> Iterator[Outcome]:
    if not wanted:
        return
    states, by_name = store.states(), {each.name: each for each in wanted}
    workers = min(wish.workers or fleet.workers, len(wanted))
    cluster = (
        remote_cluster(wish.scheduler)
        if wish.scheduler
        else local_cluster(workers, fleet.worker_memory_mb, fleet.home / "dask")
    )
    with cluster as client:
        tasks = (_task(fleet, wish, each, states.get(each.name)) for each in wanted)
        for done, outcome in enumerate(run_tasks(client, tasks, workers), 1):
            repository = by_name[outcome.name]
            kept = _note(store, repository, states.get(outcome.name), outcome)
            told(done, len(wanted), kept)
            yield kept._replace(facts=b"" if kept.facts is not None else None)  # not all of them at once


def _task(fleet: Fleet, wish: Wish, repository: Repository, state: State | None) -> Task:
    is_known = (
        state is not None
        and not wish.is_forced
        and state.engine == engine_digest()
        and (state.url, state.branch) == repository.source
        and state.snapshot is not None
    )
    return Task(
        repository.name,
        repository.source,
        str(fleet.home.absolute()),
        _store_from(fleet.store, fleet.file.parent),
        fleet.bounds,
        fleet.keep_snapshots,
        fleet.max_disk_mb,
        state.commit if is_known and state is not None else None,
    )


def _store_from(store: str, folder: Path) -> str:
    return store if "://" in store else str((folder / store).absolute())


def _note(store: FleetStore, repository: Repository, before: State | None, outcome: Outcome) -> Outcome:
    """Keep what came of a repository; facts that are none make it a failure."""
    facts: Facts | None = None
    if outcome.facts is not None:
        try:
            facts = unpack(outcome.facts)
        except ValueError as error:
            outcome = Outcome(outcome.name, reason=str(error))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    url, branch = repository.source
    state = replace(
        before or State(repository.name, url, branch, now),
        tried_at=now,
        reason=outcome.reason,
        attempts=outcome.attempts,
    )
    if outcome.reason is None:
        state = replace(state, scanned_at=now)
    if facts is not None:
        state = State(
            repository.name, url, branch, now, None, now, outcome.commit, outcome.engine, outcome.snapshot,
            outcome.snapshot_bytes, outcome.files, outcome.symbols, outcome.mode, outcome.seconds,
            outcome.cpu_seconds, outcome.attempts, outcome.cut,
        )  # fmt: skip
    store.put(state, facts)
    return outcome
