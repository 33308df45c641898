"""Three servers behind a balancer, one killed under load: no call fails but those it was answering.

    python benchmarks/balanced.py [CALLS]

Starts `drift serve` three times on this machine with one Redis, a small proxy that hands requests out in turn, and callers of
protocol 2026-07-28, whose requests say everything. What could not be connected to is passed over, as balancers do.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Backend:
    """A `drift serve` of its own."""

    def __init__(self, root, environ):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "drift", "serve", str(root), "--port", "0"],
            env=environ,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        while "/analysis" not in (line := self.process.stderr.readline()):
            assert line, "the server ended"
        self.port = int(line.strip().rpartition(":")[2].partition("/")[0])

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()


class Balancer:
    """Hands each request to the next server that takes the connection, and remembers to which."""

    def __init__(self, backends):
        self._backends = backends
        self._turn = 0
        self.running = {id(each): 0 for each in backends}

    async def ask(self, head, body):
        """(server, status, answer) of a request; the answer is None where the server was lost while it was at it."""
        begin = self._turn
        self._turn += 1
        for place in range(len(self._backends)):  # each once, whoever else is asking meanwhile
            backend = self._backends[(begin + place) % len(self._backends)]
            self.running[id(backend)] += 1  # from here on: a connection that is being made may be lost, too
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", backend.port)
            except OSError:
                self.running[id(backend)] -= 1
                continue
            try:
                writer.write(head + body)
                await writer.drain()
                answer = await reader.read()
            except OSError:
                answer = b""
            finally:
                self.running[id(backend)] -= 1
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()
            return backend, *_parse(answer)
        raise AssertionError("no server is left")


def _parse(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    if not body:
        return None, None
    status = int(head.split(b" ")[1])
    if b"text/event-stream" in head:
        lines = [line for line in body.splitlines() if line.startswith(b"data:")]
        return status, json.loads(lines[-1][5:]) if lines else None
    text = body[body.index(b"{") : body.rindex(b"}") + 1]
    return status, json.loads(text)


def request(name, arguments, number):
    params = {"name": name, "arguments": arguments, "_meta": META}
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}).encode()
    head = (
        "POST /analysis HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
        f"Mcp-Name: {name}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode(), body


async def load(backends, calls, *, at_once=6, kill_after=None):
    """Counts of answers, refusals and failures; one server is killed after so many calls were answered."""
    balancer = Balancer(backends)
    counts = {"answered": 0, "limited": 0, "lost": 0, "lost_elsewhere": 0, "in_flight_at_kill": 0}
    numbers, victim, slowest = iter(range(calls)), backends[0], 0.0

    async def work():
        nonlocal slowest
        for number in numbers:
            began = time.monotonic()
            backend, status, answer = await balancer.ask(*request("drift_status", {}, number))
            if answer is None or status != 200:
                counts["lost" if backend is victim else "lost_elsewhere"] += 1
                continue
            slowest = max(slowest, time.monotonic() - began)
            is_limited = "RATE_LIMITED" in json.dumps(answer)
            counts["limited" if is_limited else "answered"] += 1
            if (
                kill_after is not None
                and sum(counts.values()) >= kill_after
                and victim.process.poll() is None
            ):
                counts["in_flight_at_kill"] = balancer.running[id(victim)]
                victim.kill()

    await asyncio.gather(*(work() for _ in range(at_once)))
    return counts | {"slowest_seconds": round(slowest, 3)}


def serve_three(root, redis_url, home, **settings):
    environ = {**os.environ, "DRIFT_STATE_URL": redis_url, "DRIFT_HOME": str(home), **settings}
    return [Backend(root, environ) for _ in range(3)]


def main():
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000
    with tempfile.TemporaryDirectory(prefix="drift-balanced-") as folder:
        place = Path(folder)
        socket = place / "redis.sock"
        redis = subprocess.Popen(
            [shutil.which("redis-server"), "--port", "0", "--unixsocket", str(socket), "--save", ""],
            stdout=subprocess.DEVNULL,
        )
        while not socket.exists():
            time.sleep(0.01)
        (place / "shop").mkdir()
        (place / "shop" / "cart.py").write_text("def total(items):\n    return sum(items)\n")
        backends = serve_three(place / "shop", f"unix://{socket}", place / "home", DRIFT_MCP_RATE_LIMIT="0")
        try:
            print(asyncio.run(load(backends, calls, kill_after=calls // 3)))
        finally:
            for each in backends:
                each.kill()
            redis.kill()
            redis.wait()


if __name__ == "__main__":
    main()
