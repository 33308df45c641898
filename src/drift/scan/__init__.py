"""From files to an index: discover, extract, link, write."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drift.scan.engine import ScanOptions, scan, update
    from drift.scan.report import Failure, ScanReport

__all__ = ["Failure", "ScanOptions", "ScanReport", "scan", "update"]

# Loaded when asked for: a worker process, or discovery alone, needs little of it.
_ON_DEMAND = {
    "Failure": "drift.scan.report",
    "ScanOptions": "drift.scan.engine",
    "ScanReport": "drift.scan.report",
    "scan": "drift.scan.engine",
    "update": "drift.scan.engine",
}


def __getattr__(name: str) -> object:
    if name not in _ON_DEMAND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_ON_DEMAND[name]), name)
