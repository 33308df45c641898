"""`drift index`: hand the index on. publish puts a snapshot of it into a folder, pull starts from one that is there."""

import argparse
from typing import Final

from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.scan_progress import ScanProgress
from drift.cli.shown import shown
from drift.kernel.text import plural
from drift.kernel.wire import to_wire
from drift.project import Project, find_root, open_project
from drift.scan import ScanOptions
from drift.scan.exchange import Snapshot, publish_index, pull_index
from drift.scan.record import kept_choices

_VERBS: Final = ("publish", "pull")
_COMMIT_DIGITS: Final = 12
_MB: Final = 1_000_000


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("verb", choices=_VERBS, help="publish: put a snapshot there; pull: start from one")
    parser.add_argument("folder", help="the folder that is shared; pull believes its owner")
    parser.add_argument("path", nargs="?", help="the project; default: the one around this directory")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    root = find_root(arguments.path, cwd=console.cwd, environ=console.environ)
    project = open_project(root, console.environ)
    if arguments.verb == "publish":
        return _publish(arguments, project, console)
    return _pull(arguments, project, console)


def _publish(arguments: argparse.Namespace, project: Project, console: Console) -> Exit:
    made = publish_index(project.root, console.cwd / arguments.folder)
    if arguments.json:
        console.say_json(_as_wire(made))
    else:
        console.say(f"Published {shown(str(made.path))}: {made.size / _MB:.1f} MB, {_say_commit(made)}")
    return Exit.OK


def _pull(arguments: argparse.Namespace, project: Project, console: Console) -> Exit:
    options = ScanOptions.chosen(project.config.scan, kept_choices(project.state))
    progress = ScanProgress(console)
    try:
        taken, report = pull_index(project.root, console.cwd / arguments.folder, options, progress=progress)
    finally:
        progress.finish()
    if arguments.json:
        console.say_json({"snapshot": _as_wire(taken), "report": to_wire(report)})
    else:
        console.say(f"Started from {shown(str(taken.path))}, {_say_commit(taken)}")
        console.say(
            f"  {plural(report.read, 'file')} read, {report.removed:,} gone; {plural(report.files, 'file')} and "
            f"{plural(report.symbols, 'symbol')} in the index, after {report.seconds:.1f} s"
        )
    return Exit.OK


def _say_commit(snapshot: Snapshot) -> str:
    return f"made at {snapshot.commit[:_COMMIT_DIGITS]}" if snapshot.commit else "made without git"


def _as_wire(snapshot: Snapshot) -> dict[str, object]:
    return {**snapshot._asdict(), "path": str(snapshot.path)}
