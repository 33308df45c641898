"""`drift doctor`: whether everything Drift needs is there and works, and what mends what does not."""

import argparse
from collections import Counter

from drift.cli.checks import Finding, Verdict, run_checks
from drift.cli.console import Console, Ink
from drift.cli.exits import Exit
from drift.cli.shown import shown
from drift.kernel.wire import to_wire

_INKS = {Verdict.OK: Ink.GREEN, Verdict.WARN: Ink.YELLOW, Verdict.FAIL: Ink.RED}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    findings: list[Finding] = []
    for finding in run_checks(console):
        findings.append(finding)
        if not arguments.json:
            _say(finding, console)
    counts = Counter(finding.verdict for finding in findings)
    has_failed = counts[Verdict.FAIL] > 0
    if arguments.json:
        console.say_json({"ok": not has_failed, "checks": to_wire(findings)})
    else:
        console.say()
        console.say(", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict))
    return Exit.FAILED if has_failed else Exit.OK


def _say(finding: Finding, console: Console) -> None:
    console.say(
        f"{console.paint(f'{finding.verdict:<4}', _INKS[finding.verdict])}  {finding.name}: {shown(finding.detail)}"
    )
    if finding.fix is not None:
        console.say(f"      {console.paint('fix:', Ink.DIM)} {shown(finding.fix)}")
    console.stdout.flush()  # the last checks take seconds, and the first should be read meanwhile
