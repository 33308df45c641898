"""`drift memory salvage`: get what can be read out of damaged memories; the damaged file is kept aside."""

import argparse

from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.shown import shown
from drift.kernel.text import plural
from drift.kernel.wire import to_wire
from drift.project import find_root, open_project


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", help="the project; default: the one around this directory")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    from drift.memory.salvage import salvage  # brings SQLite, which asking for help does not need

    root = find_root(arguments.path, cwd=console.cwd, environ=console.environ)
    report = salvage(open_project(root, console.environ).memory_db)
    if arguments.json:
        console.say_json(to_wire(report))
        return Exit.OK
    console.say(
        f"{plural(report.memories, 'memory', 'memories')} saved, {report.from_log} more from the log alone, "
        f"{plural(report.edges, 'edge')}; {report.unreadable} could not be read"
    )
    console.say(f"The damaged file is kept: {shown(str(report.kept_aside))}")
    return Exit.OK
