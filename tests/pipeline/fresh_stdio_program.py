"""A server over stdio that keeps its index fresh, with one tool: the functions of a name."""

import asyncio
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from drift.index import IndexReader, Layer
from drift.kernel.answer import Answer
from drift.pipeline import AutoFreshener, Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import Call, ServerName, Surface, Toolbox, definition_of, tool


@tool(category="surgical", title="Named", tokens=(1, 2), ttl=300, needs=Layer.CALLS)
def named(call: Call, name: str) -> Answer[int]:
    """How many symbols have a name."""
    with IndexReader(call.project.state.index_db) as reader:
        found = len(reader.symbols.named(name))
    return Answer(f"{found} found", found)


async def main():
    root = Path(sys.argv[1])
    at = Environment(
        root, ProjectRegistry(root.parent / "projects.json", lambda: datetime.now(UTC)), os.environ
    )
    runtime = ServerRuntime(
        ServerName.ANALYSIS,
        Toolbox([definition_of(named)]),
        Surface("full"),
        at=at,
        freshener=AutoFreshener(os.environ),
    )
    try:
        while line := await asyncio.to_thread(sys.stdin.readline):
            outcome = await runtime.call("named", {"name": line.strip()})
            sys.stdout.write(f"{outcome.structured()['meta']['freshness']} {outcome.body.get('data')}\n")
            sys.stdout.flush()
    finally:
        runtime.close()


if __name__ == "__main__":
    asyncio.run(main())
