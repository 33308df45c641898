"""How long answers take over stdio on a scanned project, beside a ping in the same run.

    drift scan PROJECT
    python benchmarks/query.py PROJECT [--count 40] [--seed 1]

Symbols are drawn at random from the index. Every call is another one, so that no answer comes from the cache;
`cached` asks one question again and again. Prints the median and the 95th percentile in milliseconds, and beside
them the processor time the server spent on a call at the median, which a busy machine does not change (Linux
only). The project is not touched.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from drift.index import IndexReader
from drift.project import StateDir

GOALS = {"surgical": 20, "graph": 100, "context": 300, "discover": 20, "cached": 3}
FUNCTIONS = ("function", "method")


class Took(NamedTuple):
    """What one call took; `cpu_ms` is None where the system does not tell."""

    wall_ms: float
    cpu_ms: float | None


def _environ(home: str) -> dict[str, str]:
    return {**os.environ, "HOME": home, "DRIFT_HOME": home, "DRIFT_MCP_RATE_LIMIT": "0"}


def scan_at(root: Path, home: str) -> None:
    """Make the index anew: the one of another home is not trusted."""
    command = [sys.executable, "-m", "drift", "scan", str(root)]
    subprocess.run(command, check=True, capture_output=True, env=_environ(home))


class Server:
    """The analysis server as a process, spoken to line by line."""

    def __init__(self, root: Path, home: str) -> None:
        command = [sys.executable, "-m", "drift", "mcp", "analysis", str(root), "--surface", "full"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_environ(home)
        )
        self._number = 0
        client = {"name": "benchmark", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, parameters: dict[str, Any]) -> tuple[Took, dict[str, Any]]:
        """What it took until the answer, and the answer."""
        self._number += 1
        cpu_before = self._cpu_ms()
        began = time.perf_counter()
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters})
        assert self._process.stdout is not None
        while True:
            message: dict[str, Any] = json.loads(self._process.stdout.readline())
            if message.get("id") == self._number:
                wall_ms = (time.perf_counter() - began) * 1000
                return Took(wall_ms, _spent(cpu_before, self._cpu_ms())), message

    def call(self, tool: str, arguments: dict[str, Any]) -> Took:
        took, message = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if message["result"].get("isError"):
            raise SystemExit(f"{tool} {arguments}: {message['result']['content'][0]['text']}")
        return took

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=10)

    def _cpu_ms(self) -> float | None:
        """The processor time of all the server's threads so far."""
        tasks = Path(f"/proc/{self._process.pid}/task")
        try:
            return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e6
        except OSError:
            return None

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()


def _spent(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def draw_places(root: Path, count: int, seed: int) -> list[tuple[str, str]]:
    """Functions of product code as (place, name)."""
    with IndexReader(StateDir(root).index_db) as reader:
        found = [
            (f"{symbol.path}:{symbol.line}", symbol.name)
            for stamp in reader.files.stamps()
            if stamp.role == "source"
            for symbol in reader.symbols.of_file(stamp.id)
            if symbol.kind in FUNCTIONS
        ]
    return random.Random(seed).sample(found, min(count, len(found)))


def questions(places: list[tuple[str, str]]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every question as (group, tool, arguments)."""
    for place, name in places:
        words = name.replace("_", " ").strip()
        yield "surgical", "drift_signature", {"symbol": place}
        yield "surgical", "drift_callers", {"symbol": place}
        yield "surgical", "drift_callees", {"symbol": place}
        yield "graph", "drift_impact_analysis", {"target": place}
        yield "graph", "drift_reachability", {"location": place}
        yield "context", "drift_context", {"intent": "fix_bug", "focus": f"{words} gives a wrong result"}
        # Another budget makes it another question.
        yield "discover", "drift_discover", {"maxTokens": 1_000 + len(place)}
        yield "cached", "drift_signature", {"symbol": places[0][0]}


def at_percent(times: Iterable[float], percent: int) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("project", type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    root = options.project.resolve()
    places = draw_places(root, options.count, options.seed)
    times: dict[str, list[Took]] = {}
    with tempfile.TemporaryDirectory() as home:
        scan_at(root, home)
        server = Server(root, home)
        server.call("drift_context", {"intent": "fix_bug", "focus": "warm up"})
        for _ in places:
            times.setdefault("ping", []).append(server.ask("ping", {})[0])
        for group, tool, arguments in questions(places):
            times.setdefault(group, []).append(server.call(tool, arguments))
        server.close()
    print("| group | calls | median ms | p95 ms | goal | CPU ms |\n| --- | --- | --- | --- | --- | --- |")
    for group, took in times.items():
        wall = [each.wall_ms for each in took]
        cpu = [each.cpu_ms for each in took if each.cpu_ms is not None]
        cells = [f"{at_percent(wall, 50):.1f}", f"{at_percent(wall, 95):.1f}", str(GOALS.get(group, ""))]
        print(
            f"| {group} | {len(took)} | {' | '.join(cells)} | {f'{at_percent(cpu, 50):.1f}' if cpu else ''} |"
        )


if __name__ == "__main__":
    main()
