"""What the numbers of tools say, and what they call for."""

import pytest

from drift.registry import Latency, ToolMeasures, ToolSigns, ToolUsage, UsageSigns
from drift.registry.tool_health import Evidence, ToolAdvice

NO_TIMES = Latency(None, None, None)


def evidence(**known):
    return Evidence(**{"measures": {}, "usage": {}, "not_useful": {}, "signs": None, **known})


def used(calls, errors=0, cached=0):
    return {"drift_callers": ToolUsage("drift_callers", calls, errors, cached, 12.34, calls * 100)}


@pytest.mark.parametrize(
    ("known", "status"),
    [
        ({}, None),
        ({"usage": used(4, errors=4)}, None),
        ({"usage": used(100, errors=5)}, None),
        ({"usage": used(100, errors=6)}, "degraded"),
        ({"usage": used(100, errors=21)}, "unhealthy"),
        ({"measures": {"drift_callers": ToolMeasures(10, 3, 0, 0, NO_TIMES)}}, "unhealthy"),
        ({"not_useful": {"drift_callers": 0.4}}, None),
        ({"not_useful": {"drift_callers": 0.45}}, "degraded"),
        ({"not_useful": {"drift_callers": 1.0}}, "unhealthy"),
    ],
)
def test_a_tool_is_as_well_as_its_answers(known, status):
    found = evidence(**known).judge("drift_callers")

    assert (None if found is None else found.status) == status


def test_a_tool_that_is_not_well_shows_all_that_is_known_of_it():
    signs = UsageSigns(30, frozenset(), (ToolSigns("drift_callers", followed=5, moved_on=5, retried=10),))

    found = evidence(usage=used(100, errors=30, cached=50), not_useful={"drift_callers": 0.8}, signs=signs)

    health = found.judge("drift_callers")
    assert (health.calls, health.error_rate, health.feedback, health.retried) == (100, 0.3, 0.2, 0.5)
    assert (health.average_ms, health.average_tokens, health.cache_hit_rate) == (12.3, 100, 0.5)


def test_the_numbers_call_for_what_is_to_be_done():
    signs = UsageSigns(90, frozenset({"drift_callers"}), ())
    found = evidence(usage=used(100, errors=21, cached=96), not_useful={"drift_callers": 0.71}, signs=signs)

    assert found.advise(["drift_unused", "drift_callers"]) == (
        ToolAdvice(("drift_callers",), "investigate", "more than 20% of calls fail"),
        ToolAdvice(("drift_callers",), "investigate", "feedback is below 0.3"),
        ToolAdvice(("drift_callers",), "precompute", "more than 95% of answers are from the cache"),
        ToolAdvice(("drift_unused",), "deprecate", "not called in 90 days"),
    )


@pytest.mark.parametrize("signs", [None, UsageSigns(89, frozenset(), ())])
def test_no_tool_is_called_unused_before_that_can_be_known(signs):
    assert evidence(signs=signs).advise(["drift_unused"]) == ()
