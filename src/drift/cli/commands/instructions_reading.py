"""Verbs that read: list, show, search, export, hash."""

import argparse
import json
from collections.abc import Mapping
from typing import Final

from drift.cli.commands.instructions_accepting import say_waiting
from drift.cli.commands.instructions_action import Action
from drift.cli.commands.instructions_store import at_desk, say
from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.files import write_atomically
from drift.kernel.similar import similar_names
from drift.kernel.text import plural


def configure_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--category", help="only those of a category")
    parser.add_argument("--limit", type=int, default=200, metavar="N", help="at most so many (200)")


def run_list(arguments: argparse.Namespace, console: Console) -> Exit:
    """Write a line for each instruction; broken files are warned of."""
    category = arguments.category.strip().lower() if arguments.category else None
    with at_desk(console) as (_, catalog):
        found = catalog.list_entries(category=category, limit=max(arguments.limit, 1))
        foreign = {each.id for each in found.items if not catalog.provenance.is_local(each)}
        notes = say_waiting(len(foreign))
        problems = tuple(_say_problem(each.name, each.line, each.reason) for each in catalog.problems())
    rows = [
        {
            "id": each.id,
            "title": each.title,
            "requirement": each.requirement,
            "tier": each.priority_tier,
            "owner": each.owner,
            "status": each.status,
            **({"trust": "repository"} if each.id in foreign else {}),
        }
        for each in found.items
    ]
    data = {"items": rows, "count": found.count, "hash": found.hash} if arguments.json else rows
    say(
        plural(found.count, "instruction"),
        data,
        console,
        as_json=arguments.json,
        warnings=(*problems, *notes),
    )
    return Exit.OK


def configure_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="an instruction's id")


def run_show(arguments: argparse.Namespace, console: Console) -> Exit:
    """Write one instruction, or why its file is none."""
    with at_desk(console) as (_, catalog):
        found = catalog.get(arguments.id)
        if found is None:
            name = f"{arguments.id}.json"
            broken = next((each for each in catalog.problems() if each.name == name), None)
            ids = [each.id for each in catalog.list_entries(limit=2_000).items]
            raise DriftError(
                ErrorCode.RESOURCE_NOT_FOUND,
                _say_problem(name, broken.line, broken.reason)
                if broken
                else f"There is no instruction {arguments.id}",
                Recovery(hint="See: drift instructions list", similar=similar_names(arguments.id, ids)),
            )
    say(found.title, found.as_wire(), console, as_json=arguments.json)
    return Exit.OK


def configure_search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", help="words in title, body, categories or tags")
    parser.add_argument("--limit", type=int, default=20, metavar="N", help="at most so many (20)")


def run_search(arguments: argparse.Namespace, console: Console) -> Exit:
    """Write what was found, the best first."""
    with at_desk(console) as (_, catalog):
        found = catalog.search(" ".join(arguments.words), limit=max(arguments.limit, 1))
    rows = [{"id": hit.instruction.id, "title": hit.title, "found": hit.snippet} for hit in found.hits]
    say(f"{plural(found.count, 'instruction')} found", rows, console, as_json=arguments.json)
    return Exit.OK


def configure_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="*", help="only these; all without one")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of to the terminal")


def run_export(arguments: argparse.Namespace, console: Console) -> Exit:
    """Write instructions as one JSON document that `import` takes."""
    with at_desk(console) as (_, catalog):
        entries = [each.as_wire() for each in catalog.export(arguments.ids or None)]
        document = {"hash": catalog.hash(), "count": len(entries), "entries": entries}
    missing = sorted(set(arguments.ids) - {each["id"] for each in entries})
    if missing:
        raise DriftError(ErrorCode.RESOURCE_NOT_FOUND, f"There is no instruction {missing[0]}")
    if arguments.output is None:
        console.say_json(document)
        return Exit.OK
    path = console.cwd / arguments.output
    try:
        write_atomically(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    except OSError as error:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE, f"{path} cannot be written: {error.strerror}"
        ) from error
    say(
        f"{plural(len(entries), 'instruction')} written to {arguments.output}",
        {},
        console,
        as_json=arguments.json,
    )
    return Exit.OK


def configure_hash(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--items", action="store_true", help="what the governance hash is made of, too")


def run_hash(arguments: argparse.Namespace, console: Console) -> Exit:
    """Write both hashes."""
    with at_desk(console) as (_, catalog):
        governed = catalog.governance(includes_items=arguments.items)
        data = {
            "hash": catalog.hash(),
            "governanceHash": governed.governance_hash,
            "algorithm": governed.algorithm,
            "count": governed.count,
            **({"items": governed.items} if arguments.items else {}),
        }
    say(plural(governed.count, "instruction"), data, console, as_json=arguments.json)
    return Exit.OK


def _say_problem(name: str, line: int | None, reason: str) -> str:
    return f"{name}{f':{line}' if line else ''} is no instruction: {reason}"


ACTIONS: Final[Mapping[str, Action]] = {
    "list": Action(configure_list, run_list),
    "show": Action(configure_show, run_show),
    "search": Action(configure_search, run_search),
    "export": Action(configure_export, run_export),
    "hash": Action(configure_hash, run_hash),
}
