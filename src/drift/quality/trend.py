"""How complexity changed against a base: files at a commit and now, measured by the same rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from drift.kernel.errors import DriftError, ErrorCode, invalid
from drift.kernel.text import shorten
from drift.project.git import run_git, user_argument
from drift.scan.extractors import extractor_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from drift.quality.complexity import Measures
    from drift.quality.scope import Scope

_MOST_FILES: Final = 400
_MOST_BYTES: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class FileTrend:
    """A file's cognitive complexity at the base and now; null where it was not there."""

    file: str
    before: int | None
    now: int | None


@dataclass(frozen=True, slots=True)
class ComplexityTrend:
    """The files that differ from a base: sums of cognitive and cyclomatic complexity before and now, worst first."""

    base: str
    changed_files: int
    cognitive_before: int
    cognitive_now: int
    cyclomatic_before: int
    cyclomatic_now: int
    files: tuple[FileTrend, ...]


def complexity_trend(
    root: Path, scope: Scope, measures: Measures, *, base: str, check: Callable[[], None]
) -> ComplexityTrend:
    """Compare with a commit. Raises INVALID_ARGUMENT where git does not know it, TOO_LARGE where most files differ."""
    revision = user_argument(base, argument="base")
    listed = run_git(root, "diff", "--name-only", "--relative", "-z", revision, "--")
    if listed.exit_code != 0:
        raise invalid("base", f"git knows no commit {shorten(base, 80)!r}")
    changed = [path for path in listed.stdout.decode("utf-8", "surrogateescape").split("\0") if path]
    languages = {one.path: one.language for one in scope.files}
    wanted = [path for path in changed if path in languages]
    if len(wanted) > _MOST_FILES:
        raise DriftError(
            ErrorCode.TOO_LARGE, f"{len(wanted):,} files differ from {base}; {_MOST_FILES} are compared at most"
        )  # fmt: skip
    now = {one.file: one for one in measures.files}
    rows, before_sums = [], [0, 0]
    for path in wanted:
        check()
        before = _measure_at(root, revision, path, str(languages[path]))
        if before is not None:
            before_sums = [before_sums[0] + before[0], before_sums[1] + before[1]]
        rows.append(FileTrend(path, before[0] if before else None, now[path].cognitive))
    rows.sort(key=lambda row: ((row.before or 0) - (row.now or 0), row.file))
    return ComplexityTrend(
        base,
        len(wanted),
        before_sums[0],
        sum(now[path].cognitive for path in wanted),
        before_sums[1],
        sum(now[path].cyclomatic for path in wanted),
        tuple(rows[:20]),
    )


def _measure_at(root: Path, revision: str, path: str, language: str) -> tuple[int, int] | None:
    """Cognitive and cyclomatic complexity of a file at a commit; None where it was not there."""
    shown = run_git(root, "show", f"{revision}:./{path}", max_bytes=_MOST_BYTES)
    if shown.exit_code != 0 or shown.is_cut:
        return None
    facts = extractor_of(language)(shown.stdout, path)
    cognitive = cyclomatic = 0
    for one in facts.symbols:
        if one.complexity is not None:
            cognitive += one.complexity.cognitive
            cyclomatic += one.complexity.cyclomatic - (1 if one.kind == "module" else 0)
    return cognitive, cyclomatic
