"""How a tool is said to stand."""

import dataclasses

import pytest

from drift.dashboard.tool_listing import judge_tool, list_tools
from drift.index import read_index_state
from drift.registry import ToolUsage, UsageStatus
from drift.tools import all_tools

STATUS = all_tools().get("drift_status")
CALLERS = all_tools().get("drift_callers")


@pytest.fixture
def no_index(tmp_path):
    return read_index_state(tmp_path / "drift.db")


def used(calls, errors):
    return ToolUsage("drift_status", calls, errors, 0, 12.34, 100)


@pytest.mark.parametrize(
    ("calls", "errors", "health"),
    [
        (4, 4, "unknown"),
        (5, 0, "healthy"),
        (100, 9, "healthy"),
        (100, 10, "degraded"),
        (100, 49, "degraded"),
        (100, 50, "unhealthy"),
    ],
)
def test_health_is_the_share_of_calls_that_failed(no_index, calls, errors, health):
    verdict = judge_tool(STATUS, used(calls, errors), no_index)

    assert verdict.health == health
    assert f"{errors} of {calls}" in verdict.reason


def test_a_tool_without_calls_is_not_called_healthy(no_index):
    assert judge_tool(STATUS, None, no_index).health == "unknown"


def test_a_tool_that_needs_an_index_says_so_where_there_is_none(no_index):
    verdict = judge_tool(CALLERS, used(100, 0), no_index)

    assert verdict.health == "degraded"
    assert "drift scan" in verdict.reason


def test_counts_are_unknown_rather_than_zero_while_nobody_counts(no_index):
    off = UsageStatus(enabled=False, path="", days=30, tools=())
    on = dataclasses.replace(off, enabled=True)

    assert list_tools([STATUS], off, no_index)[0].calls is None
    assert list_tools([STATUS], None, no_index)[0].calls is None
    assert list_tools([STATUS], on, no_index)[0].calls == 0


def test_what_was_counted_before_counting_was_switched_off_is_still_shown(no_index):
    off = UsageStatus(enabled=False, path="", days=30, tools=(used(7, 1),))

    (row,) = list_tools([STATUS], off, no_index)

    assert (row.calls, row.errors, row.average_ms) == (7, 1, 12.3)
