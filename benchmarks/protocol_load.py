"""Load for MCP servers: raw clients over stdio and HTTP, and what a server process spends on them."""

import asyncio
import re
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import orjson

LEGACY, MODERN = "2025-11-25", "2026-07-28"
CLIENT = {"name": "benchmark", "version": "1"}
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": CLIENT,
}


@dataclass(frozen=True)
class Load:
    """What one run of calls came to."""

    calls: int
    seconds: float
    cpu_seconds: float
    latencies_ms: list[float]

    @property
    def per_second(self) -> float:
        return self.calls / self.seconds

    @property
    def cpu_us(self) -> float:
        return self.cpu_seconds / self.calls * 1e6

    def percentile_ms(self, percent: int) -> float:
        return statistics.quantiles(self.latencies_ms, n=100)[percent - 1]


class ServerProcess:
    """A server and the measures the system keeps of it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._proc = Path(f"/proc/{process.pid}")

    @property
    def stdin(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def stdout(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    def cpu_seconds(self) -> float:
        """On the processor so far; threads that have ended are not counted, and none end here."""
        ran_ns = (int(path.read_text().split()[0]) for path in self._proc.glob("task/*/schedstat"))
        return sum(ran_ns) / 1e9

    def resident_mb(self) -> float:
        found = re.search(r"VmRSS:\s+(\d+) kB", (self._proc / "status").read_text())
        assert found is not None
        return int(found[1]) / 1024


@contextmanager
def running(command: list[str], environ: Mapping[str, str], *, has_stdio: bool) -> Iterator[ServerProcess]:
    pipe = subprocess.PIPE if has_stdio else subprocess.DEVNULL
    errors = subprocess.DEVNULL if has_stdio else subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=errors, env=dict(environ)) as process:
        try:
            yield ServerProcess(process)
        finally:
            process.kill()


@contextmanager
def running_http(command: list[str], environ: Mapping[str, str]) -> Iterator[tuple[ServerProcess, int]]:
    """A server and its port, which it tells on stderr."""
    with running(command, environ, has_stdio=False) as server:
        errors = server._process.stderr  # noqa: SLF001 - of this module
        assert errors is not None
        found = None
        while found is None:
            line = errors.readline()
            assert line, "the server did not start"
            found = re.search(rb"http://127\.0\.0\.1:(\d+)", line)
        threading.Thread(target=errors.read, daemon=True).start()
        yield server, int(found[1])


def request(method: str, number: int, params: Mapping[str, Any], version: str = LEGACY) -> bytes:
    """A JSON-RPC request as one line without its end."""
    full = {**params, "_meta": ENVELOPE} if version == MODERN else params
    return orjson.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": full})


def initialize_request() -> bytes:
    return request("initialize", 0, {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": CLIENT})


INITIALIZED = orjson.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})


class StdioClient:
    """A client that keeps so many calls in flight."""

    def __init__(self, server: ServerProcess) -> None:
        self._server = server

    def ask(self, line: bytes) -> Any:
        self._server.stdin.write(line + b"\n")
        self._server.stdin.flush()
        return orjson.loads(self._server.stdout.readline())

    def shake_hands(self) -> None:
        assert "result" in self.ask(initialize_request())
        self._server.stdin.write(INITIALIZED + b"\n")
        self._server.stdin.flush()

    def load(self, params: Mapping[str, Any], calls: int, in_flight: int) -> Load:
        lines = [request("tools/call", number, params) + b"\n" for number in range(1, calls + 1)]
        sent_at: dict[int, float] = {}
        latencies: list[float] = []
        cpu, started = self._server.cpu_seconds(), time.perf_counter()
        following = iter(enumerate(lines, 1))
        for _ in range(in_flight):
            self._send(next(following, None), sent_at)
        while len(latencies) < calls:
            answer = orjson.loads(self._server.stdout.readline())
            assert "result" in answer, answer
            latencies.append((time.perf_counter() - sent_at.pop(answer["id"])) * 1000)
            self._send(next(following, None), sent_at)
        return Load(calls, time.perf_counter() - started, self._server.cpu_seconds() - cpu, latencies)

    def _send(self, numbered: tuple[int, bytes] | None, sent_at: dict[int, float]) -> None:
        if numbered is not None:
            number, line = numbered
            sent_at[number] = time.perf_counter()
            self._server.stdin.write(line)
            self._server.stdin.flush()


class HttpConnection:
    """One keep-alive connection that posts messages; answers may be JSON or an event stream."""

    def __init__(self, port: int, path: str, version: str) -> None:
        self._port = port
        self._path = path
        self._version = version
        self._session: bytes | None = None

    async def open(self) -> None:
        """Connect, and begin a session where the version has them and there is none yet."""
        self._reading, self._writing = await asyncio.open_connection("127.0.0.1", self._port, limit=2**20)
        if self._version == LEGACY and self._session is None:
            await self.post(initialize_request(), "initialize")
            await self.post(INITIALIZED, "notifications/initialized")

    def close(self) -> None:
        self._writing.close()

    async def post(self, body: bytes, method: str, name: str = "") -> bytes:
        headers = [
            f"POST {self._path} HTTP/1.1",
            f"Host: 127.0.0.1:{self._port}",
            "Accept: application/json, text/event-stream",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            f"MCP-Protocol-Version: {self._version}",
        ]
        if self._version == MODERN:
            headers += [f"Mcp-Method: {method}", *([f"Mcp-Name: {name}"] if name else [])]
        elif self._session is not None:
            headers.append(f"Mcp-Session-Id: {self._session.decode()}")
        self._writing.write("\r\n".join(headers).encode() + b"\r\n\r\n" + body)
        return await self._read_answer()

    async def _read_answer(self) -> bytes:
        head = await self._reading.readuntil(b"\r\n\r\n")
        status = head.split(b" ", 2)[1]
        assert status.startswith(b"2"), head
        fields = dict(re.findall(rb"(?m)^([A-Za-z-]+): *([^\r]*)", head.lower()))
        self._session = fields.get(b"mcp-session-id", self._session)
        if b"content-length" in fields:
            return await self._reading.readexactly(int(fields[b"content-length"]))
        parts = []
        while size := int(await self._reading.readuntil(b"\r\n"), 16):
            parts.append((await self._reading.readexactly(size + 2))[:-2])
        await self._reading.readexactly(2)
        return b"".join(parts)


async def load_http(
    server: ServerProcess,
    connections: list[HttpConnection],
    params: Mapping[str, Any],
    *,
    calls: int,
    version: str,
) -> Load:
    """So many calls, spread over the connections; each has one in flight."""
    latencies: list[float] = []
    numbers = iter(range(1, calls + 1))

    async def keep_calling(connection: HttpConnection) -> None:
        for number in numbers:
            body = request("tools/call", number, params, version)
            sent_at = time.perf_counter()
            answer = await connection.post(body, "tools/call", params["name"])
            assert b'"result"' in answer, answer[:500]
            latencies.append((time.perf_counter() - sent_at) * 1000)

    for connection in connections:
        await connection.open()  # anew each time: servers close connections that idle between rounds
    cpu, started = server.cpu_seconds(), time.perf_counter()
    await asyncio.gather(*(keep_calling(connection) for connection in connections))
    load = Load(calls, time.perf_counter() - started, server.cpu_seconds() - cpu, latencies)
    for connection in connections:
        connection.close()
    return load
