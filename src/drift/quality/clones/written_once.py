"""Files that a tool wrote once and nobody changes, such as migrations: what is alike in them is nobody's duplication."""

import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from drift.analyses.file_globs import PathGlob

if TYPE_CHECKING:
    from drift.index.records import FileRecord


@cache
def _patterns() -> tuple[tuple[str, PathGlob], ...]:
    text = files("drift.quality").joinpath("clones", "written_once.toml").read_text("utf-8")
    rows = tomllib.loads(text)["written_once"]
    return tuple((row["what"], PathGlob(pattern)) for row in rows for pattern in row["files"])


def leave_apart(given: Sequence["FileRecord"]) -> tuple[Sequence["FileRecord"], tuple[str, ...]]:
    """The files without those that a tool wrote once, and how many these are; all of them where there are no others."""
    kinds = {one.path: _kind(one.path) for one in given}
    others = [one for one in given if kinds[one.path] is None]
    if not others or len(others) == len(given):
        return given, ()
    counts = Counter(kind for kind in kinds.values() if kind is not None)
    lines = sum(one.code_lines or 0 for one in given if kinds[one.path] is not None)
    told = ", ".join(f"{count:,} {kind}" for kind, count in counts.most_common())
    return others, (
        f"left apart, since tools wrote them once: {told}, {lines:,} lines; ask about their folder to compare them",
    )


def _kind(path: str) -> str | None:
    return next((what for what, glob in _patterns() if glob.matches(path)), None)
