"""Files: which there are, and in what state the index has them."""

from dataclasses import replace
from functools import partial
from typing import Annotated

from drift.analyses.file_listing import (
    FILE_SORTS,
    FileRow,
    FilesData,
    FileWish,
    Role,
    Status,
    describe_files,
    describe_wish,
    rank_files,
    say_nothing_there,
)
from drift.conventions.glance import Glance, glance_stamp, read_glance
from drift.index import IndexReader, Layer
from drift.index.listing_queries import SizedPath
from drift.kernel.answer import Answer, NextAction
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import Next, list_answer


@tool(
    category="detail",
    title="List files",
    tokens=(200, 900),
    needs=Layer.SYMBOLS,
    stamp=glance_stamp,
    examples=({"glob": "shop/**/*.py"}, {"role": "test", "language": "python"}, {"status": "partial"}),
)
def drift_files_list(
    call: Call,
    glob: Annotated[str | None, Length(500), "Pattern: src/**/*.py, *.test.ts, docs/"] = None,
    language: Annotated[str | None, Length(40), "python, go, …"] = None,
    role: Role | None = None,
    status: Annotated[Status | None, "partial: with syntax errors"] = None,
    patterns: Annotated[bool, "Add how many conventions a file decides by, and their categories"] = False,
    page: Page = Page(limit=20, sorts=tuple(FILE_SORTS)),
) -> Answer[FilesData]:
    """Indexed files with language, role, lines, symbols and problems, by pattern and filters."""
    wish = FileWish(glob, language, role, status)
    with opened_index(call) as reader:
        found = rank_files(reader, wish)
        glance = read_glance(call.project, reader.generation()) if patterns else None
        data = partial(_data, reader, glance)
        summary = f"{plural(len(found.rows), 'file')}{describe_wish(wish)}"
        answer = list_answer(call, page, found, data, summary=summary)
    uncounted = (glance.counts.reason,) if glance and glance.counts.reason else ()
    warnings = uncounted if found.rows else say_nothing_there(wish)
    return replace(answer, next=_next(answer.data), warnings=warnings)


def _data(reader: IndexReader, glance: Glance | None, shown: tuple[SizedPath, ...]) -> FilesData:
    rows = describe_files(reader, (one.path for one in shown))
    return FilesData(tuple(_with_patterns(row, glance) for row in rows) if glance else rows)


def _with_patterns(row: FileRow, glance: Glance) -> FileRow:
    count = glance.pattern_count(row.file)
    return replace(row, pattern_count=count, categories=glance.categories(row.file) or None)


def _next(data: FilesData) -> Next:
    code = next((row.file for row in data.files if row.symbols), None)
    return (NextAction("drift_explain", {"target": code}, "see what a file is for"),) if code else ()
