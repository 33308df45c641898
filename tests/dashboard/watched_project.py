"""A project with something to show, and the dashboard served for it as a person would have it."""

import asyncio
import http.client
import json
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlencode

from drift.dashboard import Inquiry, create_dashboard, find_port
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.protocol.http.settings import HttpSettings
from drift.registry import ServerName, Surface
from drift.scan import ScanOptions, scan
from drift.tools import all_tools

ATTACK = '<img src=x onerror="window.hacked=1"><script>window.hacked=2</script>'
LONG_AGO, FAR_OFF = "2020-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"


@dataclass(frozen=True)
class Place:
    """A project of its own, with a home of its own."""

    root: Path
    environ: dict[str, str]

    @property
    def at(self):
        listed = ProjectRegistry(
            Path(self.environ["DRIFT_HOME"]) / "projects.json", lambda: datetime.now(UTC)
        )
        return Environment(self.root, listed, self.environ)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def instruct(self, name, **fields):
        """Put an instruction into the catalog the way people do: as a file."""
        entry = {
            "id": name, "title": name, "body": "Do it.", "priority": 10, "audience": "all", "version": "1.0.0",
            "requirement": "mandatory", "categories": ["rules"], "owner": "team", "status": "approved",
            "classification": "internal", "nextReviewDue": FAR_OFF, **fields,
        }  # fmt: skip
        self.write(f".drift/instructions/{name}.json", json.dumps(entry))

    def call(self, server, name, **arguments):
        """What a tool answers another process of the project."""
        runtime = ServerRuntime(server, all_tools().of_server(server), Surface("full"), at=self.at)
        try:
            outcome = asyncio.run(runtime.call(name, arguments))
        finally:
            runtime.close()
        assert not outcome.is_error, outcome.text
        return outcome.body["data"]

    def remember(self, text, **more):
        return self.call(ServerName.MEMORY, "drift_memory_add", type="tribal", text=text, **more)

    def scan(self):
        scan(self.root, ScanOptions(jobs=1))


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def data(self):
        assert self.json["problem"] is None, self.json
        return self.json["answer"]["data"]


@dataclass(frozen=True)
class Served:
    """A dashboard that answers."""

    url: str
    port: int

    def get(self, path, *, method="GET", headers=(), **query):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        connection.request(method, f"{path}?{urlencode(query)}" if query else path, headers=dict(headers))
        reply = connection.getresponse()
        body = reply.read()
        connection.close()
        return Reply(reply.status, {name.lower(): value for name, value in reply.getheaders()}, body)

    def ask(self, name, **query):
        return self.get(f"/api/{name}", **query)


@contextmanager
def served_at(place, *, may_write=False):
    settings = HttpSettings(port=0)
    inquiry = Inquiry(place.at)
    server = find_port(create_dashboard(inquiry, settings, may_write=may_write), settings, tries=0)
    ready = Event()
    thread = Thread(target=server.run, args=(lambda _server: ready.set(),))
    thread.start()
    assert ready.wait(300)
    try:
        yield Served(server.url, server.port)
    finally:
        server.stop()
        thread.join()
        inquiry.close()
