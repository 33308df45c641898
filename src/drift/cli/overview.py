"""`drift` alone: what this is, how the project stands, what to type next."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from drift import __version__
from drift.cli.calling import call_tool
from drift.cli.clients import CLIENTS, McpClient, Places, is_present, read_connections
from drift.cli.console import Console, Ink
from drift.cli.exits import Exit
from drift.cli.project_choice import find_standing, is_project, open_registry
from drift.cli.shown import shown
from drift.cli.terminal_client import TerminalClient
from drift.cli.wording import say_instant
from drift.index import IndexState, read_index_state
from drift.kernel.errors import DriftError
from drift.project import StateDir, open_project
from drift.project.git import run_git
from drift.registry import ServerName

_QUESTIONS: Final = (
    ("drift find login form", "where in this project is it?"),
    ("drift callers Cart.add", "who calls it?"),
    ("drift impact", "what may my uncommitted changes break?"),
)
_STEPS: Final = (
    ("drift install --list", "connect an agent"),
    ("drift --help", "all commands"),
)
_CHECK: Final = ("drift check", "whether your uncommitted changes may go in")
_ASK: Final = ('drift context "WHAT TO DO"', "where to act for a task or a bug report")
_LOOK: Final = ("drift dashboard", "all of this as a page")
# What shows the places behind each part of the health.
_PART_STEPS: Final[Mapping[str, tuple[str, str]]] = {
    "conventions": ("drift conventions", "what the project decides how, and who deviates"),
    "complexity": ("drift analyze-complexity", "the functions that are hardest to follow"),
    "duplication": ("drift analyze-duplicates", "code that stands more than once"),
    "cycles": ("drift cycles", "files that depend on each other, and the cheapest cut"),
    "tests": ("drift uncovered", "functions that no test runs, the riskiest first"),
    "errors": ("drift error-handling", "errors that nothing does anything about"),
    "security": ("drift security", "what to look at first"),
}
_BAR: Final = 20
_FAIR, _GOOD = 60, 85


def say_overview(console: Console) -> Exit:
    """Write a few lines for someone who typed nothing but the name; reads the code of a project first."""
    projects = open_registry(console)
    root = find_standing(console, projects)
    health = _health(root, console) if is_project(root, console, projects) else None
    project = open_project(root, console.environ)
    index = read_index_state(StateDir(root).index_db)
    console.say(
        f"{console.paint('Drift', Ink.BOLD)} {__version__}: a true picture of your code, for agents and for you."
    )
    console.say(f"Project {shown(project.name)} ({shown(str(root))}); {shown(_say_index(index))}.")
    console.say()
    if health is None or health.get("score") is None:
        mending = (("drift scan --force", "read the code anew"),) if index.problem else ()
        _say_steps((*mending, *_QUESTIONS, *_STEPS), console)
        return Exit.OK
    _say_health(health, console)
    console.say()
    _say_steps(_next_steps(health, root, console), console)
    return Exit.OK


def _health(root: Path, console: Console) -> Mapping[str, Any] | None:
    """The health that was kept, or one measured now where none was; None where it cannot be measured."""
    status = _ask("drift_status", root, console) or {}
    kept = status.get("health") or {}
    if kept.get("score") is not None and status["index"]["exists"] and not status["index"].get("problem"):
        return {**kept, "parts": kept.get("parts") or {}}
    measured = _ask("analyze_health", root, console)
    if measured is None:
        return None
    return {**measured, "parts": {part["part"]: part["score"] for part in measured["parts"]}}


def _ask(tool: str, root: Path, console: Console) -> dict[str, Any] | None:
    client = TerminalClient(console, may_ask=False, doing="measuring the project's health")
    try:
        outcome = call_tool(tool, {}, console, server=ServerName.ANALYSIS, root=root, client=client)
    finally:
        client.finish()
    data = outcome.structured().get("data")
    return data if isinstance(data, dict) and not outcome.is_error else None


def _say_health(health: Mapping[str, Any], console: Console) -> None:
    at = health.get("measuredAt")
    when = f", measured {say_instant(str(at), now=datetime.now(UTC))}" if at else ""
    score = console.paint(f"{health['score']:.0f}", Ink.BOLD)
    console.say(f"Health {score} of 100{when}")
    for part, share in health["parts"].items():
        if share is None:
            console.say(f"  {shown(part):<12}    -  {console.paint('not known', Ink.DIM)}")
            continue
        full = round(share / 100 * _BAR)
        ink = Ink.GREEN if share >= _GOOD else Ink.YELLOW if share >= _FAIR else Ink.RED
        bar = console.paint("█" * full, ink) + console.paint("░" * (_BAR - full), Ink.DIM)
        console.say(f"  {shown(part):<12} {share:4.0f}  {bar}")


def _next_steps(health: Mapping[str, Any], root: Path, console: Console) -> Iterator[tuple[str, str]]:
    yield _CHECK if _has_changes(root) else _ASK
    scored = {part: score for part, score in health["parts"].items() if score is not None}
    weakest = min(scored, key=scored.__getitem__, default=None)
    if weakest is not None and weakest in _PART_STEPS:
        yield _PART_STEPS[weakest]
    missing = _unconnected(root, console)
    yield (f"drift install {missing.name}", f"connect {missing.title}") if missing else _LOOK


def _has_changes(root: Path) -> bool:
    try:
        told = run_git(root, "diff", "--name-only", "--relative", "HEAD")
        return told.exit_code == 0 and bool(told.stdout)
    except DriftError:
        return False  # no repository, or one without a commit


def _unconnected(root: Path, console: Console) -> McpClient | None:
    """A client of this machine to connect, where none is."""
    try:
        places = Places.of(console.environ, root)
        here = [client for client in CLIENTS if is_present(client, places)]
    except DriftError:
        return None  # without a home there are no clients
    if any(read_connections(client, places).servers for client in here):
        return None
    return next(iter(here), None)


def _say_steps(steps: Iterator[tuple[str, str]] | tuple[tuple[str, str], ...], console: Console) -> None:
    for command, purpose in steps:
        console.say(f"  {console.paint(f'{command:<28}', Ink.CYAN)}{purpose}")


def _say_index(index: IndexState) -> str:
    if index.problem:
        return f"the index cannot be used: {index.problem.rstrip('.')}"
    if not index.exists:
        return "not scanned yet: the first question does it"
    return f"scanned {say_instant(str(index.scanned_at), now=datetime.now(UTC))}"
