"""What each action of the fleet's tool comes to: rows, the data they are told as, and a line on them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, get_args

from drift.fleet.asking import Asked, FleetData
from drift.fleet.callers import FLEET_CALLER_SORTS, find_fleet_callers
from drift.fleet.contracts import SERVICE_SORTS, find_services
from drift.fleet.conventions import (
    FLEET_CONVENTION_SORTS,
    STAND_SORTS,
    find_fleet_conventions,
    find_stands,
)
from drift.fleet.instructions import SHARED_SORTS, find_shared
from drift.fleet.report import REPOSITORY_SORTS
from drift.kernel.errors import needed
from drift.kernel.ranking import Ranked
from drift.kernel.text import plural
from drift.project import Project

Action = Literal["status", "callers", "conventions", "contracts", "instructions"]
FLEET_SORTS: Final = tuple(
    dict.fromkeys(
        name
        for sorts in (
            REPOSITORY_SORTS,
            FLEET_CALLER_SORTS,
            FLEET_CONVENTION_SORTS,
            STAND_SORTS,
            SERVICE_SORTS,
            SHARED_SORTS,
        )
        for name in sorts
    )
)


@dataclass(frozen=True, slots=True)
class Question:
    """An action and what it is about."""

    action: Action
    function: str | None = None
    repository: str | None = None
    convention: str | None = None
    variant: str | None = None
    search: str | None = None


class Found(NamedTuple):
    """All rows, how a page of them is told, and a line on them."""

    ranked: Ranked[Any]
    data: Callable[[tuple[Any, ...]], FleetData]
    summary: str


def answer_fleet(asked: Asked, question: Question, project: Project) -> Found:
    """What a question comes to."""
    return _ANSWERS[question.action](asked, question, project)


def _status(asked: Asked, _question: Question, _project: Project) -> Found:
    return Found(asked.report.ranked(), lambda rows: FleetData(repositories=rows), asked.report.summary)


def _callers(asked: Asked, question: Question, project: Project) -> Found:
    function = needed("function", question.function, when="action=callers")
    repository = asked.repository_of(question.repository, project)
    ranked = find_fleet_callers(asked.store, function, repository)
    places = len({row.repository for row in ranked.rows})
    whose = f"{function} of {repository}" if repository else function
    summary = f"{plural(len(ranked.rows), 'call')} of {whose} in {plural(places, 'other repository', 'other repositories')}"
    return Found(ranked, lambda rows: FleetData(callers=rows), summary)


def _conventions(asked: Asked, question: Question, _project: Project) -> Found:
    if question.convention is None:
        listed = find_fleet_conventions(asked.store)
        split = sum(row.break_ > 0 for row in listed.rows)
        summary = f"{plural(len(listed.rows), 'convention')} over the fleet, {split} that repositories decide differently"
        return Found(listed, lambda rows: FleetData(conventions=rows), summary)
    ranked = find_stands(asked.store, question.convention, question.variant)
    counts = {way: sum(row.way == way for row in ranked.rows) for way in ("follows", "breaks", "undecided")}
    silent = len(asked.report.repositories) - len(ranked.rows)
    summary = (
        f"{question.convention}: {counts['follows']} follow, {counts['breaks']} break, "
        f"{counts['undecided']} undecided, {silent} with too few places to tell"
    )
    return Found(ranked, lambda rows: FleetData(stands=rows), summary)


def _contracts(asked: Asked, question: Question, project: Project) -> Found:
    repository = asked.repository_of(question.repository, project)
    ranked = find_services(asked.store, repository)
    loose = sum(row.status == "unanswered" for row in ranked.rows)
    about = f" of {repository}" if repository else ""
    summary = f"{plural(len(ranked.rows) - loose, 'request')}{about} between repositories, {loose} that nobody answers"
    return Found(ranked, lambda rows: FleetData(contracts=rows), summary)


def _instructions(asked: Asked, question: Question, _project: Project) -> Found:
    ranked = find_shared(asked.fleet, question.search)
    summary = f"{plural(len(ranked.rows), 'instruction')} for all repositories"
    return Found(ranked, lambda rows: FleetData(instructions=rows), summary)


_ANSWERS: Final[dict[Action, Callable[[Asked, Question, Project], Found]]] = {
    "status": _status,
    "callers": _callers,
    "conventions": _conventions,
    "contracts": _contracts,
    "instructions": _instructions,
}
assert set(_ANSWERS) == set(get_args(Action))
