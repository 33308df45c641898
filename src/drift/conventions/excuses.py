"""Comments that excuse a site: `drift-ignore errors/exception-suffix` at its line or the one above, `drift-ignore-file` anywhere.

Without an id the comment excuses from everything; `errors/*` from a whole category. What follows the ids is the reason.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from drift.conventions.gathering import Found
from drift.index.site_records import SiteComment

MARK: Final = "drift-ignore"
_FILE: Final = "-file"
_ID: Final = re.compile(r"[a-z][a-z-]{1,20}/(?:\*|[a-z][a-z0-9-]{1,40})")


class _Excuse(NamedTuple):
    line: int
    """The last of the comment; 0 for the whole file."""
    ids: frozenset[str]
    """Empty: from everything."""

    def covers(self, site: Found) -> bool:
        if self.line and self.line not in {site.line, site.line - 1}:
            return False
        category = site.dimension.partition("/")[0]
        return not self.ids or site.dimension in self.ids or f"{category}/*" in self.ids


class Excuses:
    """All comments of a project that excuse something."""

    def __init__(self, comments: Iterable[SiteComment]) -> None:
        self._by_file: dict[int, list[_Excuse]] = {}
        for comment in comments:
            excuse = _read(comment)
            if excuse is not None:
                self._by_file.setdefault(comment.file_id, []).append(excuse)

    def excuse(self, site: Found) -> bool:
        """Whether a comment excuses the site."""
        return any(each.covers(site) for each in self._by_file.get(site.file_id, ()))


def _read(comment: SiteComment) -> _Excuse | None:
    before, mark, rest = comment.text.partition(MARK)
    if not mark or (before and before[-1].isalnum()):
        return None
    is_whole = rest.startswith(_FILE)
    words = rest.removeprefix(_FILE).replace(":", " ", 1).replace(",", " ").split()
    ids: list[str] = []
    for word in words:
        if not _ID.fullmatch(word):
            break
        ids.append(word)
    return _Excuse(0 if is_whole else comment.end_line, frozenset(ids))
