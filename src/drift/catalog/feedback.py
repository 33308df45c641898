"""What clients tell about the server: kept word for word, with a status somebody moves on."""

import json
import logging
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple, get_args

from drift.catalog.damage import COLUMNS, sealed
from drift.catalog.journal import Journal
from drift.catalog.refusals import refuse, too_large
from drift.catalog.times import format_time, settle_time
from drift.kernel.connections import Connection
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.redaction import redact


@dataclass(frozen=True, slots=True)
class FeedbackRow:
    """One piece of feedback, word for word."""

    id: str
    timestamp: str
    updated_at: str
    type: str
    severity: str
    status: str
    title: str
    description: str
    tags: tuple[str, ...]
    context: Mapping[str, Any] | None = None
    admin_notes: str | None = None


@dataclass(frozen=True, slots=True)
class SubmittedData:
    """What was kept, and when."""

    feedback_id: str
    status: Literal["submitted"]
    timestamp: str


@dataclass(frozen=True, slots=True)
class FeedbackListData:
    """Feedback, the newest first; `total` is how much fits in all."""

    entries: tuple[FeedbackRow, ...]
    total: int
    limit: int
    offset: int


@dataclass(frozen=True, slots=True)
class FeedbackGetData:
    """One piece of feedback, or `notFound`."""

    entry: FeedbackRow | None = None
    not_found: bool | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class FeedbackCounts:
    """Feedback counted."""

    total: int
    by_type: Mapping[str, int]
    by_severity: Mapping[str, int]
    by_status: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class FeedbackStatsData:
    """Counts, and the newest of it."""

    stats: FeedbackCounts
    recent_activity: tuple[FeedbackRow, ...]


@dataclass(frozen=True, slots=True)
class StorageRow:
    """The store; `lastUpdated` is null while it is empty."""

    total_entries: int
    last_updated: str | None
    disk_usage: str


@dataclass(frozen=True, slots=True)
class FeedbackConfig:
    """Where feedback is kept, and how much of it."""

    max_entries: int
    feedback_dir: str


@dataclass(frozen=True, slots=True)
class FeedbackHealthData:
    """How the store of feedback is."""

    status: Literal["operational"]
    storage_info: StorageRow
    config: FeedbackConfig


FeedbackType = Literal[
    "issue", "bug-report", "feature-request", "security", "documentation", "performance", "usability", "other"
]
Severity = Literal["low", "medium", "high", "critical"]
FeedbackStatus = Literal["new", "acknowledged", "in-progress", "resolved", "closed"]

_TITLE: Final = (3, 200)
_DESCRIPTION: Final = (10, 5000)
_MOST_TAGS: Final = 10
_LONGEST_TAG: Final = 100
_LONGEST_NOTES: Final = 1000
_MOST_CONTEXT_BYTES: Final = 20_000
_MOST_LISTED: Final = 200
_RECENT: Final = 10
_COLUMNS: Final = f"{COLUMNS['feedback']}, digest"
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FeedbackEntry:
    """One piece of feedback."""

    id: str
    timestamp: str
    updated_at: str
    type: FeedbackType
    severity: Severity
    status: FeedbackStatus
    title: str
    description: str
    context: Mapping[str, Any] | None
    tags: tuple[str, ...]
    admin_notes: str | None


class FeedbackPage(NamedTuple):
    """Some of the feedback, the newest first, and how much there is in all."""

    entries: tuple[FeedbackEntry, ...]
    total: int


class FeedbackStats(NamedTuple):
    """Feedback counted."""

    total: int
    by_type: dict[str, int]
    by_severity: dict[str, int]
    by_status: dict[str, int]
    recent: tuple[FeedbackEntry, ...]


class FeedbackHealth(NamedTuple):
    """How the store of feedback is."""

    total_entries: int
    last_updated: str | None
    disk_bytes: int
    max_entries: int
    path: str


class Feedback:
    """The feedback in a store, at most `max_entries` of it."""

    def __init__(self, journal: Journal, now: Callable[[], datetime], *, max_entries: int) -> None:
        self._journal = journal
        self.damage = journal.damage
        self._now = now
        self._max_entries = max_entries

    def submit(
        self,
        *,
        kind: str,
        severity: str,
        title: str,
        description: str,
        context: Mapping[str, Any] | None = None,
        tags: Sequence[str] = (),
    ) -> FeedbackEntry:
        """Keep a new piece of feedback. Security and critical ones are also logged as warnings."""
        _check_choice("type", kind, get_args(FeedbackType))
        _check_choice("severity", severity, get_args(Severity))
        _check_length("title", title, *_TITLE)
        _check_length("description", description, *_DESCRIPTION)
        at = format_time(self._now())
        feedback_id = f"fb_{os.urandom(8).hex()}"
        values = (
            at,
            at,
            kind,
            severity,
            "new",
            title,
            description,
            _dump_context(context),
            _dump_tags(tags),
            None,
        )
        with self._journal.writing() as connection:
            connection.execute(
                f"INSERT INTO feedback ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - a constant
                sealed((feedback_id, *values)),
            )
            # What is settled goes first, then what is oldest.
            connection.execute(
                "DELETE FROM feedback WHERE number IN (SELECT number FROM feedback"
                " ORDER BY status IN ('resolved', 'closed'), number DESC LIMIT 1000000000 OFFSET ?)",
                (self._max_entries,),
            )
        if kind == "security" or severity == "critical":
            # A log is read by more people than the store, so no secret goes there.
            _LOG.warning("%s feedback (%s) %s: %s", severity, kind, feedback_id, ascii(redact(title).text))
        return _entry((feedback_id, *values))

    def list_entries(
        self,
        *,
        kind: str | None = None,
        severity: str | None = None,
        status: str | None = None,
        since: str | None = None,
        until: str | None = None,
        tags: Sequence[str] = (),
        limit: int = 50,
        offset: int = 0,
    ) -> FeedbackPage:
        """Feedback that fits all filters and has all tags, the newest first."""
        wanted: list[tuple[str, Any]] = [
            ("type = ?", kind),
            ("severity = ?", severity),
            ("status = ?", status),
            ("at >= ?", _time("since", since)),
            ("at <= ?", _time("until", until)),
        ]
        wanted += [
            ("EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)", tag) for tag in tags[:_MOST_TAGS]
        ]
        asked = [(condition, value) for condition, value in wanted if value is not None]
        where = " AND ".join(condition for condition, _ in asked) or "1 = 1"
        values = [value for _, value in asked]
        with self._journal.reading() as connection:
            # All that fit, at most as many as are kept: how many are whole shows only when each is looked at.
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM feedback WHERE {where} ORDER BY number DESC",  # noqa: S608 - made of constants
                values,
            )
            whole = list(self._journal.damage.whole("feedback", rows))
        start = max(offset, 0)
        page = whole[start : start + min(max(limit, 1), _MOST_LISTED)]
        return FeedbackPage(tuple(map(_entry, page)), len(whole))

    def get(self, feedback_id: str) -> FeedbackEntry | None:
        """One piece of feedback, or None."""
        with self._journal.reading() as connection:
            row = self._find(connection, feedback_id)
        return None if row is None else _entry(row)

    def update(self, feedback_id: str, status: str, *, admin_notes: str | None = None) -> FeedbackEntry:
        """Move a piece of feedback on. Notes that are not given stay."""
        _check_choice("status", status, get_args(FeedbackStatus))
        if admin_notes is not None:
            _check_length("adminNotes", admin_notes, 0, _LONGEST_NOTES)
        with self._journal.writing() as connection:
            row = self._find(connection, feedback_id)
            if row is not None:
                notes = row[-1] if admin_notes is None else admin_notes
                row = (*row[:2], format_time(self._now()), *row[3:5], status, *row[6:-1], notes)
                connection.execute(
                    "UPDATE feedback SET updated_at = ?, status = ?, admin_notes = ?, digest = ? WHERE id = ?",
                    (row[2], status, notes, sealed(row)[-1], feedback_id),
                )
        if row is None:
            raise DriftError(
                ErrorCode.RESOURCE_NOT_FOUND,
                f"No feedback has the id {feedback_id[:60]!a}",
                Recovery(hint="feedback_list shows the ids there are; old entries are rotated out."),
            )
        return _entry(row)

    def stats(self, *, since: str | None = None) -> FeedbackStats:
        """The feedback counted by type, severity and status, and the newest of it."""
        after = _time("since", since) or ""
        with self._journal.reading() as connection:
            rows = connection.execute(f"SELECT {_COLUMNS} FROM feedback WHERE at >= ?", (after,))  # noqa: S608 - a constant
            whole = list(self._journal.damage.whole("feedback", rows))
        counts = [dict(sorted(Counter(row[place] for row in whole).items())) for place in (3, 4, 5)]
        recent = self.list_entries(since=since, limit=_RECENT).entries
        by_type, by_severity, by_status = counts
        return FeedbackStats(sum(by_type.values()), by_type, by_severity, by_status, recent)

    def health(self) -> FeedbackHealth:
        """How much there is and where. Raises STORE_UNAVAILABLE when the store cannot be used."""
        with self._journal.reading() as connection:
            total, latest = connection.execute("SELECT count(*), max(updated_at) FROM feedback").fetchone()
            size = self._journal.measure(connection)
        return FeedbackHealth(total, latest, size, self._max_entries, self._journal.place)

    def _find(self, connection: Connection, feedback_id: str) -> tuple[Any, ...] | None:
        rows = connection.execute(f"SELECT {_COLUMNS} FROM feedback WHERE id = ?", (feedback_id,))  # noqa: S608 - a constant
        return next(self._journal.damage.whole("feedback", rows), None)


def _entry(row: Sequence[Any]) -> FeedbackEntry:
    *plain, context, tags, notes = row
    names = ("id", "timestamp", "updated_at", "type", "severity", "status", "title", "description")
    return FeedbackEntry(
        **dict(zip(names, plain, strict=True)),
        context=None if context is None else json.loads(context),
        tags=tuple(json.loads(tags)),
        admin_notes=notes,
    )


def _check_choice(argument: str, given: str, choices: tuple[str, ...]) -> None:
    if given not in choices:
        raise refuse(argument, f"must be one of {', '.join(choices)}")


def _check_length(argument: str, given: str, least: int, most: int) -> None:
    if not least <= len(given) <= most:
        raise refuse(argument, f"must have {least} to {most} characters")
    _check_text(argument, given)


def _check_text(argument: str, given: str) -> None:
    try:
        given.encode("utf-8")
    except UnicodeEncodeError:
        raise refuse(argument, "holds half of a surrogate pair") from None


def _dump_context(context: Mapping[str, Any] | None) -> str | None:
    if context is None:
        return None
    try:
        text = json.dumps(dict(context), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise refuse("context", "is not a JSON object") from None
    _check_text("context", text)
    if len(text.encode("utf-8")) > _MOST_CONTEXT_BYTES:
        raise too_large("context", len(text), _MOST_CONTEXT_BYTES, unit="bytes")
    return text


def _dump_tags(tags: Sequence[str]) -> str:
    if len(tags) > _MOST_TAGS:
        raise too_large("tags", len(tags), _MOST_TAGS, unit="tags")
    for tag in tags:
        _check_length("tags", tag, 1, _LONGEST_TAG)
    return json.dumps(list(tags), ensure_ascii=False)


def _time(argument: str, given: str | None) -> str | None:
    if given is None:
        return None
    try:
        return settle_time(given)
    except ValueError:
        raise refuse(argument, "is not a time in ISO 8601") from None


def feedback_row(entry: FeedbackEntry) -> FeedbackRow:
    return FeedbackRow(**{name: getattr(entry, name) for name in FeedbackRow.__slots__})
