"""What texts made to be slow cost: every text argument of every tool, filled to its allowed length.

    python benchmarks/arguments.py [--tool NAME] [--fillers N] [--worst SECONDS]

Each call runs on a small project with an index, a memory and an instruction, and its CPU time is taken, that of the
fastest of two where the first was slow. Prints the slowest, and exits with 1 when one took more than the worst
allowed: matching that is not linear takes minutes of these texts.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface, ToolDefinition
from drift.tools import all_tools

FILLERS = (
    "\n", " ", "\t", "a", "A", "aB", "1", "_", "-", ".", "/", "*", "?", "(", ")", "[", "{", "<", '"', "'", "`",
    "\\", "=", ":", ";", ",", "@", "#", "|", "&", "a ", "a.", "a/", "a::", "a(", "*a", "**/", "[a", "import ",
    "use a not ", "because ", "@@ -1 +1 @@\n", "diff --git a/a b/a\n", "+a\n", "- a\n", "# a\n", "```\n", "<!--",
    "é", "\u4e2d", "\U0001f600", '"a" OR ', "NOT ", "password=",
)  # fmt: skip
SHOWN = 12


class Cost(NamedTuple):
    seconds: float
    tool: str
    argument: str
    filler: str
    length: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tool", help="only this one")
    parser.add_argument("--fillers", type=int, default=len(FILLERS), help="how many of the texts to try")
    parser.add_argument("--worst", type=float, default=2.0, help="CPU seconds a call may take")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        costs = sorted(sweep(Path(folder), given.tool, FILLERS[: given.fillers]), reverse=True)
    print(f"{len(costs)} calls, {sum(cost.seconds for cost in costs):.1f} CPU-s")
    for cost in costs[:SHOWN]:
        print(
            f"{cost.seconds:7.3f} s  {cost.tool}({cost.argument}={cost.filler!r} to {cost.length:,} characters)"
        )
    return int(bool(costs) and costs[0].seconds > given.worst)


def sweep(folder: Path, only: str | None, fillers: tuple[str, ...]) -> Iterator[Cost]:
    root = make_project(folder)
    environ = {"DRIFT_HOME": str(folder / "home"), "DRIFT_MCP_CALL_TIMEOUT_SECONDS": "600"}
    environ |= {f"DRIFT_MCP_{name}RATE_LIMIT": "0" for name in ("", "MEMORY_", "EXPENSIVE_")}
    registry = ProjectRegistry(folder / "home/projects.json", lambda: datetime.now(UTC))
    for server in ServerName:
        tools = all_tools().of_server(server)
        runtime = ServerRuntime(server, tools, Surface("full"), at=Environment(root, registry, environ))
        try:
            for tool in tools:
                if tool.name == (only or tool.name):
                    yield from sweep_tool(runtime, tool, fillers)
        finally:
            runtime.close()


def sweep_tool(runtime: ServerRuntime, tool: ToolDefinition, fillers: tuple[str, ...]) -> Iterator[Cost]:
    schema = tool.input_schema
    needed = {name: sample(schema["properties"][name]) for name in schema.get("required", ())}
    examples = [example for example in tool.examples if needed.keys() <= example.keys()] or [needed]
    for name, argument in schema["properties"].items():
        most = longest_text(argument)
        if most is None:
            continue
        for filler in fillers:
            text = (filler * (most // len(filler) + 1))[:most]
            value: Any = text if is_text(argument) else [text]
            arguments = {**examples[0], name: value}
            yield Cost(measure(runtime, tool.name, arguments), tool.name, name, filler, most)


def measure(runtime: ServerRuntime, name: str, arguments: dict[str, Any]) -> float:
    """CPU seconds of a call; a slow one is made twice, since a first call reads data files."""
    best = float("inf")
    for _ in range(2):
        began = time.process_time()
        asyncio.run(runtime.call(name, arguments))
        best = min(best, time.process_time() - began)
        if best < 0.2:
            break
    return best


def is_text(argument: dict[str, Any]) -> bool:
    return any("string" in one.get("type", ()) for one in forms(argument))


def longest_text(argument: dict[str, Any]) -> int | None:
    """How long a text the argument, or an item of it, may be; None where it holds none of the caller's own."""
    for one in forms(argument):
        for text in (one, one.get("items", {})):
            if "maxLength" in text and "enum" not in text:
                return int(text["maxLength"])
    return None


def forms(argument: dict[str, Any]) -> list[dict[str, Any]]:
    return argument.get("anyOf", [argument])


def sample(argument: dict[str, Any]) -> Any:
    form = forms(argument)[0]
    if "enum" in form:
        return form["enum"][0]
    values = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}
    return values.get(str(form.get("type")), "orders")


def make_project(folder: Path) -> Path:
    root = folder / "shop"
    (root / "shop").mkdir(parents=True)
    (root / "shop/orders.py").write_text(
        'def order(item):\n    """One order."""\n    return item\n\n\norder(1)\n'
    )
    (root / "README.md").write_text("# Shop\n\nOrders go through `order`.\n")
    return root


if __name__ == "__main__":
    sys.exit(main())
