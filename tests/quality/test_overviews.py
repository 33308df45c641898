"""All analyses in one, and a project at a glance: every figure is the one that its own analysis tells."""

import asyncio
import json
from datetime import UTC, datetime

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.quality.comprehensive import PARTS
from drift.registry import ServerName, collect_tools, parse_surface
from drift.tools.quality import gates, measures, overviews


@pytest.fixture(scope="module")
def ask(example_shop, tmp_path_factory):
    projects = ProjectRegistry(tmp_path_factory.mktemp("home") / "projects.json", lambda: datetime.now(UTC))
    runtime = ServerRuntime(
        ServerName.ANALYSIS, collect_tools([measures, gates, overviews]), parse_surface("full"),
        at=Environment(example_shop, projects, environ={}),
    )  # fmt: skip

    def call(name, **given):
        return asyncio.run(runtime.call(name, {"maxTokens": 50_000, **given})).structured()

    yield call
    runtime.close()


def test_the_parts_are_those_that_were_asked_for(ask):
    data = ask("analyze_comprehensive", include_duplicates=False, include_tdg=False, include_defects=False)[
        "data"
    ]

    assert [one["part"] for one in data["parts"]] == ["complexity", "satd", "dead_code"]
    assert data["total"] == sum(one["findings"] for one in data["parts"])
    assert "elapsed_ms" not in data["parts"][0]


def test_a_part_that_cannot_be_run_is_told_and_counts_for_nothing(ask, monkeypatch):
    def broken(_subject, _wanted):
        raise DriftError(ErrorCode.ANALYSIS_FAILED, "git failed")

    monkeypatch.setitem(PARTS, "defects", broken)
    data = ask("analyze_comprehensive", perf=True, top_files=3)["data"]

    (defects,) = [one for one in data["parts"] if one["part"] == "defects"]
    assert (defects["findings"], defects["reason"]) == (None, "git failed")
    assert all(one["elapsed_ms"] >= 0 for one in data["parts"])


def test_one_number_is_the_same_in_every_answer(ask):
    deep = ask("analyze_deep_context")["data"]

    assert deep["complexity"] == ask("analyze_complexity")["data"]["summary"]
    assert deep["dead_code"] == ask("analyze_dead_code", include_tests=True)["data"]["total"]
    assert deep["satd"] == ask("analyze_satd", with_age=False)["data"]["by_category"]
    assert deep["hotspots"] == ask("analyze_tdg", limit=10)["data"].get("hotspots", [])


def test_analyses_are_left_out_on_request_and_the_tree_ends_where_asked(ask):
    data = ask(
        "analyze_deep_context", include_analyses=["ast", "complexity"], exclude_analyses=["ast"], max_depth=0
    )["data"]

    assert {"symbols", "churn", "dag", "satd", "hotspots"}.isdisjoint(data)
    assert [row["folder"] for row in data["tree"]] == ["."]


def test_what_changes_nothing_is_said_and_what_cannot_be_done_is_refused(ask):
    told = ask("analyze_deep_context", include_analyses=["ast"], cache_strategy="force-refresh", parallel=8)

    assert any("cache_strategy" in each for each in told["warnings"])
    assert any("parallel" in each for each in told["warnings"])
    refused = ask("analyze_deep_context", include_analyses=["defect-probability"])
    assert refused["code"] == "INVALID_ARGUMENT"


@pytest.mark.parametrize("name", ["analyze_deep_context", "analyze_comprehensive"])
def test_sarif_has_the_findings(ask, name):
    log = json.loads(ask(name, format="sarif")["data"]["document"])

    assert log["runs"][0]["results"]
