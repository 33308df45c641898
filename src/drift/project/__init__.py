"""A project: which directory it is, how it is configured, where its state lies, and the list of all."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drift.project.config import load_config
    from drift.project.git import git_branch, git_head
    from drift.project.machine import cursor_key
    from drift.project.project import Project, open_project
    from drift.project.projects import ProjectRegistry, registry_path
    from drift.project.registry_file import ProjectEntry
    from drift.project.roots import find_root
    from drift.project.settings import Config, settings_table
    from drift.project.setup import SetupOptions, SetupState, initialise, setup_state
    from drift.project.state import StateDir

__all__ = [
    "Config",
    "Project",
    "ProjectEntry",
    "ProjectRegistry",
    "SetupOptions",
    "SetupState",
    "StateDir",
    "cursor_key",
    "find_root",
    "git_branch",
    "git_head",
    "initialise",
    "load_config",
    "open_project",
    "registry_path",
    "settings_table",
    "setup_state",
]

# Loaded when asked for: a hook finds a root and its state many times a minute, and reads no settings.
_ON_DEMAND = {
    "Config": "drift.project.settings",
    "Project": "drift.project.project",
    "ProjectEntry": "drift.project.registry_file",
    "ProjectRegistry": "drift.project.projects",
    "SetupOptions": "drift.project.setup",
    "SetupState": "drift.project.setup",
    "StateDir": "drift.project.state",
    "cursor_key": "drift.project.machine",
    "find_root": "drift.project.roots",
    "git_branch": "drift.project.git",
    "git_head": "drift.project.git",
    "initialise": "drift.project.setup",
    "load_config": "drift.project.config",
    "open_project": "drift.project.project",
    "registry_path": "drift.project.projects",
    "settings_table": "drift.project.settings",
    "setup_state": "drift.project.setup",
}


def __getattr__(name: str) -> object:
    if name not in _ON_DEMAND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_ON_DEMAND[name]), name)
