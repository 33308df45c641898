"""Whether the tests that are found for a function kill the mutants of it that the whole suite kills.

    cd PROJECT && python -m pytest --cov=PACKAGE --cov-context=test --cov-report=
    drift scan PROJECT
    python benchmarks/mutants.py PROJECT --python PYTHON [--count 30] [--seed 1]

A mutant is one change in one function that some test ran: a comparison, `and` or `or` turned round, or a result
replaced by None. Each is made in a copy of the project and runs there with PYTHON, which must have what the project's
tests need. A test that does not run a function cannot kill its mutants, so the whole suite are the tests that
coverage.py saw running it: first those of them that are found, until one fails; where none does, the others.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from affected_tests import Judged, executed_functions, judge, match_cases, read_lines

from drift.analyses.testing.suites import suites_of
from drift.index import IndexReader
from drift.project import StateDir

_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_SECONDS = 120  # a mutant may loop for ever: that is seen, too


class Mutant(NamedTuple):
    """A changed file, and the function that was changed in it."""

    function: Judged
    path: str
    text: str
    what: str


def make_mutant(function: Judged, root: Path, chance: random.Random) -> Mutant | None:
    """The project's file with one change in the function; None where nothing in it can be changed."""
    place = function.function.place
    path, line = place.partition(" ")[0].rpartition(":")[::2]
    source = (root / path).read_text("utf-8")
    tree = ast.parse(source)
    bodies = [
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
        and int(line) in {one.lineno, *(each.lineno for each in one.decorator_list)}
    ]
    points = [one for body in bodies for one in ast.walk(body) if _is_changeable(one)]
    if not points:
        return None
    point = chance.choice(points)
    what = f"{place} line {getattr(point, 'lineno', line)}: {ast.unparse(point)[:60]}"
    _change(point)
    return Mutant(function, path, ast.unparse(ast.fix_missing_locations(tree)), what)


def _is_changeable(node: ast.AST) -> bool:
    if isinstance(node, ast.Return):
        return node.value is not None and not (
            isinstance(node.value, ast.Constant) and node.value.value is None
        )
    return isinstance(node, ast.BoolOp) or (isinstance(node, ast.Compare) and type(node.ops[0]) in _TURNED)


def _change(node: ast.AST) -> None:
    if isinstance(node, ast.Return):
        node.value = ast.Constant(None)
    elif isinstance(node, ast.BoolOp):
        node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
    elif isinstance(node, ast.Compare):
        node.ops[0] = _TURNED[type(node.ops[0])]()


def is_killed(copy: Path, python: str, tests: list[str]) -> bool:
    """Whether one of the tests fails, or their run does not end."""
    if not tests:
        return False
    (copy / ".tests").write_text("\n".join(tests), "utf-8")
    paths = os.pathsep.join(str(copy / one) for one in ("src", "."))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [python, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-o", "addopts=", "@.tests"]
    try:
        ended = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    return ended.returncode != 0


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("project", type=Path)
    parser.add_argument("--python", default=sys.executable, help="runs the project's tests")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    root = options.project.resolve()
    lines, names = read_lines(root / ".coverage", root)
    with IndexReader(StateDir(root).index_db) as reader:
        suites = suites_of(reader)
        suites.read_all(reader)
        cases, _ = match_cases(suites, names)
        functions = executed_functions(reader, lines, cases)
        chance = random.Random(options.seed)
        chance.shuffle(functions)
        judged = judge(reader, suites, functions[: 4 * options.count], frozenset(cases.values()))
    mutants = [one for each in judged if (one := make_mutant(each, root, chance)) is not None]
    by_case: dict[int, list[str]] = {}
    for name, case in cases.items():
        by_case.setdefault(case, []).append(name)
    killed = found = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / root.name
        shutil.copytree(root, copy, ignore=shutil.ignore_patterns(".git", ".drift", ".coverage"))
        for mutant in mutants[: options.count]:
            whole = (copy / mutant.path).read_text("utf-8")
            (copy / mutant.path).write_text(mutant.text, "utf-8")
            ran, reaching = mutant.function.function.ran, mutant.function.found
            by_found = is_killed(
                copy, options.python, [one for each in ran & reaching for one in by_case[each]]
            )
            is_dead = by_found or is_killed(
                copy, options.python, [one for each in ran - reaching for one in by_case[each]]
            )
            (copy / mutant.path).write_text(whole, "utf-8")
            killed, found = killed + is_dead, found + by_found
            if is_dead and not by_found:
                print(f"  missed: {mutant.what}", flush=True)
    made = min(len(mutants), options.count)
    print(f"{root.name}: {made} mutants, {killed} killed, {found} of them by the tests that are found")


if __name__ == "__main__":
    main()
