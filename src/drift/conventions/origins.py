"""Since when outliers are there: the commit that brought the line, asked of git for the rows that are shown alone."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from drift.conventions.rows import OutlierRow, PatternDetail
from drift.history import LineOrigin, line_origins
from drift.index.path_text import text_to_path

_MOST_BLAMED: Final = 10  # files that git looks at: some ten milliseconds each
_COMMIT_DIGITS: Final = 10


def with_origins(root: Path, detail: PatternDetail) -> PatternDetail:
    """The convention with since when its shown outliers are there, by one look of git at each of a few files."""
    shown = detail.outliers or ()
    files = list(dict.fromkeys(row.file for row in shown))[:_MOST_BLAMED]
    wanted = {text_to_path(file): {row.line for row in shown if row.file == file} for file in files}
    origins, _ = line_origins(root, wanted) if wanted else ({}, None)
    told = tuple(_since(row, origins.get((text_to_path(row.file), row.line))) for row in shown)
    return replace(detail, outliers=told or detail.outliers)


def _since(row: OutlierRow, origin: LineOrigin | None) -> OutlierRow:
    if origin is None:
        return row
    day = datetime.fromtimestamp(origin.time, UTC).date().isoformat()
    return replace(row, since=f"{day} {origin.commit[:_COMMIT_DIGITS]}")
