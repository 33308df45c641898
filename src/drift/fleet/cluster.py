"""Where a fleet is scanned: processes of this machine, or the workers of a Dask scheduler. Dask is loaded here alone."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Final

from drift.fleet.task import Outcome, Task, bring_up
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural, shorten

_MB: Final = 1_000_000
# A repository that has brought down so many workers is left; more tries would cost others their place.
_MOST_LOST: Final = 2
_AHEAD: Final = 3  # tasks handed out for each worker, so that none waits and results do not pile up
_CONNECT_SECONDS: Final = 30
_SETTINGS: Final = {
    "distributed.scheduler.allowed-failures": _MOST_LOST,
    # A worker that is slow to come back is not a reason to close its place, and with it what it has begun.
    "distributed.deploy.lost-worker-timeout": "1h",
    "distributed.worker.daemon": False,  # a scan starts processes of its own
    # A fleet has few tasks, each of seconds: looking after them many times a second took a third of what they took.
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.limit": "1h",
    "distributed.diagnostics.nvml": False,
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.scheduler.work-stealing-interval": "5s",
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.worker.profile.enabled": False,
}


@contextmanager
def local_cluster(workers: int, memory_mb: int, folder: Path) -> Iterator[Any]:
    """Processes of this machine, which nobody else can talk to: their traffic is under a key made for this run."""
    with ExitStack() as stack:
        distributed = _load(stack)
        cluster = stack.enter_context(
            distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                memory_limit=memory_mb * _MB,
                dashboard_address=None,
                worker_dashboard_address=None,
                local_directory=str(folder),
                security=distributed.Security.temporary(),
                silence_logs=logging.CRITICAL,
            )
        )
        yield stack.enter_context(distributed.Client(cluster, timeout=_CONNECT_SECONDS))


@contextmanager
def remote_cluster(address: str) -> Iterator[Any]:
    """The workers of a scheduler, who must have this version of Drift; TLS is set by Dask's own configuration."""
    with ExitStack() as stack:
        distributed = _load(stack)
        try:
            client = stack.enter_context(distributed.Client(address, timeout=_CONNECT_SECONDS))
        except (OSError, ValueError) as error:
            raise DriftError(
                ErrorCode.STORE_UNAVAILABLE,
                f"No scheduler answers at {shorten(address, 200)}: {shorten(str(error), 200)}",
                Recovery(hint="Start one with `dask scheduler`, or leave --scheduler out."),
            ) from error
        yield client


def run_tasks(client: Any, tasks: Iterator[Task], workers: int) -> Iterator[Outcome]:
    """The outcome of each task as it is done. A worker that is lost costs the repository it was at another try, no more."""
    distributed: Any = import_module("distributed")
    names: dict[str, str] = {}

    def hand_out(task: Task) -> Any:
        future = client.submit(bring_up, task, key=f"drift-{task.name}", pure=False)
        names[future.key] = task.name
        return future

    running = distributed.as_completed([hand_out(task) for task in islice(tasks, workers * _AHEAD)])
    for future in running:
        yield _outcome_of(future, names.pop(future.key), distributed.KilledWorker)
        future.release()
        for task in islice(tasks, 1):
            running.add(hand_out(task))


def _outcome_of(future: Any, name: str, killed: type[Exception]) -> Outcome:
    try:
        found = future.result()
    except killed:
        lost = plural(_MOST_LOST + 1, "worker")
        return Outcome(
            name, reason=f"{lost} were lost over it: it may need more memory", attempts=_MOST_LOST + 1
        )
    except Exception as error:  # noqa: BLE001 - the cluster's own failures are one repository's, and told
        return Outcome(name, reason=shorten(f"{type(error).__name__}: {error}", 500))
    return found if isinstance(found, Outcome) else Outcome(name, reason="a worker answered something else")


def _load(stack: ExitStack) -> Any:
    """Dask's distributed, set up as a fleet needs it for as long as the stack lasts."""
    try:
        dask: Any = import_module("dask")
        distributed = import_module("distributed")
    except ImportError as error:
        raise DriftError(
            ErrorCode.CONFIG_INVALID,
            "Dask, which scans a fleet, is not installed",
            Recovery(command="pip install 'drift-mcp[fleet]'"),
        ) from error
    stack.enter_context(dask.config.set(_SETTINGS))
    return distributed
