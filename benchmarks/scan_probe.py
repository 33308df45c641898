"""One scan, or some, in a process of their own that tells what they cost as a line of JSON.

    python benchmarks/scan_probe.py cold|idle|edit|edits PROJECT

Started by scan.py. `cold` scans once; `idle` scans a project that has not changed, again and again; `edits`
changes the project in three ways and waits for each until a query sees it; `edit` does the first alone.
"""

import json
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from drift.cli.exports import all_edges
from drift.index import IndexReader
from drift.index.records import SymbolRecord
from drift.project import StateDir
from drift.scan import scan
from drift.scan.hashing import hash_file
from drift.scan.report import Phase

ROUNDS = 3
KB_IN_MB = 1024
DEFINITIONS = frozenset({"class", "enum", "function", "interface", "struct", "trait", "type"})
NEW_FUNCTION = {
    "python": "def {name}():\n    return 1\n",
    "go": "func {name}() int {{\n\treturn 1\n}}\n",
    "rust": "fn {name}() -> i32 {{\n    1\n}}\n",
    "php": "function {name}() {{\n    return 1;\n}}\n",
    "cpp": "int {name}() {{\n    return 1;\n}}\n",
    "java": "class In{name} {{\n    static int {name}() {{\n        return 1;\n    }}\n}}\n",
    "csharp": "class In{name} {{\n    static int {name}() {{\n        return 1;\n    }}\n}}\n",
    "javascript": "function {name}() {{\n  return 1;\n}}\n",
    "typescript": "function {name}() {{\n  return 1;\n}}\n",
}
SIMPLE_RETURN = re.compile(r"^(?P<head>\s*return )(?P<value>[^;{}]+?)(?P<tail>;?)$")
BRACKETS = ("()", "[]")
VALUES = ("1", '"text"', "2", '"other"', "3")
MOST_CALLED = 500


class Cost(NamedTuple):
    seconds: float
    cpu_seconds: float
    linked: int = 0


class Target(NamedTuple):
    """Where an edit is made: the file, its language, and the line before which or after which."""

    path: str
    language: str
    line: int


def cpu_seconds() -> float:
    """The CPU time of this process and of those it has waited for."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def peak_mb(who: int) -> float:
    unit = KB_IN_MB * KB_IN_MB if sys.platform == "darwin" else KB_IN_MB
    return resource.getrusage(who).ru_maxrss / unit


def own_peak_mb() -> float:
    """Of this process since it began; what it was forked from does not count where the system tells."""
    status = Path("/proc/self/status")
    if not status.exists():
        return peak_mb(resource.RUSAGE_SELF)
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text())[0]) / KB_IN_MB


def measure(root: Path, sees: Callable[[IndexReader], bool]) -> Cost:
    """What it costs to scan, until a query sees what it should. Raises RuntimeError if it never does."""
    linked = 0

    def count(phase: Phase, done: int, _total: int | None) -> None:
        nonlocal linked
        linked = done if phase == "link" else linked

    began, cpu = time.perf_counter(), cpu_seconds()
    scan(root, progress=count)
    with IndexReader(StateDir(root).index_db) as reader:
        is_seen = sees(reader)
    cost = Cost(time.perf_counter() - began, cpu_seconds() - cpu, linked)
    if not is_seen:
        raise RuntimeError("the scan is over, and the change is not in the index")
    return cost


def least(costs: list[Cost]) -> Cost:
    """The least time of each kind, and the most files linked again."""
    return Cost(
        min(each.seconds for each in costs),
        min(each.cpu_seconds for each in costs),
        max(each.linked for each in costs),
    )


def edits(root: Path) -> dict[str, Cost | None]:
    """The cost of each kind of edit; None where the project has no place for it."""
    with IndexReader(StateDir(root).index_db) as reader:
        called = _called_from_elsewhere(reader)
        ordinary, used, returning = (
            _middling(reader),
            _most_used(reader, root, called),
            _returning(reader, root, called),
        )
    return {
        "append": _new_functions(root, ordinary, "probeAppended"),
        "insert": _new_functions(root, used, "probeInserted"),
        "return": _new_returns(root, returning),
    }


def _new_functions(root: Path, target: Target | None, stem: str) -> Cost | None:
    if target is None:
        return None
    costs = []
    for number in range(ROUNDS):
        name = f"{stem}{number}"
        lines = _read(root / target.path)
        lines.insert(target.line, "\n" + NEW_FUNCTION[target.language].format(name=name) + "\n")
        _write(root / target.path, lines)
        costs.append(measure(root, lambda reader, name=name: bool(reader.symbols.search(name))))
    return least(costs)


def _new_returns(root: Path, target: Target | None) -> Cost | None:
    if target is None:
        return None
    path, costs = root / target.path, []
    for value in VALUES[:ROUNDS]:
        lines = _read(path)
        line = lines[target.line - 1].rstrip("\r\n")
        lines[target.line - 1] = SIMPLE_RETURN.sub(rf"\g<head>{value}\g<tail>", line) + "\n"
        _write(path, lines)
        costs.append(measure(root, lambda reader: _hash_in(reader, target.path) == hash_file(path)))
    return least(costs)


def _hash_in(reader: IndexReader, path: str) -> str | None:
    file = reader.files.at(path)
    return file.hash if file else None


def _called_from_elsewhere(reader: IndexReader) -> Counter[int]:
    """How often each symbol is called from other files."""
    return Counter(
        edge.callee_id for edge in all_edges(reader) if edge.callee_id >> 16 != edge.caller_id >> 16
    )


def _middling(reader: IndexReader) -> Target | None:
    """The end of a source file of middling size in the language with most of them."""
    sources = [
        each for each in reader.files.stamps() if each.role == "source" and each.language in NEW_FUNCTION
    ]
    if not sources:
        return None
    language = Counter(each.language for each in sources).most_common(1)[0][0]
    ordered = sorted((each.size, each.path) for each in sources if each.language == language)
    return Target(ordered[len(ordered) // 2][1], str(language), sys.maxsize)


def _most_used(reader: IndexReader, root: Path, called: Counter[int]) -> Target | None:
    """The file whose symbols are called most, and the place above its first definition."""
    files: Counter[int] = Counter()
    for symbol, count in called.items():
        files[symbol >> 16] += count
    for file, _count in files.most_common():
        symbols = reader.symbols.of_file(file)  # type: ignore[arg-type] # an id by its arithmetic
        definitions = [each for each in symbols if each.kind in DEFINITIONS and each.language in NEW_FUNCTION]
        if definitions:
            first = min(definitions, key=lambda each: each.line)
            line, lines = first.line - 1, _read(root / first.path)
            while (
                line > 0 and lines[line - 1].strip()
            ):  # decorators and comments stay with what they are about
                line -= 1
            return Target(first.path, str(first.language), line)
    return None


def _returning(reader: IndexReader, root: Path, called: Counter[int]) -> Target | None:
    """The most called function that returns what another gives it on one line, and that line.

    One that declares no type is taken first, for what is returned then matters to its callers.
    """
    records = [reader.symbols.get(symbol) for symbol, _count in called.most_common(MOST_CALLED)]  # type: ignore[arg-type] # an id by its arithmetic
    known = [record for record in records if record is not None]
    for record in sorted(known, key=lambda each: each.return_text is not None):
        for line in _return_lines(record, _read(root / record.path)):
            return Target(record.path, str(record.language), line)
    return None


def _return_lines(symbol: SymbolRecord, lines: list[str]) -> Iterator[int]:
    for number in range(symbol.line, symbol.end_line + 1):
        found = SIMPLE_RETURN.match(lines[number - 1].rstrip("\r\n"))
        value = found["value"] if found else ""
        if "(" in value and all(value.count(left) == value.count(right) for left, right in BRACKETS):
            yield number


def _read(path: Path) -> list[str]:
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.readlines()


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("".join(lines), "utf-8", errors="surrogateescape", newline="")


def append(root: Path) -> Cost | None:
    with IndexReader(StateDir(root).index_db) as reader:
        target = _middling(reader)
    return _new_functions(root, target, "probeAppended")


def main() -> None:
    what, root = sys.argv[1], Path(sys.argv[2])
    told: object
    if what == "cold":
        scan(root)
        told = {"main_mb": own_peak_mb(), "worker_mb": peak_mb(resource.RUSAGE_CHILDREN)}
    elif what == "idle":
        told = least([measure(root, lambda _reader: True) for _ in range(ROUNDS + 1)])._asdict()
    elif what == "edit":
        cost = append(root)
        told = cost and cost._asdict()
    else:
        told = {name: cost and cost._asdict() for name, cost in edits(root).items()}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
