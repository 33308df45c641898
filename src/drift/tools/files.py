"""Files: which there are, and in what state the index has them."""

from dataclasses import dataclass
from typing import Annotated, Literal

from drift.analyses.file_listing import FileRow, FileWish, describe_files, find_files
from drift.index import Layer
from drift.index.listing_queries import SizedPath
from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import invalid
from drift.kernel.similar import similar_names
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.tools.listing import Sort, sort_page

Role = Literal["source", "test", "config", "generated", "vendored", "doc"]
Status = Literal["ok", "partial", "failed", "skipped"]
_SORTS: dict[str, Sort[SizedPath]] = {
    "file": Sort(lambda one: (one.path,)),
    "lines": Sort(lambda one: (-one.lines,), "desc"),
}


@dataclass(frozen=True, slots=True)
class FilesData:
    """The files that fit, by path."""

    files: tuple[FileRow, ...]


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
    page: Page = Page(limit=20, sorts=tuple(_SORTS)),
) -> Answer[FilesData]:
    """Indexed files with language, role, lines, symbols and problems, by pattern and filters."""
    wish = FileWish(glob, language, role, status)
    with opened_index(call) as reader:
        known = reader.listings.languages()
        if language is not None and language not in known:
            raise invalid(
                "language",
                f"no file is {language!r}; there are {', '.join(known) or 'none'}",
                similar=similar_names(language, known),
            )
        found = find_files(reader, wish)
        shown, pagination = sort_page(call, page, found, sorts=_SORTS)
        rows = describe_files(reader, (one.path for one in shown))
    return Answer(
        f"{plural(len(found), 'file')}{_described(wish)}",
        FilesData(rows),
        pagination=pagination,
        next=_next(rows),
        warnings=_nothing_there(wish) if not found else (),
    )


def _described(wish: FileWish) -> str:
    given = [f"{name} {value}" for name, value in wish._asdict().items() if value is not None]
    return f" with {', '.join(given)}" if given else ""


def _next(rows: tuple[FileRow, ...]) -> tuple[NextAction, ...]:
    code = next((row.file for row in rows if row.symbols), None)
    return (NextAction("drift_explain", {"target": code}, "see what a file is for"),) if code else ()


def _nothing_there(wish: FileWish) -> tuple[str, ...]:
    if wish.glob is None:
        return ()
    return ("Patterns are from the project's root; ** stands for any folders. Ignored files are not indexed",)
