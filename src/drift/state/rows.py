"""The rows of state.db. What is null is not known."""

from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple

Rating = Literal["useful", "partial", "not_useful"]
Source = Literal["said", "implied"]
RunStatus = Literal["passed", "warned", "failed", "errored"]
Scope = Literal["project", "change"]

LONGEST_NAME: Final = 500
LONGEST_TEXT: Final = 4_000


class Sighting(NamedTuple):
    """When a convention was seen first and last."""

    first: datetime
    last: datetime


class Curation(NamedTuple):
    """What was done about a convention; `status` is what it became, null where that stayed as it was."""

    convention: str
    at: datetime
    actor: str
    action: str
    status: str | None = None
    reason: str | None = None
    evidence: str | None = None
    """JSON."""


class Feedback(NamedTuple):
    """What somebody thinks of a tool, convention, rule or example."""

    at: datetime
    about: str
    subject: str
    rating: Rating
    source: Source = "said"
    reason: str | None = None
    client: str | None = None
    request: str | None = None
    note: str | None = None
    is_fixed: bool | None = None


class RatingCount(NamedTuple):
    """How often something was rated in one way."""

    about: str
    subject: str
    rating: Rating
    source: Source
    count: int  # type: ignore[assignment]  # a column of that name


class DayRating(NamedTuple):
    """How often something was rated in one way on a day."""

    about: str
    subject: str
    day: str
    rating: Rating
    count: int  # type: ignore[assignment]  # a column of that name


class VerificationCount(NamedTuple):
    """How claims of a kind, made by a client, came out."""

    client: str
    kind: str
    passed: int
    failed: int


class Run(NamedTuple):
    """A run of gates; `summary` is JSON: the checks and how each came out."""

    at: datetime
    actor: str
    policy: str
    scope: Scope
    status: RunStatus
    score: float | None
    head: str | None
    summary: str


class Snapshot(NamedTuple):
    """When and of what something was measured."""

    at: datetime
    head: str | None = None
    branch: str | None = None
    generation: int | None = None
    run: int | None = None


class Measure(NamedTuple):
    """One measured thing: `convention`, `errors/exception-suffix`, `frequency`, .93."""

    about: str
    subject: str
    measure: str
    value: float


class Point(NamedTuple):
    """A value at a time."""

    at: datetime
    value: float


def time_text(moment: datetime) -> str:
    """A time as it is stored: in UTC and of one length, so that texts sort as times do."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def day_text(moment: datetime) -> str:
    """The day of a time in UTC."""
    return moment.astimezone(UTC).date().isoformat()


def read_time(text: str) -> datetime:
    """A stored time; the beginning of time where it is none, as damage may leave it."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
