"""`drift memory restore --from DATE`: put a backup in the place of the memories; the present ones are kept beside it.

`drift memory restore ID` brings a single memory back that was deleted.
"""

import argparse
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.shown import shown
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.sharing import refuse_shared
from drift.kernel.text import plural, shorten
from drift.kernel.wire import to_wire
from drift.project import find_root, open_project

if TYPE_CHECKING:
    from drift.project.backups import Backup

_LATEST: Final = "latest"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--list", action="store_true", help="show the backups and change nothing; the default"
    )
    parser.add_argument(
        "--from", dest="day", metavar="DATE", help="the day of the backup to put in place, or latest"
    )
    parser.add_argument(
        "--store",
        choices=tuple(_CHECKS),
        default="memory",
        help="which store: memories, uses and feedback of instructions, or what was decided; default: memory",
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    from drift.project.backups import (  # brings SQLite, which asking for help does not need
        list_backups,
        restore,
    )

    stores = open_project(find_root(None, cwd=console.cwd, environ=console.environ), console.environ).stores
    refuse_shared(stores.precious[arguments.store], "Restoring")
    backups = list_backups(stores, arguments.store)
    if arguments.list or arguments.day is None:
        _say_backups(backups, console, as_json=arguments.json)
        return Exit.OK
    chosen = next((each for each in backups if arguments.day in (_LATEST, each.day)), None)
    if chosen is None:
        raise _missing(arguments.day, len(backups))
    try:
        aside = restore(chosen, stores, _CHECKS[arguments.store])
    except (OSError, sqlite3.Error) as error:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE, f"The backup of {chosen.day} could not be restored: {error}"
        ) from error
    if arguments.json:
        console.say_json({"restored": to_wire(chosen), "keptAside": str(aside) if aside else None})
        return Exit.OK
    console.say(f"Restored as of {chosen.day}")
    if aside is not None:
        console.say(f"What was there before is kept: {shown(str(aside))}")
    return Exit.OK


def _say_backups(backups: "Sequence[Backup]", console: Console, *, as_json: bool) -> None:
    if as_json:
        console.say_json({"backups": to_wire(backups)})
        return
    for each in backups:
        console.say(f"{each.day}  {each.size_bytes / 1e6:.1f} MB  {shown(str(each.path))}")
    console.say(
        "Put one in place: drift memory restore --from DATE"
        if backups
        else "There is no backup yet: one is made on each day on which something is saved"
    )


def _check_memories(connection: sqlite3.Connection) -> None:
    from drift.memory.storage.schema import check_tables  # as above

    check_tables(connection)


def _check_catalog(connection: sqlite3.Connection) -> None:
    from drift.catalog.journal import LAYOUT  # as above

    LAYOUT.check(connection)


def _check_state(connection: sqlite3.Connection) -> None:
    from drift.state import LAYOUT  # as above

    LAYOUT.check(connection)


_CHECKS: Final = {"memory": _check_memories, "catalog": _check_catalog, "state": _check_state}


def _missing(day: str, count: int) -> DriftError:
    message = (
        "There is no backup yet" if day == _LATEST else f"There is no backup of {shorten(ascii(day), 40)}"
    )
    return DriftError(
        ErrorCode.RESOURCE_NOT_FOUND,
        message,
        Recovery(
            hint=f"{plural(count, 'backup')}: drift memory restore --list. Nothing was changed.",
            command="drift memory restore --list",
        ),
    )
