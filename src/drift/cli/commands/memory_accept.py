"""`drift memory accept`: look at memories that lie in the project and were not made here, then take them in or dismiss them."""

import argparse
import itertools
from pathlib import Path
from typing import Any, Final

from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.shown import shown
from drift.kernel.errors import DriftError
from drift.kernel.text import plural, shorten
from drift.project import Project, find_root, open_project
from drift.project.leftovers import dismiss

_TITLES: Final = 20
_TITLE_CHARACTERS: Final = 100


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", help="the project; default: the one around this directory")
    parser.add_argument("--yes", action="store_true", help="take them in, with less confidence")
    parser.add_argument(
        "--discard", action="store_true", help="say no more of them; the files stay as they are"
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    root = find_root(arguments.path, cwd=console.cwd, environ=console.environ)
    project = open_project(root, console.environ)
    rows = [_look(path, project) for path in project.stores.leftovers.quarantined]
    if rows and (arguments.yes or arguments.discard):
        project.prepare()
        for row in rows:
            row["done"] = _discard(row, project) if arguments.discard else _take_in(row, project)
    if arguments.json:
        console.say_json({"stores": rows})
        return Exit.OK
    if not rows:
        console.say("Nothing waits to be accepted")
    for row in rows:
        _say(row, console)
    if rows and not (arguments.yes or arguments.discard):
        console.say("Take them in with --yes, or dismiss them with --discard.")
    return Exit.OK


def _look(path: Path, project: Project) -> dict[str, Any]:
    row: dict[str, Any] = {"file": path.relative_to(project.root).as_posix()}
    if path.name != project.stores.memory_db.name:
        return row | {"holds": "uses and feedback of instructions, which cannot be taken in"}
    from drift.memory.transfer.accepting import looking_at, read_memories  # brings SQLite

    try:
        with looking_at(project.root, path) as store:
            counts = store.counts()
            first = itertools.islice(read_memories(store), _TITLES)
            titles = [shorten(one.title, _TITLE_CHARACTERS) for one in first]
    except DriftError as error:
        return row | {"problem": error.message}
    return row | {"memories": counts.current, "byType": dict(counts.by_type), "titles": titles}


def _take_in(row: dict[str, Any], project: Project) -> str:
    if "memories" not in row:
        return "left as it is"
    from drift.memory.store import MemoryStore  # as above
    from drift.memory.transfer.accepting import looking_at, read_memories, take_in

    path = project.root / row["file"]
    kept = MemoryStore(project.memory_db)
    try:
        with looking_at(project.root, path) as store:
            added = take_in(read_memories(store), kept, origin=row["file"])
    finally:
        kept.close()
    dismiss(project.stores.folder, path)
    return f"{plural(added.added, 'memory', 'memories')} taken in, {added.skipped} were there already"


def _discard(row: dict[str, Any], project: Project) -> str:
    dismiss(project.stores.folder, project.root / row["file"])
    return "dismissed: the file stays, and is neither read nor told of as long as it does not change"


def _say(row: dict[str, Any], console: Console) -> None:
    about = row.get("problem") or row.get("holds")
    if about is None:
        types = ", ".join(f"{count} {kind}" for kind, count in row["byType"].items())
        about = f"{plural(row['memories'], 'memory', 'memories')} ({types})"
    console.say(f"{shown(row['file'])}: {shown(about)}")
    for title in row.get("titles", ()):
        console.say(f"  {shown(title)}")
    if len(row.get("titles", ())) < row.get("memories", 0):
        console.say(f"  and {row['memories'] - len(row['titles'])} more")
    if "done" in row:
        console.say(f"  {row['done']}")
