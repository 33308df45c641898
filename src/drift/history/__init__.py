"""What git knows of a project's past: read once, kept beside the index, brought up to HEAD at each question."""

from drift.history.added import COMMITS_AT_ONCE, Added, AddedPage, added_lines
from drift.history.blame import LineOrigin, line_origins
from drift.history.commits import Change, Commit, kind_of
from drift.history.log import newest_hashes
from drift.history.opening import WHOLE, Wanted, opened_history
from drift.history.past import History, Reach, follow_renames

__all__ = [
    "COMMITS_AT_ONCE",
    "WHOLE",
    "Added",
    "AddedPage",
    "Change",
    "Commit",
    "History",
    "LineOrigin",
    "Reach",
    "Wanted",
    "added_lines",
    "follow_renames",
    "kind_of",
    "line_origins",
    "newest_hashes",
    "opened_history",
]
