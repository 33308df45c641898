"""What the memory server takes and costs at many memories, and whether it loses any.

    python benchmarks/memory.py [--sizes 1000,10000,100000] [--calls 60] [--rounds 50] [--beside]

For each size: adding, searching (natural questions; queries of the store's own commonest words) and the context of a
task, in process and over stdio, the median and the 95th percentile of wall and processor time in milliseconds; the
resident memory above the bare server, the size of the database, the tokens of ten hits. `--beside` runs
`@modelcontextprotocol/server-memory` on the same texts in the same run, if npm can install it. Then saves sent at
once, two processes, and servers killed while they save: what was acknowledged and is not there is counted as lost.
Linux only. Nothing outside a temporary folder is touched.
"""

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
from memory_texts import NOW_MS, Words, common_questions, make_memories, make_words, natural_questions, say
from protocol_load import ServerProcess, StdioClient, request, running

from drift.kernel.tokens import count_tokens
from drift.memory import Draft, MemoryStore
from drift.memory.saving import save
from drift.memory.search import Setting, WordCounts, search
from drift.project.stores import find_stores

OTHER = "@modelcontextprotocol/server-memory@2026.8.31"
TOKENS_OF_TEN = 350
SAVED_AT_ONCE = 50
SAVED_BY_EACH = 150
OTHER_CALLS = 8
SAVED_BEFORE_KILL = 40


class Timing:
    """Times of calls of one kind; `clock` gives the processor seconds of whoever does the work."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.wall_ms: list[float] = []
        self.cpu_ms: list[float] = []

    def take(self, work: Callable[[], Any]) -> Any:
        cpu, began = self._clock(), time.perf_counter()
        done = work()
        self.wall_ms.append(1000 * (time.perf_counter() - began))
        self.cpu_ms.append(1000 * (self._clock() - cpu))
        return done

    def cells(self) -> str:
        return " | ".join(f"{one:.1f}" for values in (self.wall_ms, self.cpu_ms) for one in _spread(values))

    def median_cpu(self) -> float:
        return statistics.median(self.cpu_ms)


def _spread(values: list[float]) -> tuple[float, float]:
    return statistics.median(values), statistics.quantiles(values, n=20)[-1]


class Caller:
    """A client of one server that calls tools one after the other."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self._client = StdioClient(server)
        self._client.shake_hands()
        self._number = 0

    def call(self, tool: str, **arguments: Any) -> Any:
        self._number += 1
        line = request("tools/call", self._number, {"name": tool, "arguments": arguments})
        result = self._client.ask(line)["result"]
        assert not result.get("isError"), result
        return result


def drift_process(root: Path) -> subprocess.Popen[bytes]:
    environ = {
        **os.environ,
        "HOME": str(root),
        "DRIFT_HOME": str(root / "home"),
        "DRIFT_MCP_MEMORY_RATE_LIMIT": "0",
    }
    command = [sys.executable, "-m", "drift", "mcp", "memory", str(root), "--surface", "full"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environ)


@contextmanager
def drift_server(root: Path) -> Iterator[ServerProcess]:
    with drift_process(root) as process:
        try:
            yield ServerProcess(process)
        finally:
            process.kill()


def make_project(folder: Path, words: Words, size: int) -> tuple[Path, Path]:
    root = folder / f"project{size}"
    (root / "shop").mkdir(parents=True)
    path = find_stores(root, {"DRIFT_HOME": str(root / "home")}).memory_db
    store = MemoryStore.open(path)
    if size:
        store.add_many(make_memories(words, size), actor="benchmark")
    store.close()
    return root, path


def measure_in_process(path: Path, words: Words, calls: int) -> dict[str, Timing]:
    store, counts = MemoryStore.open(path), WordCounts()
    chance = random.Random(11)
    names = ("add to the store", "add, looking for the same", "search, natural", "search, common words")
    timings = {name: Timing(time.process_time) for name in names}
    for number in range(calls):
        plain = Draft(type="insight", text=f"{say(words, chance)} Plain {number}.")
        timings["add to the store"].take(lambda draft=plain: store.add(draft, actor="benchmark"))
        draft = Draft(type="insight", text=f"{say(words, chance)} New {number}.")
        timings["add, looking for the same"].take(
            lambda draft=draft: save(store, draft, actor="benchmark", counts=counts)
        )
    for name, questions in _questions(words, calls):
        for question in questions:
            timings[name].take(lambda question=question: _search(store, counts, question))
    store.close()
    return timings


def _search(store: MemoryStore, counts: WordCounts, question: str) -> int:
    with store.reading() as connection:
        return len(search(connection, counts, question, setting=Setting(NOW_MS)).hits)


def _questions(words: Words, calls: int) -> Iterable[tuple[str, list[str]]]:
    yield "search, natural", natural_questions(words, calls)
    yield "search, common words", common_questions(words, calls)


def measure_over_stdio(
    root: Path, words: Words, calls: int
) -> tuple[dict[str, Timing], float, dict[str, str]]:
    """The times of the tools, the resident memory above that of the bare server, and the tokens of ten hits."""
    chance = random.Random(12)
    with drift_server(root) as server:
        caller = Caller(server)
        caller.call("drift_memory_discover")
        bare_mb = server.resident_mb()
        names = ("add", "search, natural", "search, common words", "context")
        timings = {name: Timing(server.cpu_seconds) for name in names}
        for number in range(calls):
            text = f"{say(words, chance)} Sent {number}."
            timings["add"].take(lambda text=text: caller.call("drift_memory_add", type="insight", text=text))
        for name, questions in _questions(words, calls):
            for question in questions:
                timings[name].take(
                    lambda question=question: caller.call("drift_memory_search", query=question)
                )
        for question in natural_questions(words, calls):
            timings["context"].take(
                lambda question=question: caller.call("drift_memory_context", focus=question)
            )
        question = natural_questions(words, 1)[0]
        tokens = {tool: _ten_hits(caller, tool, question) for tool in ("drift_memory_search", "recall")}
        return timings, server.resident_mb() - bare_mb, tokens


def _ten_hits(caller: Caller, tool: str, question: str) -> str:
    answer = caller.call(tool, query=question, limit=10)
    hits = len(answer["structuredContent"]["data"]["results"])
    return f"{count_tokens(answer['content'][0]['text'])} tokens for {hits}"


def install_other(folder: Path) -> Path | None:
    """The other server's program; None where npm or the package cannot be had."""
    npm = shutil.which("npm")
    if npm is None:
        return None
    folder.mkdir()
    command = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--loglevel=error", OTHER]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    program = folder / "node_modules/@modelcontextprotocol/server-memory/dist/index.js"
    return program if done.returncode == 0 and program.is_file() else None


def measure_other(
    program: Path, folder: Path, words: Words, size: int
) -> tuple[dict[str, Timing], float, int]:
    """Its times, its resident memory above its own start, and the bytes of its file."""
    path = folder / f"other{size}.jsonl"
    with path.open("wb") as file:
        for memory in make_memories(words, size):
            row = {
                "type": "entity",
                "name": memory.id,
                "entityType": memory.type,
                "observations": [memory.text],
            }
            file.write(orjson.dumps(row) + b"\n")
    environ = {**os.environ, "MEMORY_FILE_PATH": str(path)}
    with running([str(shutil.which("node")), str(program)], environ, has_stdio=True) as server:
        caller = Caller(server)
        bare_mb = server.resident_mb()
        names = ("add", "search, natural", "search, common words")
        timings = {name: Timing(server.cpu_seconds) for name in names}
        for number in range(OTHER_CALLS):
            entity = {"name": f"new {number}", "entityType": "insight", "observations": [f"Sent {number}."]}
            timings["add"].take(lambda entity=entity: caller.call("create_entities", entities=[entity]))
        found = 0
        for question in natural_questions(words, OTHER_CALLS):
            answer = timings["search, natural"].take(
                lambda question=question: caller.call("search_nodes", query=question)
            )
            found += b"m_bench" in orjson.dumps(answer)
        for word in words.names[:OTHER_CALLS]:
            timings["search, common words"].take(lambda word=word: caller.call("search_nodes", query=word))
        print(f"server-memory found something for {found} of {OTHER_CALLS} natural questions")
        return timings, server.resident_mb() - bare_mb, path.stat().st_size


def count_lost(path: Path, acknowledged: Iterable[str]) -> int:
    """How many of the ids that were told as saved are not there."""
    ids = list(acknowledged)
    store = MemoryStore.open(path)
    try:
        return len(ids) - len(store.get_many(ids))
    finally:
        store.close()


def _saves(name: str, count: int) -> Iterator[bytes]:
    for number in range(count):
        arguments = {
            "type": "insight",
            "text": f"{name} saved number {number} of its own, {number * 7919} apart",
        }
        yield request("tools/call", number + 1, {"name": "drift_memory_add", "arguments": arguments}) + b"\n"


def _acknowledged(lines: Iterable[bytes]) -> list[str]:
    answers = (orjson.loads(line) for line in lines if line.endswith(b"\n"))
    return [one["result"]["structuredContent"]["data"]["id"] for one in answers if "result" in one]


def save_at_once(folder: Path, words: Words) -> None:
    root, path = make_project(folder / "once", words, 0)
    with drift_server(root) as server:
        Caller(server)
        server.stdin.write(b"".join(_saves("once", SAVED_AT_ONCE)))
        server.stdin.flush()
        told = _acknowledged(server.stdout.readline() for _ in range(SAVED_AT_ONCE))
    print(
        f"sent at once on one connection: {SAVED_AT_ONCE}, acknowledged {len(told)}, lost {count_lost(path, told)}"
    )


def save_from_two(folder: Path, words: Words) -> None:
    root, path = make_project(folder / "two", words, 0)
    with drift_server(root) as first, drift_server(root) as second:
        servers = {"first": first, "second": second}
        for server in servers.values():
            Caller(server)
        for name, server in servers.items():
            server.stdin.write(b"".join(_saves(name, SAVED_BY_EACH)))
            server.stdin.flush()
        told = [
            one for server in servers.values()
            for one in _acknowledged(server.stdout.readline() for _ in range(SAVED_BY_EACH))
        ]  # fmt: skip
    print(
        f"two processes, {SAVED_BY_EACH} saves each: acknowledged {len(told)}, lost {count_lost(path, told)}"
    )


def kill_while_saving(folder: Path, words: Words, rounds: int) -> None:
    root, path = make_project(folder / "killed", words, 0)
    told: list[str] = []
    for number in range(rounds):
        with drift_process(root) as process:
            server = ServerProcess(process)
            Caller(server)
            server.stdin.write(b"".join(_saves(f"round {number}", SAVED_BEFORE_KILL)))
            server.stdin.flush()
            lines = [server.stdout.readline() for _ in range(number % 11)]
            process.kill()
            lines += server.stdout.readlines()
        told += _acknowledged(lines)
    print(
        f"kill -9, {rounds} rounds with saves in flight: acknowledged {len(told)}, lost {count_lost(path, told)}"
    )


def report(size: int, place: str, timings: dict[str, Timing]) -> None:
    for name, timing in timings.items():
        print(f"| {size:,} | {place} | {name} | {timing.cells()} |", flush=True)


def measure_size(folder: Path, words: Words, size: int, *, calls: int, program: Path | None) -> None:
    root, path = make_project(folder, words, size)
    print(
        "\n| memories | where | call | wall p50 | wall p95 | CPU p50 | CPU p95 |\n|---|---|---|---|---|---|---|"
    )
    report(size, "in process", measure_in_process(path, words, calls))
    own, above_mb, tokens = measure_over_stdio(root, words, calls)
    report(size, "stdio", own)
    other = measure_other(program, folder, words, size) if program is not None else None
    if other is not None:
        report(size, "server-memory", other[0])
    print(f"\ndatabase {path.stat().st_size / 1e6:.1f} MB, resident {above_mb:.0f} MB above the bare server")
    print(f"ten hits: {', '.join(f'{tool} {told}' for tool, told in tokens.items())} (goal {TOKENS_OF_TEN})")
    if other is not None:
        ratios = (
            f"{name} {timing.median_cpu() / own[name].median_cpu():.1f}x" for name, timing in other[0].items()
        )
        print(f"server-memory: file {other[2] / 1e6:.1f} MB, resident {other[1]:.0f} MB above its start")
        print(f"its CPU as a multiple of ours: {', '.join(ratios)}")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--calls", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--beside", action="store_true")
    options = parser.parse_args(arguments)
    words = make_words()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = install_other(folder / "other") if options.beside else None
        if options.beside and program is None:
            print(f"{OTHER} could not be installed, so nothing is measured beside it")
        for size in (int(one) for one in options.sizes.split(",") if one):
            measure_size(folder, words, size, calls=options.calls, program=program)
        print()
        save_at_once(folder, words)
        save_from_two(folder, words)
        kill_while_saving(folder, words, options.rounds)


if __name__ == "__main__":
    main(sys.argv[1:])
