"""`drift doctor`: whether everything Drift needs is there and works, and what mends what does not."""

import argparse
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from drift.cli.checks import Finding, Verdict, run_checks
from drift.cli.commands import init, install, scan
from drift.cli.console import Console, Ink
from drift.cli.exits import Exit
from drift.cli.parser import Parser
from drift.cli.shown import shown
from drift.kernel.errors import DriftError
from drift.kernel.wire import to_wire

_MENDERS: Final[Mapping[str, Any]] = {"init": init, "install": install, "scan": scan}
_ASKED: Final = frozenset({"install"})
_INKS = {Verdict.OK: Ink.GREEN, Verdict.WARN: Ink.YELLOW, Verdict.FAIL: Ink.RED}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fix",
        action="store_true",
        help="do what mends it, where no choice is to be made; asks before it connects a client",
    )
    parser.add_argument("--json", action="store_true", help="print as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    findings = _look(console, is_shown=not arguments.json)
    mendable = [finding for finding in findings if finding.mending] if arguments.fix else []
    mended = [finding for finding in mendable if _mend(finding, console)]
    if mended:
        if not arguments.json:
            console.say()
            console.say("Looking again:")
        findings = _look(console, is_shown=not arguments.json)
    counts = Counter(finding.verdict for finding in findings)
    has_failed = counts[Verdict.FAIL] > 0
    if arguments.json:
        told = {"mended": [finding.name for finding in mended]} if arguments.fix else {}
        console.say_json({"ok": not has_failed, **told, "checks": to_wire(findings)})
    else:
        console.say()
        console.say(", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict))
        if not arguments.fix and any(finding.mending for finding in findings):
            console.say("Mend what needs no choice: drift doctor --fix")
    return Exit.FAILED if has_failed else Exit.OK


def _look(console: Console, *, is_shown: bool) -> list[Finding]:
    findings: list[Finding] = []
    for finding in run_checks(console):
        findings.append(finding)
        if is_shown:
            _say(finding, console)
    return findings


def _mend(finding: Finding, console: Console) -> bool:
    """Whether the command that mends it was run and succeeded. What it says goes beside the result."""
    name, *words = finding.mending
    command = f"drift {' '.join(finding.mending)}"
    if name in _ASKED and not _is_agreed(command, console):
        return False
    console.tell(f"{command} …")
    parser = Parser(f"drift {name}", "")
    _MENDERS[name].configure(parser)
    try:
        code = _MENDERS[name].run(parser.read(words), replace(console, stdout=console.stderr))
    except DriftError as error:
        console.tell(f"error: {shown(error.message)}")
        return False
    return bool(code == Exit.OK)


def _is_agreed(command: str, console: Console) -> bool:
    """Whether the person wants it; what belongs to another program is not changed unasked."""
    if not console.is_interactive:
        return False
    console.stderr.write(f"{command}? [y/N]: ")
    console.stderr.flush()
    return console.stdin.readline().strip().casefold() in {"y", "yes"}


def _say(finding: Finding, console: Console) -> None:
    console.say(
        f"{console.paint(f'{finding.verdict:<4}', _INKS[finding.verdict])}  {finding.name}: {shown(finding.detail)}"
    )
    if finding.fix is not None:
        console.say(f"      {console.paint('fix:', Ink.DIM)} {shown(finding.fix)}")
    console.stdout.flush()  # the last checks take seconds, and the first should be read meanwhile
