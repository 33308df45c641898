"""What may be asked of decisions: the list, one whole, those about a file, the course of time, and a word on one."""

from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.decisions.book import Entry, Verdict, write_entry
from drift.decisions.form import Decision, DecisionCategory, DecisionStatus
from drift.decisions.mining import Past, mine_decisions
from drift.decisions.signs import words_of
from drift.kernel.errors import DriftError, ErrorCode, Recovery, needed
from drift.kernel.similar import similar_names
from drift.kernel.text import plural
from drift.state import Curation, StateStore

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.project import Project

DecisionAction = Literal["mine", "status", "list", "get", "for-file", "timeline", "search", "confirm"]
_MONTH: Final = 7  # characters of a day that are its month
_ORDER: Final[dict[DecisionStatus, int]] = {"confirmed": 0, "draft": 1, "superseded": 2, "rejected": 3}


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A decision: when it was carried out, by how many commits, and how sure it is one."""

    id: str
    title: str
    category: DecisionCategory
    status: DecisionStatus
    confidence: float
    since: str
    until: str
    commits: int
    shows: str | None


@dataclass(frozen=True, slots=True)
class MonthRow:
    """What was decided in a month."""

    month: str
    decisions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PastRow:
    """How much was looked at and found."""

    commits: int
    head: str | None
    decisions: int
    by_category: dict[str, int]
    by_status: dict[str, int]


@dataclass(frozen=True, slots=True)
class DecisionsData:
    """What was asked for; the other parts are absent."""

    decisions: tuple[DecisionRow, ...] | None = None
    total: int | None = None
    decision: Decision | None = None
    months: tuple[MonthRow, ...] | None = None
    past: PastRow | None = None


class DecisionWish(NamedTuple):
    """What is asked."""

    action: DecisionAction
    id: str | None = None
    file: str | None = None
    query: str | None = None
    category: DecisionCategory | None = None
    since: str | None = None
    until: str | None = None
    least_confidence: float = 0.5
    verdict: Verdict = "confirmed"
    title: str | None = None
    reason: str | None = None
    most: int = 20


class Told(NamedTuple):
    """An answer, with a line on it and what has to be said beside it."""

    summary: str
    data: DecisionsData
    warnings: tuple[str, ...] = ()


def answer(reader: "IndexReader", project: "Project", wish: DecisionWish, *, by: str, now: datetime) -> Told:
    """Do what is asked."""
    past = mine_decisions(reader, project, now.date())
    chosen = [each for each in past.decisions if _fits(each, wish)]
    if wish.action in ("mine", "status"):
        return _status(past, wish)
    if wish.action == "get":
        found = _require(past, needed("id", wish.id, when="action=get"))
        return Told(f"{found.status}: {found.title}", DecisionsData(decision=found), past.notes)
    if wish.action == "confirm":
        return _confirm(project, past, wish, by=by, now=now)
    if wish.action == "timeline":
        return _timeline(chosen, wish, past.notes)
    if wish.action == "for-file":
        place = needed("file", wish.file, when="action=for-file")
        chosen = [each for each in chosen if _is_about(each, place)]
        return _listed(chosen, wish, past.notes, f" about {place}")
    if wish.action == "search":
        query = needed("query", wish.query, when="action=search")
        return _listed(_found(chosen, query), wish, past.notes, f" for {query}", is_ranked=True)
    return _listed(chosen, wish, past.notes, "")


def _fits(decision: Decision, wish: DecisionWish) -> bool:
    return (
        (wish.category is None or decision.category == wish.category)
        and decision.confidence >= wish.least_confidence
        and (wish.since is None or decision.until >= wish.since)
        and (wish.until is None or decision.since <= wish.until)
    )


def _status(past: Past, wish: DecisionWish) -> Told:
    row = PastRow(
        past.commits,
        past.head,
        len(past.decisions),
        dict(Counter(each.category for each in past.decisions).most_common()),
        dict(Counter(each.status for each in past.decisions).most_common()),
    )
    told = f"{plural(row.decisions, 'decision')} in {plural(past.commits, 'commit')} and the records of the project"
    rows = None
    if wish.action == "mine":
        best = sorted(past.decisions, key=lambda each: (-each.confidence, each.id))
        rows = tuple(map(_row, best[: wish.most]))
    return Told(told, DecisionsData(rows, row.decisions, past=row), past.notes)


def _listed(
    chosen: list[Decision], wish: DecisionWish, notes: tuple[str, ...], about: str, *, is_ranked: bool = False
) -> Told:
    ordered = (
        chosen
        if is_ranked
        else sorted(chosen, key=lambda each: (_ORDER[each.status], [-ord(mark) for mark in each.until]))
    )
    shown = [each for each in ordered if each.status != "rejected" or wish.category is not None]
    told = f"{plural(len(shown), 'decision')}{about}" if shown else f"No decision{about} is known"
    return Told(told, DecisionsData(tuple(map(_row, shown[: wish.most])), len(shown)), notes)


def _timeline(chosen: list[Decision], wish: DecisionWish, notes: tuple[str, ...]) -> Told:
    months: dict[str, list[Decision]] = {}
    for each in chosen:
        if each.status != "rejected" and each.since:
            months.setdefault(each.since[:_MONTH], []).append(each)
    rows = tuple(
        MonthRow(month, tuple(f"{each.title} ({each.id})" for each in months[month]))
        for month in sorted(months, reverse=True)
    )
    total = sum(len(each.decisions) for each in rows)
    told = f"{plural(total, 'decision')} in {plural(len(rows), 'month')}"
    return Told(told, DecisionsData(months=rows[: wish.most], total=total), notes)


def _is_about(decision: Decision, place: str) -> bool:
    """Whether a decision changed a file or one below a folder, or is about the folder that it is in."""
    inside = any(each == place or each.startswith(f"{place.rstrip('/')}/") for each in decision.files)
    return inside or any("/" in key and place.startswith(f"{key}/") for key in decision.keys)


def _found(decisions: list[Decision], query: str) -> list[Decision]:
    """Those that have words of a query, the ones with most of them first."""
    wanted = words_of(query)
    scored = []
    for each in decisions:
        subjects = " ".join(one.subject for one in each.commits)
        title = len(wanted & words_of(f"{each.title} {' '.join(each.keys)}"))
        text = len(wanted & words_of(f"{subjects} {each.context} {each.decision}"))
        if title or text:
            scored.append((2 * title + text, each))
    return [each for _, each in sorted(scored, key=lambda one: (-one[0], one[1].id))]


def _row(decision: Decision) -> DecisionRow:
    shows = decision.evidence[0] if decision.evidence else None
    return DecisionRow(
        decision.id,
        decision.title,
        decision.category,
        decision.status,
        decision.confidence,
        decision.since,
        decision.until,
        len(decision.commits),
        f"{shows.kind}: {shows.says} [{shows.source}]" if shows is not None else None,
    )


def _require(past: Past, id_: str) -> Decision:
    found = next((each for each in past.decisions if each.id == id_), None)
    if found is not None:
        return found
    raise DriftError(
        ErrorCode.PATTERN_NOT_FOUND,
        f"No decision has the id {id_}",
        Recovery(
            hint="Call with action=list to see those there are.",
            similar=similar_names(id_, [each.id for each in past.decisions]),
        ),
    )


def _confirm(project: "Project", past: Past, wish: DecisionWish, *, by: str, now: datetime) -> Told:
    found = _require(past, needed("id", wish.id, when="action=confirm"))
    if found.source is not None:
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"{found.id} is a record: its status stands in {found.source}",
            Recovery(hint="Edit it there."),
        )
    entry = Entry(
        found.id, wish.verdict, wish.title or found.title, found.category, found.since, found.decision, by,
        now.date().isoformat(), wish.reason, tuple(each.commit for each in found.commits),
    )  # fmt: skip
    with closing(StateStore(project.stores.state_db)) as store:
        store.add_curation(
            Curation(f"decision:{found.id}"[:500], now, by, "confirm", wish.verdict, wish.reason)
        )
    write_entry(project.state, entry)
    told = f"{found.id} is {wish.verdict}; see .drift/rules/decisions.toml"
    return Told(told, DecisionsData(decision=found))
