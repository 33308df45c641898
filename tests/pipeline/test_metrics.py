import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pipeline_samples import OK, make_tool

from drift.kernel.errors import DriftError, ErrorCode
from drift.pipeline import prometheus_text
from drift.pipeline.metrics import percentile
from drift.pipeline.usage import UsageLog
from drift.registry import Latency, MetricsSnapshot, ToolMeasures
from drift.state import EffectiveRate


@given(st.lists(st.floats(0, 1e6), min_size=1), st.sampled_from([0.5, 0.95, 0.99]))
def test_a_percentile_is_a_value_with_at_least_that_share_at_or_below_it(values, share):
    ordered = sorted(values)

    found = percentile(ordered, share)

    at_or_below = sum(round(value, 3) <= found for value in ordered)
    assert at_or_below >= share * len(ordered)


def test_no_calls_have_no_percentile():
    assert percentile([], 0.5) is None


def snapshot(tool="drift_x"):
    measures = ToolMeasures(3, 1, 1, 90, Latency(1.5, 2.5, 3.5))
    return MetricsSnapshot(
        "2026-01-01T00:00:00+00:00", 3, 1, 1, 90, Latency(1.5, 2.5, 3.5), {tool: measures}, {"surgical": 3},
        {"TIMEOUT": 1}, 1, 2, 1,
    )  # fmt: skip


def test_the_prometheus_text_is_well_formed():
    rates = [
        EffectiveRate("rule", "layer-skip", 40, 10, 0.25, "alert"),
        EffectiveRate("tool", "drift_x", 3, 1, None, "few"),
    ]
    text = prometheus_text(
        {"analysis": snapshot(), "memory": snapshot('we"ird\nname')}, callers={"expired": 2}, rates=rates
    )

    assert 'drift_auth_events_total{event="expired"} 2' in text
    assert 'drift_not_useful_ratio{about="rule",subject="layer-skip"} 0.25' in text
    assert text.count("drift_not_useful_ratio{") == 1
    assert 'drift_calls_total{server="analysis",tool="drift_x"} 3' in text
    assert 'drift_call_duration_ms{server="analysis",tool="drift_x",quantile="0.95"} 2.5' in text
    assert 'drift_errors_total{server="analysis",code="TIMEOUT"} 1' in text
    assert r'tool="we\"ird\nname"' in text
    line = re.compile(r'^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="([^"\\\n]|\\.)*",?)*\})? [0-9.eE+-]+)$')
    assert all(line.match(each) for each in text.splitlines())
    families = [each.split()[2] for each in text.splitlines() if each.startswith("# TYPE")]
    assert len(families) == len(set(families))


def test_use_is_counted_only_after_consent_and_kept_across_restarts(request_for):
    day = date(2026, 6, 1)
    log, request = UsageLog(lambda: day), request_for(make_tool())
    project = request.settled_project

    log.observe(request, OK, 5.0)
    assert log.status(project).tools == ()

    log.switch(project, enabled=True)
    log.observe(request, OK, 5.0)
    log.observe(request, OK, 15.0)
    log.flush()
    again = UsageLog(lambda: day).status(project)

    assert again.enabled
    assert (again.tools[0].tool, again.tools[0].calls, again.tools[0].average_ms) == ("drift_sample", 2, 10.0)
    assert not UsageLog(lambda: day).switch(project, enabled=False).enabled


def test_old_days_are_forgotten(request_for):
    request = request_for()
    log = UsageLog(lambda: date(2026, 1, 1))
    log.switch(request.settled_project, enabled=True)
    log.observe(request, OK, 1.0)
    log.flush()

    later = UsageLog(lambda: date(2026, 3, 1))

    assert later.status(request.settled_project).tools == ()


def test_a_store_that_cannot_be_used_counts_nothing_and_breaks_no_call(request_for, caplog):
    request = request_for()
    stores = request.settled_project.prepare().stores
    stores.usage_db.write_bytes(b"no database, but long enough to be taken for one" * 50)
    log = UsageLog(lambda: date(2026, 6, 1))

    log.observe(request, OK, 1.0)

    assert "usage is not counted" in caplog.text
    with pytest.raises(DriftError) as caught:
        log.status(request.settled_project)
    assert caught.value.code is ErrorCode.STORE_UNAVAILABLE


def test_what_a_repository_says_of_consent_counts_for_nothing(request_for):
    request = request_for()
    state = request.settled_project.state.ensure()
    UsageLog(lambda: date(2026, 6, 1)).switch(request.settled_project, enabled=True)
    request.settled_project.stores.usage_db.rename(state.path / "usage.db")

    assert not UsageLog(lambda: date(2026, 6, 1)).status(request.settled_project).enabled
