"""`drift admin`: where a project's memories, decisions and counts are kept. Takes them into a team's database, or back."""

import argparse
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.shown import shown
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.sharing import Place, place_of
from drift.kernel.text import plural
from drift.project import Project, find_root, open_project

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from drift.kernel.postgres.transfer import Movable, StoreReport
    from drift.kernel.precious import Layout

_TO_POSTGRES: Final = "migrate-to-postgres"
_TO_SQLITE: Final = "migrate-to-sqlite"
_BUSY_SECONDS: Final = 10.0


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "verb",
        choices=(_TO_POSTGRES, _TO_SQLITE),
        help="take the project's stores into the database of team.database, or copy them into files again",
    )
    parser.add_argument("path", nargs="?", help="the project; default: the one around this directory")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    root = find_root(arguments.path, cwd=console.cwd, environ=console.environ)
    project = open_project(root, console.environ)
    places = {name: place_of(path) for name, path in project.stores.precious.items()}
    reports = []
    for store in _stores(project, {name: place for name, place in places.items() if place is not None}):
        found = _move(store, arguments.verb)
        if found is not None:
            reports.append(found)
            if not arguments.json:
                _say(found, console)
    if arguments.json:
        console.say_json({"stores": [_as_wire(each) for each in reports]})
    else:
        console.say(_say_end(arguments.verb, reports))
    return Exit.OK


def _stores(project: Project, places: dict[str, Place]) -> "Iterator[Movable]":
    if not places:
        raise DriftError(
            ErrorCode.CONFIG_INVALID,
            "No database is named.",
            Recovery(hint="Set DRIFT_TEAM_DATABASE, or team.database in settings.toml of Drift's home."),
        )
    from drift.catalog.journal import LAYOUT as CATALOG  # only who takes stores elsewhere needs them
    from drift.memory.transfer.database import movable_memories
    from drift.state import LAYOUT as STATE

    paths = project.stores.precious
    yield movable_memories(places["memory"], paths["memory"])
    yield _movable(places["catalog"], paths["catalog"], CATALOG)
    yield _movable(places["state"], paths["state"], STATE)


def _movable(place: Place, path: "Path", layout: "Layout") -> "Movable":
    from drift.kernel.postgres.transfer import Movable  # as above
    from drift.kernel.precious import share_precious
    from drift.kernel.stores import open_store

    @contextmanager
    def open_file(file: "Path") -> "Iterator[sqlite3.Connection]":
        opened = open_store(
            file, layout.schema(), timeout_seconds=_BUSY_SECONDS, migrations=layout.migrations()
        )
        with closing(opened) as connection:
            yield connection

    return Movable(place.store, path, open_file, share_precious(place, path, layout, is_beside_file=True))


def _move(store: "Movable", verb: str) -> "StoreReport | None":
    import sqlite3  # as above

    from drift.kernel.postgres.transfer import move_to_database, move_to_file

    try:
        return move_to_database(store, datetime.now(UTC)) if verb == _TO_POSTGRES else move_to_file(store)
    except (sqlite3.Error, OSError) as error:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"The {store.name} in {store.path} could not be taken over: {error}",
            Recovery(hint="Nothing was changed. End what uses it, check the disk, then call again."),
        ) from error


def _say(report: "StoreReport", console: Console) -> None:
    console.say(
        f"{report.store}: {plural(sum(one.rows for one in report.tables), 'row')}, compared one by one"
    )
    for one in report.tables:
        console.say(f"  {one.table:<14}{one.rows:>9,}  {one.digest}")
    if report.kept_aside is not None:
        console.say(f"  the file is kept: {shown(str(report.kept_aside))}")


def _say_end(verb: str, reports: "list[StoreReport]") -> str:
    if not reports:
        return "There was nothing to take over"
    if verb == _TO_POSTGRES:
        return "From now on these are in the team's database"
    return "Copied; the database keeps its own. Take team.database out of the settings to use the files"


def _as_wire(report: "StoreReport") -> dict[str, object]:
    tables = [{"table": one.table, "rows": one.rows, "digest": one.digest} for one in report.tables]
    aside = {"keptAside": str(report.kept_aside)} if report.kept_aside else {}
    return {"store": report.store, "tables": tables, **aside}
