"""`drift` alone: what this is, how the project stands, what to type next."""

from drift import __version__
from drift.cli.console import Console, Ink
from drift.cli.exits import Exit
from drift.cli.shown import shown
from drift.cli.standing import find_standing, open_registry
from drift.index import IndexState, read_index_state
from drift.project import StateDir, open_project, setup_state


def say_overview(console: Console) -> Exit:
    """Write a few lines for someone who typed nothing but the name."""
    projects = open_registry(console)
    project = open_project(find_standing(console, projects), console.environ)
    state = setup_state(project.root, projects)
    index = read_index_state(StateDir(project.root).index_db)
    console.say(
        f"{console.paint('Drift', Ink.BOLD)} {__version__}: a true picture of your code, for agents and for you."
    )
    set_up = "set up" if state.has_state_dir else "not set up yet"
    console.say(
        f"Project {shown(project.name)} ({shown(str(project.root))}): {set_up}{shown(_say_index(index))}."
    )
    console.say()
    first = _first_step(is_set_up=state.has_state_dir, is_scanned=index.is_usable)
    for command, purpose in (
        first,
        ("drift install --list", "connect an agent"),
        ("drift --help", "all commands"),
    ):
        console.say(f"  {console.paint(f'{command:<22}', Ink.CYAN)}{purpose}")
    return Exit.OK


def _say_index(index: IndexState) -> str:
    if index.problem:
        return f"; the index cannot be used: {index.problem.rstrip('.')}"
    return f", scanned {index.scanned_at}" if index.exists else ", not scanned yet"


def _first_step(*, is_set_up: bool, is_scanned: bool) -> tuple[str, str]:
    if not is_set_up:
        return "drift init", "set it up"
    return ("drift status", "how it stands") if is_scanned else ("drift scan", "read its code into the index")
