"""`drift report`: the quality of the project as one HTML file, or in short as Markdown."""

import argparse
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from drift.cli.calling import call_tool, say_outcome
from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.shown import shown
from drift.cli.terminal_client import TerminalClient
from drift.context.report_page import gather_page
from drift.index import IndexReader
from drift.kernel.errors import invalid
from drift.kernel.files import write_atomically
from drift.kernel.paths import is_inside
from drift.project import Project, find_root, open_project
from drift.project.home import expand_home
from drift.quality.page import write_page, write_summary
from drift.registry import ServerName

_STANDARD_OUTPUT: Final = "-"
_WRITERS: Final = {"html": write_page, "markdown": write_summary}
_NAMES: Final = {"html": "report.html", "markdown": "report.md"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", help="the project; default: the one around this directory")
    parser.add_argument(
        "--output",
        metavar="FILE",
        help="where to write it, - for the screen; default: .drift/exports/report.html, or report.md",
    )
    parser.add_argument(
        "--format",
        choices=tuple(_WRITERS),
        default="html",
        help="html: one file that needs no other; markdown: in short, for a comment on a change; default: html",
    )


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    root = find_root(arguments.path, cwd=console.cwd, environ=console.environ)
    project = open_project(root, console.environ)
    target = _target(arguments.output, project, console, name=_NAMES[arguments.format])
    client = TerminalClient(console)
    try:
        # Also brings the index up to date, and scans where there is none.
        outcome = call_tool(
            "analyze_health", {}, console, server=ServerName.ANALYSIS, root=root, client=client
        )
        if outcome.is_error:
            return say_outcome(outcome, console, as_json=False)
        with IndexReader(project.state.check(project.state.index_db)) as reader, reader.snapshot():
            page = gather_page(project, reader, datetime.now(UTC), progress=client.report)
    finally:
        client.finish()
    document = _WRITERS[arguments.format](page)
    if target is None:
        console.say(document.removesuffix("\n"))
        return Exit.OK
    write_atomically(target, document)
    console.say(f"{outcome.body['summary']}. Written to {shown(str(target))}")
    return Exit.OK


def _target(output: str | None, project: Project, console: Console, *, name: str) -> Path | None:
    """Where the report goes; None is standard output. A link in the project may not lead it elsewhere."""
    if output == _STANDARD_OUTPUT:
        return None
    if output is None:
        folder = project.state.ensure().check(project.state.exports)
        folder.mkdir(exist_ok=True)
        place = folder / name
    else:
        place = Path(os.path.normpath(console.cwd / expand_home(output, console.environ)))
    if place.is_symlink():
        raise invalid("--output", f"{shown(str(place))} is a link, and would be written elsewhere")
    if place.is_relative_to(project.root) and not is_inside(project.root, place):
        raise invalid("--output", f"{shown(str(place))} lies behind a link that leads out of the project")
    if place.is_dir() or not place.parent.is_dir():
        raise invalid(
            "--output", f"{shown(str(place))} is no place for a file: name one in a folder that is there"
        )
    return place
