"""What the SQL of a store runs on: SQLite's own connection, or one to PostgreSQL that is used the same way."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol


class Rows(Protocol):
    """What a statement gives."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class RowNotes:
    """Which rows of a store were found whole when they were read, and which not."""

    def __init__(self) -> None:
        self.whole: set[int] = set()
        self.damaged: dict[int, str] = {}
        """By number the id, as far as it can be read."""


class Connection(Protocol):
    """Runs statements. They are written in the SQL both engines know, with question marks for values."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Rows: ...

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> Rows: ...
