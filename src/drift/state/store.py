"""What was seen and decided over time: typed ways in and out of state.db."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar

from drift.kernel.connections import Connection
from drift.kernel.errors import invalid
from drift.kernel.precious import Layout, PreciousStore
from drift.state.rows import (
    LONGEST_NAME,
    LONGEST_TEXT,
    Curation,
    DayRating,
    Feedback,
    Measure,
    Point,
    RatingCount,
    Run,
    Sighting,
    Snapshot,
    VerificationCount,
    day_text,
    read_time,
    time_text,
)

_MOST_ROWS: Final = 1_000

Row = TypeVar("Row")


@cache
def _schema() -> str:
    return files("drift.state").joinpath("state.sql").read_text(encoding="utf-8")


LAYOUT: Final = Layout("the store of what was decided", _schema)


class Numbered(NamedTuple, Generic[Row]):
    """A row and its number, by which it is named and older ones are found."""

    number: int
    row: Row


class StateStore:
    """The store at a path. Nothing is made before the first change; every change is on disk when a method returns."""

    def __init__(self, path: Path) -> None:
        self._store = PreciousStore(path, LAYOUT)

    @property
    def path(self) -> Path:
        return self._store.path

    def close(self) -> None:
        """Give the file up; the next use opens it again."""
        self._store.close()

    def check(self) -> tuple[str, ...]:
        """What is damaged. Raises STORE_UNAVAILABLE where the store cannot be read at all."""
        return self._store.find_problems()

    def note_seen(self, conventions: Iterable[str], at: datetime) -> None:
        """Conventions are there at a time: the first time of each is kept for good."""
        moment = time_text(at)
        rows = [(_name(each, "convention"), moment, moment) for each in conventions]
        with self._store.writing() as connection:
            connection.executemany(
                "INSERT INTO conventions VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
                " first_seen_at = min(conventions.first_seen_at, excluded.first_seen_at),"
                " last_seen_at = max(conventions.last_seen_at, excluded.last_seen_at)",
                rows,
            )

    def sightings(self) -> dict[str, Sighting]:
        """When each convention was seen, by its id."""
        rows = self._rows("SELECT id, first_seen_at, last_seen_at FROM conventions")
        return {id_: Sighting(read_time(first), read_time(last)) for id_, first, last in rows}

    def add_curation(self, *actions: Curation) -> int:
        """Keep what was done, all or nothing; the number of the last."""
        rows = [
            (
                _name(each.convention, "convention"), time_text(each.at), _name(each.actor, "actor"),
                _name(each.action, "action"), each.status, _text(each.reason, "reason"), _text(each.evidence, "evidence"),
            )
            for each in actions
        ]  # fmt: skip
        return self._add("curation", "convention, at, actor, action, status, reason, evidence", rows)

    def statuses(self) -> dict[str, Curation]:
        """What gave each convention the status it has, by its id."""
        rows = self._rows(
            "SELECT convention, at, actor, action, status, reason, evidence FROM curation WHERE number IN"
            " (SELECT max(number) FROM curation WHERE status IS NOT NULL GROUP BY convention)"
        )
        return {row[0]: _curation(row) for row in rows}

    def curation(
        self, convention: str | None = None, *, before: int | None = None, most: int = 100
    ) -> list[Numbered[Curation]]:
        """What was done, newest first, of one convention or all; older than a number where one is given."""
        rows = self._rows(
            "SELECT number, convention, at, actor, action, status, reason, evidence FROM curation"
            " WHERE (CAST(?1 AS text) IS NULL OR convention = ?1) AND (CAST(?2 AS bigint) IS NULL OR number < ?2) ORDER BY number DESC LIMIT ?3",
            (convention, before, min(most, _MOST_ROWS)),
        )
        return [Numbered(number, _curation(tuple(row))) for number, *row in rows]

    def add_feedback(self, feedback: Feedback) -> int:
        """Keep what somebody thinks; its number."""
        is_fixed = None if feedback.is_fixed is None else int(feedback.is_fixed)
        row = (
            time_text(feedback.at), _name(feedback.about, "about"), _name(feedback.subject, "subject"), feedback.rating,
            feedback.source, _text(feedback.reason, "reason"), _text(feedback.client, "client"),
            _text(feedback.request, "request"), _text(feedback.note, "note"), is_fixed,
        )  # fmt: skip
        columns = "at, about, subject, rating, source, reason, client, request, note, is_fixed"
        return self._add("feedback", columns, [row])

    def ratings(
        self, *, since: datetime, about: str | None = None, subject: str | None = None
    ) -> list[RatingCount]:
        """How often each thing was rated in which way since a time."""
        rows = self._rows(
            "SELECT about, subject, rating, source, count(*) FROM feedback WHERE at >= ?1"
            " AND (CAST(?2 AS text) IS NULL OR about = ?2) AND (CAST(?3 AS text) IS NULL OR subject = ?3)"
            " GROUP BY about, subject, rating, source ORDER BY about, subject, rating, source",
            (time_text(since), about, subject),
        )
        return [RatingCount(*row) for row in rows]

    def ratings_by_day(self, *, since: datetime) -> list[DayRating]:
        """What was said of each thing on each day since a time, by day."""
        rows = self._rows(
            "SELECT about, subject, substr(at, 1, 10), rating, count(*) FROM feedback WHERE at >= ? AND source = 'said'"
            " GROUP BY about, subject, substr(at, 1, 10), rating ORDER BY 3, 1, 2",
            (time_text(since),),
        )
        return [DayRating(*row) for row in rows]

    def count_verification(self, *, client: str, kind: str, passed: bool, at: datetime) -> None:
        """A claim of a client was verified, or was not."""
        row = (day_text(at), _name(client, "client"), _name(kind, "kind"), int(passed), int(not passed))
        with self._store.writing() as connection:
            connection.execute(
                "INSERT INTO verifications VALUES (?, ?, ?, ?, ?) ON CONFLICT (day, client, kind) DO UPDATE SET"
                " passed = verifications.passed + excluded.passed, failed = verifications.failed + excluded.failed",
                row,
            )

    def verifications(self, *, since: datetime) -> list[VerificationCount]:
        """How claims came out since a day, by client and kind."""
        rows = self._rows(
            "SELECT client, kind, sum(passed), sum(failed) FROM verifications WHERE day >= ?"
            " GROUP BY client, kind ORDER BY client, kind",
            (day_text(since),),
        )
        return [VerificationCount(*row) for row in rows]

    def add_run(self, run: Run) -> int:
        """Keep a run of gates; its number."""
        row = (
            time_text(run.at), _name(run.actor, "actor"), _name(run.policy, "policy"), run.scope, run.status, run.score,
            run.head, run.summary,
        )  # fmt: skip
        return self._add("runs", "at, actor, policy, scope, status, score, head, summary", [row])

    def runs(
        self, policy: str | None = None, *, before: int | None = None, most: int = 100
    ) -> list[Numbered[Run]]:
        """Runs of gates, newest first, of one policy or all; older than a number where one is given."""
        rows = self._rows(
            "SELECT number, at, actor, policy, scope, status, score, head, summary FROM runs"
            " WHERE (CAST(?1 AS text) IS NULL OR policy = ?1) AND (CAST(?2 AS bigint) IS NULL OR number < ?2) ORDER BY number DESC LIMIT ?3",
            (policy, before, min(most, _MOST_ROWS)),
        )
        return [Numbered(number, Run(read_time(at), *row)) for number, at, *row in rows]

    def add_snapshot(self, snapshot: Snapshot, measures: Iterable[Measure]) -> int:
        """Keep what was measured at one time; the snapshot's number. A measure that is given twice counts once."""
        with self._store.writing() as connection:
            row = (time_text(snapshot.at), snapshot.head, snapshot.branch, snapshot.generation, snapshot.run)
            number = _insert(connection, "snapshots", "at, head, branch, generation, run", row)
            rows = [(_name(each.subject, "subject"), each) for each in measures]
            connection.executemany(
                "INSERT INTO things (about, subject, measure) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                ((each.about, subject, each.measure) for subject, each in rows),
            )
            connection.executemany(
                "INSERT INTO measured SELECT id, ?, ? FROM things WHERE about = ? AND subject = ? AND measure = ?"
                " ON CONFLICT (thing_id, snapshot) DO UPDATE SET value = excluded.value",
                ((number, float(each.value), each.about, subject, each.measure) for subject, each in rows),
            )
        return number

    def snapshots(self, *, most: int = 100) -> list[Numbered[Snapshot]]:
        """When something was measured, newest first."""
        rows = self._rows(
            "SELECT number, at, head, branch, generation, run FROM snapshots ORDER BY number DESC LIMIT ?",
            (min(most, _MOST_ROWS),),
        )
        return [Numbered(number, Snapshot(read_time(at), *row)) for number, at, *row in rows]

    def last_measured(self, *, about: str, subject: str, measure: str) -> Numbered[Snapshot] | None:
        """The newest snapshot with a value of one thing."""
        rows = self._rows(
            "SELECT number, at, head, branch, generation, run FROM snapshots WHERE number = (SELECT max(snapshot)"
            " FROM measured WHERE thing_id = (SELECT id FROM things WHERE about = ? AND subject = ? AND measure = ?))",
            (about, subject, measure),
        )
        return next((Numbered(number, Snapshot(read_time(at), *row)) for number, at, *row in rows), None)

    def measures(self, snapshot: int) -> list[Measure]:
        """All that was measured for a snapshot."""
        rows = self._rows(
            "SELECT about, subject, measure, value FROM measured JOIN things ON things.id = thing_id"
            " WHERE snapshot = ? ORDER BY about, subject, measure",
            (snapshot,),
        )
        return [Measure(*row) for row in rows]

    def trend(self, *, about: str, subject: str, measure: str, since: datetime) -> list[Point]:
        """The values of one thing since a time, oldest first."""
        rows = self._rows(
            "SELECT at, value FROM measured JOIN snapshots ON number = snapshot"
            " WHERE thing_id = (SELECT id FROM things WHERE about = ? AND subject = ? AND measure = ?) AND at >= ?"
            " ORDER BY number",
            (about, subject, measure, time_text(since)),
        )
        return [Point(read_time(at), value) for at, value in rows]

    def thin_snapshots(self, *, before: datetime) -> int:
        """Of the snapshots before a time keep the last of each day and kind of thing measured; how many went."""
        with self._store.writing() as connection:
            gone = connection.execute(
                "SELECT number FROM snapshots WHERE at < ? AND number NOT IN"
                " (SELECT max(number) FROM snapshots JOIN measured ON snapshot = number JOIN things ON things.id = thing_id"
                " GROUP BY substr(at, 1, 10), about)",
                (time_text(before),),
            ).fetchall()
            connection.executemany("DELETE FROM measured WHERE snapshot = ?", gone)
            connection.executemany("DELETE FROM snapshots WHERE number = ?", gone)
        return len(gone)

    def _add(self, table: str, columns: str, rows: Sequence[tuple[object, ...]]) -> int:
        number = 0
        with self._store.writing() as connection:
            for row in rows:
                number = _insert(connection, table, columns, row)
        return number

    def _rows(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with self._store.reading() as connection:
            return connection.execute(query, values).fetchall()


def _insert(connection: Connection, table: str, columns: str, row: Sequence[object]) -> int:
    """Put a row in; the number it gets."""
    marks = ", ".join("?" * len(row))
    statement = f"INSERT INTO {table} ({columns}) VALUES ({marks}) RETURNING number"  # noqa: S608 - made of constants
    return int(connection.execute(statement, row).fetchone()[0])


def _curation(row: tuple[Any, ...]) -> Curation:
    convention, at, *rest = row
    return Curation(convention, read_time(at), *rest)


def _name(value: str, argument: str) -> str:
    if not value or len(value) > LONGEST_NAME:
        raise invalid(argument, f"must be 1 to {LONGEST_NAME} characters")
    return value


def _text(value: str | None, argument: str) -> str | None:
    if value is not None and len(value) > LONGEST_TEXT:
        raise invalid(argument, f"must be at most {LONGEST_TEXT:,} characters")
    return value
