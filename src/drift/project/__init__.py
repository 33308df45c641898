"""A project: which directory it is, how it is configured, where its state lies, and the list of all."""

from drift.project.config import load_config
from drift.project.git import git_branch, git_head
from drift.project.initialise import SetupOptions, SetupState, initialise, setup_state
from drift.project.project import Project, open_project
from drift.project.projects import ProjectRegistry, registry_path
from drift.project.registry_file import ProjectEntry
from drift.project.roots import find_root
from drift.project.settings import Config, settings_table
from drift.project.state import StateDir, cursor_key

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
