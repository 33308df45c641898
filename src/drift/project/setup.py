"""Set a project up: its state folder, its drift.toml, its place in the list of projects."""

from dataclasses import dataclass
from pathlib import Path

from drift.kernel.files import write_atomically
from drift.project.config import CONFIG_NAME
from drift.project.identity import check_name
from drift.project.projects import ProjectRegistry
from drift.project.roots import is_directory, is_file
from drift.project.state import StateDir

_TOML = """\
# Drift's settings for this project. Its docs/configuration.md lists every key; `drift doctor` shows those set.
[project]
name = {name}
"""


@dataclass(frozen=True, slots=True)
class SetupOptions:
    """What a person decides when setting up."""

    name: str
    register: bool = True


@dataclass(frozen=True, slots=True)
class SetupState:
    """What of the set-up is there."""

    root: str
    has_state_dir: bool
    has_config: bool
    is_registered: bool
    has_index: bool


def setup_state(root: Path, projects: ProjectRegistry) -> SetupState:
    state = StateDir(root)
    return SetupState(
        root=root.as_posix(),
        has_state_dir=is_directory(state.path),
        has_config=is_file(root / CONFIG_NAME),
        is_registered=projects.find(str(root)) is not None,
        has_index=is_file(state.index_db),
    )


def initialise(root: Path, options: SetupOptions, projects: ProjectRegistry) -> tuple[str, ...]:
    """Do what is missing and say what was done. What is there stays as it is."""
    # First of all, for a name that drift.toml cannot hold would keep the project from ever being opened.
    name = check_name(options.name)
    before = setup_state(root, projects)
    done: list[str] = []
    StateDir(root).ensure()
    if not before.has_state_dir:
        done.append("created .drift/ with a .gitignore for derived files")
    if not before.has_config:
        write_atomically(root / CONFIG_NAME, _TOML.format(name=_toml_string(name)))
        done.append("wrote drift.toml")
    if options.register and not before.is_registered:
        entry = projects.add(str(root), name)
        done.append(f"registered the project as {entry.name}")
    return tuple(done)


def _toml_string(text: str) -> str:
    """A TOML basic string; TOML and JSON escape the same characters the same way."""
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
