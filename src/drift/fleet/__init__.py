"""Many repositories at once: fetched, scanned and published by workers, and asked together."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drift.fleet.answering import FLEET_SORTS, Action, Question, answer_fleet
    from drift.fleet.asking import FleetData, asked_fleet, fleet_stamp
    from drift.fleet.choosing import find_fleet
    from drift.fleet.instructions import find_shared_catalog, shared_stamp
    from drift.fleet.listing import Fleet, read_fleet
    from drift.fleet.page import write_fleet_page
    from drift.fleet.report import FleetReport, RepositoryRow, report_fleet
    from drift.fleet.run import RunReport, Wish, update_fleet
    from drift.fleet.store import FleetStore
    from drift.fleet.task import Outcome

__all__ = [
    "FLEET_SORTS",
    "Action",
    "Fleet",
    "FleetData",
    "FleetReport",
    "FleetStore",
    "Outcome",
    "Question",
    "RepositoryRow",
    "RunReport",
    "Wish",
    "answer_fleet",
    "asked_fleet",
    "find_fleet",
    "find_shared_catalog",
    "fleet_stamp",
    "read_fleet",
    "report_fleet",
    "shared_stamp",
    "update_fleet",
    "write_fleet_page",
]

# Loaded when asked for: who asks a question needs nothing of what scans.
_ON_DEMAND = {
    "Action": "answering",
    "FLEET_SORTS": "answering",
    "Fleet": "listing",
    "FleetData": "asking",
    "FleetReport": "report",
    "FleetStore": "store",
    "Outcome": "task",
    "Question": "answering",
    "RepositoryRow": "report",
    "RunReport": "run",
    "Wish": "run",
    "answer_fleet": "answering",
    "asked_fleet": "asking",
    "find_fleet": "choosing",
    "fleet_stamp": "asking",
    "find_shared_catalog": "instructions",
    "shared_stamp": "instructions",
    "read_fleet": "listing",
    "report_fleet": "report",
    "update_fleet": "run",
    "write_fleet_page": "page",
}


def __getattr__(name: str) -> object:
    if name not in _ON_DEMAND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_ON_DEMAND[name]}"), name)
