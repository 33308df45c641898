"""`drift scan`: read the project's code into its index."""

import argparse
from typing import Final

from drift.cli.console import Console, Ink
from drift.cli.exits import Exit, exit_for
from drift.cli.scan_progress import ScanEvents, ScanProgress
from drift.cli.shown import shown
from drift.kernel.errors import DriftError, invalid
from drift.kernel.text import plural
from drift.kernel.wire import to_wire
from drift.languages import LANGUAGES
from drift.project import Project, find_root, open_project
from drift.scan import ScanOptions, ScanReport, scan
from drift.scan.choices import NO_CHOICES, Choices
from drift.scan.ignores import is_fair_rule
from drift.scan.record import kept_choices

_MOST_JOBS: Final = 64
_MOST_BYTES: Final = 100_000_000  # as for the setting
_MOST_FAILURES_SHOWN: Final = 10
_NEXT: Final = (
    ("drift find WORDS", "where in this project is it?"),
    ("drift install --list", "connect an agent"),
)
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
    parser.add_argument(
        "--as-before", action="store_true", help="with the options of the last scan, as automatic updates do"
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument(
        "--events", action="store_true", help="print progress and report as lines of JSON, for programs"
    )


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    if arguments.events:
        return _run_with_events(arguments, console)
    project = _find_project(arguments, console)
    before = kept_choices(project.state)
    options = _options(arguments, project)
    progress = ScanProgress(console)
    try:
        report = scan(project.root, options, progress=progress)
    finally:
        progress.finish()
    if arguments.json:
        console.say_json(to_wire(report))
    else:
        _say_report(report, console)
        _say_choices(before, options.choices, console)
    return Exit.OK


def _run_with_events(arguments: argparse.Namespace, console: Console) -> Exit:
    """The same for a program that started it: each line of output is one JSON object."""
    events = ScanEvents(console)
    try:
        project = _find_project(arguments, console)
        report = scan(project.root, _options(arguments, project), progress=events)
    except DriftError as error:
        events.write({"error": error.as_wire()})
        return exit_for(error.code)
    events.write({"report": to_wire(report)})
    return Exit.OK


def _find_project(arguments: argparse.Namespace, console: Console) -> Project:
    root = find_root(arguments.path, cwd=console.cwd, environ=console.environ)
    return open_project(root, console.environ)


def _options(arguments: argparse.Namespace, project: Project) -> ScanOptions:
    choices = kept_choices(project.state) if arguments.as_before else NO_CHOICES
    given = _choices(arguments)
    choices = Choices._make(old if new is None else new for old, new in zip(choices, given, strict=True))
    return ScanOptions.chosen(project.config.scan, choices, jobs=arguments.jobs, is_forced=arguments.force)


def _choices(arguments: argparse.Namespace) -> Choices:
    languages = tuple(sorted(set(arguments.languages.split(",")))) if arguments.languages else None
    if languages is not None:
        _check_languages(frozenset(languages))
    for option, globs in (("--include", arguments.include), ("--exclude", arguments.exclude)):
        for glob in globs or ():
            if not is_fair_rule(glob):
                raise invalid(option, f"{glob[:80]!r} is no pattern with at most three stars a part")
    return Choices(
        tuple(arguments.include) if arguments.include else None,
        tuple(arguments.exclude) if arguments.exclude else None,
        arguments.max_file_size,
        languages,
    )


def _say_choices(before: Choices, now: Choices, console: Console) -> None:
    if not now.is_none():
        console.tell(
            "These options hold for automatic updates until the next `drift scan`; to keep them, put them "
            "under [scan] in drift.toml."
        )
    elif not before.is_none():
        console.tell("The options of the last scan no longer hold; `drift scan --as-before` keeps them.")


def _check_languages(given: frozenset[str]) -> None:
    from drift.kernel.similar import similar_names  # needed only for a mistake

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
    if report.cut:
        console.say(f"  {plural(len(report.cut), 'file')} read in part:")
        for cut in report.cut[:_MOST_FAILURES_SHOWN]:
            console.say(f"    {shown(cut.path)}: {shown(cut.reason)}")
    if report.unread:
        endings = ", ".join(f"{shown(ending)} {count:,}" for ending, count in report.unread.items())
        console.say(f"  {plural(sum(report.unread.values()), 'file')} not read: {endings}")
    console.say()
    if not report.files:
        console.say(f"There is no source file here in a language Drift reads: {_language_names()}.")
        return
    console.say("Next:")
    for command, purpose in _NEXT:
        console.say(f"  {console.paint(command, Ink.CYAN)}  # {purpose}")


def _language_names() -> str:
    return ", ".join(language.name for language in LANGUAGES)


def _jobs(text: str) -> int:
    jobs = int(text)
    if not 0 <= jobs <= _MOST_JOBS:
        raise argparse.ArgumentTypeError(f"allowed: 0 (one after the other) to {_MOST_JOBS}")
    return jobs


def _bytes(text: str) -> int:
    size = int(text)
    if not 1 <= size <= _MOST_BYTES:
        raise argparse.ArgumentTypeError(f"allowed: 1 to {_MOST_BYTES:,}")
    return size
