"""What scanning costs: cold, with nothing changed, after an edit, and as a project grows.

    python benchmarks/scan.py REPOSITORY... [--codegraph COMMAND] [--growth] [--switch FILES]

Each repository is copied, the copy gets a git repository, and universal-ctags runs over the same files in the
same run where it is installed. After the edits a forced scan must give the same graph as the updates did;
exits with 1 when it does not. `--codegraph` has that command scan the same copies from nothing, in turns. `--growth` scans generated projects of 1,000 to 20,000 files; `--switch` checks
out another branch of a generated project. Prints tables in Markdown. CPU is user and system time of all
processes of a scan; on a machine with other work trust it and not the seconds.
"""

import argparse
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import scan_peer
from scan_projects import commit_other_branch, copy_project, git, make_project

from drift.index import IndexWatch, Layer
from drift.project import StateDir
from drift.scan.discover import discover

PROBE = str(Path(__file__).with_name("scan_probe.py"))
SIZES = (1_000, 2_000, 5_000, 10_000, 20_000)
WORST_DOUBLING = 2.2
CHEAP_CPU_SECONDS = 8.0  # what costs less is done twice
COMMAND_ROUNDS = 3
POLL_SECONDS = 0.01
MB = 1_000_000
NOTHING = "-"


class Cold(NamedTuple):
    seconds: float
    cpu_seconds: float
    usable_seconds: float  # until symbols and search answer
    main_mb: float
    worker_mb: float


class Runner:
    """Starts Drift and others with a home of their own, and tells the CPU time they took."""

    def __init__(self, place: Path) -> None:
        self.environ = {**os.environ, "HOME": str(place), "DRIFT_HOME": str(place / "drift-home")}

    def run(self, command: Sequence[str], *, cwd: Path | None = None, keep: bool = True) -> tuple[str, float]:
        before = _children_cpu()
        done = subprocess.run(
            command,
            env=self.environ,
            cwd=cwd,
            check=True,
            stdout=subprocess.PIPE if keep else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return (done.stdout or b"").decode(), _children_cpu() - before

    def drift(self, *words: str) -> tuple[str, float]:
        return self.run([sys.executable, "-m", "drift", *words])

    def probe(self, what: str, root: Path) -> Any:
        return json.loads(self.run([sys.executable, PROBE, what, str(root)])[0])

    def cold(self, root: Path) -> Cold:
        first = self._cold_once(root)
        if first.cpu_seconds >= CHEAP_CPU_SECONDS:
            return first
        return Cold._make(map(min, first, self._cold_once(root)))

    def _cold_once(self, root: Path) -> Cold:
        shutil.rmtree(root / ".drift", ignore_errors=True)
        before, began = _children_cpu(), time.perf_counter()
        watch, usable = IndexWatch(StateDir(root).index_db), math.nan
        with subprocess.Popen(
            [sys.executable, PROBE, "cold", str(root)], env=self.environ, stdout=subprocess.PIPE
        ) as process:
            while process.poll() is None:
                if math.isnan(usable) and Layer.SYMBOLS in watch.state().layers:
                    usable = time.perf_counter() - began
                time.sleep(POLL_SECONDS)
            seconds = time.perf_counter() - began
            assert process.stdout is not None
            told = json.loads(process.stdout.read())
        return Cold(seconds, _children_cpu() - before, usable, told["main_mb"], told["worker_mb"])

    def least_command_cpu(self, root: Path) -> float:
        return min(self.drift("scan", str(root))[1] for _ in range(COMMAND_ROUNDS))

    def differences(self, root: Path) -> int:
        """In how many lines the graph of the present index differs from that of a forced scan."""
        updated = Counter(self.drift("export", "graph", str(root))[0].splitlines())
        self.drift("scan", "--force", str(root))
        forced = Counter(self.drift("export", "graph", str(root))[0].splitlines())
        return ((updated - forced) | (forced - updated)).total()


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ctags_cpu_seconds(runner: Runner, root: Path, paths: Iterable[str], place: Path) -> float | None:
    """The CPU time universal-ctags takes for these files; None if it is not installed."""
    found = shutil.which("ctags")
    if found is None or "Universal Ctags" not in runner.run([found, "--version"])[0]:
        return None
    listing = place / "ctags-files"
    listing.write_text("".join(f"{path}\n" for path in paths), errors="surrogateescape")
    command = [found, "--output-format=json", "-f", "-", "-L", str(listing)]
    return min(runner.run(command, cwd=root, keep=False)[1] for _ in range(2))


def scan_repository(runner: Runner, source: Path, place: Path) -> tuple[list[str], list[str], bool]:
    """A row of each table, and whether updates and a forced scan agree."""
    root = copy_project(source, place)
    paths = [file.path for file in discover(root).files if file.language is not None]
    lines = sum((root / path).read_bytes().count(b"\n") for path in paths)
    ctags = ctags_cpu_seconds(runner, root, paths, place)
    cold = runner.cold(root)
    index_bytes = sum(path.stat().st_size for path in (root / ".drift").glob("drift.db*"))
    idle, command = runner.probe("idle", root), runner.least_command_cpu(root)
    edited = runner.probe("edits", root)
    differences = runner.differences(root)
    tell(f"{source.name} done")
    shutil.rmtree(root)
    first = [
        source.name,
        f"{len(paths):,}",
        f"{lines / 1000:,.0f}",
        f"{cold.seconds:.1f}",
        f"{cold.cpu_seconds:.1f}",
        f"{lines / 1000 / cold.cpu_seconds:.1f}",
        f"{ctags:.2f}" if ctags is not None else NOTHING,
        f"{cold.cpu_seconds / ctags:.1f}" if ctags else NOTHING,
        f"{cold.usable_seconds:.1f} ({100 * cold.usable_seconds / cold.seconds:.0f} %)",
        f"{cold.main_mb:.0f}",
        f"{cold.worker_mb:.0f}",
        f"{index_bytes / MB:.1f}",
    ]
    second = [source.name, _ms(idle["cpu_seconds"]), _ms(command)]
    second += [_edit(edited[kind]) for kind in ("append", "insert", "return")]
    return first, [*second, "yes" if not differences else f"NO: {differences:,} lines"], not differences


def scan_repositories(runner: Runner, sources: Sequence[Path], place: Path) -> bool:
    done = [scan_repository(runner, source, place) for source in sources]
    print_table(
        "repository | files | kLOC | seconds | CPU s | kLOC per CPU s | ctags CPU s | ratio | symbols after s "
        "| MB main | MB worker | MB index",
        [first for first, _second, _is_same in done],
    )
    if any(first[6] == NOTHING for first, _second, _is_same in done):
        print("universal-ctags is not installed, so there is nothing to compare with.\n")
    print_table(
        "repository | nothing changed, CPU ms | the same as a command | function appended | inserted in a "
        "much-used file | another return | graph as after --force",
        [second for _first, second, _is_same in done],
    )
    print("Edits: CPU ms (ms until a query sees it), files linked.\n")
    return all(is_same for _first, _second, is_same in done)


def scan_beside(runner: Runner, sources: Sequence[Path], place: Path, codegraph: str) -> None:
    rows = [scan_peer.compare(source, place, codegraph, runner.environ) for source in sources]
    kinds = ("CPU s", "seconds", "MB of the largest process", "MB index")
    print_table(
        " | ".join(["repository", *(f"{kind}: codegraph | Drift | ratio" for kind in kinds)]),
        rows,
    )


def scan_growing(runner: Runner, place: Path) -> bool:
    """Whether no doubling of the files costs more than the worst allowed; prints the table."""
    rows: list[list[str]] = []
    before: tuple[int, tuple[float, ...]] | None = None
    is_within = True
    for files in SIZES:
        root = place / f"growth-{files}"
        make_project(root, files)
        cold = runner.cold(root)
        idle, edited = runner.probe("idle", root), runner.probe("edit", root)
        costs = (cold.cpu_seconds, idle["cpu_seconds"], edited["cpu_seconds"], cold.main_mb)
        doublings = (
            [doubling(before[0], was, files, now) for was, now in zip(before[1], costs, strict=True)]
            if before
            else []
        )
        is_within = is_within and all(each <= WORST_DOUBLING for each in doublings)
        told = [f"{each:.2f}" for each in doublings] or [NOTHING] * len(costs)
        shown = (f"{costs[0]:.1f}", _ms(costs[1]), _ms(costs[2]), f"{costs[3]:.0f}")
        rows.append([f"{files:,}", *(cell for pair in zip(shown, told, strict=True) for cell in pair)])
        before = (files, costs)
        tell(f"generated project done: {rows[-1]}")
        shutil.rmtree(root)
    print_table(
        "files | cold, CPU s | times for twice the files | nothing changed, CPU ms | times | one edit, CPU ms | times | MB main | times",
        rows,
    )
    return is_within


def switch_branch(runner: Runner, place: Path, files: int) -> bool:
    """Whether scans after a checkout give the graph of a forced scan; prints the table."""
    root = place / "switch"
    make_project(root, files)
    differing = commit_other_branch(root, files)
    names = [line.strip(" *") for line in _branches(root)]
    start = next(name for name in names if name != "other")
    git(root, "checkout", "-q", start)
    cold = runner.cold(root)
    rows, is_same = [], True
    for branch in ("other", start):
        git(root, "checkout", "-q", branch)
        cpu = runner.drift("scan", str(root))[1]
        differences = runner.differences(root)
        is_same = is_same and not differences
        rows.append(
            [
                f"to {branch}",
                f"{files:,}",
                f"{differing:,}",
                f"{cold.cpu_seconds:.1f}",
                f"{cpu:.1f}",
                str(differences),
            ]
        )
    print_table(
        "checkout | files | differing | cold scan, CPU s | update, CPU s | lines of the graph that differ from --force",
        rows,
    )
    shutil.rmtree(root)
    return is_same


def _branches(root: Path) -> list[str]:
    done = subprocess.run(["git", "branch"], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def doubling(files_before: int, before: float, files: int, now: float) -> float:
    """By what a cost multiplies where the files double, from two sizes that need not be a doubling apart."""
    return float(2 ** (math.log(now / before) / math.log(files / files_before)))


def tell(progress: str) -> None:
    print(progress, file=sys.stderr, flush=True)


def print_table(head: str, rows: Iterable[Sequence[str]]) -> None:
    columns = [column.strip() for column in head.split("|")]
    print("| " + " | ".join(columns) + " |")
    print("|" + " --- |" * len(columns))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print(flush=True)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:,.0f}"


def _edit(cost: dict[str, float] | None) -> str:
    if cost is None:
        return NOTHING
    return f"{_ms(cost['cpu_seconds'])} ({_ms(cost['seconds'])}), {cost['linked']:,.0f}"


def main() -> int:
    parser = argparse.ArgumentParser(description="What scanning costs.")
    parser.add_argument("repositories", nargs="*", type=Path, metavar="REPOSITORY")
    parser.add_argument("--codegraph", metavar="COMMAND", help="scan the same copies with it, in turns")
    parser.add_argument("--growth", action="store_true", help="scan generated projects of growing size")
    parser.add_argument(
        "--switch", type=int, metavar="FILES", help="check out branches of a generated project"
    )
    arguments = parser.parse_args()
    missing = [str(path) for path in arguments.repositories if not path.is_dir()]
    if missing or not (arguments.repositories or arguments.growth or arguments.switch):
        parser.error(f"no such directory: {', '.join(missing)}" if missing else "nothing to scan")
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        runner = Runner(place)
        checks = []
        if arguments.repositories:
            resolved = [path.resolve() for path in arguments.repositories]
            if arguments.codegraph:
                scan_beside(runner, resolved, place, arguments.codegraph)
            checks.append(scan_repositories(runner, resolved, place))
        if arguments.growth:
            checks.append(scan_growing(runner, place))
        if arguments.switch:
            checks.append(switch_branch(runner, place, arguments.switch))
    return 0 if all(checks) else 1


if __name__ == "__main__":
    sys.exit(main())
