"""`drift index`: hand the index on. publish puts a snapshot of it into a store, pull starts from one that is there."""

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
from drift.scan.exchange import Snapshot, publish_index
from drift.scan.pulling import pull_index
from drift.scan.record import kept_choices
from drift.scan.snapshot_stores import open_store

_VERBS: Final = ("publish", "pull")
_COMMIT_DIGITS: Final = 12
_MB: Final = 1_000_000


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("verb", choices=_VERBS, help="publish: put a snapshot there; pull: start from one")
    parser.add_argument(
        "place",
        help="the folder that is shared, or a URL such as s3://bucket/folder; pull believes its owner",
    )
    parser.add_argument("path", nargs="?", help="the project; default: the one around this directory")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    root = find_root(arguments.path, cwd=console.cwd, environ=console.environ)
    project = open_project(root, console.environ)
    if arguments.verb == "publish":
        return _publish(arguments, project, console)
    return _pull(arguments, project, console)


def _publish(arguments: argparse.Namespace, project: Project, console: Console) -> Exit:
    made = publish_index(project.root, open_store(arguments.place, console.cwd))
    if arguments.json:
        console.say_json(made._asdict())
    else:
        console.say(f"Published {shown(made.path)}: {made.size / _MB:.1f} MB, {_say_commit(made)}")
    return Exit.OK


def _pull(arguments: argparse.Namespace, project: Project, console: Console) -> Exit:
    options = ScanOptions.chosen(project.config.scan, kept_choices(project.state))
    progress = ScanProgress(console)
    try:
        store = open_store(arguments.place, console.cwd)
        taken, report = pull_index(project.root, store, options, progress=progress)
    finally:
        progress.finish()
    if arguments.json:
        console.say_json({"snapshot": taken._asdict(), "report": to_wire(report)})
    else:
        console.say(f"Started from {shown(taken.path)}, {_say_commit(taken)}")
        console.say(
            f"  {plural(report.read, 'file')} read, {report.removed:,} gone; {plural(report.files, 'file')} and "
            f"{plural(report.symbols, 'symbol')} in the index, after {report.seconds:.1f} s"
        )
    return Exit.OK


def _say_commit(snapshot: Snapshot) -> str:
    return f"made at {snapshot.commit[:_COMMIT_DIGITS]}" if snapshot.commit else "made without git"
