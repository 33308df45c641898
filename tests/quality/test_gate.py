"""Gates fail closed; the debt gradient and health are made of their parts."""

import asyncio
import json
import os
from datetime import UTC, datetime
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import pytest

from drift.index import IndexReader
from drift.kernel.errors import DriftError, ErrorCode
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry, StateDir
from drift.quality.debt import WEIGHTS, measure_debt
from drift.quality.gate import Check, Checked, NotMeasurableError, Subject, run_gate
from drift.quality.health import HealthPart, measure_health
from drift.quality.scope import choose_scope
from drift.registry import ServerName, collect_tools, parse_surface
from drift.scan import ScanOptions, scan
from drift.tools.quality import gates

LOOP = "    for row in rows:\n        if row:\n            kept.append(row)\n"
SOURCE = f"def tangled(rows):\n    kept = []\n{LOOP * 6}    return kept\n\n\ndef plain():\n    return 1\n"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gate") / "shop"
    folder.mkdir()
    (folder / "cart.py").write_text(SOURCE)
    (folder / "test_cart.py").write_text(
        "from cart import plain\n\n\ndef test_plain():\n    assert plain() == 1\n"
    )
    scan(folder, ScanOptions(jobs=0))
    return folder


@pytest.fixture(scope="module")
def ask(root):
    projects = ProjectRegistry(root.parent / "projects.json", lambda: datetime.now(UTC))
    runtime = ServerRuntime(
        ServerName.ANALYSIS, collect_tools([gates]), parse_surface("full"),
        at=Environment(root, projects, environ={}),
    )  # fmt: skip
    yield lambda name, **given: asyncio.run(runtime.call(name, given))
    runtime.close()


@pytest.fixture
def report(root):
    path = root / "coverage.json"
    lines = {"executed_lines": [1, 2, 3], "missing_lines": [4, 5]}
    path.write_text(json.dumps({"files": {"cart.py": lines}}))
    os.utime(path, (4_000_000_000, 4_000_000_000))  # younger than the code
    yield
    path.unlink()


def statuses(outcome):
    return {one["check"]: one["status"] for one in outcome.structured()["data"]["checks"]}


def test_a_gate_says_what_each_check_measured(ask):
    data = ask("quality_gate", duplication_threshold=100).structured()["data"]

    (complexity, *_) = data["checks"]
    assert (complexity["status"], complexity["measured"], complexity["threshold"]) == ("failed", 13, 10)
    assert data["status"] == "failed"
    assert [one["symbol"] for one in data["findings"]] == ["tangled"]


def test_coverage_that_was_asked_for_and_is_not_there_is_an_error_and_otherwise_skipped(ask):
    loose = {"complexity_threshold": 50, "duplication_threshold": 100}

    asked = ask("quality_gate", coverage_threshold=50, **loose)
    assert statuses(asked)["coverage"] == "errored"
    assert asked.structured()["data"]["status"] == "errored"
    unasked = ask("quality_gate", **loose)
    assert statuses(unasked)["coverage"] == "skipped"
    assert unasked.structured()["data"]["passed"] is True


def test_coverage_comes_from_a_real_report(ask, report):
    loose = {"complexity_threshold": 50, "duplication_threshold": 100}

    data = ask("quality_gate", coverage_threshold=60, **loose).structured()["data"]
    assert [one["measured"] for one in data["checks"] if one["check"] == "coverage"] == [60.0]
    assert data["passed"] is True
    assert statuses(ask("quality_gate", coverage_threshold=61, **loose))["coverage"] == "failed"


def test_likely_defects_are_checked_where_a_threshold_is_given(ask):
    loose = {"complexity_threshold": 50, "duplication_threshold": 100}

    assert statuses(ask("quality_gate", **loose))["defects"] == "skipped"
    assert statuses(ask("quality_gate", defect_threshold=1, **loose))["defects"] == "passed"
    assert statuses(ask("quality_gate", defect_threshold=0, **loose))["defects"] == "failed"


def test_a_failed_gate_is_an_error_where_the_caller_wants_one(ask):
    failed = ask("quality_gate", fail_on_violation=True, format="junit")

    assert failed.code == "QUALITY_GATE_FAILED"
    suites = ET.fromstring(failed.structured()["document"])
    assert int(suites.attrib["failures"]) > 0


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (RuntimeError("broken"), "errored"),
        (DriftError(ErrorCode.ANALYSIS_FAILED, "git failed"), "errored"),
        (NotMeasurableError("nothing there"), "errored"),
    ],
)
def test_a_check_that_breaks_never_lets_a_gate_pass(error, status):
    def broken(_subject, _threshold):
        raise error

    checks = (
        Check("good", (), 1.0, lambda _subject, _threshold: Checked(0.0, is_kept=True, message="fine")),
        Check("broken", (), None, broken),
    )
    run = run_gate(checks, Subject(None, None, SimpleNamespace()), {"broken": 1.0})

    assert [one.status for one in run.checks] == ["passed", status]
    assert run.status == "errored"


def test_a_gate_in_which_nothing_ran_has_not_passed():
    def missing(_subject, _threshold):
        raise NotMeasurableError("nothing there")

    assert run_gate((Check("one", (), 1.0, missing),), Subject(None, None, None), {}).status == "errored"


def test_a_cancelled_gate_ends():
    def cancelled(_subject, _threshold):
        raise DriftError(ErrorCode.CANCELLED, "enough")

    with pytest.raises(DriftError, match="enough"):
        run_gate((Check("one", (), 1.0, cancelled),), Subject(None, None, None), {})


def test_the_gradient_is_the_weighed_sum_of_the_parts_that_were_measured(root):
    with IndexReader(StateDir(root).index_db) as reader:
        debt = measure_debt(reader, root, choose_scope(reader))

    (cart,) = debt.files
    known = {name: getattr(cart.parts, name) for name in WEIGHTS if getattr(cart.parts, name) is not None}
    assert "churn" not in known  # no repository
    weight = sum(WEIGHTS[name] for name in known)
    assert cart.score == round(5 * sum(WEIGHTS[name] * value for name, value in known.items()) / weight, 2)
    assert any("churn was not measured" in note for note in debt.notes)
    assert cart.hours == pytest.approx(sum(cart.hours_by.values()), abs=0.11)


def test_health_is_the_mean_of_what_was_measured_and_says_what_was_not(root):
    given = HealthPart("conventions", 40.0, {"sites": 10}, "by the caller")
    with IndexReader(StateDir(root).index_db) as reader:
        health = measure_health(reader, root, given=[given])

    parts = {one.part: one for one in health.parts}
    assert parts["conventions"].score == 40.0
    assert parts["errors"].score is None
    assert parts["errors"].reason
    assert parts["security"].score is None
    assert parts["tests"].score == 50.0
    scores = [one.score for one in health.parts if one.score is not None]
    assert (health.score, health.measured) == (round(sum(scores) / len(scores), 1), len(scores))


def test_debt_is_answered_by_file(ask):
    data = ask("analyze_tdg").structured()["data"]

    assert [row["file"] for row in data["hotspots"]] == ["cart.py"]
    assert data["estimated_debt_hours"] == pytest.approx(sum(data["hours_by"].values()), abs=0.11)
