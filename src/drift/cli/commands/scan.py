"""`drift scan`: read the project's code into its index."""

import argparse
import os
from typing import Final

from drift.cli.console import Console, Ink
from drift.cli.exits import Exit
from drift.cli.scan_progress import ScanProgress
from drift.cli.shown import shown
from drift.kernel.text import plural
from drift.kernel.wire import to_wire
from drift.languages import LANGUAGES
from drift.project import find_root, open_project
from drift.scan import ScanOptions, ScanReport, scan
from drift.scan.discovery import DiscoverOptions

_MOST_JOBS: Final = 64
_MOST_FAILURES_SHOWN: Final = 10
_CALL_OUTCOMES: Final = ("resolved", "ambiguous", "external", "unknown")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", help="the project; default: the one around this directory")
    parser.add_argument("--force", action="store_true", help="read everything anew")
    parser.add_argument(
        "--jobs", type=_jobs, metavar="N", help="reading processes; default: one for each core"
    )
    parser.add_argument(
        "--include", action="append", metavar="GLOB", help="only these, as in .gitignore; repeatable"
    )
    parser.add_argument("--exclude", action="append", metavar="GLOB", help="not these, likewise")
    parser.add_argument(
        "--max-file-size", type=_bytes, metavar="BYTES", help="leave larger files; default: 1000000"
    )
    parser.add_argument("--languages", metavar="LIST", help="only these, with commas: python,go")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    root = open_project(
        find_root(arguments.path, cwd=console.cwd, environ=console.environ), console.environ
    ).root
    progress = ScanProgress(console)
    try:
        report = scan(root, _options(arguments), progress=progress)
    finally:
        progress.finish()
    if arguments.json:
        console.say_json(to_wire(report))
    else:
        _say_report(report, console)
    return Exit.OK


def _options(arguments: argparse.Namespace) -> ScanOptions:
    usual = DiscoverOptions()
    languages = frozenset(arguments.languages.split(",")) if arguments.languages else None
    if languages is not None:
        _check_languages(languages)
    wanted = DiscoverOptions(
        include=tuple(arguments.include or ()),
        exclude=tuple(arguments.exclude or ()),
        max_file_bytes=arguments.max_file_size or usual.max_file_bytes,
        languages=languages,
    )
    return ScanOptions(
        wanted=wanted,
        jobs=arguments.jobs if arguments.jobs is not None else os.cpu_count() or 1,
        is_forced=arguments.force,
    )


def _check_languages(given: frozenset[str]) -> None:
    from drift.kernel.errors import invalid  # needed only for a mistake
    from drift.kernel.similar import similar_names

    known = [language.name for language in LANGUAGES]
    for name in sorted(given):
        if name not in known:
            raise invalid(
                "--languages",
                f"got {name[:60]!r}; allowed: {', '.join(known)}",
                similar=similar_names(name, known),
            )


def _say_report(report: ScanReport, console: Console) -> None:
    did = {
        "full": f"Scanned {plural(report.read, 'file')}",
        "update": f"Updated: {plural(report.read, 'file')} read, {report.removed:,} gone",
        "none": "Nothing has changed",
    }[report.mode]
    console.say(f"{console.paint(did, Ink.BOLD)} in {report.seconds:.1f} s")
    languages = ", ".join(f"{name} {count:,}" for name, count in report.languages.items())
    console.say(f"  {plural(report.files, 'file')} in the index" + (f": {languages}" if languages else ""))
    counts = ", ".join(f"{report.calls.get(outcome, 0):,} {outcome}" for outcome in _CALL_OUTCOMES)
    console.say(
        f"  {plural(report.symbols, 'symbol')}; {plural(sum(report.calls.values()), 'call')}: {counts}"
    )
    if report.skipped:
        console.say("  left alone: " + ", ".join(f"{count:,} {why}" for why, count in report.skipped.items()))
    if report.failures:
        console.say(f"  {plural(len(report.failures), 'file')} could not be read:")
        for failure in report.failures[:_MOST_FAILURES_SHOWN]:
            console.say(f"    {shown(failure.path)}: {shown(failure.reason)}")
    console.say()
    console.say(f"Next: {console.paint('drift status', Ink.CYAN)}")


def _jobs(text: str) -> int:
    jobs = int(text)
    if not 0 <= jobs <= _MOST_JOBS:
        raise argparse.ArgumentTypeError(f"allowed: 0 (in this process) to {_MOST_JOBS}")
    return jobs


def _bytes(text: str) -> int:
    size = int(text)
    if size < 1:
        raise argparse.ArgumentTypeError("allowed: 1 or more")
    return size
