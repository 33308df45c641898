"""How much dead code is found, beside vulture in the same run, on repositories whose tests prove what is dead and what runs.

    python benchmarks/dead_code.py REPOSITORY... --python PYTHON [--plants 80] [--seed 1] [--show]

PYTHON is an interpreter that has `vulture`, `coverage`, `pytest` and whatever the tests of the repositories need. In a copy of each,
functions and methods of the product are copied beside themselves under other names. For each name a function of the product is drawn: where others
share its name, the copy gets that name, else one that nothing has. So the names of dead code are shared as often as those of living code. The tests then run
once, counted by coverage. Dead is a copy of which no line ran; alive is a function of the product whose body ran. What neither ran nor was planted may be
either, and counts for nobody.

Recall is the share of the dead that is reported, precision the share of the reported, dead or alive, that is dead. vulture gets product and tests, as
its documentation asks, and reports all functions with one confidence; Drift is measured down to each of its levels, with exports, and down to the
least confidence at which it is no less precise than vulture.
"""

import argparse
import json
import random
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from drift.analyses.dead_code.finding import Asked, DeadSymbol, look_through
from drift.index import IndexReader
from drift.index.file_queries import FileFilter
from drift.project import StateDir
from drift.scan import ScanOptions, scan

VULTURE = re.compile(r"(.+?):(\d+): unused (?:function|method|property) '(\w+)'")
KINDS = ("function", "method")
LEVELS = ("high", "medium", "low")
LEAST_LINES, MOST_LINES = 3, 60


class Function(NamedTuple):
    """A function as the index has it; `line` is that of its `def`."""

    file: str
    name: str
    line: int
    first: int
    last: int
    is_method: bool

    @property
    def place(self) -> tuple[str, int]:
        return self.file, self.line


def functions_of(root: Path) -> list[Function]:
    found = []
    with IndexReader(StateDir(root).index_db) as reader:
        for file in reader.files.page(FileFilter(role="source", language="python"), limit=-1):
            lines = (root / file.path).read_text("utf-8").splitlines()
            for one in reader.symbols.of_file(file.id):
                if one.kind not in KINDS or not one.name.isidentifier():
                    continue
                # A symbol begins with its decorators; coverage and vulture may name the line of the `def`.
                at = next((n for n in range(one.line, one.end_line + 1) if re.match(r"\s*(async )?def ", lines[n - 1])), one.line)  # fmt: skip
                first = one.line
                while first > 1 and lines[first - 2].lstrip().startswith("@"):
                    first -= 1
                found.append(Function(file.path, one.name, at, first, one.end_line, one.kind == "method"))
    return found


def has_parents(lines: list[str], one: Function) -> bool:
    """Whether the class around a method names parents."""
    margin = len(lines[one.line - 1]) - len(lines[one.line - 1].lstrip())
    around = (
        line for line in reversed(lines[: one.line]) if re.match(rf"\s{{0,{max(0, margin - 1)}}}class ", line)
    )
    return margin > 0 and "(" in next(around, "(")


def plant(root: Path, functions: list[Function], *, most: int, seed: int) -> set[tuple[str, str]]:
    """Write the copies; what was planted, by file and name."""
    chance = random.Random(seed)
    names = [one.name for one in functions if not one.name.startswith("__")]
    times = Counter(names)
    methods = {one.name for one in functions if one.is_method}
    fitting = [
        one
        for one in functions
        if LEAST_LINES <= one.last - one.line + 1 <= MOST_LINES and one.first == one.line
    ]
    chosen = chance.sample(fitting, min(most, len(fitting)))
    planted: set[tuple[str, str]] = set()
    for one in sorted(chosen, key=lambda each: (each.file, -each.line)):
        if any(other.file == one.file and one.line < other.line <= one.last for other in chosen):
            continue  # a copy stands in it, so its end has moved
        path = root / one.file
        lines = path.read_text("utf-8").splitlines()
        words = set(re.findall(r"\w+", "\n".join(lines)))
        # What a parent has is overridden, not dead.
        taken = methods if has_parents(lines, one) else set()
        free = [name for name in names if times[name] == 1 or name not in words | taken]
        body = lines[one.line - 1 : one.last]
        if not free or "super()" in "".join(body):
            continue
        drawn = chance.choice(free)
        name = drawn if times[drawn] > 1 else f"{drawn}_as_before"
        body[0] = re.sub(rf"\bdef {one.name}\b", f"def {name}", body[0], count=1)
        planted.add((one.file, name))
        path.write_text("\n".join([*lines[: one.last], "", *body, *lines[one.last :]]) + "\n", "utf-8")
    return planted


def run_tests(root: Path, python: str) -> dict[str, set[int]]:
    """The lines of each file that the tests ran."""
    command = [python, "-m", "coverage", "run", "--data-file=.cov", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--continue-on-collection-errors", "--maxfail=40", "tests"]  # fmt: skip
    source = {"PYTHONPATH": f"{root / 'src'}:{root}", "PATH": "/usr/bin:/bin", "HOME": str(root.parent)}
    done = subprocess.run(command, cwd=root, env=source, check=False, capture_output=True, text=True)
    print("   tests:", done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr[-300:])
    told = subprocess.run([python, "-m", "coverage", "json", "--data-file=.cov", "-q", "-i", "-o", "-"],
                          cwd=root, env=source, check=True, capture_output=True, text=True)  # fmt: skip
    files = json.loads(told.stdout)["files"]
    return {Path(name).as_posix(): set(each["executed_lines"]) for name, each in files.items()}


def by_drift(root: Path) -> dict[tuple[str, int], DeadSymbol]:
    with IndexReader(StateDir(root).index_db) as reader:
        found = look_through(reader, root, Asked(with_exports=True), check_cancelled=lambda: None)
    return {(one.symbol.path, one.symbol.line): one for one in found.found}


def by_vulture(root: Path, python: str, folders: list[str]) -> set[tuple[str, int]]:
    done = subprocess.run([python, "-m", "vulture", *folders], cwd=root, check=False, capture_output=True, text=True)  # fmt: skip
    return {(match[1], int(match[2])) for line in done.stdout.splitlines() if (match := VULTURE.match(line))}


def measure(repository: Path, python: str, *, most: int, seed: int, is_shown: bool) -> None:
    with tempfile.TemporaryDirectory() as place:
        root = (Path(place) / repository.name).resolve()
        shutil.copytree(repository, root, ignore=shutil.ignore_patterns(".git", ".drift", "__pycache__"))
        scan(root, ScanOptions())
        planted = plant(root, functions_of(root), most=most, seed=seed)
        ran = run_tests(root, python)
        scan(root, ScanOptions())
        functions = functions_of(root)
        dead, alive = {}, {}
        for one in functions:
            is_run = bool(ran.get(one.file, set()) & set(range(one.line + 1, one.last + 1)))
            if (one.file, one.name) in planted and not is_run:
                dead[one.place] = one
            elif is_run:
                alive[one.place] = one
        # Decorated functions have two lines that a tool may name.
        lines = {(one.file, line): one.place for one in functions for line in range(one.first, one.line + 1)}
        folders = sorted({one.file.split("/")[0] for one in functions} | {"tests"})
        print(f"{repository.name}: {len(dead)} dead, {len(alive)} alive, of {len(functions)} functions")
        truth = Truth(dead, alive, lines)
        theirs = truth.judge("vulture", by_vulture(root, python, folders), is_shown=is_shown)
        ours = by_drift(root)
        for number, level in enumerate(LEVELS):
            reported = {place for place, one in ours.items() if one.level in LEVELS[: number + 1]}
            truth.judge(f"drift {level}", reported, is_shown=is_shown)
        truth.judge_at(theirs, ours)


class Truth(NamedTuple):
    """What is dead and what is alive, by place, and the place of the function that each line begins."""

    dead: dict[tuple[str, int], Function]
    alive: dict[tuple[str, int], Function]
    lines: dict[tuple[str, int], tuple[str, int]]

    def judge(self, name: str, places: Iterable[tuple[str, int]], *, is_shown: bool = False) -> float:
        """Print what a report is worth; its precision."""
        told = {self.lines[each] for each in places if each in self.lines}
        right, wrong = told & self.dead.keys(), told & self.alive.keys()
        precision = len(right) / max(1, len(right) + len(wrong))
        print(f"   {name:22} recall {len(right) / max(1, len(self.dead)):.2f}, precision {precision:.2f} ({len(right)} dead, {len(wrong)} alive)")  # fmt: skip
        if is_shown:
            for each in sorted(wrong):
                print(f"      alive: {each[0]}:{each[1]} {self.alive[each].name}")
            for each in sorted(self.dead.keys() - told):
                print(f"      missed: {each[0]}:{each[1]} {self.dead[each].name}")
        return precision

    def judge_at(self, precision: float, ours: dict[tuple[str, int], DeadSymbol]) -> None:
        """Print our report down to the least confidence at which it is as precise as another."""
        best: set[tuple[str, int]] = set()
        for least in sorted({one.confidence for one in ours.values()}, reverse=True):
            places = {place for place, one in ours.items() if one.confidence >= least}
            told = {self.lines[each] for each in places if each in self.lines}
            right, wrong = len(told & self.dead.keys()), len(told & self.alive.keys())
            if right / max(1, right + wrong) >= precision:
                best = places
        self.judge("drift at its precision", best)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repositories", type=Path, nargs="+")
    parser.add_argument("--python", required=True)
    parser.add_argument("--plants", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    for repository in given.repositories:
        measure(repository.resolve(), given.python, most=given.plants, seed=given.seed, is_shown=given.show)


if __name__ == "__main__":
    main()
