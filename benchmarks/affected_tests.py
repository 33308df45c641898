"""How well "which tests run this function" agrees with what tests really ran.

    cd PROJECT && python -m pytest --cov=PACKAGE --cov-context=test --cov-report=
    drift scan PROJECT
    python benchmarks/affected_tests.py PROJECT [--worst 10]

    python benchmarks/affected_tests.py PROJECT --ran PROJECT/ran.jsonl    # of scripts, by `coverage_hook.cjs`

The truth is what coverage.py noted for each test, its set-up and tear-down among it: a test runs a function if it
ran a line of its body. Only functions that some test ran are judged, and no migrations: they run once, for the first test.
Of scripts the truth is which functions Istanbul counted between the beginning and the end of each test.

    recall     of the tests that ran a function, the share that is found; the mean over functions
    precision  of the tests that are found for a function, the share that ran it; the mean over functions with any
    no test    the share of functions for which no test is found although one ran it
    pooled     the same two over all pairs of function and test, where functions that most tests run weigh most
"""

from __future__ import annotations

import argparse
import json
import sqlite3
from collections import Counter, defaultdict
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from drift.analyses.testing.affected import find_neighbourhood, reach_functions
from drift.analyses.testing.suites import Suites, suites_of
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.project import StateDir

BATCH = 200  # functions walked from at a time


class Function(NamedTuple):
    """A function of the product, and the tests that ran it."""

    id: SymbolId
    place: str
    ran: frozenset[SymbolId]


class Judged(NamedTuple):
    """A function, and the tests that were found for it."""

    function: Function
    found: frozenset[SymbolId]

    @property
    def recall(self) -> float:
        return len(self.found & self.function.ran) / len(self.function.ran)

    @property
    def precision(self) -> float:
        return len(self.found & self.function.ran) / len(self.found)


def read_lines(store: Path, root: Path) -> tuple[dict[str, dict[int, set[str]]], set[str]]:
    """The tests that ran each line, by path, and all tests, by what pytest calls them."""
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as data:
        files = {number: root / path for number, path in data.execute("SELECT id, path FROM file")}
        contexts = {
            number: text.rpartition("|")[0]
            for number, text in data.execute("SELECT id, context FROM context")
        }
        lines: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        rows = [
            (file, context, line)
            for file, context, bits in data.execute("SELECT file_id, context_id, numbits FROM line_bits")
            for line in _numbers(bits)
        ]
        for file, context, first, last in data.execute("SELECT file_id, context_id, fromno, tono FROM arc"):
            rows += [(file, context, line) for line in (first, last) if line > 0]
    for file, context, line in rows:
        if contexts[context] and files[file].is_relative_to(root):
            lines[files[file].relative_to(root).as_posix()][line].add(contexts[context])
    return lines, set(contexts.values()) - {""}


def _numbers(bits: bytes) -> list[int]:
    return [at * 8 + bit for at, byte in enumerate(bits) for bit in range(8) if byte & (1 << bit)]


def match_cases(suites: Suites, names: set[str]) -> tuple[dict[str, SymbolId], list[str]]:
    """The case of the index behind each test that ran, and the tests that have none."""
    by_title = {(case.path, case.title): case.id for case in suites.cases.values()}
    by_name: dict[str, set[SymbolId]] = defaultdict(set)
    for case in suites.cases.values():
        by_name[case.name].add(case.id)
    found: dict[str, SymbolId] = {}
    unknown = []
    for name in names:
        path, *parts = name.partition("[")[0].split("::")
        case = by_title.get((path, ".".join(parts)))
        if case is None:  # inherited from a class that may stand in another file
            named = by_name.get(parts[-1], set()) if parts else set()
            case = next(iter(named)) if len(named) == 1 else None
        if case is None:
            unknown.append(name)
        else:
            found[name] = case
    return found, unknown


def executed_functions(
    reader: IndexReader, lines: dict[str, dict[int, set[str]]], cases: dict[str, SymbolId]
) -> list[Function]:
    """Every function of the product that a test ran."""
    found = []
    for path, ran in lines.items():
        record = reader.files.at(path)
        symbols = (
            reader.symbols.of_file(record.id)
            if record is not None and record.role == "source" and "/migrations/" not in path
            else []
        )
        code = [one for one in symbols if one.kind in {"function", "method", "constructor", "property"}]
        for one in code:
            inner = {
                line
                for other in code
                if other.id != one.id and one.line <= other.line and other.end_line <= one.end_line
                for line in range(other.line, other.end_line + 1)
            }
            first = one.line + (one.end_line > one.line)
            own = set(range(first, one.end_line + 1)) - inner
            tests = {cases[name] for line in own for name in ran.get(line, ()) if name in cases}
            if tests:
                found.append(Function(one.id, f"{path}:{one.line} {one.qualname}", frozenset(tests)))
    return found


def read_ran(path: Path) -> tuple[dict[tuple[str, int], set[str]], set[str]]:
    """The tests that ran the function of each line, and all tests, by file and title."""
    functions: dict[tuple[str, int], set[str]] = defaultdict(set)
    names = set()
    for line in path.read_text("utf-8").splitlines():
        noted = json.loads(line)
        name = f"{noted['file']}::{plain_title(noted['title'])}"
        names.add(name)
        for file, *lines in noted["ran"]:
            for each in set(lines):
                functions[file, each].add(name)
    return functions, names


def plain_title(title: str) -> str:
    """A title whichever way a runner joins those of groups and tests."""
    return " ".join(title.replace(" > ", " ").split())


def match_titles(suites: Suites, names: set[str]) -> tuple[dict[str, SymbolId], list[str]]:
    """The case of the index behind each title, and the tests that have none."""
    known = {f"{case.path}::{plain_title(case.title)}": case.id for case in suites.cases.values()}
    return {name: known[name] for name in names if name in known}, sorted(names - known.keys())


def counted_functions(
    reader: IndexReader, ran: dict[tuple[str, int], set[str]], cases: dict[str, SymbolId]
) -> list[Function]:
    """Every function of the product that a test ran, where one alone begins in the line."""
    found = []
    for path in sorted({path for path, _ in ran}):
        record = reader.files.at(path)
        symbols = reader.symbols.of_file(record.id) if record is not None and record.role == "source" else []
        code = [one for one in symbols if one.kind in {"function", "method", "constructor", "property"}]
        begun = Counter(one.line for one in code)
        for one in code:
            tests = {cases[name] for name in ran.get((path, one.line), ()) if name in cases}
            if tests and begun[one.line] == 1:
                found.append(Function(one.id, f"{path}:{one.line} {one.qualname}", frozenset(tests)))
    return found


def judge(
    reader: IndexReader, suites: Suites, functions: list[Function], ran: frozenset[SymbolId]
) -> list[Judged]:
    """What is found for each function; of tests that never ran nothing is known, so they do not count."""
    judged = []
    for start in range(0, len(functions), BATCH):
        some = functions[start : start + BATCH]
        around = find_neighbourhood(reader, suites, [one.id for one in some])
        reaching = reach_functions(around, suites)
        judged += [Judged(one, frozenset(reaching[one.id]) & ran) for one in some]
    return judged


def report(judged: list[Judged], *, worst: int) -> None:
    """Print the figures, and the functions of which most is missed or wrong."""
    some = [one for one in judged if one.found]
    hits = sum(len(one.found & one.function.ran) for one in judged)
    true, found = sum(len(one.function.ran) for one in judged), sum(len(one.found) for one in judged)
    print(
        f"functions {len(judged)}  recall {fmean(one.recall for one in judged):.3f}  "
        f"precision {fmean(one.precision for one in some):.3f}  no test {1 - len(some) / len(judged):.3f}  "
        f"pooled recall {hits / true:.3f} precision {hits / max(found, 1):.3f}"
    )
    if worst:
        print("most missed:")
        for one in sorted(judged, key=lambda one: len(one.found & one.function.ran) - len(one.function.ran))[
            :worst
        ]:
            print(
                f"  {len(one.function.ran - one.found):5} of {len(one.function.ran):5}  {one.function.place}"
            )
        print("most wrong:")
        for one in sorted(judged, key=lambda one: len(one.found & one.function.ran) - len(one.found))[:worst]:
            print(f"  {len(one.found - one.function.ran):5} of {len(one.found):5}  {one.function.place}")
        print("no test:")
        for one in [one for one in judged if not one.found][:worst]:
            print(f"  {len(one.function.ran):5}  {one.function.place}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("project", type=Path)
    parser.add_argument("--coverage", type=Path, help="what coverage.py wrote; PROJECT/.coverage unless told")
    parser.add_argument("--ran", type=Path, help="what coverage_hook.cjs wrote of a project of scripts")
    parser.add_argument("--worst", type=int, default=0, help="list so many functions of each fault")
    options = parser.parse_args()
    root = options.project.resolve()
    with IndexReader(StateDir(root).index_db) as reader:
        suites = suites_of(reader)
        suites.read_all(reader)
        if options.ran is not None:
            ran, names = read_ran(options.ran)
            cases, unknown = match_titles(suites, names)
            functions = counted_functions(reader, ran, cases)
        else:
            lines, names = read_lines(options.coverage or root / ".coverage", root)
            cases, unknown = match_cases(suites, names)
            functions = executed_functions(reader, lines, cases)
        judged = judge(reader, suites, functions, frozenset(cases.values()))
    print(f"{root.name}: {len(set(cases.values()))} tests, {len(unknown)} not known: {unknown[:3]}")
    report(judged, worst=options.worst)


if __name__ == "__main__":
    main()
