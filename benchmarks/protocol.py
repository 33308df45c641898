"""What Drift's protocol layer and pipeline cost, beside the bare SDK in the same run.

    python benchmarks/protocol.py [--calls N] [--rounds N]

Both servers answer the same call with the same bytes: Drift from its cache, through every step of its
pipeline; the other from a constant, on the SDK's own low-level server and transports. Rate limits are off.
Rounds of the two alternate, and the least CPU time of each counts, since other work on the machine can only
add. Exits with 1 when Drift's call costs more than 1.3 times the bare one.
"""

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from protocol_load import (
    LEGACY,
    MODERN,
    HttpConnection,
    Load,
    StdioClient,
    load_http,
    request,
    running,
    running_http,
)

WORST_RATIO = 1.3
HTTP_CLIENTS = 32
PIPELINED = 128
CALL: dict[str, Any] = {"name": "drift_capabilities", "arguments": {}}
BARE = str(Path(__file__).with_name("protocol_bare.py"))


@dataclass(frozen=True)
class Contender:
    """A server by its name in the table and its commands."""

    name: str
    stdio: list[str]
    http: list[str]
    path: str


Loads = Callable[[Contender], Generator[Load, None, None]]


def contenders(root: Path, answer: Path) -> tuple[Contender, Contender]:
    drift = [sys.executable, "-m", "drift"]
    return (
        Contender(
            "drift",
            [*drift, "mcp", "analysis", str(root), "--no-rate-limit"],
            [*drift, "serve", str(root), "--port", "0"],
            "/analysis",
        ),
        Contender(
            "bare SDK",
            [sys.executable, BARE, "stdio", str(answer)],
            [sys.executable, BARE, "http", str(answer)],
            "/mcp",
        ),
    )


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "HOME": str(home), "DRIFT_HOME": str(home), "DRIFT_MCP_RATE_LIMIT": "0"}


def record_answer(contender: Contender, environ: dict[str, str]) -> Any:
    with running(contender.stdio, environ, has_stdio=True) as server:
        client = StdioClient(server)
        client.shake_hands()
        return client.ask(request("tools/call", 1, CALL))["result"]


def measure_start(contender: Contender, environ: dict[str, str]) -> tuple[float, float, float]:
    """Seconds until tools/list is answered, CPU seconds until then, and MB resident once idle."""
    started = time.perf_counter()
    with running(contender.stdio, environ, has_stdio=True) as server:
        client = StdioClient(server)
        client.shake_hands()
        assert "result" in client.ask(request("tools/list", 1, {}))
        seconds, cpu = time.perf_counter() - started, server.cpu_seconds()
        time.sleep(0.5)
        return seconds, cpu, server.resident_mb()


def print_start(pair: tuple[Contender, Contender], environ: dict[str, str], rounds: int) -> None:
    found: dict[str, list[tuple[float, float, float]]] = {each.name: [] for each in pair}
    for _ in range(rounds):
        for each in pair:
            found[each.name].append(measure_start(each, environ))
    print(f"{'start to answered tools/list':30}{'best s':>9}{'median s':>10}{'CPU s':>8}{'idle MB':>9}")
    for name, runs in found.items():
        walls = [wall for wall, _, _ in runs]
        cpu, resident = min(cpu for _, cpu, _ in runs), min(size for _, _, size in runs)
        print(f"  {name:28}{min(walls):>9.2f}{statistics.median(walls):>10.2f}{cpu:>8.2f}{resident:>9.0f}")


def stdio_loads(
    each: Contender, environ: dict[str, str], *, calls: int, in_flight: int
) -> Generator[Load, None, None]:
    """One load after the other on one running server."""
    with running(each.stdio, environ, has_stdio=True) as server:
        client = StdioClient(server)
        client.shake_hands()
        client.load(CALL, 200, in_flight)  # imports, caches and the cached answer itself
        while True:
            yield client.load(CALL, calls, in_flight)


def http_loads(
    each: Contender, environ: dict[str, str], *, calls: int, version: str
) -> Generator[Load, None, None]:
    with running_http(each.http, environ) as (server, port), asyncio.Runner() as runner:
        connections = [HttpConnection(port, each.path, version) for _ in range(HTTP_CLIENTS)]

        def load(count: int) -> Load:
            return runner.run(load_http(server, connections, CALL, calls=count, version=version))

        load(200)
        while True:
            yield load(calls)


def compare(title: str, pair: tuple[Contender, Contender], *, loads: Loads, rounds: int) -> float:
    """Print both contenders' numbers and return the ratio of their CPU time per call."""
    runs: dict[str, list[Load]] = {each.name: [] for each in pair}
    with ExitStack() as stack:
        sources = {each.name: loads(each) for each in pair}
        for source in sources.values():
            stack.enter_context(closing(source))
        for _ in range(rounds):
            for name, source in sources.items():
                runs[name].append(next(source))
    print(f"{title:30}{'calls/s':>9}{'p50 ms':>10}{'p95 ms':>8}{'CPU µs':>9}")
    for name, loaded in runs.items():
        best = max(loaded, key=lambda each: each.per_second)
        cpu_us = min(each.cpu_us for each in loaded)
        print(
            f"  {name:28}{best.per_second:>9.0f}{best.percentile_ms(50):>10.2f}"
            f"{best.percentile_ms(95):>8.2f}{cpu_us:>9.0f}"
        )
    drift, bare = (min(load.cpu_us for load in runs[each.name]) for each in pair)
    print(f"  {'ratio':28}{'':27}{drift / bare:>9.2f}\n")
    return drift / bare


def compare_all(
    pair: tuple[Contender, Contender], environ: dict[str, str], *, calls: int, rounds: int
) -> float:
    """Print every comparison and return the worst ratio."""
    ways: dict[str, Loads] = {
        "stdio, one at a time": lambda each: stdio_loads(each, environ, calls=calls, in_flight=1),
        "stdio, 128 in flight": lambda each: stdio_loads(each, environ, calls=calls, in_flight=PIPELINED),
        "HTTP 2025-11-25, 32 clients": lambda each: http_loads(each, environ, calls=calls, version=LEGACY),
        "HTTP 2026-07-28, 32 clients": lambda each: http_loads(each, environ, calls=calls, version=MODERN),
    }
    return max(compare(title, pair, loads=loads, rounds=rounds) for title, loads in ways.items())


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=600, help="calls of one round")
    parser.add_argument("--rounds", type=int, default=8)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        root, answer = place / "project", place / "answer.json"
        root.mkdir()
        (root / "main.py").write_text("def main():\n    return 1\n")
        environ = environment(place / "home")
        pair = contenders(root, answer)
        recorded = record_answer(pair[0], environ)
        answer.write_bytes(orjson.dumps(recorded))
        print(f"{CALL['name']}: {len(orjson.dumps(recorded))} bytes, text and structured content\n")
        print_start(pair, environ, given.rounds)
        print()
        worst = compare_all(pair, environ, calls=given.calls, rounds=given.rounds)
    print(f"worst ratio {worst:.2f}, allowed {WORST_RATIO}")
    return 1 if worst > WORST_RATIO else 0


if __name__ == "__main__":
    raise SystemExit(main())
