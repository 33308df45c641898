"""The files git counts to a project: tracked ones and new ones that are not ignored, submodules included."""

import os
from pathlib import Path
from typing import Final, NamedTuple

from drift.kernel.errors import DriftError
from drift.project.git import run_git

_TIMEOUT_SECONDS: Final = 20.0  # a pipe in place of an ignore file would be waited for that long
_MAX_BYTES: Final = 500_000_000
_MOST_LEVELS: Final = 8  # of submodules in submodules
_GITLINK: Final = "160000 "


class GitListing(NamedTuple):
    """Paths relative to the root, each once; `nested` are repositories in it that are no part of it."""

    paths: list[str]
    nested: list[str]


def list_with_git(root: Path, *, levels: int = _MOST_LEVELS) -> GitListing | None:
    """What git says belongs to the project, or None if it cannot say: no repository, no git, a refusal.

    None also where git knows of no file: the directory is then one that a repository around it ignores.
    """
    entries = _ask(root, "-co", "--exclude-standard")
    if not entries:
        return None
    # A file in conflict is listed once for each side.
    known = dict.fromkeys(entries)
    nested = [entry.rstrip("/") for entry in known if entry.endswith("/")]
    paths = [entry for entry in known if not entry.endswith("/")]
    if ".gitmodules" in known or not (root / ".git").exists():
        modules = _submodules(root)
        paths = [path for path in paths if path not in modules]
        for module in modules:
            _add_module(root, module, paths, nested, levels)
    return GitListing(paths, nested)


def _add_module(root: Path, module: str, paths: list[str], nested: list[str], levels: int) -> None:
    # Without a .git of its own it was not checked out, and git would speak of the repository around it.
    is_there = levels > 0 and (root / module / ".git").exists() and not (root / module).is_symlink()
    inner = list_with_git(root / module, levels=levels - 1) if is_there else None
    if inner is not None:
        paths.extend(f"{module}/{path}" for path in inner.paths)
        nested.extend(f"{module}/{path}" for path in inner.nested)


def _submodules(root: Path) -> list[str]:
    staged = _ask(root, "--stage") or []
    return sorted({entry.partition("\t")[2] for entry in staged if entry.startswith(_GITLINK)})


def _ask(root: Path, *options: str) -> list[str] | None:
    try:
        result = run_git(
            root, "ls-files", *options, "-z", timeout_seconds=_TIMEOUT_SECONDS, max_bytes=_MAX_BYTES
        )
    except DriftError:
        return None  # without git the directory itself is walked
    if result.exit_code != 0 or result.is_cut:
        return None
    return [os.fsdecode(entry) for entry in result.stdout.split(b"\0") if entry]
