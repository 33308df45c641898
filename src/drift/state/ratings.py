"""How often what people were told was of no use to them, and what is switched off for it.

The effective false-positive rate of a tool, rule or dimension is the share of its ratings of the last 30 days that call it not useful. It says
something from 20 ratings on. Above .10 it is an alert; a rule or dimension that was above .20 on each of the last 30 days is switched
off, until a person switches it on again. Tools are only flagged.
"""

from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final, Literal

from drift.kernel.stamps import store_stamp
from drift.state.rows import Curation, DayRating, day_text
from drift.state.store import StateStore

Subject = Literal["tool", "rule", "convention"]
Standing = Literal["few", "ok", "alert", "off"]

WINDOW_DAYS: Final = 30
LEAST_RATINGS: Final = 20
_ALERT_ABOVE: Final = 0.10
_OFF_ABOVE: Final = 0.20
_SUBJECTS: Final = ("tool", "rule", "convention")
_SWITCHED: Final = ("rule", "convention")
_ACTOR: Final = "drift"
_OFF: Final = "off"
_ON: Final = "on"


@dataclass(frozen=True, slots=True)
class EffectiveRate:
    """What was said of a tool, rule or dimension in 30 days. `rate` is null below 20 ratings, which say too little."""

    about: str
    subject: str
    rated: int
    not_useful: int
    rate: float | None
    standing: Standing


def effective_rates(store: StateStore, now: datetime) -> tuple[EffectiveRate, ...]:
    """The rates of all that was rated lately, the worst first."""
    off = switched_off(store)
    found = []
    for (about, subject), days in _by_subject(store, now - timedelta(days=WINDOW_DAYS)).items():
        rated, bad = _window(days, now.date())
        rate = bad / rated if rated >= LEAST_RATINGS else None
        is_off = about in _SWITCHED and subject in off
        standing: Standing = (
            "off" if is_off else "few" if rate is None else "alert" if rate > _ALERT_ABOVE else "ok"
        )
        found.append(
            EffectiveRate(about, subject, rated, bad, None if rate is None else round(rate, 3), standing)
        )
    return tuple(sorted(found, key=lambda one: (-(one.rate or 0.0), -one.rated, one.subject)))


def switch_off_harmful(store: StateStore, now: datetime) -> tuple[str, ...]:
    """Switch off what was of no use for 30 days on end; the names of what was on until now."""
    last = store.statuses()
    # A day looks back as far as the window: the first of them needs what was said before.
    found = [
        subject
        for (about, subject), days in _by_subject(store, now - timedelta(days=2 * WINDOW_DAYS)).items()
        if about in _SWITCHED and _is_harmful(_counted(days, last.get(subject)), now.date())
    ]
    reason = f"rated not useful in more than {_OFF_ABOVE:.0%} of ratings on {WINDOW_DAYS} days on end"
    if found:
        store.add_curation(
            *(Curation(each, now, _ACTOR, "switch_off", _OFF, reason) for each in sorted(found))
        )
    return tuple(sorted(found))


def switch_on(store: StateStore, subject: str, *, by: str, now: datetime) -> bool:
    """Have a rule or dimension count again; whether it was off. What was said until then does not count against it any more."""
    if subject not in switched_off(store):
        return False
    store.add_curation(Curation(subject, now, by, "switch_on", _ON))
    return True


def switched_off(store: StateStore) -> frozenset[str]:
    """The rules and dimensions that are off."""
    return frozenset(id_ for id_, last in store.statuses().items() if last.status == _OFF)


_known: dict[Path, tuple[str, frozenset[str]]] = {}


def find_switched_off(state_db: Path) -> frozenset[str]:
    """The same of the store at a path, read again only when the store was written to."""
    stamp = state_stamp(state_db)
    known = _known.get(state_db)
    if known is None or known[0] != stamp:
        with closing(StateStore(state_db)) as store:
            known = _known[state_db] = (stamp, switched_off(store))
    return known[1]


def state_stamp(state_db: Path) -> str:
    """Another text whenever something was kept."""
    return store_stamp(state_db)


def _by_subject(store: StateStore, since: datetime) -> dict[tuple[str, str], list[DayRating]]:
    found: dict[tuple[str, str], list[DayRating]] = defaultdict(list)
    for one in store.ratings_by_day(since=since):
        if one.about in _SUBJECTS:
            found[one.about, one.subject].append(one)
    return found


def _window(days: list[DayRating], last: date) -> tuple[int, int]:
    """How many ratings there are in the 30 days up to a day, and how many of no use."""
    first = (last - timedelta(days=WINDOW_DAYS)).isoformat()
    inside = [one for one in days if first < one.day <= last.isoformat()]
    return sum(one.count for one in inside), sum(one.count for one in inside if one.rating == "not_useful")


def _counted(days: list[DayRating], last: Curation | None) -> list[DayRating]:
    """What counts against a thing: nothing where it is off already, and nothing from before it was switched on by hand."""
    if last is None or last.status not in {_OFF, _ON}:
        return days
    return [] if last.status == _OFF else [one for one in days if one.day > day_text(last.at)]


def _is_harmful(days: list[DayRating], today: date) -> bool:
    for back in range(WINDOW_DAYS):
        rated, bad = _window(days, today - timedelta(days=back))
        if rated < LEAST_RATINGS or bad / rated <= _OFF_ABOVE:
            return False
    return True
