"""Where data that others choose gets to: weaknesses with the way the data takes."""

from drift.flow.finding import Flows, find_flows
from drift.flow.findings import Finding, Place
from drift.flow.listing import (
    FLOW_SORTS,
    FlowRow,
    FlowsData,
    Severity,
    Sureness,
    Wanted,
    flow_row,
    lasting_ids,
    list_flows,
)

__all__ = [
    "FLOW_SORTS",
    "Finding",
    "FlowRow",
    "Flows",
    "FlowsData",
    "Place",
    "Severity",
    "Sureness",
    "Wanted",
    "find_flows",
    "flow_row",
    "lasting_ids",
    "list_flows",
]
