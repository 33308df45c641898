"""The verb that approves what came with the repository. Only a person at a terminal has it: no tool does the same."""

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from drift.cli.commands.instructions_action import Action
from drift.cli.commands.instructions_store import at_desk, say
from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.parser import UsageError
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.similar import similar_names
from drift.kernel.text import plural, shorten

if TYPE_CHECKING:
    from drift.catalog import Instruction

_SHOWN_CHARACTERS: Final = 300


def configure_accept(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ids", nargs="*", metavar="id", help="instructions to accept; without one they are shown"
    )
    parser.add_argument("--all", action="store_true", help="accept every one that waits")


def run_accept(arguments: argparse.Namespace, console: Console) -> Exit:
    """Show what waits, or accept it; what changes later waits anew."""
    if arguments.all and arguments.ids:
        raise UsageError("--all and ids say different things; give one")
    with at_desk(console) as (_, catalog):
        waiting = {each.id: each for each in catalog.export() if not catalog.provenance.is_local(each)}
        chosen = tuple(waiting.values())
        if arguments.ids:
            there = {each.id: each for each in catalog.export()}
            _refuse_missing(arguments.ids, there)
            chosen = tuple(waiting[each] for each in dict.fromkeys(arguments.ids) if each in waiting)
        is_asked = bool(arguments.all or arguments.ids)
        if is_asked:
            catalog.provenance.accept(chosen)
    rows = [_row(each) for each in chosen]
    if is_asked:
        summary = f"{plural(len(rows), 'instruction')} accepted on this machine"
        say(summary, {"accepted": rows} if arguments.json else rows, console, as_json=arguments.json)
        return Exit.OK
    say(
        f"{plural(len(rows), 'instruction')} to accept" if rows else "Nothing waits to be accepted",
        {"waiting": rows} if arguments.json else rows,
        console,
        as_json=arguments.json,
        warnings=say_waiting(len(rows)),
    )
    return Exit.OK


def say_waiting(count: int) -> tuple[str, ...]:
    """What to do where instructions came with the repository."""
    if not count:
        return ()
    said = f"{plural(count, 'instruction')} came with the repository, not approved here"
    return (f"{said}: read them, then `drift instructions accept ID …` or `accept --all`",)


def _refuse_missing(ids: Sequence[str], there: "dict[str, Instruction]") -> None:
    missing = next((each for each in ids if each not in there), None)
    if missing is not None:
        raise DriftError(
            ErrorCode.RESOURCE_NOT_FOUND,
            f"There is no instruction {missing}; nothing was accepted",
            Recovery(hint="See: drift instructions accept", similar=similar_names(missing, there)),
        )


def _row(found: "Instruction") -> dict[str, Any]:
    return {
        "id": found.id,
        "requirement": found.requirement,
        "owner": found.owner,
        "says": shorten(" ".join(f"{found.title}: {found.body}".split()), _SHOWN_CHARACTERS),
    }


ACTIONS: Final[Mapping[str, Action]] = {"accept": Action(configure_accept, run_accept)}
