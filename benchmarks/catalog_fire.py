"""The catalog under fire: servers that write at once and are killed, and clients that write at once over HTTP."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson
from protocol_load import INITIALIZED, LEGACY, HttpConnection, initialize_request, request, running_http

from drift.catalog import Catalog

SHARED = "shared"


def dispatch(action: str, **params: Any) -> dict[str, Any]:
    """The parameters of a call of the dispatcher."""
    return {"name": "instructions_dispatch", "arguments": {"action": action, "params": params}}


def body_of(name: str) -> str:
    return f"{name} says what to do. " * 40


class Writer:
    """A server of its own that is asked to write without end, until it is killed; it notes what was confirmed."""

    def __init__(self, root: Path, environ: dict[str, str], name: str) -> None:
        command = [sys.executable, "-m", "drift", "mcp", "catalog", str(root), "--no-rate-limit"]
        self.confirmed: list[str] = []
        self.refused: list[bytes] = []
        self._name = name
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ
        )
        self._thread = threading.Thread(target=self._write)
        self._thread.start()

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._thread.join()
        self._process.wait()

    def _write(self) -> None:
        try:
            self._ask(initialize_request())
            self._send(INITIALIZED)
            for number in range(1, 1_000_000):
                known = f"{self._name}-{number}"
                entry = {"id": known, "body": body_of(known)}
                self._confirm(number * 2, dispatch("add", entry=entry, lax=True), known)
                change = dispatch("governanceUpdate", id=SHARED, patch={"changeSummary": known})
                self._confirm(number * 2 + 1, change, f"{SHARED} {known}")
        except (BrokenPipeError, EOFError):
            return  # it was killed

    def _confirm(self, number: int, call: dict[str, Any], note: str) -> None:
        answer = self._ask(request("tools/call", number, call))
        if orjson.loads(answer)["result"].get("isError"):
            self.refused.append(answer[:300])
        else:
            self.confirmed.append(note)

    def _send(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()

    def _ask(self, line: bytes) -> bytes:
        assert self._process.stdout is not None
        self._send(line)
        answer = self._process.stdout.readline()
        if not answer.endswith(b"\n"):
            raise EOFError
        return answer


def kill_writers(root: Path, environ: dict[str, str], *, rounds: int) -> tuple[int, list[str]]:
    """Two servers write to one catalog and are killed, again and again; how much was confirmed, and what was lost."""
    chance = random.Random(11)
    with_shared = Catalog.open(root, environ)
    with_shared.add({"id": SHARED, "body": "Everybody changes this one.", "owner": "all"}, lax=True)
    with_shared.close()
    confirmed: list[str] = []
    faults: list[str] = []
    for number in range(rounds):
        writers = [Writer(root, environ, f"{name}{number}") for name in ("ann", "bob")]
        deadline = time.monotonic() + 60
        while (
            not all(writer.confirmed or writer.refused for writer in writers) and time.monotonic() < deadline
        ):
            time.sleep(0.01)
        time.sleep(chance.uniform(0.05, 1.0))
        for writer in writers:
            writer.kill()
            confirmed += writer.confirmed
            faults += [f"refused: {each!r}" for each in writer.refused]
    return len(confirmed), faults + check_kept(root, environ, confirmed)


def check_kept(root: Path, environ: dict[str, str], confirmed: Iterable[str]) -> list[str]:
    """What of that which was confirmed is not there, and whatever else does not fit."""
    catalog = Catalog.open(root, environ)
    faults = [f"{each.name}: {each.reason}" for each in catalog.problems()]
    shared = catalog.get(SHARED)
    log = [line.summary for line in shared.change_log] if shared else []
    faults += [f"twice in the change log: {each}" for each in set(log) if log.count(each) > 1]
    for note in confirmed:
        kind, _, known = note.rpartition(" ")
        found = catalog.get(known)
        if kind and known not in log:
            faults.append(f"a change of {SHARED} is lost: {known}")
        if not kind and (found is None or found.body != body_of(known)):
            faults.append(f"an addition is lost: {known}")
        if not kind and not any(each.action == "add" for each in catalog.audit.lines(instruction=known)):
            faults.append(f"an addition has no line in the audit: {known}")
    faults += [f"{each.id}: stored hash does not fit" for each in catalog.verify().issues]
    hashes = catalog.hash(), catalog.governance().governance_hash
    catalog.close()
    return faults + _check_fresh(root, environ, hashes)


def _check_fresh(root: Path, environ: dict[str, str], hashes: tuple[str, str]) -> list[str]:
    """Whether every file is whole and an index made anew gives the same hashes."""
    faults = []
    for path in (root / ".drift" / "instructions").glob("*.json"):
        try:
            json.loads(path.read_text("utf-8"))
        except ValueError as error:
            faults.append(f"{path.name} is torn: {error}")
    for path in (root / ".drift").glob("catalog-index.db*"):
        path.unlink()
    fresh = Catalog.open(root, environ)
    if (fresh.hash(), fresh.governance().governance_hash) != hashes:
        faults.append("an index made anew has other hashes")
    fresh.close()
    return faults


async def _mix(connection: HttpConnection, name: str, calls: int, latencies: list[float]) -> list[str]:
    """One client: every fourth call writes, the others read. What was confirmed."""
    confirmed = []
    await connection.open()
    for number in range(1, calls + 1):
        known = f"{name}-{number}"
        call = (
            dispatch("add", entry={"id": known, "body": body_of(known)}, lax=True),
            dispatch("get", id=f"ins-{number * 97 % 1000:05}"),
            dispatch("search", q=f"unique{number * 31 % 1000}"),
            dispatch("list", limit=20, offset=number * 20 % 500),
        )[number % 4 - 1]
        sent_at = time.perf_counter()
        answer = await connection.post(request("tools/call", number, call), "tools/call", call["name"])
        latencies.append((time.perf_counter() - sent_at) * 1000)
        if number % 4 == 1 and b'"isError":true' not in answer and b'"result"' in answer:
            confirmed.append(known)
    connection.close()
    return confirmed


def load_clients(
    root: Path, environ: dict[str, str], *, clients: int, calls: int
) -> tuple[list[float], float, float, list[str]]:
    """So many HTTP clients at once: latencies, calls a second, resident megabytes, and what was lost."""
    command = [sys.executable, "-m", "drift", "serve", str(root), "--port", "0"]
    latencies: list[float] = []

    async def run(port: int) -> list[list[str]]:
        connections = [HttpConnection(port, "/catalog", LEGACY) for _ in range(clients)]
        mixes = (_mix(each, f"http{number}", calls, latencies) for number, each in enumerate(connections))
        return await asyncio.gather(*mixes)

    with running_http(command, environ) as (server, port):
        started = time.perf_counter()
        confirmed = [known for each in asyncio.run(run(port)) for known in each]
        seconds = time.perf_counter() - started
        resident_mb = server.resident_mb()
    wanted = clients * len(range(1, calls + 1, 4))
    faults = (
        [] if len(confirmed) == wanted else [f"{wanted - len(confirmed)} of {wanted} additions were refused"]
    )
    return latencies, len(latencies) / seconds, resident_mb, faults + check_kept(root, environ, confirmed)


def count_syncs(path: Path, times: int) -> float:
    """How many writes a second the disk itself confirms now: a new file, its folder and one more file."""
    path.mkdir(exist_ok=True)
    folder = os.open(path, os.O_RDONLY)
    log = os.open(path / "log", os.O_WRONLY | os.O_CREAT)
    started = time.perf_counter()
    for number in range(times):
        os.write(log, b"x" * 4096)
        os.fsync(log)
        file = os.open(path / f"new-{number}", os.O_WRONLY | os.O_CREAT)
        os.write(file, b"x" * 2000)
        os.fsync(file)
        os.close(file)
        (path / f"new-{number}").rename(path / f"named-{number}")
        os.fsync(folder)
    seconds = time.perf_counter() - started
    os.close(log)
    os.close(folder)
    return times / seconds
