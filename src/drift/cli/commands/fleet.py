"""`drift fleet`: keep the indexes of many repositories, and ask all of them.

update fetches and scans what changed, status says how they stand; the other verbs are questions, as `drift_fleet` answers them.
"""

import argparse
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from drift.cli.calling import call_and_say
from drift.cli.console import Console, Ink
from drift.cli.exits import Exit
from drift.cli.shown import shown
from drift.fleet import (
    Fleet,
    FleetReport,
    FleetStore,
    Outcome,
    Wish,
    read_fleet,
    report_fleet,
    update_fleet,
    write_fleet_page,
)
from drift.kernel.errors import invalid
from drift.kernel.files import write_atomically
from drift.kernel.text import plural
from drift.kernel.wire import to_wire
from drift.project.config import load_config
from drift.project.home import expand_home
from drift.registry import ServerName

_SUBJECTS: Final = {
    "callers": "function",
    "conventions": "convention",
    "contracts": "repository",
    "instructions": "search",
}
"""Questions, and which argument of `drift_fleet` the word behind them is."""
_FILE_VARIABLE: Final = "DRIFT_FLEET_FILE"
_MOST_WORKERS: Final = 1_000
_INKS: Final = {"current": Ink.GREEN, "old": Ink.YELLOW, "failed": Ink.RED, "never": Ink.RED}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "verb",
        choices=("update", "status", *_SUBJECTS),
        help="update: fetch and scan what changed; status: how they stand; the others ask",
    )
    parser.add_argument(
        "subject", nargs="?", help="callers: a function; conventions: an id; instructions: words or an id"
    )
    parser.add_argument(
        "--repository", metavar="NAME", help="callers: whose function; contracts: of this one"
    )
    parser.add_argument(
        "--file", metavar="TOML", help="the fleet's list; default: fleet.file of settings.toml"
    )
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes that scan; default: as the list says"
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="scan on the workers of this Dask scheduler: tls://host:8786"
    )
    parser.add_argument("--only", action="append", metavar="NAME", help="of the repositories; repeatable")
    parser.add_argument("--force", action="store_true", help="scan again what has not changed")
    parser.add_argument("--html", metavar="FILE", help="status: write a page")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    file = _list_of(arguments.file, console)
    if arguments.verb in _SUBJECTS:
        return _ask(arguments, file, console)
    fleet = read_fleet(file)
    if arguments.verb == "status":
        return _say_status(arguments, fleet, console)
    return _update(arguments, fleet, console)


def _list_of(given: str | None, console: Console) -> Path:
    named = given or load_config(console.cwd, console.environ).fleet.file
    if not named:
        raise invalid(
            "file", "names no fleet: give --file, or set fleet.file in settings.toml of Drift's home"
        )
    return console.cwd / expand_home(named, console.environ)


def _ask(arguments: argparse.Namespace, file: Path, console: Console) -> Exit:
    """A question, answered as over MCP."""
    given = {
        "action": arguments.verb,
        "repository": arguments.repository,
        **({_SUBJECTS[arguments.verb]: arguments.subject} if arguments.subject else {}),
    }
    wanted = {name: value for name, value in given.items() if value is not None}
    there = replace(console, environ={**console.environ, _FILE_VARIABLE: str(file.absolute())})
    return call_and_say("drift_fleet", wanted, there, server=ServerName.ANALYSIS, as_json=arguments.json)


def _update(arguments: argparse.Namespace, fleet: Fleet, console: Console) -> Exit:
    if arguments.workers is not None and not 1 <= arguments.workers <= _MOST_WORKERS:
        raise invalid("workers", f"must be from 1 to {_MOST_WORKERS:,}")
    names = {each.name for each in fleet.repositories}
    if unknown := sorted(set(arguments.only or ()) - names):
        raise invalid("only", f"{unknown[0]} is not in the fleet")

    def tell(done: int, total: int, outcome: Outcome) -> None:
        what = outcome.reason or (f"{outcome.files:,} files" if outcome.files is not None else "unchanged")
        console.tell(f"{done}/{total} {shown(outcome.name)}: {shown(what)}")

    wish = Wish(arguments.scheduler, arguments.workers, frozenset(arguments.only or ()), arguments.force)
    report = update_fleet(fleet, wish, told=tell)
    if arguments.json:
        console.say_json(to_wire(report))
    else:
        console.say(
            f"{plural(report.repositories, 'repository', 'repositories')}: {report.scanned} scanned, {report.unchanged} unchanged, "
            f"{report.failed} failed; {report.cpu_seconds:,.1f} CPU s"
        )
    return Exit.OK if not report.failed else Exit.FAILED


def _say_status(arguments: argparse.Namespace, fleet: Fleet, console: Console) -> Exit:
    states = {}
    if fleet.database.is_file():
        with FleetStore(fleet.database) as store:
            states = store.states()
    report = report_fleet(fleet, states, datetime.now(UTC))
    if arguments.html:
        write_atomically(console.cwd / expand_home(arguments.html, console.environ), write_fleet_page(report))
    if arguments.json:
        console.say_json(to_wire(report))
    else:
        _say_report(report, console)
    return Exit.OK


def _say_report(report: FleetReport, console: Console) -> None:
    console.say(report.summary)
    for row in sorted(report.repositories, key=report.ranked().usual().key):
        about = row.reason or f"{row.commit or '-'} {row.scanned_at}, {row.files or 0:,} files"
        console.say(f"  {console.paint(row.standing, _INKS[row.standing])} {shown(row.name)}: {shown(about)}")
