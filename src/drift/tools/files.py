"""Files: which there are, and in what state the index has them."""

from dataclasses import dataclass
from typing import Annotated, Literal

from drift.analyses.file_listing import FilePage, FileRow, FileWish, list_files
from drift.index import Layer
from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import invalid
from drift.kernel.similar import similar_names
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, page_info, page_position, tool
from drift.tools.targets import opened_index

Role = Literal["source", "test", "config", "generated", "vendored", "doc"]
Status = Literal["ok", "partial", "failed", "skipped"]


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
    page: Page = Page(limit=20),
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
        found = list_files(reader, wish, after=page_position(call, page) or "", limit=page.limit)
    return Answer(
        f"{plural(found.total, 'file')}{_described(wish)}",
        FilesData(found.rows),
        pagination=page_info(
            call,
            page,
            total=found.total,
            last_key=found.last_key,
            shown=len(found.rows),
            key_at=lambda place: found.rows[place].file,
        ),
        next=_next(found),
        warnings=_nothing_there(wish) if not found.total else (),
    )


def _described(wish: FileWish) -> str:
    given = [f"{name} {value}" for name, value in wish._asdict().items() if value is not None]
    return f" with {', '.join(given)}" if given else ""


def _next(found: FilePage) -> tuple[NextAction, ...]:
    code = next((row.file for row in found.rows if row.symbols), None)
    return (NextAction("drift_explain", {"target": code}, "see what a file is for"),) if code else ()


def _nothing_there(wish: FileWish) -> tuple[str, ...]:
    if wish.glob is None:
        return ()
    return ("Patterns are from the project's root; ** stands for any folders. Ignored files are not indexed",)
