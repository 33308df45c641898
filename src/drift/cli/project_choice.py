"""Which project a command is about, and the list of projects it may name."""

import os
from datetime import UTC, datetime
from pathlib import Path

from drift.cli.console import Console
from drift.languages import detect_languages
from drift.project import ProjectRegistry, StateDir, find_root, registry_path, setup_state


def open_registry(console: Console) -> ProjectRegistry:
    """The user's list of projects."""
    return ProjectRegistry(registry_path(console.environ), lambda: datetime.now(UTC))


def find_standing(console: Console, projects: ProjectRegistry) -> Path:
    """The root of the project around the working directory.

    Outside of any project it is the one the user switched to. Servers never look there: two of them
    must not answer for each other's project.
    """
    root = find_root(None, cwd=console.cwd, environ=console.environ)
    if is_project(root, console, projects):
        return root
    active = next((entry for entry in projects.list() if entry.is_active and entry.is_valid), None)
    if active is None:
        return root
    console.tell(f"No project here; this is about the active one, {active.name}.")
    return active.path


def is_project(root: Path, console: Console, projects: ProjectRegistry) -> bool:
    """Whether anything in the directory says that it is a project: set-up, git, registration or code."""
    state = setup_state(root, projects)
    # The user-wide directory has the same name as a project's state.
    is_user_wide = StateDir(root).path == registry_path(console.environ).parent
    is_set_up = state.has_config or (state.has_state_dir and not is_user_wide)
    return is_set_up or state.is_registered or (root / ".git").exists() or bool(detect_languages(root))


def looks_like_path(text: str) -> bool:
    """Whether a project is named by its place rather than by its name or id."""
    separators = {os.sep, os.altsep or os.sep}
    return text in (".", "..", "~") or bool(separators & set(text))
