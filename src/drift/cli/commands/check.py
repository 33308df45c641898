"""`drift check`: whether what changed may go in, for people, hooks and CI. Ends with 0, 1 (not kept) or 2 (cannot be told)."""

import argparse
import json
from pathlib import Path
from typing import Any, Final

from drift.cli.calling import call_tool
from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.failures import say_failure
from drift.cli.terminal_client import TerminalClient
from drift.guards.baseline import BASELINE, write_baseline
from drift.kernel.files import write_atomically
from drift.kernel.text import plural
from drift.project import StateDir, find_root
from drift.registry import Outcome, ServerName

_TOOL: Final = "drift_quality_gate"
_SECURITY: Final = "security"
_FORMATS: Final = ("text", "json", "github", "gitlab", "sarif", "junit", "markdown")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", help="only findings in these files")
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--base", metavar="COMMIT", help="what changed since a commit, or in a range A..B")
    chosen.add_argument("--staged", action="store_true", help="what a commit would take")
    chosen.add_argument("--working", action="store_true", help="what is not committed")
    chosen.add_argument("--all", action="store_true", help="all code, changed or not")
    parser.add_argument("--base-branch", metavar="BRANCH", help="compare with where the branch left this one")
    parser.add_argument(
        "--policy",
        default="default",
        help="default, strict, relaxed, ci-fast, thresholds, security, branch, or an own one",
    )
    parser.add_argument("--gate", action="append", default=[], help="only this gate; may be given again")
    parser.add_argument(
        "--security", action="store_true", help="the policy security: boundaries, flows of data, secrets"
    )
    parser.add_argument("--format", choices=_FORMATS, default="text", help="form of the report")
    parser.add_argument("--output", metavar="FILE", help="write the report to a file")
    parser.add_argument(
        "--update-baseline",
        action="store_true",
        help=f"take all findings there are into .drift/rules/{BASELINE}",
    )
    parser.add_argument("--path", help="the project; default: the one around this directory")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    root = find_root(arguments.path, cwd=console.cwd, environ=console.environ)
    wish = _wish(arguments, root, console)
    client = TerminalClient(console)
    try:
        outcome = call_tool(_TOOL, wish, console, server=ServerName.ANALYSIS, root=root, client=client)
    finally:
        client.finish()
    if outcome.is_error:
        say_failure(outcome.structured(), console, as_json=False)
        return Exit.USAGE  # nothing could be told, which is no pass
    data = outcome.structured()["data"]
    if arguments.update_baseline:
        return _update(StateDir(root), data, console)
    _say(outcome, data, arguments.output, console)
    return Exit(data["exitCode"])


def _wish(arguments: argparse.Namespace, root: Path, console: Console) -> dict[str, Any]:
    against = "staged" if arguments.staged else "working" if arguments.working else arguments.base
    is_whole = arguments.all or arguments.update_baseline
    form = "json" if arguments.update_baseline else arguments.format
    wish = {
        "policy": _SECURITY if arguments.security else arguments.policy,
        "gates": arguments.gate,
        "format": form,
        "verbose": True,
        "against": "all" if is_whole else against,
        "baseBranch": arguments.base_branch,
        "files": [_inside(each, root, console) for each in arguments.files],
    }
    return {key: value for key, value in wish.items() if value not in (None, [])}


def _inside(given: str, root: Path, console: Console) -> str:
    """The way from the root to a file that a person names from where they stand."""
    place = (console.cwd / given).resolve()
    return place.relative_to(root.resolve()).as_posix() if place.is_relative_to(root.resolve()) else given


def _update(state: StateDir, data: dict[str, Any], console: Console) -> Exit:
    findings = json.loads(data["document"])["findings"]
    if data["status"] == "errored":
        console.tell("Not all gates could be evaluated: the baseline is left as it is.")
        return Exit.USAGE
    count = write_baseline(state, findings)
    console.say(f"{plural(count, 'finding')} in .drift/rules/{BASELINE}; review and commit it")
    return Exit.OK


def _say(outcome: Outcome, data: dict[str, Any], output: str | None, console: Console) -> None:
    document = str(data["document"])
    if output is not None:
        write_atomically(console.cwd / output, document)
        console.tell(str(outcome.structured()["summary"]))
    else:
        console.say(document.rstrip("\n"))
