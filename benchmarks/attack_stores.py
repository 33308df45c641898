"""Servers killed while they confirm, and stores whose bytes were changed."""

import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import orjson
from attack_report import Report, plain_environ
from protocol_load import INITIALIZED, initialize_request, request
from scan_projects import make_project

TRACKED = "tracked"
MEMORIES, INSTRUCTIONS = 30, 12
# What an answer says where it noticed: a word of these, an error, or a warning.
NOTICED = (
    "damage",
    "not approved here",  # an instruction that is not the one that was written here
    "corrupt",
    "malformed",
    "cannot be read",
    "not a database",
    "broken",
    "unreadable",
    "salvage",
)


class Client:
    """One server over stdio and one call at a time; EOFError once it is gone."""

    def __init__(self, server: str, root: Path, environ: dict[str, str]) -> None:
        command = [
            sys.executable,
            "-P",
            "-m",
            "drift",
            "mcp",
            server,
            str(root),
            "--no-rate-limit",
            "--surface",
            "full",
        ]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**environ, "MCP_ENABLE_MUTATION": "1"},
        )
        self._number = 0
        self._ask(initialize_request())
        self._send(INITIALIZED)

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The result of a call, or the error in its place."""
        self._number += 1
        line = request("tools/call", self._number, {"name": name, "arguments": arguments})
        while True:
            answer = self._ask(line)
            if answer.get("id") == self._number:
                return dict(answer.get("result") or {"isError": True, **answer})
            line = b""

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()

    def _send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise EOFError from error

    def _ask(self, line: bytes) -> dict[str, Any]:
        assert self.process.stdout is not None
        if line:
            self._send(line)
        answer = self.process.stdout.readline()
        if not answer.endswith(b"\n"):
            raise EOFError
        return dict(orjson.loads(answer))


class Confirmed:
    """What servers have said is kept."""

    def __init__(self) -> None:
        self.memories: dict[str, str] = {}
        self.instructions: list[str] = []
        self.feedback: list[str] = []
        self.uses = 0
        self.refused: list[str] = []

    def count(self) -> int:
        return len(self.memories) + len(self.instructions) + len(self.feedback) + self.uses


def kill_servers(place: Path, report: Report) -> None:
    """Kill a memory and a catalog server in turn while they write; afterwards everything confirmed must be there."""
    root = _project(place)
    environ = plain_environ(place)
    kept = Confirmed()
    _prepare(root, environ)
    chance = report.chance()
    for number in range(report.count):
        server, write = (("memory", _write_memory), ("catalog", _write_catalog))[number % 2]
        _write_and_kill(server, write, _Round(root, environ, kept, f"r{report.seed}n{number}"), chance)
        report.done["kills"] += 1
        if report.is_over():
            break
    report.done["confirmed writes"] = kept.count()
    for each in kept.refused:
        report.fault(f"an honest write was refused: {each}")
    _check_kept(root, environ, kept, report)


def _project(place: Path) -> Path:
    root = place / "project"
    root.mkdir()
    make_project(root, 8)
    return root


def _prepare(root: Path, environ: dict[str, str]) -> None:
    client = Client("catalog", root, environ)
    client.call("instructions_add", entry={"id": TRACKED, "body": "Count how often this is used."}, lax=True)
    client.close()


class _Round:
    def __init__(self, root: Path, environ: dict[str, str], kept: Confirmed, name: str) -> None:
        self.root, self.environ, self.kept, self.name = root, environ, kept, name


def _write_and_kill(
    server: str, write: Callable[[Client, _Round, int], None], at: _Round, chance: random.Random
) -> None:
    client = Client(server, at.root, at.environ)
    before = at.kept.count()
    threading.Thread(
        target=_kill_later, args=(client, at.kept, before, chance.uniform(0, 0.6)), daemon=True
    ).start()
    try:
        for number in range(100_000):
            write(client, at, number)
    except EOFError:
        client.process.wait()


def _kill_later(client: Client, kept: Confirmed, before: int, seconds: float) -> None:
    """Kill it a while after it has confirmed something, at the latest after a minute."""
    deadline = time.monotonic() + 60
    while kept.count() == before and time.monotonic() < deadline:
        time.sleep(0.002)
    time.sleep(seconds)
    client.kill()


def _write_memory(client: Client, at: _Round, number: int) -> None:
    text = f"Fact {at.name}x{number}: the importer of part {number} waits for the file of day {number * 7}."
    result = client.call("drift_memory_add", type="tribal", text=text)
    known = _data(result).get("id")
    if known:
        at.kept.memories[str(known)] = text
    else:
        at.kept.refused.append(str(result)[:300])


def _write_catalog(client: Client, at: _Round, number: int) -> None:
    known = f"{at.name}x{number}"
    added = client.call("instructions_add", entry={"id": known, "body": f"Always do {known}."}, lax=True)
    _note(at.kept, added, lambda _: at.kept.instructions.append(known))
    told = client.call(
        "feedback_submit", type="issue", severity="low", title=known, description=f"It is {known}."
    )
    _note(at.kept, told, lambda data: at.kept.feedback.append(str(data["feedbackId"])))
    used = client.call("usage_track", id=TRACKED, context={"sessionId": known})
    _note(at.kept, used, lambda data: _count_use(at.kept, data))


def _count_use(kept: Confirmed, data: dict[str, Any]) -> None:
    if data.get("tracked") and data.get("durable", True):
        kept.uses += 1


def _note(kept: Confirmed, result: dict[str, Any], keep: Callable[[dict[str, Any]], None]) -> None:
    if result.get("isError"):
        kept.refused.append(str(result)[:300])
    else:
        keep(_data(result))


def _data(result: dict[str, Any]) -> dict[str, Any]:
    return dict(result.get("structuredContent", {}).get("data") or {})


def _check_kept(root: Path, environ: dict[str, str], kept: Confirmed, report: Report) -> None:
    memory = Client("memory", root, environ)
    for known, text in kept.memories.items():
        if text.split(":")[0] not in str(memory.call("drift_memory_get", id=known)):
            report.fault(f"a confirmed memory is lost: {known} {text[:40]}")
    memory.close()
    catalog = Client("catalog", root, environ)
    for known in kept.instructions:
        if catalog.call("instructions_get", id=known).get("isError"):
            report.fault(f"a confirmed instruction is lost: {known}")
    for known in kept.feedback:
        if catalog.call("feedback_get", id=known).get("isError"):
            report.fault(f"confirmed feedback is lost: {known}")
    hottest = str(catalog.call("usage_hotset", limit=1))
    catalog.close()
    counted = _usage_count(hottest)
    if counted < kept.uses:
        report.fault(f"of {kept.uses} confirmed uses {counted} are counted")


def _usage_count(text: str) -> int:
    found = re.search(r"'usageCount': (\d+)", text)
    return int(found[1]) if found else 0


def flip_bytes(place: Path, report: Report) -> None:
    """Change a byte of a store, ask the usual questions, and compare with what was answered before."""
    root = _project(place)
    environ = plain_environ(place)
    _fill(root, environ)
    sound = _ask_all(root, environ)
    originals = place / "originals"
    stores = _stores(place)
    for number, path in enumerate(stores):
        shutil.copyfile(path, _kept_at(originals, number))
    chance = report.chance()
    for _ in range(report.count):
        number = chance.randrange(len(stores))
        where = _flip(stores[number], chance)
        _judge(sound, _ask_all(root, environ), f"{stores[number].name} at {where}", report)
        report.done["flips"] += 1
        _restore(stores, originals)
        if report.is_over():
            break


def _kept_at(originals: Path, number: int) -> Path:
    originals.mkdir(exist_ok=True)
    return originals / str(number)


def _stores(place: Path) -> list[Path]:
    """The databases of the project, wherever they are kept, and its instructions; not backups."""
    found = [path for path in place.rglob("*.db") if "backup" not in str(path)]
    return sorted(found) + sorted((place / "project" / ".drift" / "instructions").glob("*.json"))


def _restore(stores: Iterable[Path], originals: Path) -> None:
    for number, path in enumerate(stores):
        for ending in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_kept_at(originals, number), path)


def _flip(path: Path, chance: random.Random) -> int:
    content = bytearray(path.read_bytes())
    where = chance.randrange(len(content))
    content[where] ^= 1 << chance.randrange(8)
    path.write_bytes(content)
    return where


def _fill(root: Path, environ: dict[str, str]) -> None:
    at = _Round(root, environ, Confirmed(), "flip")
    memory, catalog = Client("memory", root, environ), Client("catalog", root, environ)
    for number in range(MEMORIES):
        _write_memory(memory, at, number)
    _prepare(root, environ)
    for number in range(INSTRUCTIONS):
        _write_catalog(catalog, at, number)
    memory.close()
    catalog.close()
    _ask_all(root, environ)


QUESTIONS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("memory", "drift_memory_search", {"query": "importer waits for the file", "limit": 50}),
    ("memory", "drift_memory_status", {}),
    ("catalog", "instructions_list", {"limit": 50}),
    ("catalog", "feedback_list", {"limit": 50}),
    ("catalog", "usage_hotset", {"limit": 5}),
    ("analysis", "drift_callers", {"symbol": "load_0"}),
)


def _ask_all(root: Path, environ: dict[str, str]) -> dict[str, dict[str, Any]]:
    answers = {}
    for server in ("memory", "catalog", "analysis"):
        client = Client(server, root, environ)
        for asked, name, arguments in QUESTIONS:
            if asked == server:
                answers[name] = client.call(name, **arguments)
        client.close()
    return answers


def _judge(sound: dict[str, Any], found: dict[str, Any], what: str, report: Report) -> None:
    """An answer is as before, or says that something is wrong; and it is never a fault of ours."""
    for name, answer in found.items():
        text = str(answer)
        if "INTERNAL_ERROR" in text:
            report.fault(f"{what}: {name} failed inside: {text[:300]}")
        elif (
            answer.get("isError")
            or "problems" in _data(answer)
            or any(word in text.lower() for word in NOTICED)
        ):
            report.done["noticed"] += 1
        elif _facts(answer) != _facts(sound[name]):
            report.fault(f"{what}: {name} answers otherwise and says nothing: {text[:300]}")


def _facts(answer: dict[str, Any]) -> str:
    """What was answered, without what each answer has of its own: times, scores, sizes, hashes."""
    text = orjson.dumps(answer.get("structuredContent", {}).get("data")).decode()
    return re.sub(
        r'"(?:[a-zA-Z]*(?:At|Ms|Bytes|score|hash|age|Age|confidence|size|Size|time|Time)[a-zA-Z]*)":[^,}\]]*',
        "",
        text,
    )
