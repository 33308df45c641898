"""`drift export`: the graph, the symbols, or what files use of each other, for other programs."""

import argparse

from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.exports import EXPORTS
from drift.index import IndexReader
from drift.kernel.errors import invalid
from drift.project import find_root, open_project


def configure(parser: argparse.ArgumentParser) -> None:
    formats = "; ".join(f"{what}: {', '.join(forms)}" for what, forms in EXPORTS.items())
    parser.add_argument(
        "what",
        choices=sorted(EXPORTS),
        help="the graph of calls, the symbols alone, or what files use of each other",
    )
    parser.add_argument("path", nargs="?", help="the project; default: the one around this directory")
    parser.add_argument("--format", default="jsonl", help=f"default: jsonl; {formats}")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    forms = EXPORTS[arguments.what]
    if arguments.format not in forms:
        raise invalid(
            "--format", f"got {arguments.format[:60]!r}; allowed for {arguments.what}: {', '.join(forms)}"
        )
    root = find_root(arguments.path, cwd=console.cwd, environ=console.environ)
    state = open_project(root, console.environ).state
    with IndexReader(state.check(state.index_db)) as reader, reader.snapshot():
        for line in forms[arguments.format](reader):
            console.say(line)
    return Exit.OK
