"""How long warm answers of the tools about data and security take over stdio, action by action.

    drift scan PROJECT
    python benchmarks/data_tools.py PROJECT [--count 20]

Every question is asked with other arguments each time (another limit, name, file or path), so that no answer comes from the cache; the
first one of a tool, which reads what later ones share, is told apart. Prints the first, the median and the 95th percentile of
the processor time of the server in milliseconds (Linux only).
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from query import Server, at_percent, scan_at

from drift.index import IndexReader
from drift.project import StateDir


def questions(root: Path, count: int, seed: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every question as (row of the table, tool, arguments)."""
    draw = random.Random(seed)
    with IndexReader(StateDir(root).index_db) as reader:
        constants = [one.qualname for one in reader.literals.declared()]
        paths = [stamp.path for stamp in reader.files.stamps() if stamp.role == "source"]
        functions = [
            f"{symbol.path}:{symbol.line}"
            for stamp in draw.sample(list(reader.files.stamps()), 200)
            for symbol in reader.symbols.of_file(stamp.id)
            if symbol.kind in {"function", "method"}
        ]
    limits = itertools.cycle(range(5, 25))
    for _ in range(count):
        folder = draw.choice(paths).rpartition("/")[0]
        limit = next(limits)
        for action in ("status", "list", "magic", "dead", "secrets", "inconsistent"):
            yield (
                f"drift_constants {action}",
                "drift_constants",
                {"action": action, "limit": limit, "maxTokens": 1_000 + limit},
            )
        yield (
            "drift_constants list, searched",
            "drift_constants",
            {"action": "list", "search": draw.choice("abcdefgh")},
        )
        for action in ("get", "usages"):
            yield (
                f"drift_constants {action}",
                "drift_constants",
                {"action": action, "name": draw.choice(constants)},
            )
        for action in ("overview", "list", "undeclared"):
            yield (
                f"drift_env {action}",
                "drift_env",
                {"action": action, "limit": limit, "maxTokens": 1_000 + limit},
            )
        yield "drift_contracts_list", "drift_contracts_list", {"list": "endpoints", "limit": limit}
        for action in ("status", "gaps", "boundaries", "unhandled"):
            yield (
                f"drift_error_handling {action}",
                "drift_error_handling",
                {"action": action, "path": folder, "limit": limit},
            )
        place = draw.choice(functions)
        yield "drift_error_handling analyze", "drift_error_handling", {"action": "analyze", "target": place}
        yield "drift_boundaries", "drift_boundaries", {"limit": limit}
        yield "drift_boundaries, of a module", "drift_boundaries", {"module": folder or ".", "limit": limit}
        yield "drift_taint", "drift_taint", {"path": folder, "limit": limit, "minConfidence": "low"}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("project", type=Path)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--home", help="DRIFT_HOME that the project was scanned with; none: it is scanned anew"
    )
    arguments = parser.parse_args()
    root = arguments.project.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        home = arguments.home or scratch
        os.environ["DRIFT_HOME"] = home
        if arguments.home is None:
            scan_at(root, home)
        server = Server(root, home)
        took: dict[str, list[float]] = defaultdict(list)
        for row, tool, given in questions(root, arguments.count, arguments.seed):
            took[row].append(server.call(tool, given).cpu_ms or 0.0)
        _print(took)
        server.close()


def _print(took: dict[str, list[float]]) -> None:
    print("| | first | median | p95 |\n| --- | --- | --- | --- |")
    for row, (first, *rest) in took.items():
        print(f"| {row} | {first:.0f} | {at_percent(rest, 50):.1f} | {at_percent(rest, 95):.1f} |")


if __name__ == "__main__":
    main()
