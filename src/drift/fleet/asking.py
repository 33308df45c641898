"""A question over a fleet: the list that the settings name, its database, and what an answer from it does not rest on."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from drift.fleet.callers import FleetCallerRow
from drift.fleet.choosing import find_fleet, stamp_of
from drift.fleet.contracts import ServiceRow
from drift.fleet.conventions import FleetConventionRow, StandRow
from drift.fleet.instructions import SharedRow
from drift.fleet.listing import Fleet
from drift.fleet.report import FleetReport, RepositoryRow, report_fleet
from drift.fleet.store import FleetStore
from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.stamps import store_stamp
from drift.project import Project

_NONE: Final = "-"


@dataclass(frozen=True, slots=True)
class FleetData:
    """What an action found; the other lists are absent."""

    repositories: tuple[RepositoryRow, ...] | None = None
    callers: tuple[FleetCallerRow, ...] | None = None
    conventions: tuple[FleetConventionRow, ...] | None = None
    stands: tuple[StandRow, ...] | None = None
    contracts: tuple[ServiceRow, ...] | None = None
    instructions: tuple[SharedRow, ...] | None = None


class Asked(NamedTuple):
    """A fleet, its database, and how its repositories stand."""

    fleet: Fleet
    store: FleetStore
    report: FleetReport

    def repository_of(self, given: str | None, project: Project) -> str | None:
        """The repository that is meant: the one given, else the call's project if it is in the fleet."""
        names = {each.name for each in self.fleet.repositories}
        if given is not None and given not in names:
            raise invalid("repository", f"{given} is not in the fleet {self.fleet.file}")
        return given or (project.name if project.name in names else None)


@contextmanager
def asked_fleet(project: Project, now: datetime) -> Iterator[Asked]:
    """The fleet, opened for one answer. CONFIG_INVALID without one."""
    fleet = find_fleet(project)
    if fleet is None:
        raise DriftError(
            ErrorCode.CONFIG_INVALID,
            "No fleet is named",
            Recovery(
                hint="Set fleet.file in settings.toml of Drift's home (DRIFT_FLEET_FILE); docs/fleet.md."
            ),
        )
    with FleetStore(fleet.database) as store:
        yield Asked(fleet, store, report_fleet(fleet, store.states(), now))


def fleet_stamp(project: Project, environ: Mapping[str, str]) -> str:  # noqa: ARG001 - what every stamp is given
    """Another text for every change of the fleet's list or database."""
    try:
        fleet = find_fleet(project)
    except DriftError as error:
        return error.message
    if fleet is None:
        return _NONE
    texts = [str(stamp_of(place)) for place in (fleet.file, fleet.instructions) if place is not None]
    return " ".join([*texts, store_stamp(fleet.database)])
