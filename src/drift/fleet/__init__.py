"""Many repositories at once: fetched, scanned and published by workers, and asked together."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drift.fleet.listing import Fleet, read_fleet
    from drift.fleet.page import write_fleet_page
    from drift.fleet.report import FleetReport, RepositoryRow, report_fleet
    from drift.fleet.run import RunReport, Wish, update_fleet
    from drift.fleet.store import FleetStore
    from drift.fleet.task import Outcome

__all__ = [
    "Fleet",
    "FleetReport",
    "FleetStore",
    "Outcome",
    "RepositoryRow",
    "RunReport",
    "Wish",
    "read_fleet",
    "report_fleet",
    "update_fleet",
    "write_fleet_page",
]

# Loaded when asked for: who asks a question needs nothing of what scans.
_ON_DEMAND = {
    "Fleet": "listing",
    "FleetReport": "report",
    "FleetStore": "store",
    "Outcome": "task",
    "RepositoryRow": "report",
    "RunReport": "run",
    "Wish": "run",
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
