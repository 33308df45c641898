"""What the catalog costs with 10,000 instructions, and what survives when its servers are killed.

    python benchmarks/catalog.py [--entries N] [--calls N] [--clients N] [--kills N]

Costs are CPU time of the process that serves, since other work on the machine does not change it much; latencies
over stdio and HTTP are wall time beside the targets of the instruction server's specification. "After a write"
calls find nothing remembered: an instruction was changed before each. Durable writes a second are shown beside
what the disk confirms when the same three syncs are done bare. Exits with 1 when a confirmed write was lost, a
file torn or a hash other than a fresh load gives.
"""

import argparse
import asyncio
import itertools
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
from catalog_fire import count_syncs, dispatch, kill_writers, load_clients
from protocol_load import StdioClient, request, running

from drift.catalog import Catalog, Filters
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface
from drift.tools import tools_of

WORDS = [
    "parser",
    "index",
    "scan",
    "token",
    "budget",
    "error",
    "session",
    "naming",
    "tests",
    "review",
    "deploy",
    "cache",
    "queue",
    "retry",
    "schema",
    "release",
    "branch",
    "commit",
    "secret",
    "prompt",
]
READ_P95_MS, WRITE_P95_MS, ANALYTICS_P95_MS = 120, 250, 500
MOST_RESIDENT_MB, LEAST_READS, LEAST_WRITES = 200, 1_000, 100


def make_entries(directory: Path, count: int) -> None:
    directory.mkdir(parents=True)
    for number in range(count):
        chosen = (WORDS[(number * 7 + step * 3 + step * step) % len(WORDS)] for step in range(60))
        entry = {
            "id": f"ins-{number:05}",
            "title": f"Rule {number} about {WORDS[number % len(WORDS)]}",
            "body": f"Always check item {number}. {' '.join(chosen)} unique{number}",
            "priority": 1 + number % 100,
            "audience": "all",
            "requirement": ("recommended", "optional", "mandatory")[number % 3],
            "owner": f"team-{number % 20}",
            "categories": [f"area{number % 40}", WORDS[number % len(WORDS)]],
            "tags": [f"tag{number % 30}"],
            "createdAt": "2026-01-01T00:00:00Z",
            "updatedAt": "2026-01-02T00:00:00Z",
        }
        (directory / f"ins-{number:05}.json").write_bytes(orjson.dumps(entry))


def calls_of(count: int) -> dict[str, Callable[[int], dict[str, Any]]]:
    """Actions with arguments that differ from call to call."""
    return {
        "list": lambda n: {"limit": 20, "offset": n * 20 % count},
        "get": lambda n: {"id": f"ins-{n * 37 % count:05}"},
        "search": lambda n: {"q": f"unique{n * 37 % count}", "limit": 20},
        "search common": lambda n: {"q": f"{WORDS[n % len(WORDS)]} check", "limit": 20},
        "query": lambda n: {"filters": {"owners": [f"team-{n % 20}"]}, "limit": 20},
        "categories": lambda _: {},
        "governanceHash": lambda _: {},
        "capabilities": lambda _: {},
    }


def time_cpu(
    action: Callable[[int], object], calls: int, before: Callable[[], object] | None = None
) -> float:
    """The median CPU milliseconds of a call."""
    spent = []
    for number in range(calls):
        if before is not None:
            before()
        started = time.process_time_ns()
        action(number)
        spent.append(time.process_time_ns() - started)
    return statistics.median(spent) / 1e6


def measure_room(catalog: Catalog, count: int, calls: int) -> Iterator[tuple[str, float, float]]:
    """Name, CPU ms of calls in a row, CPU ms of calls each after a write."""
    actions: dict[str, Callable[[int], object]] = {
        "list 20": lambda n: catalog.list_entries(limit=20, offset=n * 20 % count),
        "get": lambda n: catalog.get(f"ins-{n * 37 % count:05}"),
        "search, one hit": lambda n: catalog.search(f"unique{n * 37 % count}"),
        "search, in all": lambda n: catalog.search(f"{WORDS[n % len(WORDS)]} check"),
        "query 50 of 500": lambda n: catalog.query(Filters(owners=[f"team-{n % 20}"])),
        "categories": lambda _: catalog.categories(),
        "hash": lambda _: catalog.hash(),
        "diff, same hash": lambda _: catalog.diff(client_hash=catalog.hash()),
        "governance hash": lambda _: catalog.governance(),
        "verify": lambda _: catalog.verify(),
        "stats": lambda _: catalog.stats(),
    }
    numbers = itertools.count()

    def write() -> None:
        catalog.add({"id": "changing", "body": f"Version {next(numbers)}"}, lax=True, overwrite=True)

    for name, action in actions.items():
        action(0)
        yield name, time_cpu(action, calls), time_cpu(action, 9, write)


def report_room(root: Path, environ: dict[str, str], count: int, calls: int) -> None:
    started = time.process_time()
    catalog = Catalog.open(root, environ)
    catalog.count()
    print(f"first load of {count:,} files: {time.process_time() - started:.2f} s CPU")
    started = time.process_time()
    catalog.reload()
    print(f"reload: {time.process_time() - started:.2f} s CPU")
    print(f"\n{'the room itself, CPU ms':26}{'in a row':>10}{'after a write':>15}")
    for name, steady, fresh in measure_room(catalog, count, calls):
        print(f"{name:26}{steady:10.3f}{fresh:15.3f}")
    numbers = itertools.count()
    started_wall = time.perf_counter()
    add_ms = time_cpu(lambda _: catalog.add({"id": f"new-{next(numbers)}", "body": "New."}, lax=True), calls)
    per_second = calls / (time.perf_counter() - started_wall)
    bare = count_syncs(root / "bare", calls)
    print(f"{'add':26}{add_ms:10.3f}")
    print(
        f"\ndurable writes: {per_second:.0f} a second now, the disk bare {bare:.0f}"
        f" (ratio {per_second / bare:.2f}); by CPU {1000 / add_ms:.0f} a second, wanted {LEAST_WRITES}"
    )
    catalog.close()


def report_dispatcher(root: Path, environ: dict[str, str], count: int, calls: int) -> None:
    registry = ProjectRegistry(root / "home.json", lambda: datetime.now(UTC))
    tools = tools_of(ServerName.CATALOG)
    runtime = ServerRuntime(
        ServerName.CATALOG, tools, Surface("full"), at=Environment(root, registry, environ)
    )

    async def spend(name: str, params: dict[str, Any]) -> float:
        """The CPU milliseconds of a call."""
        started = time.process_time_ns()
        outcome = await runtime.call(
            "instructions_dispatch", {"action": name.split(maxsplit=1)[0], "params": params}, caller=None
        )
        spent_ns = time.process_time_ns() - started
        assert not outcome.is_error, outcome.text
        return spent_ns / 1e6

    async def measure() -> dict[str, tuple[float, float]]:
        """Of each action what a call costs, and the same call right after it."""
        spent: dict[str, tuple[float, float]] = {}
        for name, arguments in calls_of(count).items():
            pairs = []
            for number in range(calls + 1):
                params = arguments(number)
                pairs.append((await spend(name, params), await spend(name, params)))
            first, again = zip(*pairs[1:], strict=True)
            spent[name] = statistics.median(first), statistics.median(again)
        return spent

    spent = asyncio.run(measure())
    runtime.close()
    spent["all in turn"] = tuple(map(statistics.mean, zip(*spent.values(), strict=True)))
    print(f"\n{'through the dispatcher':26}{'CPU ms':>10}{'a second':>10}{'again, ms':>12}{'a second':>10}")
    for name, (first_ms, again_ms) in spent.items():
        verdict = "" if 1000 / first_ms >= LEAST_READS else f"   first below {LEAST_READS:,} a second"
        print(
            f"{name:26}{first_ms:10.3f}{1000 / first_ms:10.0f}{again_ms:12.3f}{1000 / again_ms:10.0f}{verdict}"
        )


def report_stdio(root: Path, environ: dict[str, str], count: int, calls: int) -> None:
    numbers = itertools.count(1)
    command = [sys.executable, "-m", "drift", "mcp", "catalog", str(root), "--no-rate-limit"]
    writes = {"add": lambda n: {"entry": {"id": f"wire-{n}", "body": "New."}, "lax": True}}
    with running(command, environ, has_stdio=True) as server:
        client = StdioClient(server)
        client.shake_hands()

        def load(name: str, make: Callable[[int], bytes]) -> tuple[float, float, float]:
            lines = [make(next(numbers)) for _ in range(calls + 5)]
            for line in lines[:5]:
                client.ask(line)
            latencies, before = [], server.cpu_seconds()
            for line in lines[5:]:
                sent_at = time.perf_counter()
                answer = client.ask(line)
                latencies.append((time.perf_counter() - sent_at) * 1000)
                assert "result" in answer and not answer["result"].get("isError"), (name, answer)  # noqa: PT018 - a benchmark
            return (
                statistics.median(latencies),
                statistics.quantiles(latencies, n=20)[-1],
                (server.cpu_seconds() - before) / calls * 1000,
            )

        _, _, ping_cpu = load("ping", lambda n: request("ping", n, {}))
        print(
            f"\n{'over stdio':26}{'p50 ms':>10}{'p95 ms':>10}{'CPU ms':>10}{'to ping':>10}{'wanted p95':>12}"
        )
        print(f"{'ping':26}{'':20}{ping_cpu:10.3f}")
        for name, arguments in {**calls_of(count), **writes}.items():
            action = name.split()[0]
            wanted = (
                WRITE_P95_MS if action == "add" else ANALYTICS_P95_MS if "Hash" in action else READ_P95_MS
            )
            p50, p95, cpu = load(
                name, lambda n, a=action, make=arguments: request("tools/call", n, dispatch(a, **make(n)))
            )
            missed = "" if p95 < wanted else "   missed"
            print(f"{name:26}{p50:10.2f}{p95:10.2f}{cpu:10.3f}{cpu / ping_cpu:10.1f}{wanted:12}{missed}")
        resident = server.resident_mb()
    print(f"resident memory of the server: {resident:.0f} MB, at most {MOST_RESIDENT_MB} wanted")


def report_fire(root: Path, environ: dict[str, str], *, clients: int, kills: int) -> list[str]:
    latencies, per_second, resident_mb, lost = load_clients(root, environ, clients=clients, calls=24)
    p95 = statistics.quantiles(latencies, n=20)[-1]
    print(
        f"\n{clients} HTTP clients at once, every fourth call a write: {per_second:.0f} calls a second,"
        f" p95 {p95:.0f} ms, {resident_mb:.0f} MB; lost or torn: {len(lost)}"
    )
    confirmed, killed = kill_writers(root, environ, rounds=kills)
    print(
        f"two servers writing, killed {kills} times: {confirmed} writes confirmed; lost or torn: {len(killed)}"
    )
    return lost + killed


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--kills", type=int, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root, home = Path(folder) / "project", Path(folder) / "home"
        home.mkdir()
        make_entries(root / ".drift" / "instructions", asked.entries)
        environ = {
            **os.environ,
            "HOME": str(home),
            "DRIFT_HOME": str(home),
            "MCP_ENABLE_MUTATION": "1",
            "DRIFT_MCP_RATE_LIMIT": "0",
            "DRIFT_MCP_CATALOG_RATE_LIMIT": "0",
        }
        report_room(root, environ, asked.entries, asked.calls)
        report_dispatcher(root, environ, asked.entries, asked.calls)
        print(
            f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"
        )
        report_stdio(root, environ, asked.entries, asked.calls)
        faults = report_fire(root, environ, clients=asked.clients, kills=asked.kills)
    for fault in faults[:20]:
        print(f"  {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
