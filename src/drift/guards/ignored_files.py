"""Files that git is told to look past: where one is not there, a build makes it."""

from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

from drift.project.git import run_git

_SCRIPTS: Final = ("", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".d.ts", "/index.ts", "/index.js")
_DOTTED: Final = 2  # dots with which a module of Python leads to the folder above


def is_ignored(root: Path, *paths: str) -> bool:
    """Whether git is told to look past one of some paths in a project."""
    inside = [path for path in paths if path and not path.startswith(("/", ".."))]
    return bool(inside) and run_git(root, "check-ignore", "--no-index", "--", *inside).exit_code == 0


def is_made_by_build(root: Path, path: str, module: str) -> bool:
    """Whether a module that a file names from where it stands may be one that a build makes."""
    folder = dirname(path)
    if "/" in module or module in {".", ".."}:
        target = normpath(join(folder, module))
        return is_ignored(root, *(f"{target}{ending}" for ending in _SCRIPTS))
    dots = len(module) - len(module.lstrip("."))
    for _ in range(dots - _DOTTED + 1):
        folder = dirname(folder)
    return is_ignored(root, join(folder, *module.lstrip(".").split(".")) + ".py")
