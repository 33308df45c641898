"""`drift version`: which Drift this is, and what runs it."""

import argparse
import sys

from drift import __version__
from drift.cli.console import Console
from drift.cli.exits import Exit


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    python = ".".join(map(str, sys.version_info[:3]))
    if arguments.json:
        about = {
            "version": __version__,
            "python": python,
            "platform": sys.platform,
            "executable": sys.executable,
        }
        console.say_json({"name": "drift-mcp", **about})
    else:
        console.say(f"drift {__version__} (Python {python})")
    return Exit.OK
