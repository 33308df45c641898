"""Hostile messages to real servers, with honest calls among them."""

import asyncio
import random
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
from attack_report import CANARY, Report, plain_environ, write_canary
from protocol_load import (
    INITIALIZED,
    LEGACY,
    HttpConnection,
    ServerProcess,
    initialize_request,
    request,
    running,
    running_http,
)
from scan_projects import make_project

SERVERS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "analysis": ("drift_callers", {"symbol": "load_0"}),
    "memory": ("drift_memory_search", {"query": "importer midnight"}),
    "catalog": ("instructions_list", {"limit": 5}),
}
BATCH = 40  # hostile lines between two honest calls
MOST_GROWTH_MB = 150
HONEST_ID = 7_000_000
HONEST_CLIENTS = 4

_TEXTS = (
    "", " ", "\0", "\n" * 5000, "a" * 9000, "../" * 40 + "etc/passwd", "/etc/passwd", "..\\..\\x", "~/.ssh/id_rsa",
    "file:///etc/passwd", "%2e%2e%2f", "\ud800", "\u202egnirts", "' OR 1=1 --", '"); DROP TABLE symbols; --',
    "NEAR(a b, 9999)", '"unclosed', "a AND OR NOT", "col:val*", "(((((", "*" * 300, "(a+)+$", "[[:alpha:]", "{{7*7}}",
    "${jndi:ldap://127.0.0.1/x}", "$(touch marker)", "`touch marker`", "-c core.pager=x", "--upload-pack=x", "@{u}",
    "HEAD;id", "<script>alert(1)</script>", "\x1b]0;x\x07", "import " * 800, "@" * 4000, "\t \t" * 3000, "((" * 3000,
    "outside/secret.txt", "../outside/secret.txt",
)  # fmt: skip
_NUMBERS = (-1, 0, 1, 2**31, 2**53, 2**63, -(2**63), 10**30, 1e308, -0.0, 0.1)


class Hostile:
    """Lines no honest client would send, from the schemas of the tools and from nothing."""

    def __init__(self, tools: Sequence[Mapping[str, Any]], chance: random.Random) -> None:
        self._tools = tools
        self._chance = chance
        self._number = 0

    def lines(self, count: int) -> Iterator[tuple[int | None, bytes]]:
        """The id an answer is owed for, or None where nobody can say, and the line."""
        for _ in range(count):
            self._number += 1
            if self._chance.random() < 0.15:
                yield None, self._broken()
            else:
                yield self._number, request("tools/call", self._number, self._call())

    def call(self) -> tuple[str, bytes]:
        """One well-formed message with hostile arguments, and the tool's name."""
        self._number += 1
        params = self._call()
        return params["name"], request("tools/call", self._number, params)

    def _call(self) -> dict[str, Any]:
        tool = self._chance.choice(self._tools)
        schema = tool.get("inputSchema", {})
        properties = schema.get("properties", {})
        wanted = set(schema.get("required", ())) | {
            name for name in properties if self._chance.random() < 0.4
        }
        arguments = {name: self._value(properties.get(name, {})) for name in sorted(wanted)}
        if self._chance.random() < 0.1:
            arguments[self._chance.choice(("__proto__", "maxTokens", "cursor", "project", "x" * 200))] = (
                self._any(3)
            )
        return {"name": tool["name"], "arguments": arguments}

    def _value(self, schema: Mapping[str, Any]) -> Any:
        chance = self._chance
        if chance.random() < 0.15:
            return self._any(3)
        if "enum" in schema and chance.random() < 0.8:
            return chance.choice(schema["enum"])
        kind = schema.get("type", "string")
        kind = chance.choice(kind) if isinstance(kind, list) else kind
        if kind == "boolean":
            return chance.random() < 0.5
        if kind in ("integer", "number"):
            return chance.choice((*_NUMBERS[:4], schema.get("maximum", 5), schema.get("minimum", 1)))
        if kind == "array":
            return [self._value(schema.get("items", {})) for _ in range(chance.randrange(4))]
        return self._any(4) if kind == "object" else self._text(schema)

    def _text(self, schema: Mapping[str, Any]) -> str:
        text = self._chance.choice(_TEXTS).encode("utf-8", "replace").decode()
        return text[: schema.get("maxLength", 10_000)]

    def _any(self, depth: int) -> Any:
        kind = self._chance.randrange(6 if depth else 4)
        if kind == 0:
            return self._text({})
        if kind == 1:
            number = self._chance.choice(_NUMBERS)
            return float(number) if abs(number) >= 2**63 else number
        if kind in (2, 3):
            return self._chance.choice((None, True, False))
        if kind == 4:
            return [self._any(depth - 1) for _ in range(self._chance.randrange(5))]
        return {self._text({})[:40]: self._any(depth - 1) for _ in range(self._chance.randrange(5))}

    def _broken(self) -> bytes:
        chance = self._chance
        whole = request("tools/call", 1, {"name": "drift_status", "arguments": {}})
        kinds = (
            lambda: whole[: chance.randrange(1, len(whole))],
            lambda: bytes(chance.randrange(11, 256) for _ in range(chance.randrange(1, 300))).replace(
                b"\n", b" "
            ),
            lambda: b"[" * chance.randrange(1, 20_000),
            lambda: b'{"jsonrpc":"2.0","method":"' + b"a" * chance.randrange(1, 5000) + b'"}',
            lambda: b'{"jsonrpc":"1.0","id":null,"method":"tools/call"}',
            lambda: b'{"id":' + b"9" * chance.randrange(1, 400) + b"}",
            lambda: b'{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list","params":[1,2]}',
            lambda: b'{"a":' * chance.randrange(1, 5000) + b"1",
            lambda: b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}',
            lambda: whole.replace(b"drift_status", b"no_such_tool"),
        )
        return chance.choice(kinds)()


class _Reader(threading.Thread):
    """Reads all a server says, so that it never waits for us, and notes what must not be there."""

    def __init__(self, server: ServerProcess, report: Report) -> None:
        super().__init__(daemon=True)
        self._server = server
        self._report = report
        self._awaited: dict[int, threading.Event] = {}
        self.answers: dict[int, Any] = {}
        self.answered: set[int] = set()

    def await_answer(self, number: int) -> threading.Event:
        return self._awaited.setdefault(number, threading.Event())

    def run(self) -> None:
        for line in self._server.stdout:
            if CANARY.encode() in line:
                self._report.fault(f"an answer told what lies outside: {line[:300]!r}")
            try:
                answer = orjson.loads(line)
            except ValueError:
                self._report.fault(f"no JSON on standard output: {line[:300]!r}")
                continue
            for each in answer if isinstance(answer, list) else [answer]:
                self._note(each)

    def _note(self, answer: Any) -> None:
        check_answer(answer, self._report)
        number = answer.get("id")
        if isinstance(number, int):
            self.answered.add(number)
            if number in self._awaited:
                self.answers[number] = answer
                self._awaited[number].set()


def check_answer(answer: Any, report: Report) -> None:
    """An answer must not be one of our own faults."""
    text = orjson.dumps(answer)
    if b"INTERNAL_ERROR" in text or answer.get("error", {}).get("code") == -32603:
        report.fault(f"an internal error reached the client: {text[:400]!r}")
    if b"Traceback (most recent" in text:
        report.fault(f"a traceback reached the client: {text[:400]!r}")


def attack_stdio(place: Path, report: Report) -> None:
    """So many hostile lines in all, a third to each server, an honest call after each forty."""
    write_canary(place)
    root = place / "project"
    root.mkdir()
    make_project(root, 60)
    environ = plain_environ(place)
    for position, server in enumerate(SERVERS):
        _attack_server(server, root, environ, report, position)
    if list(place.rglob("marker")):
        report.fault("a program of a hostile text was run")


def _attack_server(server: str, root: Path, environ: dict[str, str], report: Report, position: int) -> None:
    surface = ("--surface", "full")
    command = [sys.executable, "-P", "-m", "drift", "mcp", server, str(root), "--no-rate-limit", *surface]
    with running(command, environ, has_stdio=True) as process:
        reader = _Reader(process, report)
        reader.start()
        conversation = _Conversation(process, reader)
        conversation.ask(0, initialize_request(), 60)
        conversation.send(INITIALIZED)
        tools = conversation.ask(HONEST_ID - 1, request("tools/list", HONEST_ID - 1, {}), 60)["result"][
            "tools"
        ]
        name, arguments = SERVERS[server]
        conversation.ask(
            HONEST_ID - 2, request("tools/call", HONEST_ID - 2, {"name": name, "arguments": arguments}), 120
        )
        before = process.resident_mb()
        hostile = Hostile(tools, report.chance(position))
        owed = conversation.fire(hostile, report, honest=(name, arguments))
        report.figures[f"{server} resident"] = (
            f"{before:.0f} MB at first, {process.resident_mb():.0f} MB at the end"
        )
        if process.resident_mb() - before > MOST_GROWTH_MB:
            report.fault(f"{server} grew from {before:.0f} to {process.resident_mb():.0f} MB")
        missing = owed - reader.answered
        if missing:
            report.fault(
                f"{server} never answered {len(missing)} of {len(owed)} calls, such as {min(missing)}"
            )


class _Conversation:
    """Sending lines to a server, and waiting for those answers that matter."""

    def __init__(self, server: ServerProcess, reader: _Reader) -> None:
        self._server = server
        self._reader = reader

    def send(self, line: bytes) -> None:
        self._server.stdin.write(line + b"\n")
        self._server.stdin.flush()

    def ask(self, number: int, line: bytes, seconds: float) -> Any:
        event = self._reader.await_answer(number)
        self.send(line)
        if not event.wait(seconds):
            raise TimeoutError(line[:200])
        return self._reader.answers.pop(number)

    def fire(self, hostile: Hostile, report: Report, *, honest: tuple[str, dict[str, Any]]) -> set[int]:
        """Hostile lines with an honest call after each few; the ids that are owed an answer."""
        owed: set[int] = set()
        name, arguments = honest
        for round_number in range(max(1, report.count // 3 // BATCH)):
            for number, line in hostile.lines(BATCH):
                self.send(line)
                report.done["messages"] += 1
                owed |= {number} if number is not None else set()
            self._settle(owed)
            number = HONEST_ID + round_number
            started = time.monotonic()
            answer = self.ask(
                number, request("tools/call", number, {"name": name, "arguments": arguments}), 60
            )
            report.saw_honest(time.monotonic() - started, name)
            if "result" not in answer or answer["result"].get("isError"):
                report.fault(f"an honest call failed: {orjson.dumps(answer)[:400]!r}")
            if report.is_over():
                break
        return owed

    def _settle(self, owed: set[int]) -> None:
        """Wait until what was sent is answered: an honest call is timed from when it is next in turn."""
        deadline = time.monotonic() + 60
        while owed - self._reader.answered and time.monotonic() < deadline:
            time.sleep(0.002)


def attack_http(place: Path, report: Report) -> None:
    """Hostile clients on one server, beside honest ones whose calls are timed."""
    write_canary(place)
    root = place / "project"
    root.mkdir()
    make_project(root, 60)
    command = [sys.executable, "-P", "-m", "drift", "serve", str(root), "--port", "0", "--surface", "full"]
    environ = {
        **plain_environ(place),
        "DRIFT_MCP_ANALYSIS_RATE_LIMIT": "0",
        "DRIFT_MCP_EXPENSIVE_RATE_LIMIT": "0",
    }
    with running_http(command, environ) as (server, port):
        asyncio.run(_mix(server, port, report))


async def _mix(server: ServerProcess, port: int, report: Report) -> None:
    tools = await _tools(port)
    await _honest_call(HttpConnection(port, "/analysis", LEGACY), report, is_timed=False)
    before = server.resident_mb()
    done = asyncio.Event()
    honest = [asyncio.create_task(_stay_honest(port, report, done)) for _ in range(HONEST_CLIENTS)]
    each = report.count // 4
    await asyncio.gather(*(_attack_over_http(port, tools, report, number, each) for number in range(4)))
    done.set()
    await asyncio.gather(*honest)
    report.figures["resident"] = f"{before:.0f} MB at first, {server.resident_mb():.0f} MB at the end"
    if server.resident_mb() - before > MOST_GROWTH_MB:
        report.fault(f"the server grew from {before:.0f} to {server.resident_mb():.0f} MB")


async def _tools(port: int) -> list[dict[str, Any]]:
    connection = HttpConnection(port, "/analysis", LEGACY)
    await connection.open()
    answer = _json_of(await connection.post(request("tools/list", 1, {}), "tools/list"))
    connection.close()
    return list(answer["result"]["tools"])


async def _stay_honest(port: int, report: Report, done: asyncio.Event) -> None:
    connection = HttpConnection(port, "/analysis", LEGACY)
    await connection.open()
    while not done.is_set():
        await _honest_call(connection, report, is_timed=True)
        await asyncio.sleep(0.05)
    connection.close()


async def _honest_call(connection: HttpConnection, report: Report, *, is_timed: bool) -> None:
    if not is_timed:
        await connection.open()
    name, arguments = SERVERS["analysis"]
    started = time.monotonic()
    body = request("tools/call", HONEST_ID, {"name": name, "arguments": arguments})
    answer = _json_of(await connection.post(body, "tools/call", name))
    if is_timed:
        report.saw_honest(time.monotonic() - started, name)
    if "result" not in answer or answer["result"].get("isError"):
        report.fault(f"an honest call failed: {orjson.dumps(answer)[:400]!r}")


async def _attack_over_http(
    port: int, tools: list[dict[str, Any]], report: Report, number: int, count: int
) -> None:
    hostile = Hostile(tools, report.chance(100 + number))
    connection = HttpConnection(port, "/analysis", LEGACY)
    await connection.open()
    for _ in range(count):
        name, body = hostile.call()
        try:
            answer = await connection.post(body, "tools/call", name)
        except (
            AssertionError,
            asyncio.IncompleteReadError,
            ConnectionError,
        ):  # refused with a status of its own
            connection.close()
            connection = HttpConnection(port, "/analysis", LEGACY)
            await connection.open()
            report.done["refused"] += 1
            continue
        report.done["messages"] += 1
        if CANARY.encode() in answer:
            report.fault(f"an answer told what lies outside: {answer[:300]!r}")
        check_answer(_json_of(answer), report)
        if report.is_over():
            break
    connection.close()


def _json_of(answer: bytes) -> Any:
    """The last JSON of an answer, which may be an event stream."""
    lines = [
        line[5:].strip() for line in answer.splitlines() if line.startswith(b"data:") and line[5:].strip()
    ]
    return orjson.loads(lines[-1] if lines else answer)
