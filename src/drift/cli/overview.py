"""`drift` alone: what this is, how the project stands, what to type next."""

from datetime import UTC, datetime
from typing import Final

from drift import __version__
from drift.cli.console import Console, Ink
from drift.cli.exits import Exit
from drift.cli.project_choice import find_standing, open_registry
from drift.cli.shown import shown
from drift.cli.wording import say_instant
from drift.index import IndexState, read_index_state
from drift.project import StateDir, open_project

_QUESTIONS: Final = (
    ("drift find login form", "where in this project is it?"),
    ("drift callers Cart.add", "who calls it?"),
    ("drift impact", "what may my uncommitted changes break?"),
)
_STEPS: Final = (
    ("drift install --list", "connect an agent"),
    ("drift --help", "all commands"),
)


def say_overview(console: Console) -> Exit:
    """Write a few lines for someone who typed nothing but the name."""
    projects = open_registry(console)
    project = open_project(find_standing(console, projects), console.environ)
    index = read_index_state(StateDir(project.root).index_db)
    console.say(
        f"{console.paint('Drift', Ink.BOLD)} {__version__}: a true picture of your code, for agents and for you."
    )
    console.say(f"Project {shown(project.name)} ({shown(str(project.root))}); {shown(_say_index(index))}.")
    console.say()
    mending = (("drift scan --force", "read the code anew"),) if index.problem else ()
    for command, purpose in (*mending, *_QUESTIONS, *_STEPS):
        console.say(f"  {console.paint(f'{command:<26}', Ink.CYAN)}{purpose}")
    return Exit.OK


def _say_index(index: IndexState) -> str:
    if index.problem:
        return f"the index cannot be used: {index.problem.rstrip('.')}"
    if not index.exists:
        return "not scanned yet: the first question does it"
    return f"scanned {say_instant(str(index.scanned_at), now=datetime.now(UTC))}"
