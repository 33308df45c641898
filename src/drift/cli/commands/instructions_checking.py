"""Verbs that check: verify, review. Both fail when something is wrong, for use in CI."""

import argparse
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from drift.cli.commands.instructions_action import Action
from drift.cli.commands.instructions_store import at_desk, read_text, say, user_name
from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural

if TYPE_CHECKING:
    from drift.catalog import Catalog


def configure_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--governance-hash", metavar="HASH", help="fail unless governance has this hash")


def run_verify(arguments: argparse.Namespace, console: Console) -> Exit:
    """Check files, stored hashes, gates and, on request, governance."""
    from drift.catalog import evaluate_gates  # brings SQLite, which help does without
    from drift.catalog.times import format_time

    with at_desk(console) as (_, catalog):
        found = catalog.verify()
        problems = catalog.problems()
        now = format_time(datetime.now(UTC))
        gates = evaluate_gates(catalog.directory, catalog.export(), now=now)
        governance = catalog.governance().governance_hash
        warnings = catalog.warnings()
    is_other = arguments.governance_hash not in (None, governance)
    failed = [gate.id for gate in gates.results if not gate.passed and gate.severity == "error"]
    data = {
        "count": found.count,
        "hash": found.hash,
        "governanceHash": governance,
        "issues": list(found.issues),
        "problems": list(problems),
        "gates": list(gates.results),
    }
    faults = len(found.issues) + len(problems) + len(failed) + is_other
    notes = tuple(f"{each.name}: {each.reason}" for each in warnings)
    if is_other:
        notes = (f"governance is not {arguments.governance_hash}", *notes)
    summary = f"{plural(found.count, 'instruction')} checked, {plural(faults, 'fault')}"
    say(summary, data, console, as_json=arguments.json, warnings=notes)
    return Exit.FAILED if faults else Exit.OK


def configure_review(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="*", help="instructions to look over; all without one")
    parser.add_argument("--file", help="look over a file instead; - for standard input")
    parser.add_argument("--done", action="store_true", help="note that these were reviewed today")


def run_review(arguments: argparse.Namespace, console: Console) -> Exit:
    """Look over texts; those due for review are named."""
    from drift.catalog import review_prompt  # brings SQLite, which help does without

    if arguments.file is not None:
        found = review_prompt(read_text(arguments.file, console))
        summary = plural(sum(found.counts.values()), "issue")
        say(summary, {"issues": list(found.issues)}, console, as_json=arguments.json)
        return Exit.FAILED if found.counts["error"] else Exit.OK
    with at_desk(console, writes=arguments.done) as (_, catalog):
        if arguments.done:
            return _note_reviews(catalog, arguments, console)
        return _review_catalog(catalog, arguments, console)


def _review_catalog(catalog: "Catalog", arguments: argparse.Namespace, console: Console) -> Exit:
    from drift.catalog import review_prompt  # as above
    from drift.catalog.prompt_review import MOST_BYTES
    from drift.catalog.times import format_time

    entries = catalog.export(arguments.ids or None)
    missing = sorted(set(arguments.ids) - {each.id for each in entries})
    if missing:
        raise DriftError(ErrorCode.RESOURCE_NOT_FOUND, f"There is no instruction {missing[0]}")
    now = format_time(datetime.now(UTC))
    overdue = [{"id": each.id, "due": each.next_review_due} for each in entries if each.is_overdue(now)]
    issues: list[dict[str, Any]] = []
    skipped = []
    for each in entries:
        if len(each.body.encode()) > MOST_BYTES:
            skipped.append(f"{each.id} was not looked over: it has more than {MOST_BYTES:,} bytes")
            continue
        found = review_prompt(each.body)
        issues += [{"id": each.id, **asdict(issue)} for issue in found.issues]
    errors = sum(issue["severity"] == "error" for issue in issues)
    summary = f"{plural(len(entries), 'instruction')} looked over, {plural(len(issues), 'issue')}, {len(overdue)} due"
    data = {"overdue": overdue, "issues": issues}
    say(summary, data, console, as_json=arguments.json, warnings=tuple(skipped))
    return Exit.FAILED if errors else Exit.OK


def _note_reviews(catalog: "Catalog", arguments: argparse.Namespace, console: Console) -> Exit:
    from drift.catalog.times import format_time  # as above

    if not arguments.ids:
        raise DriftError(
            ErrorCode.MISSING_REQUIRED_PARAM,
            "--done needs the ids of what was reviewed",
            Recovery(hint="drift instructions review --done ID …"),
        )
    patch = {"lastReviewedAt": format_time(datetime.now(UTC)), "changeSummary": "reviewed"}
    done = [catalog.governance_update(each, patch, actor=user_name(console)) for each in arguments.ids]
    say(f"{plural(len(done), 'review')} noted", list(done), console, as_json=arguments.json)
    return Exit.OK


ACTIONS: Final[Mapping[str, Action]] = {
    "verify": Action(configure_verify, run_verify),
    "review": Action(configure_review, run_review),
}
