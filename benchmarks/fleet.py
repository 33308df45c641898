"""What a fleet costs: many repositories by one process, by two workers, with a worker killed, and with nothing changed.

    python benchmarks/fleet.py FOLDER [MOST]

FOLDER holds git directories (`NAME/repo`, `NAME/repo/.git` or `NAME.git`); the MOST smallest of them are the fleet. CPU is user and
system time of all processes together, since machines are shared: efficiency is what one process takes for all repositories over
what the cluster takes, its scheduler and its start included. At the end the same for 10,000 repositories, by these figures.
"""

import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from drift.fleet import FleetStore, Wish, read_fleet, update_fleet
from drift.fleet import run as fleet_run
from drift.fleet.task import bring_up

MANY = 10_000


def git_directories(folder):
    for entry in sorted(folder.iterdir()):
        for place in (entry / "repo", entry / "repo" / ".git", entry / ".git", entry):
            if (place / "HEAD").is_file() and (place / "objects").is_dir():
                yield entry.name, place
                break


def count_files(place):
    done = subprocess.run(
        ["git", f"--git-dir={place}", "ls-tree", "-r", "HEAD"], capture_output=True, check=False
    )
    return done.stdout.count(b"\n")


def choose(folder, most):
    sized = sorted(
        (count, name, place) for name, place in git_directories(folder) if (count := count_files(place))
    )
    return [(name.replace("+", "-").lstrip(".-_"), place) for _, name, place in sized[:most]]


def write_list(place, repositories):
    lines = ["workers = 2\n"]
    lines += [f'[[repositories]]\nname = "{name}"\npath = "{path}"\n' for name, path in repositories]
    (place / "fleet.toml").write_text("".join(lines))
    return place / "fleet.toml"


def one_process(file):
    fleet = read_fleet(file)
    for repository in fleet.repositories:
        fleet_run._note(  # noqa: SLF001 - what a run does with an outcome, without the cluster
            STORE[0],
            repository,
            None,
            bring_up(fleet_run._task(fleet, Wish(), repository, None)),  # noqa: SLF001 - as above
        )


STORE = []


def child(kind, file):
    """One way of doing it, in a process of its own whose children are counted with it."""
    fleet = read_fleet(file)
    fleet.home.mkdir(parents=True, exist_ok=True)
    began, attempts = time.monotonic(), []
    if kind == "one":
        with FleetStore(fleet.database, may_make=True) as store:
            STORE.append(store)
            one_process(file)
    elif kind == "kill":
        killed = threading.Event()
        inside = fleet_run.local_cluster

        def tell(done, _total, outcome):
            attempts.append(outcome.attempts)
            if done == len(fleet.repositories) // 3 and not killed.is_set():
                killed.set()
                os.kill(next(iter(CLIENT[0].run(os.getpid).values())), signal.SIGKILL)

        fleet_run.local_cluster = lambda *given: _noted(inside(*given))
        update_fleet(fleet, Wish(), told=tell)
    else:
        update_fleet(fleet, Wish(), told=lambda _done, _total, outcome: attempts.append(outcome.attempts))
    print(json.dumps({"wall": time.monotonic() - began, "cpu": sum(os.times()[:4]), "attempts": attempts}))


CLIENT = []


class _noted:  # noqa: N801 - a context manager that reads like a function
    def __init__(self, cluster):
        self._cluster = cluster

    def __enter__(self):
        CLIENT.append(self._cluster.__enter__())
        return CLIENT[0]

    def __exit__(self, *given):
        return self._cluster.__exit__(*given)


def measure(kind, file):
    done = subprocess.run(
        [sys.executable, __file__, "--child", kind, str(file)], check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def main():
    if sys.argv[1] == "--child":
        child(sys.argv[2], Path(sys.argv[3]))
        return
    repositories = choose(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 60)
    base = Path(tempfile.mkdtemp(prefix="drift-fleet-"))
    try:
        report(base, repositories)
    finally:
        shutil.rmtree(base, ignore_errors=True)


def report(base, repositories):
    files = {}
    for kind in ("one", "two", "kill"):
        (base / kind).mkdir()
        files[kind] = write_list(base / kind, repositories)
    one = measure("one", files["one"])
    print(f"one process   {one['cpu']:8.1f} CPU s {one['wall']:8.1f} s", flush=True)
    two = measure("two", files["two"])
    print(
        f"two workers   {two['cpu']:8.1f} CPU s {two['wall']:8.1f} s   efficiency {one['cpu'] / two['cpu']:.2f}",
        flush=True,
    )
    again = measure("two", files["two"])
    kill = measure("kill", files["kill"])
    tell(two, again, kill, read_fleet(files["two"]))


def tell(two, again, kill, fleet):
    with FleetStore(fleet.database) as store:
        states = list(store.states().values())
    good = [each for each in states if each.reason is None]
    count, cpu = len(good), two["cpu"] / len(good)
    sizes = [each.snapshot_bytes for each in good]
    facts = fleet.database.stat().st_size / count
    print(
        f"{len(states)} repositories, {sum(each.files for each in good):,} files, {len(states) - count} failed"
    )
    for each in states:
        if each.reason:
            print(f"  {each.name}: {each.reason}")
    tried = sum(each > 1 for each in kill["attempts"])
    print(f"one killed    {kill['cpu']:8.1f} CPU s {kill['wall']:8.1f} s   tried again: {tried}")
    print(
        f"unchanged     {again['cpu']:8.1f} CPU s {again['wall']:8.1f} s   {1000 * again['cpu'] / count:.0f} ms each"
    )
    print(
        f"a repository: {cpu:.2f} CPU s (median {statistics.median(each.cpu_seconds for each in good):.2f}), "
        f"{statistics.mean(sizes) / 1e6:.2f} MB a snapshot, {facts / 1e3:.0f} KB of facts"
    )
    hours = cpu * MANY / 3600
    print(
        f"{MANY:,} repositories: {hours:.1f} CPU hours, {statistics.mean(sizes) * MANY / 1e9:.1f} GB a generation of "
        f"snapshots, {facts * MANY / 1e9:.2f} GB of facts; with 8, 32, 128 workers "
        + ", ".join(f"{hours / workers:.2f} h" for workers in (8, 32, 128))
    )


if __name__ == "__main__":
    main()
