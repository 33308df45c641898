"""A project with a catalog server, called as over the wire."""

import asyncio
import json
from datetime import UTC, datetime

from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface
from drift.tools import all_tools
from drift.tools.catalogs.access import close_catalogs


class CatalogWorld:
    """A project in a folder of its own; `call` gives outcomes, `data` what a call that must succeed brought.

    `environ` are the server's variables, which a test may change.
    """

    def __init__(self, folder, **environ):
        self.root = folder / "shop"
        self.root.mkdir(parents=True)
        registry = ProjectRegistry(folder / "home/projects.json", lambda: datetime.now(UTC))
        tools = all_tools().of_server(ServerName.CATALOG)
        self.environ = {"DRIFT_MCP_CATALOG_RATE_LIMIT": "0", **environ}
        at = Environment(self.root, registry, self.environ)
        self.runtime = ServerRuntime(ServerName.CATALOG, tools, Surface("full"), at=at)

    @property
    def directory(self):
        return self.root / ".drift" / "instructions"

    def call(self, tool, /, caller=None, **arguments):
        return asyncio.run(self.runtime.call(tool, arguments, caller=caller))

    def data(self, tool, /, **arguments):
        outcome = self.call(tool, **arguments)
        assert not outcome.is_error, outcome.text
        return outcome.body["data"]

    def run(self, action, /, **params):
        """The outcome of an action of instructions_dispatch."""
        return self.call("instructions_dispatch", action=action, params=params)

    def do(self, action, /, **params):
        """What an action that must succeed brought."""
        outcome = self.run(action, **params)
        assert not outcome.is_error, outcome.text
        return outcome.body["data"]

    def add(self, instruction_id, /, **fields):
        entry = {"id": instruction_id, "body": f"The body of {instruction_id}.", **fields}
        return self.do("add", entry=entry, lax=True)

    def write(self, name, content):
        """Write a file as a person would."""
        self.directory.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        (self.directory / name).write_text(text, "utf-8")

    def close(self):
        self.runtime.close()
        close_catalogs()
