"""Files that the index does not have: those that nobody reads as code, and those that a build makes."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

from drift.kernel.reading import ProjectFiles
from drift.project.git import run_git
from drift.scan.drafts import DraftSources

_SCRIPTS: Final = (
    "", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".json", ".vue", ".svelte", "/index.ts", "/index.tsx",
    "/index.js",
)  # fmt: skip
_ALIASES: Final = ("@", "~", "#")
_SOURCES: Final = ("", "src", "app")
"""Folders that an alias mostly stands for, in one of those above a file."""
_GENERATED: Final = frozenset(
    {"generated", "__generated__", "gen", "dist", "build", "out", ".next", "_generated"}
)
"""Folders whose files a build makes."""
_SUBMODULE: Final = re.compile(r"^\s{0,20}path\s{0,5}=\s{0,5}(\S{1,500})", re.MULTILINE)
_MOST_LISTED: Final = 100_000
_DOTTED: Final = 2  # dots with which a module of Python leads to the folder above


def is_ignored(root: Path, *paths: str) -> bool:
    """Whether git is told to look past one of some paths in a project: a build makes what is there."""
    inside = [path for path in paths if path and not path.startswith(("/", ".."))]
    return bool(inside) and run_git(root, "check-ignore", "--no-index", "--", *inside).exit_code == 0


def may_be_unread(root: Path, path: str, module: str) -> bool:
    """Whether a module that a file names may be a file which the index does not have."""
    paths = list(_paths(path, module))
    with ProjectFiles(root) as files:
        is_there = any(_is_there(files, each) for each in paths) or _is_in_submodule(files, paths)
    return is_there or is_ignored(root, *paths)


def is_made(sources: DraftSources, module: str) -> bool:
    """Whether a build makes a module, or a file above one of Python puts modules into place when it is loaded."""
    if not _GENERATED.isdisjoint(module.split("/")):
        return True
    parts = module.split(".")
    above = tuple(
        f"{'/'.join(parts[:count])}{end}" for count in range(1, len(parts)) for end in (".py", "/__init__.py")
    )
    texts = (sources.text_of(path) or "" for path in sources.paths() if path.endswith(above))
    return any("sys.modules" in text or "__path__" in text for text in texts)


def _is_in_submodule(files: ProjectFiles, paths: Sequence[str]) -> bool:
    """Whether a path leads into another repository that is brought in, or not, beside this one."""
    try:
        listed = files.read_beginning(".gitmodules", _MOST_LISTED).decode(errors="replace")
    except (OSError, ValueError):
        return False
    folders = tuple(f"{one}/" for one in _SUBMODULE.findall(listed))
    return bool(folders) and any(path.startswith(folders) for path in paths)


def _is_there(files: ProjectFiles, path: str) -> bool:
    try:
        files.read_beginning(path, 1)
    except (OSError, ValueError):
        return False
    return True


def _paths(path: str, module: str) -> Iterator[str]:
    folder = dirname(path)
    if module.startswith(_ALIASES):
        rest = module.partition("/")[2]
        while rest:
            yield from (join(folder, source, rest) + ending for source in _SOURCES for ending in _SCRIPTS)
            if not folder:
                return
            folder = dirname(folder)
    elif module.startswith(".") and ("/" in module or module in {".", ".."}):
        yield from (f"{normpath(join(folder, module))}{ending}" for ending in _SCRIPTS)
    elif module.startswith("."):
        dots = len(module) - len(module.lstrip("."))
        for _ in range(dots - _DOTTED + 1):
            folder = dirname(folder)
        yield join(folder, *module.lstrip(".").split(".")) + ".py"
