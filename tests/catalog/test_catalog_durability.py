"""Processes that write at the same time and are killed: no update is lost, no file is torn.

DRIFT_KILL_ROUNDS=50 kills more often than a usual run does.
"""

import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import time

import pytest

ROUNDS = int(os.environ.get("DRIFT_KILL_ROUNDS", "3"))
WRITE = textwrap.dedent("""
    import sys
    from datetime import UTC, datetime
    from pathlib import Path
    from drift.catalog import Catalog, CatalogSettings, Places
    root, name, most = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    places = Places(root / "instructions", root / "catalog.db", root / "catalog-index.db", root / "catalog.db")
    catalog = Catalog(places)
    sys.stdin.readline()
    for number in range(most):
        catalog.add({"id": f"{name}-{number}", "body": f"{name} {number} " * 200}, lax=True, actor=name)
        catalog.governance_update("shared", {"changeSummary": f"{name} {number}"}, actor=name)
        # Only what the catalog has confirmed is told.
        sys.stdout.write(f"{name} {number}\\n")
        sys.stdout.flush()
""")


def start(root, name, most):
    return subprocess.Popen(
        [sys.executable, "-c", WRITE, str(root), name, str(most)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def go(process):
    process.stdin.write("go\n")
    process.stdin.flush()


def check(open_catalog, root, told):
    """Everything that was told is on disk, once, and the catalog is as a fresh look at the directory."""
    catalog = open_catalog()
    log = [line.summary for line in catalog.get("shared").change_log]
    assert set(told) <= set(log)
    assert len(log) == len(set(log))
    for path in (root / "instructions").glob("*.json"):
        json.loads(path.read_text())
    for line in told:
        name, number = line.split()
        assert catalog.get(f"{name}-{number}").body == f"{line} " * 200
        actions = {(each.actor, each.action) for each in catalog.audit.lines(instruction=f"{name}-{number}")}
        assert (name, "add") in actions
    assert catalog.problems() == ()
    assert catalog.verify().issues == ()
    before = catalog.hash()
    catalog.close()
    (root / "catalog-index.db").unlink()
    assert open_catalog().hash() == before


def test_two_writers_lose_no_update(open_catalog, entry, tmp_path):
    open_catalog().add(entry("shared", owner="all"))
    writers = [start(tmp_path, name, 12) for name in ("ann", "bob")]
    for writer in writers:
        go(writer)

    told = [line for writer in writers for line in writer.communicate(timeout=300)[0].splitlines()]

    assert len(told) == 24
    check(open_catalog, tmp_path, told)
    assert len(open_catalog().get("shared").change_log) == 24


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such signal")
def test_writers_that_are_killed_leave_whole_files_and_all_they_told_of(open_catalog, entry, tmp_path):
    open_catalog().add(entry("shared", owner="all"))
    told = []
    chance = random.Random(7)

    for round_number in range(ROUNDS):
        writers = [start(tmp_path, f"{name}{round_number}", 1000) for name in ("ann", "bob")]
        for writer in writers:
            go(writer)
        first = writers[0].stdout.readline()  # both are under way by then
        time.sleep(chance.uniform(0.02, 0.2))
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
        outputs = [first, *(writer.communicate()[0] for writer in writers)]
        told += [
            line for output in outputs for line in output.splitlines(keepends=True) if line.endswith("\n")
        ]

    assert len(told) > ROUNDS
    check(open_catalog, tmp_path, [line.strip() for line in told])
