"""A server over stdio whose one tool blocks its thread until a file appears."""

import asyncio
import sys
import time
from pathlib import Path

from server_world import server_of

from drift.kernel.answer import Answer
from drift.protocol.limits import WireLimits
from drift.protocol.stdio.transport import serve_stdio
from drift.registry import Call, tool


@tool(category="surgical", title="Block", tokens=(1, 2), ttl=0)
def block(call: Call) -> Answer[bool]:
    """Blocks until the project has a file named `go`."""
    while not (call.project.root / "go").exists():
        time.sleep(0.01)
    return Answer("went", data=True)


def main():
    server = server_of(Path(sys.argv[1]), block)
    asyncio.run(serve_stdio(server, limits=WireLimits(), in_flight=server.in_flight))


if __name__ == "__main__":
    main()
