"""The hashes over all instructions of an index, kept while it changes."""

import sqlite3
from collections.abc import Iterable
from typing import Final, NamedTuple

from drift.catalog.hashes import LINE_SEPARATOR, PAIR_SEPARATOR, pair_line
from drift.catalog.ids import ENDING
from drift.catalog.incremental_hash import RunningHash

_BODIES: Final = "SELECT id, source_hash FROM instruction ORDER BY id"
_GOVERNED: Final = "SELECT id, projection FROM instruction JOIN content USING (rowid) ORDER BY id"
_CHANGED: Final = """
    SELECT file.name, instruction.source_hash, content.projection
    FROM file
    LEFT JOIN instruction ON instruction.id = substr(file.name, 1, length(file.name) - ?)
    LEFT JOIN content ON content.rowid = instruction.rowid
    WHERE file.generation > ?
"""


class Line(NamedTuple):
    """What is hashed of one instruction: the hash of its body and what is governed."""

    id: str
    source_hash: str
    projection: str


class Digests:
    """Each is made when it is first asked for. Whoever changes the index tells of it here."""

    def __init__(self) -> None:
        self._bodies: RunningHash | None = None
        self._governed: RunningHash | None = None

    def forget(self) -> None:
        """Read everything again when it is next asked for."""
        self._bodies = self._governed = None

    def of_bodies(self, connection: sqlite3.Connection) -> str:
        """The hash of the whole catalog."""
        if self._bodies is None:
            rows = connection.execute(_BODIES)
            self._bodies = RunningHash(PAIR_SEPARATOR, ((key, pair_line(key, value)) for key, value in rows))
        return self._bodies.hexdigest()

    def of_governed(self, connection: sqlite3.Connection, *, has_trailing_newline: bool) -> tuple[str, int]:
        """The hash of who answers for what, and how many lines it is of."""
        if self._governed is None:
            self._governed = RunningHash(LINE_SEPARATOR, connection.execute(_GOVERNED))
        digest = self._governed.hexdigest(has_trailing_separator=has_trailing_newline)
        return digest, self._governed.count

    def take(self, lines: Iterable[Line], gone: Iterable[str]) -> None:
        """Take over instructions that came or changed, and ids that have none any more."""
        for instruction_id in gone:
            for kept in (self._bodies, self._governed):
                if kept is not None:
                    kept.drop(instruction_id)
        for line in lines:
            if self._bodies is not None:
                self._bodies.put(line.id, pair_line(line.id, line.source_hash))
            if self._governed is not None:
                self._governed.put(line.id, line.projection)

    def catch_up(self, connection: sqlite3.Connection, since: int) -> None:
        """Take over what others have done to the index since it was of this generation."""
        if self._bodies is None and self._governed is None:
            return
        lines: list[Line] = []
        gone: list[str] = []
        for name, source_hash, projection in connection.execute(_CHANGED, (len(ENDING), since)):
            known_id = name.removesuffix(ENDING)
            if source_hash is None:
                gone.append(known_id)
            else:
                lines.append(Line(known_id, source_hash, projection))
        self.take(lines, gone)
        # A file that is gone has no row that would tell. Whatever there is now is here, so the number decides.
        total = connection.execute("SELECT count(*) FROM instruction").fetchone()[0]
        if any(kept is not None and kept.count != total for kept in (self._bodies, self._governed)):
            self.forget()
