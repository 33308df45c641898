"""What somebody thinks of an answer, a rule or a convention, and what that does to it."""

from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, NamedTuple, cast, get_args

from drift.conventions.feedback import ExampleRating, Rating
from drift.kernel.errors import DriftError, ErrorCode, invalid
from drift.project import Project
from drift.state import EffectiveRate, Feedback, StateStore, effective_rates, switch_off_harmful, switch_on

AnyRating = Literal["useful", "partial", "not_useful", "good", "bad", "irrelevant"]
Reason = Literal["wrong_data", "too_verbose", "missing_context", "irrelevant"]

_OF_ANSWERS: Final[dict[AnyRating, Rating]] = {
    "good": "useful",
    "bad": "not_useful",
    "irrelevant": "not_useful",
}
_OF_EXAMPLES: Final[dict[AnyRating, ExampleRating]] = {
    "useful": "good",
    "partial": "irrelevant",
    "not_useful": "bad",
}


class Opinion(NamedTuple):
    """A rating, and what it is about: the tool of an answer, a rule, or a convention."""

    rating: AnyRating
    tool: str | None = None
    request: str | None = None
    rule: str | None = None
    pattern: str | None = None
    reason: str | None = None
    is_fixed: bool | None = None


@dataclass(frozen=True, slots=True)
class OpinionData:
    """What is thought of tools, rules and dimensions, worst first, and which of them are switched off."""

    rates: tuple[EffectiveRate, ...]
    switched_off: tuple[str, ...]


def of_example(rating: AnyRating) -> ExampleRating:
    """The word for examples."""
    return cast("ExampleRating", _OF_EXAMPLES.get(rating, rating))  # all others are words of examples


def keep_opinion(
    project: Project, opinion: Opinion, *, client: str, now: datetime
) -> tuple[int, tuple[str, ...]]:
    """Keep a rating: its number, and the rules or dimensions that are switched off for it."""
    about, subject = _subject(opinion)
    rating = _OF_ANSWERS.get(opinion.rating, opinion.rating)
    is_word = opinion.reason in get_args(Reason)
    reason = opinion.reason if is_word else "irrelevant" if opinion.rating == "irrelevant" else None
    said = Feedback(
        now,
        about,
        subject,
        rating,  # type: ignore[arg-type]  # one of the three by now
        reason=reason,
        client=client,
        request=opinion.request,
        note=None if is_word else opinion.reason,
        is_fixed=opinion.is_fixed,
    )
    with closing(StateStore(project.stores.state_db)) as store:
        number = store.add_feedback(said)
        return number, switch_off_harmful(store, now)


def opinions(project: Project, now: datetime) -> OpinionData:
    """What is thought of what was told."""
    with closing(StateStore(project.stores.state_db)) as store:
        rates = effective_rates(store, now)
        off = sorted(id_ for id_, last in store.statuses().items() if last.status == "off")
    return OpinionData(rates, tuple(off))


def restore(project: Project, subject: str, *, by: str, now: datetime) -> None:
    """Have a rule or dimension count again. Raises INVALID_ARGUMENT where it is not off."""
    with closing(StateStore(project.stores.state_db)) as store:
        if not switch_on(store, subject, by=by, now=now):
            raise DriftError(ErrorCode.INVALID_ARGUMENT, f"{subject} is not switched off")


def _subject(opinion: Opinion) -> tuple[str, str]:
    if opinion.pattern is not None:
        # What is said of a convention is said of the dimension: the same is looked for in all scopes and languages.
        plain = opinion.pattern.partition("@")[0].partition("#")[0].partition(":")[0]
        return "convention", plain
    if opinion.rule is not None:
        return "rule", opinion.rule
    if opinion.tool is not None:
        return "tool", opinion.tool
    raise invalid(
        "requestId",
        "no answer of this server is known by it any more; name the tool, a rule or a patternId"
        if opinion.request
        else "name the answer by requestId or tool, or a rule, a patternId, an example by patternId and file",
    )
