"""`drift __complete`: the symbols and files that begin with a word, for the scripts of `drift completion`.

A shell waits for it at every press of a key, so it asks the index as it is: nothing is scanned or brought up to date,
and where there is no index it says nothing.
"""

import argparse
import sqlite3
from typing import Final

from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.project import StateDir, find_root

_MOST: Final = 100


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("prefix", nargs="?", default="")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    for name in _names(arguments.prefix, console):
        # A name with a blank or a control character would be several words, or worse, to a shell.
        if name.isprintable() and not any(char.isspace() for char in name):
            console.say(name)
    return Exit.OK


def _names(prefix: str, console: Console) -> list[str]:
    try:
        state = StateDir(find_root(None, cwd=console.cwd, environ=console.environ))
        if not state.index_db.exists():
            return []
        with IndexReader(state.check(state.index_db)) as reader:
            return [
                *reader.symbols.names_beginning(prefix, limit=_MOST),
                *reader.files.paths_beginning(prefix, limit=_MOST),
            ]
    except (DriftError, sqlite3.Error, OSError, UnicodeError):
        return []  # a message would stand in the middle of what is typed
