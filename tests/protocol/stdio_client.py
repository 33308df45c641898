"""A bare client of a stdio server process: it sends what it is told to and keeps all that comes back."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import stdio_fixture_server

from forked import Forked

SCRIPT = Path(__file__).with_name("stdio_fixture_server.py")
MODERN = "2026-07-28"
PATIENCE_SECONDS = 300

UNLIMITED_RATE = {"sustained_per_second": 0}


def fixture_command(**limits):
    return [sys.executable, str(SCRIPT), json.dumps({**UNLIMITED_RATE, **limits})]


def initialize(version, request_id="handshake"):
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    return {"jsonrpc": "2.0", "id": request_id, "method": "initialize", "params": params}


def envelope(version=MODERN):
    return {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }


class Session:
    """One server process and the connection to it, in one era of the protocol."""

    def __init__(self, process, version):
        self.process = process
        self.version = version
        self.lines = queue.Queue()
        self.stderr = bytearray()
        self.held = []
        self._ids = count(1)
        self._readers = [
            threading.Thread(target=self._read_stdout, daemon=True),
            threading.Thread(target=self._read_stderr, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read_stdout(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def _read_stderr(self):
        while chunk := os.read(self.process.stderr.fileno(), 65536):
            self.stderr += chunk

    def send_raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *messages):
        self.send_raw(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def request(self, method, request_id=None, **params):
        if self.version == MODERN:
            params["_meta"] = envelope()
        request_id = next(self._ids) if request_id is None else request_id
        return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}

    def call(self, name, request_id=None, **arguments):
        return self.request("tools/call", request_id, name=name, arguments=arguments)

    def cancel(self, request_id):
        return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": request_id}}

    def receive(self):
        """The next line, parsed."""
        if self.held:
            return self.held.pop(0)
        return self._next()

    def receive_for(self, request_id):
        """The answer with this id; what comes before it is held back for `receive`."""
        for at, message in enumerate(self.held):
            if isinstance(message, dict) and message.get("id") == request_id and "method" not in message:
                return self.held.pop(at)
        while True:
            message = self._next()
            if isinstance(message, dict) and message.get("id") == request_id and "method" not in message:
                return message
            self.held.append(message)

    def ask(self, message):
        """Send a request and wait for its answer."""
        self.send(message)
        return self.receive_for(message["id"])

    def echo(self, text):
        return self.ask(self.call("echo", text=text))["result"]["content"][0]["text"]

    def leave(self):
        """Close the input and wait for the process to end."""
        self.process.stdin.close()
        return self.wait()

    def signal(self, signum=signal.SIGTERM):
        self.process.send_signal(signum)

    def wait(self):
        code = self.process.wait(PATIENCE_SECONDS)
        for reader in self._readers:
            reader.join(PATIENCE_SECONDS)
        return code

    def rest(self):
        """Everything not received yet, after the process has ended."""
        messages, self.held = self.held, []
        while (line := self.lines.get(timeout=PATIENCE_SECONDS)) is not None:
            messages.append(json.loads(line))
        self.lines.put(None)
        return messages

    def _next(self):
        line = self.lines.get(timeout=PATIENCE_SECONDS)
        if line is None:
            raise EOFError(self.stderr.decode(errors="replace"))
        return json.loads(line)


def start(command=None, **limits):
    """A process of this command, or of the fixture server."""
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    if command is not None:
        return subprocess.Popen(command, **streams)
    return Forked(lambda: stdio_fixture_server.serve({**UNLIMITED_RATE, **limits}), **streams)


@contextmanager
def serving(version, command=None, **limits):
    """A session with a server of its own, the handshake done where the version has one."""
    with start(command, **limits) as process:
        session = Session(process, version)
        try:
            if version != MODERN:
                answer = session.ask(initialize(version))
                assert answer["result"]["protocolVersion"] == version
                session.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
            yield session
        finally:
            process.kill()
