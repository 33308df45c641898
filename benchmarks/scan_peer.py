"""Cold scans of Drift and codegraph (npm, `codegraph init`) on the same copies, in turns.

Started by `scan.py --codegraph COMMAND`. The least CPU time of the turns counts, so that other work on the machine
weighs on neither; memory is that of the largest process, size that of the folder each leaves behind.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from scan_projects import copy_project

CHEAP_CPU_SECONDS = 8.0  # what costs less is done more often
TURNS, CHEAP_TURNS = 1, 3
KB_IN_MB = 1024
MB = 1_000_000


class Cost(NamedTuple):
    cpu_seconds: float
    seconds: float
    peak_mb: float
    index_mb: float


def compare(source: Path, place: Path, codegraph: str, environ: dict[str, str]) -> list[str]:
    """A row: what each took for a copy of this repository, and the ratios."""
    root = copy_project(source, place)
    commands = {".codegraph": [codegraph, "init"], ".drift": [sys.executable, "-m", "drift", "scan"]}
    least: dict[str, Cost] = {}
    turn = 0
    while turn < TURNS or (
        turn < CHEAP_TURNS and max(cost.cpu_seconds for cost in least.values()) < CHEAP_CPU_SECONDS
    ):
        for folder, command in commands.items():
            cost = _cold(root, folder, command, environ)
            least[folder] = Cost._make(map(min, least[folder], cost)) if folder in least else cost
        turn += 1
    shutil.rmtree(root)
    theirs, ours = least[".codegraph"], least[".drift"]
    return [source.name, *(cell for pair in zip(theirs, ours, strict=True) for cell in _cells(*pair))]


def _cold(root: Path, folder: str, command: Sequence[str], environ: dict[str, str]) -> Cost:
    """One scan from nothing; waits for its process alone, of whose children the system keeps the sum."""
    for left in (".codegraph", ".drift"):
        shutil.rmtree(root / left, ignore_errors=True)
    began = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=root, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _pid, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    size = sum(path.stat().st_size for path in (root / folder).rglob("*") if path.is_file())
    return Cost(used.ru_utime + used.ru_stime, seconds, used.ru_maxrss / KB_IN_MB, size / MB)


def _cells(theirs: float, ours: float) -> tuple[str, str, str]:
    return f"{theirs:.1f}", f"{ours:.1f}", f"{ours / theirs:.2f}"
