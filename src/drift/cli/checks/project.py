"""The project: its root, settings, state, index, and the list of projects."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from drift.cli.checks.finding import Finding, fail, failing, ok, warn
from drift.cli.checks.stores import check_stores
from drift.index import read_index_state
from drift.kernel.errors import ERRORS, DriftError
from drift.kernel.text import plural
from drift.project import ProjectRegistry, StateDir, load_config
from drift.project.git import run_git


def check_project(root: Path, environ: Mapping[str, str], projects: ProjectRegistry) -> Iterator[Finding]:
    """How the project at `root` is."""
    yield ok("project", str(root))
    yield _check_settings(root, environ)
    yield _check_repository(root)
    yield _check_state(root)
    yield _check_index(root)
    yield from check_stores(root, environ)
    yield _check_registry(projects)


def _check_settings(root: Path, environ: Mapping[str, str]) -> Finding:
    try:
        config = load_config(root, environ)
    except DriftError as error:
        return failing("settings", error)
    if config.refused:
        return warn("settings", " ".join(config.refused), "Take it out of drift.toml, or set it yourself.")
    chosen = [f"{key} from {each.name}" for key, each in config.sources.items() if each.kind != "default"]
    return ok("settings", ", ".join(chosen) or "all defaults")


def _check_repository(root: Path) -> Finding:
    try:
        is_there = run_git(root, "rev-parse", "--git-dir").exit_code == 0
    except DriftError as error:
        fix = error.recovery.hint or ERRORS[error.code].hint
        return warn("git repository", f"not used: {error.message}", fix)
    return ok("git repository", "read without its configuration" if is_there else "none around")


def _check_state(root: Path) -> Finding:
    state = StateDir(root)
    try:
        state.check(state.path)
    except DriftError as error:
        return failing("state", error)
    if state.path.is_dir():
        if os.access(state.path, os.W_OK | os.X_OK):
            return ok("state", f"{state.path} can be written")
        return fail(
            "state", f"{state.path} is read-only", "Make it writable, or work on a copy of the project."
        )
    if state.path.exists():
        return fail("state", f"{state.path} is not a directory", "Move it away and run: drift init")
    if not os.access(root, os.W_OK | os.X_OK):
        return fail("state", f"{root} is read-only", "Make it writable, or work on a copy of the project.")
    return warn("state", "not set up yet", "Run: drift init", mending=("init", "--yes"))


def _check_index(root: Path) -> Finding:
    index = read_index_state(StateDir(root).index_db)
    if index.problem:
        fix = f"Run: drift scan, which makes {index.path} anew"
        return warn("index", index.problem, fix, mending=("scan",))
    if not index.exists:
        return warn("index", "not scanned yet", "Run: drift scan", mending=("scan",))
    files = "" if index.file_count is None else f", {plural(index.file_count, 'file')}"
    layers = ", ".join(sorted(index.layers)) or "none"
    return ok("index", f"scanned {index.scanned_at}{files}; layers: {layers}")


def _check_registry(projects: ProjectRegistry) -> Finding:
    try:
        entries = projects.list()
    except DriftError as error:
        return failing("project list", error)
    if projects.problems:
        return warn(
            "project list", " ".join(projects.problems), "Register the projects again: drift projects add"
        )
    gone = [entry.name for entry in entries if not entry.is_valid]
    if gone:
        return warn("project list", f"gone: {', '.join(gone)}", f"Run: drift projects remove {gone[0]}")
    return ok("project list", plural(len(entries), "project"))
