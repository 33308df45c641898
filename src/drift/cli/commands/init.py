"""`drift init`: set a project up, asking for what is missing where a person can answer."""

import argparse
from dataclasses import replace
from typing import Any, Final

from drift.cli.calling import call_tool, say_outcome
from drift.cli.console import Console, Ink
from drift.cli.exits import Exit
from drift.cli.terminal_client import TerminalClient
from drift.project import StateDir, find_root
from drift.registry import ServerName

# A person who is asked may think for longer than a call may take.
_PATIENCE: Final = {"DRIFT_MCP_CALL_TIMEOUT_SECONDS": "3600"}
_NEXT: Final = (
    ("drift scan", "read its code into the index"),
    ("drift install --list", "connect an agent to this project"),
    ("drift doctor", "check that everything works"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", help="the project; default: the one around this directory")
    parser.add_argument("--name", help="name of the project; default: its directory's")
    parser.add_argument("--no-register", action="store_true", help="keep it off the list of projects")
    parser.add_argument("--yes", "-y", action="store_true", help="ask nothing, take the defaults")
    parser.add_argument("--json", action="store_true", help="print the whole answer as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    root = find_root(arguments.path, cwd=console.cwd, environ=console.environ)
    wanted: dict[str, Any] = {"action": "init"}
    if arguments.name is not None:
        wanted["name"] = arguments.name
    if arguments.no_register:
        wanted["register"] = False
    client = TerminalClient(console, may_ask=not (arguments.yes or arguments.json))
    patient = replace(console, environ={**console.environ, **_PATIENCE}) if client.can_answer else console
    try:
        outcome = call_tool(
            "drift_setup", wanted, patient, server=ServerName.ANALYSIS, root=root, client=client
        )
    finally:
        client.finish()
    code = say_outcome(outcome, console, as_json=arguments.json)
    if code is Exit.OK and not arguments.json:
        console.say()
        console.say("Next:")
        is_scanned = StateDir(root).index_db.exists()
        for command, purpose in _NEXT[1:] if is_scanned else _NEXT:
            console.say(f"  {console.paint(command, Ink.CYAN)}  {console.paint(f'# {purpose}', Ink.DIM)}")
    return code
