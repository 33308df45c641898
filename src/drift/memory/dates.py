"""Dates people and agents write, as times of the store and back."""

from datetime import UTC, datetime, timedelta

from drift.kernel.errors import invalid

_DATE_CHARS = len("2026-01-31")


def read_time(text: str | None, argument: str, *, is_end: bool = False) -> int | None:
    """The Unix milliseconds of an ISO 8601 date or time, UTC where it names no zone.

    `is_end`: a date without a time means the end of that day.
    """
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
        zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if is_end and len(text) == _DATE_CHARS:
            zoned += timedelta(days=1)
        at_ms = int(zoned.timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        raise invalid(
            argument, f"got {text[:60]!r}; a date such as 2026-01-31 or 2026-01-31T14:30"
        ) from error
    if at_ms < 0:
        raise invalid(argument, "must be 1970 or later")
    return at_ms


def write_time(at_ms: int | None) -> str | None:
    """The time to the second, as ISO 8601 in UTC."""
    if at_ms is None:
        return None
    return datetime.fromtimestamp(at_ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
