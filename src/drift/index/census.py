"""How much of everything an index holds: counts over whole tables, taken when a scan ends."""

from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from drift.index.connection import open_readonly
from drift.index.failures import translated
from drift.index.link_words import word_text
from drift.index.selection import Selection

HIGHEST_COMPLEXITY: Final = 50
"""Functions more complex than this are counted together, as one more than it."""

_FILES: Final = """
    SELECT language, status, count(*), sum(code_lines), sum(comment_lines), sum(blank_lines)
    FROM files GROUP BY language, status
"""
_KINDS: Final = "SELECT kind, count(*) FROM symbols GROUP BY kind"
_OUTCOMES: Final = f"""
    SELECT {word_text("outcome")}, found FROM (SELECT outcome, count(*) AS found FROM calls GROUP BY outcome)
    ORDER BY 1
"""  # noqa: S608 - our own names
_COMPLEXITIES: Final = """
    SELECT min(cyclomatic, :most), count(*) FROM symbols
    WHERE cyclomatic IS NOT NULL AND kind <> 'module' GROUP BY 1 ORDER BY 1
"""
_GENERATION: Final = "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'generation'"


class FileCount(NamedTuple):
    """Files of one language and one fate; lines are None where no file was read as code."""

    language: str | None
    status: str
    files: int
    code_lines: int | None
    comment_lines: int | None
    blank_lines: int | None


class Census(NamedTuple):
    """The counts of one state of an index."""

    generation: int
    files: tuple[FileCount, ...]
    symbols_by_kind: dict[str, int]
    calls_by_outcome: dict[str, int]
    functions_by_complexity: dict[int, int]


def take_census(path: Path) -> Census:
    """Count all there is in the index at `path`. Reads its largest tables from end to end."""
    with translated(path), closing(open_readonly(path)) as connection:
        selection = Selection(connection, path)
        selection.rows("BEGIN")  # one state for all counts
        ((generation,),) = selection.rows(_GENERATION)
        return Census(
            generation,
            tuple(map(FileCount._make, selection.rows(_FILES))),
            dict(selection.rows(_KINDS)),
            dict(selection.rows(_OUTCOMES)),
            dict(selection.rows(_COMPLEXITIES, {"most": HIGHEST_COMPLEXITY + 1})),
        )
