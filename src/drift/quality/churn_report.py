"""What an answer and a report tell of churn."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural
from drift.quality.churn import STABLE_SCORE, Churn, FileChurn, hotspots
from drift.quality.reporters import Report, Table

_MOST_NAMED: Final = 10

CHURN_SORTS: Final[dict[str, Sort[FileChurn]]] = {
    "score": Sort(lambda row: (-row.score, row.file), "desc"),
    "commits": Sort(lambda row: (-row.commits,), "desc"),
    "lines": Sort(lambda row: (-((row.added or 0) + (row.removed or 0)),), "desc"),
    "file": Sort(lambda row: (row.file,)),
}


@dataclass(frozen=True, slots=True)
class ChurnData:
    """Files under their present names, those that changed most first. A commit counts once, whatever it touches."""

    since: str | None
    until: str | None
    total_commits: int
    files_changed: int
    added: int
    removed: int
    authors: dict[str, int]
    hotspots: tuple[str, ...]
    stable: tuple[str, ...]
    files: tuple[FileChurn, ...] | None = None
    document: str | None = None


def churn_summary(churn: Churn, days: int) -> str:
    until = f" up to {churn.until}" if churn.until else ""
    return f"{plural(churn.commits, 'commit')} to {plural(len(churn.files), 'file')} in {plural(days, 'day')}{until}"


def ranked_churn(churn: Churn) -> Ranked[FileChurn]:
    return Ranked(churn.files, CHURN_SORTS)


def churn_data(
    churn: Churn, shown: tuple[FileChurn, ...] | None, *, document: str | None = None
) -> ChurnData:
    stable = [one.file for one in reversed(churn.files) if one.is_present and one.score < STABLE_SCORE]
    return ChurnData(
        churn.since,
        churn.until,
        churn.commits,
        len(churn.files),
        sum(one.added or 0 for one in churn.files),
        sum(one.removed or 0 for one in churn.files),
        dict(list(churn.authors.items())[:_MOST_NAMED]),
        tuple(one.file for one in hotspots(churn.files)),
        tuple(stable[:_MOST_NAMED]),
        shown,
        document,
    )


def churn_report(churn: Churn, *, subject: str, summary: str) -> Report:
    table = Table(
        "files",
        ("file", "commits", "authors", "added", "removed", "score", "first", "last", "is present"),
        tuple(
            (one.file, one.commits, one.authors, one.added, one.removed, one.score, one.first, one.last, one.is_present)
            for one in churn.files
        ),
    )  # fmt: skip
    figures = (("commits", churn.commits), ("since", churn.since), ("until", churn.until))
    return Report("analyze_code_churn", subject, summary, figures, (table,), (), (), churn.notes)


def told_churn(
    churn: Churn, summary: str, *, subject: str, write: Callable[[Report], str] | None
) -> Callable[[tuple[FileChurn, ...]], ChurnData]:
    """How a page of churn is told; `write` makes the text of a form that is one."""
    document = write(churn_report(churn, subject=subject, summary=summary)) if write else None
    return lambda shown: churn_data(churn, shown or None, document=document)
