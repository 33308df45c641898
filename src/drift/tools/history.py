"""History: what changed lately, and where."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from drift.analyses.history import (
    ChangedFileRow,
    CommitRow,
    History,
    changed_files,
    commit_rows,
    read_history,
    since_day,
)
from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, ProjectFile, Range, page_info, page_position, tool
from drift.tools.listing import Sort, is_turned


@dataclass(frozen=True, slots=True)
class RecentData:
    """Commits of the time, newest first, and the files they touch most. `types` counts conventional types."""

    commits: tuple[CommitRow, ...]
    files: tuple[ChangedFileRow, ...]
    types: dict[str, int]
    authors: int


_MOST_FILES = 15
_SORTS: dict[str, Sort[CommitRow]] = {
    "date": Sort(lambda _row: (), "desc"),  # as git tells them
    "author": Sort(lambda row: (row.author.lower(),)),
    "files": Sort(lambda row: (-row.files,), "desc"),
}


@tool(
    category="surgical",
    title="Recent changes",
    tokens=(200, 1000),
    ttl=0,  # a commit does not change the index that answers are kept under
    examples=({"area": "shop"}, {"days": 30, "type": "fix"}),
)
def drift_recent(
    call: Call,
    area: Annotated[ProjectFile | None, "File or folder"] = None,
    days: Annotated[int, Range(1, 365)] = 7,
    type: Annotated[str | None, Length(20), "feat, fix, refactor, … where commits are typed"] = None,  # noqa: A002 - the word agents use
    page: Page = Page(limit=15, sorts=tuple(_SORTS)),
) -> Answer[RecentData]:
    """What changed lately in the project or one place: commits and most-touched files, from git, renames followed."""
    root = call.project.root
    found = read_history(root, area=area, since=since_day(call.runtime.today(), days))
    _check_area(root, area, found)
    wanted = found if type in {None, "all"} else _of_type(found, type or "")
    rows, files = commit_rows(wanted), changed_files(wanted)
    shown, last_key = _page(_sorted(rows, page), page_position(call, page), page.limit)
    where = f" in {area}" if area else ""
    summary = f"{plural(len(rows), 'commit')} to {plural(len(files), 'file')}{where} in {plural(days, 'day')}"
    types = Counter(row.type for row in rows if row.type)
    return Answer(
        summary,
        RecentData(
            shown, tuple(files[:_MOST_FILES]), dict(types.most_common()), len({row.author for row in rows})
        ),
        pagination=page_info(
            call,
            page,
            total=len(rows),
            last_key=last_key,
            shown=len(shown),
            key_at=lambda place: shown[place].commit,
        ),
        next=_next(files, area, days, has_commits=bool(found.commits)),
        warnings=_warnings(found, type),
    )


def _check_area(root: Path, area: str | None, found: History) -> None:
    if area and not found.commits and not (root / area).exists():
        raise DriftError(
            ErrorCode.FILE_NOT_FOUND, f"{area!r} is not in the project, and no recent commit touched it."
        )


def _of_type(history: History, wanted: str) -> History:
    commits = tuple(one for one in history.commits if history.is_typed and one.type == wanted.lower())
    return History(commits, history.is_cut)


def _sorted(rows: list[CommitRow], page: Page) -> list[CommitRow]:
    """The commits in the wanted order, the newest first where it makes no difference."""
    chosen = _SORTS[page.sort or "date"]
    ordered = sorted(rows, key=chosen.key)
    return ordered[::-1] if is_turned(page, chosen.first) else ordered


def _page(rows: list[CommitRow], after: object, limit: int) -> tuple[tuple[CommitRow, ...], str | None]:
    ids = [row.commit for row in rows]
    if after is not None and after not in ids:
        raise DriftError(ErrorCode.INVALID_CURSOR, "The history has changed since this cursor was given")
    start = ids.index(str(after)) + 1 if after is not None else 0
    shown = tuple(rows[start : start + limit])
    return shown, shown[-1].commit if start + limit < len(rows) else None


def _next(
    files: list[ChangedFileRow], area: str | None, days: int, *, has_commits: bool
) -> tuple[NextAction, ...]:
    # Names that begin with a dot are settings of tools, which the index seldom has.
    shown = (
        row for row in files if row.state != "deleted" and not row.file.rpartition("/")[2].startswith(".")
    )
    present = next(shown, None)
    if present is not None:
        return (NextAction("drift_explain", {"target": present.file}, "see what the most touched file is"),)
    if has_commits or days >= 90:  # noqa: PLR2004 - a quarter, long enough to call a place quiet
        return ()
    where = {"area": area} if area else {}
    return (NextAction("drift_recent", {**where, "days": 90}, "look further back"),)


def _warnings(found: History, wanted: str | None) -> tuple[str, ...]:
    warnings = []
    if wanted not in {None, "all"} and found.commits and not found.is_typed:
        warnings.append("commits here carry no conventional types, so none can be chosen by type")
    if found.is_cut:
        warnings.append("there were more commits than could be read; the oldest are left out")
    return tuple(warnings)
