"""What each analysis answer costs a running server: asked first, asked anew, and asked after an edit.

    python benchmarks/analyses.py PROJECT FILE [--count 5] [--over 300] [--only TOOL]...

Asks every action of the tools of architecture, languages and quality that needs no symbol; what needs a module is
asked about FILE. `first` is the first question of all to a process, `warm` the 95th percentile of `--count` questions
that no cache has the answer to, `edited` the dearest of three after a function was added to FILE and the index was brought
up to date by another question. All are CPU milliseconds of the server (Linux only). FILE is changed and put back: ask about a
copy of the project.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from query import Server, at_percent, scan_at

_MANIFEST = Path(__file__).parents[1] / "src" / "drift" / "tools" / "manifest.json"
_LANGUAGES = ("cpp", "csharp", "go", "java", "php", "python", "rust", "typescript", "wpf")
_TOOLS = (
    "drift_coupling", "drift_wrappers", *(f"drift_{one}" for one in _LANGUAGES), "drift_graph", "drift_dead_code",
    "drift_error_handling", "drift_constants", "drift_env", "drift_test_topology", "drift_boundaries",
    "drift_contracts_list", "drift_middleware", "analyze_complexity", "analyze_graph_metrics", "analyze_dag",
)  # fmt: skip
# Questions about something that only a person can name, and those that write.
_LEFT = {"variable", "file", "get", "usages", "paths", "affected", "mermaid"}
_LEVELS = ("file", "folder", "package", "layer")
# What to add to a file, by its ending.
_ADDED = {
    ".py": "\n\ndef added_here_{number}(value):\n    return str(value)\n",
    ".ts": "\nexport function addedHere{number}(value: string) {{\n  return String(value);\n}}\n",
    ".php": "\nfunction addedHere{number}($value)\n{{\n    return strval($value);\n}}\n",
}


def questions(file: str, listed: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every question as (tool, arguments), without what makes it one of many."""
    for entry in json.loads(_MANIFEST.read_text("utf-8")):
        name = entry["name"]
        if name not in _TOOLS or name not in listed:
            continue
        properties = entry["input_schema"]["properties"]
        actions = [one for one in properties.get("action", {}).get("enum", [None]) if one not in _LEFT]
        for action in actions:
            given = {} if action is None else {"action": action}
            if name == "drift_coupling":
                named = {"module": file} if action in ("analyze", "refactor-impact") else {}
                levels = ("file",) if named or action in ("layers", "unused-exports") else _LEVELS
                yield from ((name, {**given, **named, "level": level}) for level in levels)
            elif name == "drift_error_handling" and action == "analyze":
                yield name, {**given, "target": file}
            elif name == "drift_test_topology" and action == "coverage":
                yield name, {**given, "file": file}
            else:
                yield name, given


class Edited:
    """A file that gets one function more with each edit and is put back at the end."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._text = file.read_bytes()
        self._number = 0

    def edit(self) -> None:
        self._number += 1
        added = _ADDED[self._file.suffix].format(number=self._number)
        self._file.write_bytes(self._text + added.encode())

    def restore(self) -> None:
        self._file.write_bytes(self._text)


def spent(server: Server, tool: str, arguments: dict[str, Any], tokens: int) -> float:
    """CPU milliseconds of one answer; another budget makes it another question."""
    took = server.call(tool, {**arguments, "maxTokens": tokens})
    if took.cpu_ms is None:
        raise SystemExit("the CPU time of another process is only told by Linux")
    return took.cpu_ms


def measure(
    root: Path, file: str, *, count: int, only: list[str], home: str
) -> Iterator[tuple[str, float, float, float]]:
    scan_at(root, home)
    server = Server(root, home)
    _, message = server.ask("tools/list", {})
    listed = {tool["name"] for tool in message["result"]["tools"]}
    listed = listed & set(only) if only else listed
    server.close()
    edited = Edited(root / file)
    for tool, arguments in questions(file, listed):
        server = Server(root, home)
        first = spent(server, tool, arguments, 2_000)
        warm = [spent(server, tool, arguments, 2_001 + turn) for turn in range(count)]
        after = []
        try:
            for turn in range(3):
                edited.edit()
                spent(server, "drift_files_list", {"glob": file}, 3_000 + turn)
                after.append(spent(server, tool, arguments, 4_000 + turn))
        finally:
            edited.restore()
        server.call("drift_files_list", {"glob": file, "maxTokens": 5_000})
        server.close()
        words = " ".join(str(value) for value in arguments.values() if value != file)
        yield f"{tool} {words}".strip(), first, at_percent(warm, 95), max(after)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("project", type=Path)
    parser.add_argument("file")
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("--over", type=float, default=300.0)
    parser.add_argument("--only", action="append", default=[], help="a tool; repeatable")
    options = parser.parse_args()
    print("| question | first | warm | edited |\n| --- | --- | --- | --- |")
    rows = []
    with tempfile.TemporaryDirectory() as home:
        root = options.project.resolve()
        for row in measure(root, options.file, count=options.count, only=options.only, home=home):
            rows.append(row)
            name, *times = row
            cells = [f"**{one:.0f}**" if one > options.over else f"{one:.0f}" for one in times]
            print(f"| {name} | {' | '.join(cells)} |", flush=True)
    for title, place in (("first", 1), ("warm", 2), ("edited", 3)):
        values = [row[place] for row in rows]
        over = sum(value > options.over for value in values)
        print(
            f"{title}: p95 {at_percent(values, 95):.0f} ms, {over} of {len(values)} over {options.over:.0f}"
        )


if __name__ == "__main__":
    main()
