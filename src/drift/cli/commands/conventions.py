"""`drift conventions`: what the project decides how, as one reads a style guide."""

import argparse
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from drift.cli.calling import call_tool, say_outcome
from drift.cli.console import Console, Ink
from drift.cli.exits import Exit
from drift.cli.tables import wrap
from drift.cli.terminal_client import TerminalClient
from drift.conventions.rulebook import read_rulebook
from drift.conventions.trial import require_own, try_dimension
from drift.dimensions import CATEGORIES
from drift.index import IndexReader
from drift.kernel.errors import needed
from drift.kernel.text import plural
from drift.project import find_root, open_project
from drift.registry import Outcome, ServerName

_TOOL: Final = "drift_patterns_list"
_MOST: Final = 100
_TEST: Final = "test"
_INDENT: Final = "    "


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("category", nargs="?", help=f"one of {', '.join(CATEGORIES)}; or test")
    parser.add_argument("rule", nargs="?", help="with test: the id of a rule in .drift/rules/ to be tried")
    parser.add_argument("--path", help="the project; default: the one around this directory")
    parser.add_argument("--json", action="store_true", help="print as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    root = find_root(arguments.path, cwd=console.cwd, environ=console.environ)
    if arguments.category == _TEST:
        return _try_rule(root, needed("RULE", arguments.rule, when="a rule is tested"), console)
    wanted: dict[str, Any] = {"limit": _MOST, "sort": "id"}
    if arguments.category:
        wanted["categories"] = [arguments.category]
    client = TerminalClient(console)
    try:
        outcome = call_tool(_TOOL, wanted, console, server=ServerName.ANALYSIS, root=root, client=client)
    finally:
        client.finish()
    if arguments.json or outcome.is_error:
        return say_outcome(outcome, console, as_json=arguments.json)
    _say_guide(outcome, console)
    return Exit.OK


def _try_rule(root: Path, name: str, console: Console) -> Exit:
    """Show what a rule of the project matches, whether or not a scan has looked for it."""
    project = open_project(root, console.environ)
    dimension = require_own(read_rulebook(project.state), name)
    counts: Counter[str] = Counter()
    with IndexReader(project.state.check(project.state.index_db)) as reader, reader.snapshot():
        for match in try_dimension(reader, root, dimension):
            counts[match.variant] += 1
            console.say(f"{match.file}:{match.line}  {match.variant}")
    told = ", ".join(f"{variant} {times}" for variant, times in counts.most_common())
    console.say(f"{plural(counts.total(), 'site')}" + (f": {told}" if told else ""))
    return Exit.OK


def _say_guide(outcome: Outcome, console: Console) -> None:
    answer = outcome.structured()
    console.say(console.paint(str(answer["summary"]), Ink.BOLD))
    for category, rows in groupby(answer["data"]["patterns"], key=lambda row: row["category"]):
        console.say()
        console.say(console.paint(category, Ink.BOLD))
        for row in rows:
            first, *rest = wrap(f"{_rule(row)} ({_counts(row)})", console.prose_width - len(_INDENT))
            console.say(f"{_INDENT[2:]}{first}")
            for line in rest:
                console.say(f"{_INDENT}{line}")
    for warning in answer.get("warnings", ()):
        console.tell(warning)
    console.say()
    console.say("All about one: drift pattern-get ID; ids: drift patterns-list")


def _rule(row: dict[str, Any]) -> str:
    mark = {"approved": "✓ ", "ignored": "ignored: ", "stale": "stale: "}.get(row["status"], "")
    return f"{mark}{row['rule']}"


def _counts(row: dict[str, Any]) -> str:
    """How many follow it; of which language, where each decides by itself."""
    if row.get("sites") is None:
        return "no longer seen"
    language = row["id"].partition("@")[0].partition("#")[0].partition(":")[2]
    otherwise = f", {plural(row['outliers'], 'outlier')}" if row["outliers"] else ""
    counted = (
        f"{row['followed']} of {row['sites']} in {plural(row['files'], 'file')}, {row['level']}{otherwise}"
    )
    return f"{language}: {counted}" if language else counted
