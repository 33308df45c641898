"""The health of a project: measured in one place, kept for a state of the index, the same in every answer."""

import asyncio
import shutil
from datetime import UTC, datetime

import pytest

from drift.context import health as context_health
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry, open_project
from drift.quality.health import PARTS, health_of, health_part
from drift.quality.keeping import keep_health, keep_run, kept_health, kept_runs
from drift.registry import ServerName, collect_tools, parse_surface
from drift.scan import ScanOptions, scan
from drift.state import Run, Snapshot
from drift.tools import curating, discovery, patterns
from drift.tools.quality import overviews

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def shop(example_shop, tmp_path_factory):
    root = shutil.copytree(
        example_shop, tmp_path_factory.mktemp("health") / "shop", ignore=shutil.ignore_patterns(".drift")
    )
    scan(root, ScanOptions(jobs=0))
    return root


@pytest.fixture(scope="module")
def ask(shop, tmp_path_factory):
    projects = ProjectRegistry(tmp_path_factory.mktemp("home") / "projects.json", lambda: datetime.now(UTC))
    runtime = ServerRuntime(
        ServerName.ANALYSIS, collect_tools([overviews, discovery, curating, patterns]), parse_surface("full"),
        at=Environment(shop, projects, environ={}),
    )  # fmt: skip

    def call(name, **given):
        return asyncio.run(runtime.call(name, {"maxTokens": 50_000, **given})).structured()["data"]

    yield call
    runtime.close()


def test_every_answer_shows_the_health_that_was_measured_and_says_when_there_is_none(ask, shop, monkeypatch):
    before = ask("drift_status")["health"]
    assert before["score"] is None
    assert "not measured yet" in before["reason"]

    health = ask("analyze_health")

    scores = [part["score"] for part in health["parts"] if part["score"] is not None]
    assert [part["part"] for part in health["parts"]] == list(PARTS)
    assert health["score"] == round(sum(scores) / len(scores), 1)
    assert all(part["score"] is not None for part in health["parts"])
    glance = ask("drift_status")["health"]
    assert glance["score"] == health["score"]
    assert glance["parts"] == {
        part["part"]: part["score"] for part in health["parts"] if part["score"] is not None
    }
    assert "reason" not in glance
    assert ask("drift_audit")["projectHealth"] == ask("drift_dna_profile")["projectHealth"] == glance
    monkeypatch.setattr(context_health, "measure_health", None)  # what is kept is not measured again
    card = ask("analyze_deep_context", include_analyses=["ast"])["scorecard"]
    assert (card["overall_health"], card["health"]["parts"]) == (health["score"], health["parts"])

    (shop / "shop" / "more.py").write_text("def more():\n    return 1\n")
    scan(shop, ScanOptions(jobs=0))

    changed = ask("drift_status")["health"]
    assert changed["score"] == health["score"]
    assert "changed since" in changed["reason"]


def test_the_trend_has_a_point_for_each_time_that_it_changed(tmp_path):
    project = open_project(tmp_path, {"DRIFT_HOME": str(tmp_path / "home")})
    for day, score in enumerate((80.0, 80.0, 90.0)):
        health = health_of([health_part("tests", score, {"functions": 10.0, "run_by_tests": score / 10})])
        keep_health(project, health, Snapshot(NOON.replace(day=day + 1), generation=int(score)))

    trend = context_health.trend_of(project, NOON.replace(day=9))

    assert [point.score for point in trend] == [80.0, 90.0]
    assert kept_health(project) == (health, 90)


def test_runs_of_gates_are_kept_newest_first(tmp_path):
    project = open_project(tmp_path, {"DRIFT_HOME": str(tmp_path / "home")})
    runs = [
        Run(NOON, "ci", "strict", "project", status, None, "abc", "{}") for status in ("failed", "passed")
    ]

    for run in runs:
        keep_run(project, run)

    assert [each.row for each in kept_runs(project, policy="strict")] == runs[::-1]
