"""Complexity, churn, debt comments and dead code of a small repository with a past, through the whole pipeline."""

import asyncio
import json
import math
import subprocess
from datetime import UTC, datetime

import pytest

from drift.index.measure_queries import MeasuredRecord
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.quality.complexity import halstead, maintainability
from drift.quality.debt_words import admitted_debt
from drift.registry import ServerName, collect_tools, parse_surface
from drift.scan import ScanOptions, scan
from drift.tools.quality import measures

BEFORE = "def total(rows):\n    return sum(rows)\n"
AFTER = '''"""Carts.

TODO: document the rounding.
"""


def total(rows, rate):
    result = 0
    for row in rows:
        if row.kind == "a" and row.price > 1:
            if rate:
                result += row.price * rate  # FIXME: wrong for refunds
            else:
                result += row.price
        elif row.kind == "b":
            while row.more:
                result += row.next()
    return result


def _unused(value):
    # a workaround for old carts
    return value
'''


def commit(root, message, *, day):
    when = f"2026-03-{day:02}T12:00:00+00:00"
    git = ["git", "-C", str(root), "-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run(
        [*git, "commit", "-q", "-m", message],
        check=True,
        env={"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when, "PATH": "/usr/bin:/bin"},
    )


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    root = tmp_path_factory.mktemp("quality") / "shop"
    root.mkdir()
    subprocess.run(["git", "-C", str(root), "init", "-q", "-b", "main"], check=True)
    (root / "cart.py").write_text(BEFORE)
    (root / "main.py").write_text("from cart import total\n\nprint(total([1], 2))\n")
    commit(root, "Begin", day=1)
    subprocess.run(["git", "-C", str(root), "mv", "cart.py", "basket.py"], check=True)
    (root / "main.py").write_text("from basket import total\n\nprint(total([1], 2))\n")
    commit(root, "Rename", day=2)
    (root / "basket.py").write_text(AFTER)
    commit(root, "Grow", day=20)
    scan(root, ScanOptions(jobs=0))
    projects = ProjectRegistry(root.parent / "projects.json", lambda: datetime.now(UTC))
    runtime = ServerRuntime(
        ServerName.ANALYSIS, collect_tools([measures]), parse_surface("full"),
        at=Environment(root, projects, environ={}),
    )  # fmt: skip
    yield lambda name, **given: asyncio.run(runtime.call(name, given)).structured()
    runtime.close()


def test_complexity_is_what_the_rules_say(ask):
    (worst, *_) = ask("analyze_complexity")["data"]["hotspots"]

    assert (worst["function"], worst["cyclomatic"], worst["cognitive"], worst["nesting"]) == (
        "total",
        7,
        12,
        3,
    )


def test_limits_of_the_caller_are_honoured(ask):
    assert ask("analyze_complexity")["data"]["violations"] == []
    (finding,) = ask("analyze_complexity", max_cognitive=5)["data"]["violations"]
    assert (finding["rule"], finding["severity"], finding["line"]) == ("complexity/cognitive", "error", 7)
    assert finding["evidence"]["limit"] == 5


def test_a_trend_compares_with_a_commit_by_the_same_rules(ask):
    trend = ask("analyze_complexity", base="HEAD~1")["data"]["trend"]

    assert (trend["changed_files"], trend["cognitive_before"], trend["cognitive_now"]) == (1, 0, 12)
    assert ask("analyze_complexity", base="no-such-commit")["code"] == "INVALID_ARGUMENT"
    assert ask("analyze_complexity", base="--output=x")["code"] == "INVALID_ARGUMENT"


def test_files_are_ranked_only_where_asked(ask):
    assert "top_files" not in ask("analyze_complexity")["data"]
    ranked = ask("analyze_complexity", top_files=1)["data"]["top_files"]
    assert (ranked["requested"], ranked["returned"]) == (1, 1)
    assert ranked["rankings"][0]["file"] == "basket.py"


def test_a_report_is_whole_in_its_form(ask):
    log = json.loads(ask("analyze_complexity", max_cognitive=5, format="sarif")["data"]["document"])

    assert [one["ruleId"] for one in log["runs"][0]["results"]] == ["complexity/cognitive"]


def test_churn_follows_a_rename_and_counts_a_commit_once(ask):
    data = ask("analyze_code_churn", period_days=30)["data"]

    files = {row["file"]: row for row in data["files"]}
    assert data["total_commits"] == 3
    assert set(files) == {"basket.py", "main.py"}
    assert files["basket.py"]["commits"] == 3
    assert data["until"] == "2026-03-20"


def test_the_window_ends_with_the_day_of_head_and_not_with_today(ask):
    data = ask("analyze_code_churn", period_days=5)["data"]

    assert (data["total_commits"], data["since"]) == (1, "2026-03-15")


def test_debt_is_found_in_every_form_of_comment_and_has_an_age(ask):
    rows = ask("analyze_satd")["data"]["items"]

    found = {(row["line"], row["category"], row["form"]) for row in rows}
    assert found == {
        (3, "documentation", "doc comment"),
        (12, "defect", "comment"),
        (22, "design", "comment"),
    }
    assert {row["age_days"] for row in rows} == {0}


def test_dead_code_is_told_by_file(ask):
    data = ask("analyze_dead_code")["data"]

    assert [row["symbol"] for row in data["symbols"]] == ["_unused"]
    assert data["top_files"] == [{"file": "basket.py", "symbols": 1, "lines": 3, "percent": 13.0}]


@pytest.mark.parametrize(
    "name", ["analyze_complexity", "analyze_code_churn", "analyze_satd", "analyze_dead_code"]
)
def test_a_summary_has_no_rows_and_a_path_outside_is_refused(ask, name):
    data = ask(name, format="summary")["data"]

    assert not {"violations", "files", "items", "symbols"} & data.keys()
    assert ask(name, project_path="/nowhere/else")["code"] == "PATH_OUTSIDE_PROJECT"


def test_halstead_and_maintainability_are_the_published_formulas():
    counted = MeasuredRecord(1, 1, "function", "f", "", 1, 9, 3, 2, 1, 10, 20, 5, 30, 10)

    found = halstead(counted)

    assert found.volume == round(50 * math.log2(15), 2)
    assert found.difficulty == 5 / 2 * 30 / 10
    assert found.effort == round(50 * math.log2(15) * 7.5, 2)
    raw = 171 - 5.2 * math.log(found.volume) - 0.23 * 3 - 16.2 * math.log(10)
    assert maintainability(found.volume, 3, code_lines=10, comment_percent=0) == round(raw * 100 / 171, 1)
    assert maintainability(None, 3, code_lines=10, comment_percent=0) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TODO: more", ("requirement", "low")),
        ("see the todo list of the user", None),
        ("todo(ann): more", ("requirement", "low")),
        ("FIXME not thread-safe", ("defect", "high")),
        ("TODO: this is open to sql injection", ("security", "medium")),
        ("security is checked above", None),
        ("a work-around for old clients", ("design", "medium")),
        ("regression test for bug 123", None),
        ("is it needed?", ("design", "low")),
        ("XXX", ("design", "medium")),
        ("xxx marks the spot of files named xxx", ("design", "medium")),
        ("", None),
    ],
)
def test_words_that_admit_debt_are_told_from_those_that_do_not(text, expected):
    found = admitted_debt(text)

    assert (found and (found.category, found.severity)) == expected
