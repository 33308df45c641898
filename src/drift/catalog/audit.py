"""Who changed which instruction when, from what to what. Lines are only ever added."""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final, NamedTuple

from drift.catalog.damage import COLUMNS, sealed
from drift.catalog.journal import Journal
from drift.catalog.times import format_time

logger = logging.getLogger(__name__)

_COLUMNS: Final = f"{COLUMNS['audit']}, digest"


class AuditLine(NamedTuple):
    """One change. A hash is that of the instruction's file in its normal form."""

    at: str
    actor: str
    action: str
    instruction: str
    before_hash: str | None
    after_hash: str | None
    note: str | None


class Alteration(NamedTuple):
    """What is about to happen to one instruction."""

    instruction: str
    before_hash: str | None
    after_hash: str | None
    note: str | None = None


class Audit:
    """The lines, in the catalog's own store."""

    def __init__(self, journal: Journal, now: Callable[[], datetime]) -> None:
        self._journal = journal
        self.damage = journal.damage
        self._now = now

    def record(self, actor: str, action: str, alterations: Iterable[Alteration]) -> None:
        """Add a line for each, all or none; they are on disk when this returns."""
        at, alterations = format_time(self._now()), tuple(alterations)
        with self._journal.writing() as connection:
            connection.executemany(
                f"INSERT INTO audit ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - a constant
                [sealed((at, actor, action, *each)) for each in alterations],
            )
        for each in alterations:
            logger.debug("%s by %s: %s, %s -> %s", action, actor, *each[:3])

    def lines(self, *, instruction: str | None = None, limit: int = 100) -> tuple[AuditLine, ...]:
        """The latest lines, the newest first."""
        where, values = ("WHERE instruction = ?", [instruction]) if instruction is not None else ("", [])
        with self._journal.reading() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM audit {where} ORDER BY number DESC LIMIT ?",  # noqa: S608 - made of constants
                [*values, limit],
            ).fetchall()
        return tuple(AuditLine(*row) for row in self._journal.damage.whole("audit", rows))
