"""One process that looks through a snapshot before anyone believes it: whatever it holds happens to this process alone.

What it reads without harm within its limits, others read without harm: the bytes are the same.
"""

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

from drift.index.connection import open_readonly
from drift.index.snapshot import find_fault
from drift.kernel.own_process import isolated
from drift.project.processes import run_bounded
from drift.scan.limits import Guard, Limits
from drift.scan.link.traces import is_whole, unpack_keys
from drift.scan.packing import unpack_facts

_RUN: Final = "from drift.scan.vetting import main; main()"
_SOUND: Final = "sound"
_LIMITS: Final = Limits(cpu_seconds=30.0, cpu_seconds_per_mb=1.0, memory_per_byte=2)
_LONGEST_SECONDS: Final = 1_800.0
_MOST_SAID: Final = 1_000
_KEPT: Final = "SELECT packed, provides, traces FROM file_facts"


def vet(snapshot: Path, project: Path) -> str | None:
    """Why a snapshot is not to be believed, found out by a process of its own; None for a sound one."""
    start = isolated(_RUN, (str(snapshot),), environ=os.environ, project=project)
    done = run_bounded(
        start.command,
        cwd=Path(start.cwd),
        environ=start.environ,
        timeout_seconds=_LONGEST_SECONDS,
        max_bytes=_MOST_SAID,
    )
    said = done.stdout.decode("ascii", "replace").strip()
    if done.exit_code != 0 or not said:
        return "it brought the process down that looked through it"
    return None if said == _SOUND else said


def find_unfit(path: Path) -> str | None:
    """Why a snapshot is not to be believed; None for a sound one. For a process of its own."""
    try:
        return find_fault(path) or _find_unfit_facts(path)
    except sqlite3.DatabaseError:
        return "it is no sound database"


def _find_unfit_facts(path: Path) -> str | None:
    with closing(open_readonly(path)) as connection:
        try:
            for packed, provides, traces in connection.execute(_KEPT):
                _ = unpack_facts(packed) if packed else None
                unpack_keys(provides)
                if not is_whole(traces):
                    return "it has traces that are cut"
        except ValueError:
            return "it has facts that are none"
    return None


def main() -> None:
    path = Path(sys.argv[1])
    with Guard().hold(_LIMITS.for_size(path.stat().st_size)):
        sys.stdout.write(find_unfit(path) or _SOUND)
