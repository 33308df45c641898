"""`drift memory sync FOLDER`: keep memories as Markdown files, one each, to be edited by hand and shared through git."""

import argparse
from collections import Counter
from pathlib import Path
from typing import Any, Final

from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.shown import shown
from drift.kernel.text import plural, shorten
from drift.memory.store import MemoryStore, clock_ms
from drift.memory.transfer.folder_sync import (
    Move,
    Step,
    SyncPlan,
    apply_sync,
    plan_sync,
    read_agreed,
    write_agreed,
)
from drift.project import Project, find_root, open_project

_AGREED: Final = "memory-files.json"
_ACTOR: Final = "person:memory-sync"
_MOST_TOLD: Final = 200
_TITLE_CHARACTERS: Final = 90
_MEANINGS: Final = {
    Step.TAKE_NEW: "taken into the store",
    Step.TAKE_CHANGED: "taken into the store",
    Step.HIDE: "its memory is hidden; `drift memory restore ID` brings it back",
    Step.WRITE_NEW: "written to a file",
    Step.WRITE_CHANGED: "written to its file",
    Step.REMOVE: "its file goes",
    Step.CONFLICT: "left alone",
    Step.REFUSED: "left alone",
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", help="where the files are, or are to be; made if there is none")
    parser.add_argument("--yes", action="store_true", help="do it; without, what would be done is shown")
    parser.add_argument(
        "--prefer", choices=("files", "store"), help="which side counts where both changed; the other is kept"
    )
    parser.add_argument("--project", metavar="PATH", help="default: the project around this directory")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    root = find_root(arguments.project, cwd=console.cwd, environ=console.environ)
    project = open_project(root, console.environ)
    folder = Path(console.cwd, arguments.folder).resolve()
    store = MemoryStore(project.memory_db)
    try:
        plan = _sync(project, store, folder, prefer=arguments.prefer, is_done=arguments.yes)
    finally:
        store.close()
    if arguments.json:
        console.say_json(
            {"folder": str(folder), "done": arguments.yes, "moves": [_row(one) for one in plan.moves]}
        )
    else:
        _say(plan, folder, console, is_done=arguments.yes)
    return Exit.FAILED if plan.of(Step.CONFLICT, Step.REFUSED) else Exit.OK


def _sync(project: Project, store: MemoryStore, folder: Path, *, prefer: Any, is_done: bool) -> SyncPlan:
    state, now_ms = project.stores.folder / _AGREED, clock_ms()
    known = read_agreed(state, folder)
    plan = plan_sync(store, folder, known, now_ms=now_ms, prefer=prefer)
    if is_done:
        project.prepare()
        digests = apply_sync(store, folder, plan, known, now_ms=now_ms, actor=_ACTOR)
        write_agreed(state, folder, digests)
    return plan


def _row(move: Move) -> dict[str, Any]:
    memory = move.there or move.here
    return {
        "step": str(move.step),
        "file": move.name,
        "id": memory.id if memory else None,
        "title": shorten(memory.title, _TITLE_CHARACTERS) if memory else None,
        "reason": move.reason or None,
    }


def _say(plan: SyncPlan, folder: Path, console: Console, *, is_done: bool) -> None:
    for move in plan.moves[:_MOST_TOLD]:
        memory = move.there or move.here
        title = f": {shown(shorten(memory.title, _TITLE_CHARACTERS))}" if memory else ""
        reason = f" ({shown(move.reason)})" if move.reason else ""
        console.say(f"{move.step}  {shown(move.name)}{title}{reason}")
    if len(plan.moves) > _MOST_TOLD:
        console.say(f"and {len(plan.moves) - _MOST_TOLD} more")
    counts = Counter(move.step for move in plan.moves)
    for step, count in counts.items():
        console.say(f"{count} x {step}: {_MEANINGS[step]}")
    agreed = plural(len(plan.agreed), "memory", "memories")
    console.say(f"{agreed} the same on both sides of {shown(str(folder))}")
    if plan.of(Step.CONFLICT):
        console.say(
            "Where both changed, --prefer files or --prefer store says which counts; the other is kept."
        )
    if plan.moves and not is_done:
        console.say("Nothing was done yet: --yes does it.")
