"""A project with a memory server, called as over the wire."""

import asyncio
from datetime import UTC, datetime

from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface
from drift.tools import all_tools
from store_places import memory_db


class MemoryWorld:
    """A project in a folder of its own; `call` gives outcomes, `data` what a call that must succeed brought."""

    def __init__(self, folder, name="shop", **environ):
        self.root = folder / name
        (self.root / "shop").mkdir(parents=True)
        (self.root / "shop" / "orders.py").write_text("def order():\n    return 1\n\n\nLIMIT = 3\n")
        self.registry = ProjectRegistry(folder / "home/projects.json", lambda: datetime.now(UTC))
        tools = all_tools().of_server(ServerName.MEMORY)
        at = Environment(self.root, self.registry, {"DRIFT_MCP_MEMORY_RATE_LIMIT": "0", **environ})
        self.runtime = ServerRuntime(ServerName.MEMORY, tools, Surface("full"), at=at)

    @property
    def store(self):
        return memory_db(self.root)

    def call(self, tool, /, **arguments):
        return asyncio.run(self.runtime.call(tool, arguments))

    def call_as(self, caller, tool, /, **arguments):
        return asyncio.run(self.runtime.call(tool, arguments, caller=caller))

    def data(self, tool, /, **arguments):
        outcome = self.call(tool, **arguments)
        assert not outcome.is_error, outcome.text
        return outcome.body["data"]

    def save(self, text, **arguments):
        return self.data("save_memory", text=text, **arguments)["id"]

    def add(self, text, **arguments):
        return self.data("drift_memory_add", **{"type": "insight", "text": text, **arguments})["id"]

    def found(self, query, name="drift_memory_search", **arguments):
        return [row["id"] for row in self.data(name, query=query, **arguments)["results"]]

    def close(self):
        from drift.memory.opened import close_stores

        self.runtime.close()
        close_stores()
