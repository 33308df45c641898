"""Times as instructions carry them: UTC, ISO 8601, milliseconds, so that their order is that of their text."""

from datetime import UTC, datetime, timedelta


def format_time(moment: datetime) -> str:
    """`2026-01-31T09:30:00.000Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_time(text: str) -> datetime:
    """The moment an ISO 8601 date or time names, UTC where it says nothing. Raises ValueError."""
    moment = datetime.fromisoformat(text)
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{text} is beyond the calendar in UTC") from None


def settle_time(text: str) -> str:
    """The same moment in the one form that is kept. Raises ValueError."""
    return format_time(parse_time(text))


def add_days(text: str, days: int) -> str:
    """The time so many days later, or the end of the calendar."""
    try:
        return format_time(parse_time(text) + timedelta(days=days))
    except OverflowError:
        return format_time(datetime.max.replace(tzinfo=UTC))
