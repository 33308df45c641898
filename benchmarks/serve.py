"""`drift serve` under many clients for a while: on SQLite and on PostgreSQL, beside the bare SDK.

    python benchmarks/serve.py [--clients 200] [--seconds 600] [--pause 0.5] [--engines sqlite,postgres] [--bare 2000]

Each client keeps a connection and calls, pauses, and calls: recall and saving of memories, the catalog, questions about
code. Rate limits are off, a cluster of PostgreSQL is started for the run. Errors are answers that are none or say
`isError`. Memory and file handles are looked at after a tenth, half and all of the time. The bare SDK answers one constant of
Drift's own size, as in protocol.py. Prints a table in Markdown.
"""

import argparse
import asyncio
import itertools
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from protocol_load import MODERN, HttpConnection, ServerProcess, load_http, request, running_http

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from cluster import Cluster, find_programs
from drift.memory import Draft, MemoryStore
from drift.project import open_project

WORDS = [
    "gateway",
    "cache",
    "proxy",
    "token",
    "retry",
    "queue",
    "schema",
    "index",
    "worker",
    "session",
    "deploy",
    "config",
    "timeout",
    "parser",
]
SAVED = 200


class Errand(NamedTuple):
    """A call, at which server, and how often among a hundred."""

    server: str
    tool: str
    share: int


ERRANDS = (
    Errand("memory", "drift_memory_search", 35),
    Errand("memory", "drift_memory_add", 10),
    Errand("catalog", "instructions_search", 20),
    Errand("catalog", "usage_hotset", 5),
    Errand("analysis", "drift_callers", 15),
    Errand("analysis", "drift_status", 15),
)


@dataclass
class Tally:
    """What came of the calls."""

    latencies_ms: dict[str, list[float]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    saved: int = 0

    @property
    def calls(self) -> int:
        return sum(map(len, self.latencies_ms.values()))

    def percentile_ms(self, percent: int, tool: str | None = None) -> float:
        every = [one for name, some in self.latencies_ms.items() if tool in (None, name) for one in some]
        return statistics.quantiles(every, n=100)[percent - 1]


def arguments_of(tool: str, chance: random.Random, number: int) -> dict[str, Any]:
    said = " ".join(chance.sample(WORDS, 3))
    return {
        "drift_memory_search": {"query": said},
        "drift_memory_add": {"type": "tribal", "content": {"knowledge": f"note {number}: {said} fails"}},
        "instructions_search": {"q": said},
        "usage_hotset": {},
        "drift_callers": {"function": "database"},
        "drift_status": {},
    }[tool]


async def post(
    connections: dict[str, HttpConnection], port: int, server: str, body: bytes, entry: str
) -> bytes:
    """The answer over a connection that is kept; anew where the server has closed it, idle, in the meantime."""
    kept = connections.pop(server, None)
    if kept is not None:
        try:
            answer = await kept.post(body, "tools/call", entry)
        except (ConnectionError, asyncio.IncompleteReadError) as error:
            kept.close()
            if isinstance(error, asyncio.IncompleteReadError) and error.partial:
                raise
        else:
            connections[server] = kept
            return answer
    fresh = HttpConnection(port, f"/{server}", MODERN)
    await fresh.open()
    answer = await fresh.post(body, "tools/call", entry)
    connections[server] = fresh
    return answer


async def keep_calling(port: int, tally: Tally, *, until: float, pause: float, seed: int) -> None:
    chance = random.Random(seed)
    shares = [errand.share for errand in ERRANDS]
    connections: dict[str, HttpConnection] = {}
    await asyncio.sleep(chance.uniform(0, pause))
    for number in itertools.count(seed * 1_000_000):
        if time.perf_counter() > until:
            break
        (errand,) = chance.choices(ERRANDS, shares)
        entry = {
            "memory": "drift_memory_manage",
            "catalog": "instructions_dispatch",
            "analysis": "drift_tool",
        }[errand.server]
        arguments = arguments_of(errand.tool, chance, number)
        called = (
            {"name": entry, "arguments": {"action": errand.tool, **arguments}}
            if errand.server == "catalog"
            else {"name": entry, "arguments": {"name": errand.tool, "args": arguments}}
        )
        body = request("tools/call", number, called, MODERN)
        begun = time.perf_counter()
        try:
            answer = await post(connections, port, errand.server, body, entry)
        except (OSError, AssertionError, asyncio.IncompleteReadError) as error:
            tally.errors[f"{errand.tool}: {type(error).__name__} {str(error)[:120]}"] += 1
            continue
        tally.latencies_ms.setdefault(errand.tool, []).append((time.perf_counter() - begun) * 1000)
        if b'"result"' not in answer or b'"isError":true' in answer:
            tally.errors[f"{errand.tool}: {answer[60:260].decode(errors='replace')}"] += 1
        elif errand.tool == "drift_memory_add":
            tally.saved += 1
        await asyncio.sleep(chance.uniform(0.5, 1.5) * pause)
    for connection in connections.values():
        connection.close()


def handles_of(server: ServerProcess) -> int:
    return len(list((server._proc / "fd").iterdir()))  # noqa: SLF001 - of the same benchmarks


async def watch(server: ServerProcess, seconds: float) -> list[tuple[float, int]]:
    """Memory and file handles after a tenth, half and nearly all of the time."""
    seen = []
    before = 0.0
    for share in (0.1, 0.5, 0.95):
        await asyncio.sleep((share - before) * seconds)
        before = share
        seen.append((server.resident_mb(), handles_of(server)))
    return seen


async def load(
    server: ServerProcess, port: int, options: argparse.Namespace
) -> tuple[Tally, list[tuple[float, int]]]:
    tally, until = Tally(), time.perf_counter() + options.seconds
    calling = [
        keep_calling(port, tally, until=until, pause=options.pause, seed=seed)
        for seed in range(options.clients)
    ]
    watching = asyncio.create_task(watch(server, options.seconds))
    await asyncio.gather(*calling)
    return tally, await watching


@contextmanager
def prepared(place: Path, engine: str) -> Iterator[tuple[Path, dict[str, str]]]:
    """A project with memories, and the environment that serves it on an engine."""
    root, home = place / engine / "shop", place / engine / "home"
    source = Path(__file__).parent.parent / "tests" / "projects" / "python"
    root.parent.mkdir(parents=True)
    shutil.copytree(source, root)
    environ = {
        **os.environ, "HOME": str(home), "DRIFT_HOME": str(home), "DRIFT_MCP_RATE_LIMIT": "0",
        "DRIFT_MCP_MEMORY_RATE_LIMIT": "0", "DRIFT_MCP_CATALOG_RATE_LIMIT": "0", "DRIFT_MCP_EXPENSIVE_RATE_LIMIT": "0",
    }  # fmt: skip
    cluster = Cluster(find_programs(), is_durable=True) if engine == "postgres" else None
    try:
        if cluster:
            environ |= {"DRIFT_TEAM_DATABASE": cluster.address(), "DRIFT_TEAM_PROJECT": "bench"}
        store = MemoryStore(open_project(root, environ).prepare().memory_db)
        for number in range(SAVED):
            said = " ".join(random.Random(number).sample(WORDS, 4))
            store.add(Draft(type="tribal", text=f"{said} number {number}"), actor="benchmark")
        store.close()
        yield root, environ
    finally:
        if cluster:
            cluster.end()


def count_saved(root: Path, environ: dict[str, str]) -> int:
    store = MemoryStore(open_project(root, environ).memory_db)
    try:
        return store.counts().total - SAVED
    finally:
        store.close()


def measure(engine: str, place: Path, options: argparse.Namespace) -> None:
    with prepared(place, engine) as (root, environ):
        command = [sys.executable, "-m", "drift", "serve", str(root), "--port", "0"]
        with running_http(command, environ) as (server, port), asyncio.Runner() as runner:
            cpu = server.cpu_seconds()
            tally, seen = runner.run(load(server, port, options))
            spent = server.cpu_seconds() - cpu
        kept = count_saved(root, environ)
    memory = " → ".join(f"{mb:.0f}" for mb, _ in seen)
    handles = " → ".join(str(count) for _, count in seen)
    print(
        f"| {engine} | {tally.calls:,} | {sum(tally.errors.values())} | {tally.percentile_ms(50):.0f} | "
        f"{tally.percentile_ms(95):.0f} | {1000 * spent / tally.calls:.2f} | {memory} | {handles} | "
        f"{tally.saved} of which {kept} there |",
        flush=True,
    )
    for tool in sorted(tally.latencies_ms):
        print(
            f"<!-- {engine} {tool}: p50 {tally.percentile_ms(50, tool):.0f}, p95 {tally.percentile_ms(95, tool):.0f} -->"
        )
    for said, count in tally.errors.most_common(5):
        print(f"<!-- {count} x {said} -->")


def measure_bare(place: Path, calls: int, clients: int) -> None:
    """The bare SDK with a constant answer."""
    answer = place / "answer.json"
    answer.write_bytes(
        orjson.dumps(
            {
                "content": [{"type": "text", "text": "x" * 1500}],
                "structuredContent": {"meta": {"x": "x" * 1500}},
            }
        )
    )
    command = [sys.executable, str(Path(__file__).with_name("protocol_bare.py")), "http", str(answer)]
    with running_http(command, os.environ) as (server, port), asyncio.Runner() as runner:
        connections = [HttpConnection(port, "/mcp", MODERN) for _ in range(clients)]
        found = runner.run(
            load_http(
                server,
                connections,
                {"name": "drift_capabilities", "arguments": {}},
                calls=calls,
                version=MODERN,
            )
        )
    print(
        f"| bare SDK | {found.calls:,} | 0 | {found.percentile_ms(50):.0f} | {found.percentile_ms(95):.0f} | {found.cpu_us / 1000:.2f} | | | |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between the calls of a client")
    parser.add_argument("--engines", default="sqlite,postgres")
    parser.add_argument("--bare", type=int, default=2_000, help="calls to the bare SDK")
    options = parser.parse_args()
    print(
        "| on | calls | errors | p50 ms | p95 ms | CPU ms a call | MB | handles | saved |\n|---|---|---|---|---|---|---|---|---|"
    )
    with tempfile.TemporaryDirectory() as folder:
        for engine in options.engines.split(","):
            measure(engine, Path(folder), options)
        if options.bare:
            measure_bare(Path(folder), options.bare, options.clients)


if __name__ == "__main__":
    main()
