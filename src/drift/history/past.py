"""What the commits of a project tell: the latest, those of a time or a place, where a file went, lines by commit."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from drift.history.commits import Change, Commit
from drift.history.log import count_lines
from drift.history.store import CommitStore

_MOST_NAMES: Final = 50  # that a file has had
_COUNTED_AT_ONCE: Final = 200


class Reach(NamedTuple):
    """How far the history at hand goes. `head` is null in a repository without a commit."""

    head: str | None
    head_time: int | None
    commits: int = 0
    oldest_time: int | None = None
    is_whole: bool = True
    is_shallow: bool = False
    lacks_files: bool = False

    def notes(self) -> tuple[str, ...]:
        """What has to be said of an answer for which all commits count."""
        told = []
        if self.is_shallow:
            told.append(f"the clone is shallow: git has no commits before {_day(self.oldest_time)} here")
        if self.lacks_files:
            told.append(
                "the clone is partial: git has no old files here, so renames with changes and lines are not known"
            )
        if not self.is_whole:
            told.append(
                f"of the history {self.commits:,} commits are read, back to {_day(self.oldest_time)}; call again for more"
            )
        return tuple(told)


class History:
    """The commits behind HEAD, newest first. Merges are left out: what they join is told by the commits they join."""

    def __init__(self, root: Path, store: CommitStore, reach: Reach, extend: Callable[[], bool]) -> None:
        self.reach = reach
        self._root = root
        self._store = store
        self._extend = extend

    def latest(self, most: int) -> list[Commit]:
        """The latest commits."""
        return [commit for _, commit in self._store.select("TRUE", (), most=most)]

    def since(self, seconds: int, *, area: str | None = None) -> list[Commit]:
        """The commits from a time on; of an area, a file or folder, those that touch it, with their changes there.

        A file is followed through its renames.
        """
        if area is None:
            return [commit for _, commit in self._store.select("time >= ?", (seconds,))]
        names = self._names_of(area)
        found: dict[int, Commit] = {}
        for name, before in names:
            encoded = os.fsencode(name)
            # A path begins with the folder's name and a slash just where it lies between it and the next character.
            rows = self._store.select(
                "time >= ? AND id < ? AND id IN (SELECT commit_id FROM changes JOIN paths ON paths.id = path_id"
                " WHERE path = ? OR path >= ? AND path < ?)",
                (seconds, before, encoded, encoded + b"/", encoded + b"0"),
            )
            found |= {id_: _within(commit, {each for each, _ in names}) for id_, commit in rows}
        return [found[id_] for id_ in sorted(found, reverse=True)]

    def renamed_to(self, path: str) -> str | None:
        """The name a file got that lost this one; None if it was deleted, or git does not know it.

        Reads further back as long as nothing is known of the file and there is time.
        """
        while (found := self._last_end(path)) is None:
            if not self._extend():
                return None
        return found or None

    def with_lines(self, commits: Collection[Commit]) -> list[Commit]:
        """The same commits with the lines that their changes added and removed, counted where they have not been."""
        uncounted = self._store.uncounted(each.hash for each in commits)
        for start in range(0, len(uncounted), _COUNTED_AT_ONCE):
            part = uncounted[start : start + _COUNTED_AT_ONCE]
            counts = count_lines(self._root, part)
            with self._store.writing():
                self._store.keep_counts(counts)
        return [
            each for one in commits for _, each in self._store.select("hash = ?", (bytes.fromhex(one.hash),))
        ]

    def noted(
        self,
        subject: str,
        commits: Collection[Commit],
        look: Callable[[Path, Sequence[Commit]], Mapping[str, str]],
    ) -> dict[str, str]:
        """What is noted about some commits, by hash; those that nobody looked at yet are, and it is kept."""
        known = self._store.notes(subject)
        unseen = [each for each in commits if each.hash not in known]
        for start in range(0, len(unseen), _COUNTED_AT_ONCE):
            part = unseen[start : start + _COUNTED_AT_ONCE]
            found = look(self._root, part)
            texts = {each.hash: found.get(each.hash, "") for each in part}
            with self._store.writing():
                self._store.keep_notes(subject, texts)
            known |= texts
        return {each.hash: known[each.hash] for each in commits}

    def _names_of(self, path: str) -> list[tuple[str, int]]:
        """The names that a file has had, with the number of the commit before which it had each."""
        names, before = [(path, 1 << 62)], 1 << 62
        for _ in range(_MOST_NAMES):
            row = self._store.one(
                "SELECT commit_id, (SELECT path FROM paths WHERE id = old_path_id) FROM changes"
                " WHERE path_id = (SELECT id FROM paths WHERE path = ?) AND letter = 'R' AND commit_id < ?"
                " ORDER BY commit_id DESC LIMIT 1",
                (os.fsencode(names[-1][0]), before),
            )
            if row is None or not isinstance(row[0], int) or not isinstance(row[1], bytes):
                break
            before = row[0]
            names.append((os.fsdecode(row[1]), before))
        return names

    def _last_end(self, path: str) -> str | None:
        """The new name where a path ended last by a rename, empty where by a deletion; None where it never did."""
        row = self._store.one(
            "SELECT commit_id, new.path FROM changes JOIN paths AS new ON new.id = path_id"
            " WHERE old_path_id = (SELECT id FROM paths WHERE path = ?1) AND letter = 'R'"
            " UNION ALL SELECT commit_id, x'' FROM changes"
            " WHERE path_id = (SELECT id FROM paths WHERE path = ?1) AND letter = 'D'"
            " ORDER BY commit_id DESC LIMIT 1",
            (os.fsencode(path),),
        )
        return os.fsdecode(row[1]) if row is not None and isinstance(row[1], bytes) else None


def follow_renames(commits: Iterable[Commit]) -> Iterator[tuple[Commit, list[tuple[str, Change]]]]:
    """Commits, given newest first, with each of their changes under the name that its file has at the end."""
    present: dict[str, str] = {}
    for commit in commits:
        named = [(present.get(change.path, change.path), change) for change in commit.changes]
        yield commit, named
        present |= {
            change.old_path: name for name, change in named if change.letter == "R" and change.old_path
        }


def _within(commit: Commit, names: set[str]) -> Commit:
    folders = tuple(f"{name}/" for name in names)
    inside = tuple(each for each in commit.changes if each.path in names or each.path.startswith(folders))
    return commit._replace(changes=inside)


def _day(seconds: int | None) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat() if seconds is not None else "today"
