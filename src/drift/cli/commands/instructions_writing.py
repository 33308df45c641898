"""Verbs that change the catalog: add, import, remove, groom."""

import argparse
import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from drift.cli.commands.instructions_action import Action
from drift.cli.commands.instructions_store import at_desk, read_text, say, user_name
from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.parser import UsageError
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.grooming import GroomMode
from drift.kernel.similar import similar_names
from drift.kernel.text import plural

_FIELDS: Final = ("title", "priority", "requirement", "audience", "owner", "status", "classification")


def configure_add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="letters, digits, '.', '_' and '-'; also the file's name")
    parser.add_argument("--body", help="what it says; standard input without this and --file")
    parser.add_argument("--file", help="a file with what it says")
    parser.add_argument("--category", action="append", default=[], help="may be repeated")
    parser.add_argument("--tag", action="append", default=[], help="may be repeated")
    for name in _FIELDS:
        parser.add_argument(f"--{name}", type=int if name == "priority" else str)
    parser.add_argument("--overwrite", action="store_true", help="replace the one that is there")


def run_add(arguments: argparse.Namespace, console: Console) -> Exit:
    """Keep an instruction; what is not given is filled in."""
    if arguments.body is not None and arguments.file is not None:
        raise UsageError("--body and --file say the same; give one")
    body = arguments.body if arguments.body is not None else read_text(arguments.file or "-", console)
    given = {name: getattr(arguments, name) for name in _FIELDS}
    entry = {
        "id": arguments.id,
        "body": body,
        **{name: value for name, value in given.items() if value is not None},
        **({"categories": arguments.category} if arguments.category else {}),
        **({"tags": arguments.tag} if arguments.tag else {}),
    }
    with at_desk(console, writes=True) as (_, catalog):
        done = catalog.add(entry, overwrite=arguments.overwrite, lax=True, actor=user_name(console))
    if done.skipped:
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"{done.id} is there already and was left as it is",
            Recovery(hint="Pass --overwrite to replace it."),
        )
    say(f"{done.id} {'created' if done.created else 'overwritten'}", done, console, as_json=arguments.json)
    return Exit.OK


def configure_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="JSON: a list of entries, or an export; - for standard input")
    parser.add_argument("--mode", choices=("skip", "overwrite", "merge"), default="skip")
    parser.add_argument("--lax", action="store_true", help="fill in what entries leave out")


def run_import(arguments: argparse.Namespace, console: Console) -> Exit:
    """Take entries; fails when one was refused, with the others kept."""
    entries = _read_entries(read_text(arguments.file, console), arguments.file)
    with at_desk(console, writes=True) as (_, catalog):
        done = catalog.import_entries(
            entries, mode=arguments.mode, validate=not arguments.lax, actor=user_name(console)
        )
    summary = f"{done.imported} imported, {done.overwritten} overwritten, {done.skipped} skipped"
    say(f"{summary}, {len(done.errors)} refused", done, console, as_json=arguments.json)
    return Exit.FAILED if done.errors else Exit.OK


def configure_remove(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="id", help="instructions to delete for good")


def run_remove(arguments: argparse.Namespace, console: Console) -> Exit:
    """Delete instructions, also those whose file is broken; with an id that is not there, none."""
    with at_desk(console, writes=True) as (_, catalog):
        there = {each.name.removesuffix(".json") for each in catalog.problems()}
        there |= {each.id for each in catalog.export()}
        missing = [each for each in arguments.ids if each not in there]
        if missing:
            raise DriftError(
                ErrorCode.RESOURCE_NOT_FOUND,
                f"There is no instruction {missing[0]}; nothing was removed",
                Recovery(hint="See: drift instructions list", similar=similar_names(missing[0], there)),
            )
        # Whoever types each id means it.
        done = catalog.remove(arguments.ids, confirm=True, actor=user_name(console))
    say(f"{plural(len(done.removed_ids), 'instruction')} removed", done, console, as_json=arguments.json)
    return Exit.FAILED if done.errors else Exit.OK


def configure_groom(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--apply", action="store_true", help="do it; without this it is only told")
    parser.add_argument(
        "--merge-duplicates", action="store_true", help="one of those with the same body stays"
    )
    parser.add_argument("--remove-deprecated", action="store_true", help="delete those with a successor")
    parser.add_argument("--purge-legacy-scopes", action="store_true", help="drop scope:* categories")


def run_groom(arguments: argparse.Namespace, console: Console) -> Exit:
    """Tidy the catalog up, or tell what that would do."""
    known = {field.name for field in fields(GroomMode)}
    chosen = {name: value for name, value in vars(arguments).items() if name in known}
    with at_desk(console, writes=arguments.apply) as (_, catalog):
        done = catalog.groom(GroomMode(dry_run=not arguments.apply, **chosen), actor=user_name(console))
    summary = f"{plural(done.scanned, 'instruction')} looked at"
    say(
        summary if arguments.apply else f"{summary}; nothing was changed",
        done,
        console,
        as_json=arguments.json,
    )
    return Exit.OK


def _read_entries(text: str, name: str) -> list[Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DriftError(ErrorCode.INVALID_ARGUMENT, f"{name} is not JSON: {error}") from None
    if isinstance(found, dict):
        found = found.get("entries", found.get("items"))
    if not isinstance(found, list):
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"{name} holds no list of entries",
            Recovery(hint='Give [{"id": …, "body": …}, …] or what `drift instructions export` wrote.'),
        )
    return found


ACTIONS: Final[Mapping[str, Action]] = {
    "add": Action(configure_add, run_add),
    "import": Action(configure_import, run_import),
    "remove": Action(configure_remove, run_remove),
    "groom": Action(configure_groom, run_groom),
}
