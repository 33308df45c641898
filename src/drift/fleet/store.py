"""The database of a fleet: how each repository stands, and the facts that questions over all of them are answered from."""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, TypeVar

from drift.fleet.facts import Answered, Asked, Dependency, Facts, Kept, OutsideUse, OwnPackage
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.stores import ForeignStoreError, keep_journal, open_store, remove_store

_BUSY_SECONDS: Final = 30.0
_FACTS: Final = ("packages", "dependencies", "uses", "answered", "asked", "conventions")
_STATE_FIELDS: Final = (
    "name, url, branch, tried_at, reason, scanned_at, commit_id, engine, snapshot, snapshot_bytes, "
    "files, symbols, mode, seconds, cpu_seconds, attempts, cut"
)
_STATES: Final = f"SELECT {_STATE_FIELDS} FROM repositories ORDER BY name"  # noqa: S608 - our own names
_USES: Final = """
    SELECT repositories.name, uses.ecosystem, package, uses.name, last, file, line, caller, is_test
    FROM uses JOIN repositories ON repositories.id = uses.repository
    WHERE last = ? ORDER BY repositories.name, file, line
"""
_ANSWERED: Final = """
    SELECT repositories.name, method, path, resource, framework, file, line, answered.name
    FROM answered JOIN repositories ON repositories.id = answered.repository
"""
_ASKED: Final = """
    SELECT repositories.name, method, path, library, file, line, asked.name
    FROM asked JOIN repositories ON repositories.id = asked.repository ORDER BY repositories.name, file, line
"""
_CONVENTIONS: Final = """
    SELECT repositories.name, convention, rule, variant, is_decided, share, sites, outliers, examples
    FROM conventions JOIN repositories ON repositories.id = conventions.repository
"""
_COUNTS: Final = """
    SELECT convention, variant, is_decided, count(*), min(rule) FROM conventions
    GROUP BY convention, variant, is_decided ORDER BY convention
"""
_PACKAGES: Final = """
    SELECT repositories.name, ecosystem, packages.name
    FROM packages JOIN repositories ON repositories.id = packages.repository ORDER BY 1, 2, 3
"""
_DEPENDENCIES: Final = """
    SELECT dependencies.ecosystem, dependencies.name, version, scope, file, line
    FROM dependencies JOIN repositories ON repositories.id = dependencies.repository WHERE repositories.name = ?
"""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class State:
    """How a repository stands. Without `scanned_at` nothing is known of it; `reason` is why the last try failed."""

    name: str
    url: str
    branch: str | None
    tried_at: str
    reason: str | None = None
    scanned_at: str | None = None
    commit: str | None = None
    engine: str | None = None
    snapshot: str | None = None
    snapshot_bytes: int | None = None
    files: int | None = None
    symbols: int | None = None
    mode: str | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None
    attempts: int = 1
    cut: str = ""


class VariantCount(NamedTuple):
    """How many repositories chose a variant of a convention, or are undecided with it before others."""

    convention: str
    variant: str
    is_decided: bool
    repositories: int
    rule: str


@cache
def _schema() -> str:
    return files("drift.fleet").joinpath("store.sql").read_text("utf-8")


class FleetStore:
    """The database, opened; what is written is written whole or not at all."""

    def __init__(self, path: Path, *, may_make: bool = False) -> None:
        if not may_make and not path.is_file():
            raise DriftError(
                ErrorCode.SCAN_REQUIRED,
                f"The fleet has no database at {path} yet",
                Recovery(command="drift fleet update"),
            )
        self._path = path
        try:
            self._connection = _open(path)
        except (sqlite3.Error, OSError) as error:
            raise self._unusable(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def states(self) -> dict[str, State]:
        """How each repository stands, by name."""
        return {row[0]: State(*row) for row in self._rows(_STATES)}

    def put(self, state: State, facts: Facts | None = None) -> None:
        """Note how a repository stands, and new facts where there are some; older ones stay else."""
        values = tuple(getattr(state, field) for field in State.__slots__)
        with self._writing() as connection:
            names, marks = _STATE_FIELDS, ",".join("?" * len(values))
            updates = ", ".join(f"{name} = excluded.{name}" for name in names.split(", ")[1:])
            connection.execute(
                f"INSERT INTO repositories ({names}) VALUES ({marks}) ON CONFLICT (name) DO UPDATE SET {updates}",  # noqa: S608 - our own names
                values,
            )
            if facts is not None:
                (number,) = connection.execute(
                    "SELECT id FROM repositories WHERE name = ?", (state.name,)
                ).fetchone()
                _replace(connection, number, facts)

    def keep_only(self, names: Collection[str]) -> list[str]:
        """Forget repositories that are no longer on the list; their names."""
        gone = [name for name in self.states() if name not in names]
        with self._writing() as connection:
            for name in gone:
                (number,) = connection.execute(
                    "SELECT id FROM repositories WHERE name = ?", (name,)
                ).fetchone()
                _clear(connection, number)
                connection.execute("DELETE FROM repositories WHERE id = ?", (number,))
        return gone

    def uses(self, last: str) -> list[tuple[str, OutsideUse]]:
        """Calls of everything with this last name, by repository."""
        return [(row[0], OutsideUse._make(row[1:])) for row in self._rows(_USES, (last,))]

    def packages(self) -> list[tuple[str, OwnPackage]]:
        """What each repository is called."""
        return [(row[0], OwnPackage._make(row[1:])) for row in self._rows(_PACKAGES)]

    def dependencies(self, repository: str) -> list[Dependency]:
        """What a repository declares that it needs."""
        return [Dependency._make(row) for row in self._rows(_DEPENDENCIES, (repository,))]

    def asked(self) -> list[tuple[str, Asked]]:
        """Requests that repositories make."""
        return [(row[0], Asked._make(row[1:])) for row in self._rows(_ASKED)]

    def answered(self) -> list[tuple[str, Answered]]:
        """Requests that repositories answer."""
        return [(row[0], Answered._make(row[1:])) for row in self._rows(_ANSWERED)]

    def variants(self) -> list[VariantCount]:
        """How often each variant of each convention was chosen."""
        return [VariantCount._make(row) for row in self._rows(_COUNTS)]

    def conventions(self, convention: str) -> list[tuple[str, Kept]]:
        """How each repository stands to a convention."""
        rows = self._rows(f"{_CONVENTIONS} WHERE convention = ? ORDER BY 1", (convention,))
        return [(row[0], Kept._make(row[1:])) for row in rows]

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> DriftError:
        return DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"The fleet's database {self._path} cannot be used: {error}",
            Recovery(hint="It is derived: delete it and run drift fleet update."),
        )


def _open(path: Path) -> sqlite3.Connection:
    try:
        connection = open_store(path, _schema(), timeout_seconds=_BUSY_SECONDS)
    except ForeignStoreError:
        # Of another version of Drift: all of it can be found again.
        remove_store(path)
        connection = open_store(path, _schema(), timeout_seconds=_BUSY_SECONDS)
    keep_journal(connection, timeout_seconds=_BUSY_SECONDS)
    return connection


def _replace(connection: sqlite3.Connection, number: int, facts: Facts) -> None:
    _clear(connection, number)
    for table in _FACTS:
        rows = getattr(facts, table)
        if rows:
            marks = ",".join("?" * (1 + len(rows[0])))
            connection.executemany(
                f"INSERT OR REPLACE INTO {table} VALUES ({marks})",  # noqa: S608 - our own names
                ((number, *row) for row in rows),
            )


def _clear(connection: sqlite3.Connection, number: int) -> None:
    for table in _FACTS:
        connection.execute(f"DELETE FROM {table} WHERE repository = ?", (number,))  # noqa: S608 - our own names
