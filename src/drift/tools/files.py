"""Files: which there are, and in what state the index has them."""

from dataclasses import replace
from typing import Annotated

from drift.analyses.file_listing import (
    FILE_SORTS,
    FilesData,
    FileWish,
    Role,
    Status,
    describe_files,
    describe_wish,
    rank_files,
    say_nothing_there,
)
from drift.index import Layer
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
    examples=({"glob": "shop/**/*.py"}, {"role": "test", "language": "python"}, {"status": "partial"}),
)
def drift_files_list(
    call: Call,
    glob: Annotated[str | None, Length(500), "Pattern: src/**/*.py, *.test.ts, docs/"] = None,
    language: Annotated[str | None, Length(40), "python, go, …"] = None,
    role: Role | None = None,
    status: Annotated[Status | None, "partial: with syntax errors"] = None,
    page: Page = Page(limit=20, sorts=tuple(FILE_SORTS)),
) -> Answer[FilesData]:
    """Indexed files with language, role, lines, symbols and problems, by pattern and filters."""
    wish = FileWish(glob, language, role, status)
    with opened_index(call) as reader:
        found = rank_files(reader, wish)

        def data(shown: tuple[SizedPath, ...]) -> FilesData:
            return FilesData(describe_files(reader, (one.path for one in shown)))

        summary = f"{plural(len(found.rows), 'file')}{describe_wish(wish)}"
        answer = list_answer(call, page, found, data, summary=summary)
    return replace(answer, next=_next(answer.data), warnings=() if found.rows else say_nothing_there(wish))


def _next(data: FilesData) -> Next:
    code = next((row.file for row in data.files if row.symbols), None)
    return (NextAction("drift_explain", {"target": code}, "see what a file is for"),) if code else ()
