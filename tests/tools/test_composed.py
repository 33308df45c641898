"""Tools that run several others, as a caller meets them: through the whole pipeline, on a small project with a history."""

import asyncio
import subprocess
from datetime import UTC, date, datetime

import pytest

from drift.context.workflows import workflow
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface
from drift.scan import ScanOptions, scan
from drift.tools import all_tools

MAIL = '''def send_receipt(order):
    """Send the receipt of an order."""
    try:
        return deliver(order)
    except Exception:
        pass


def deliver(order):
    return order
'''
NAMES = ("drift_refactor_plan", "drift_code_review", "drift_debug_context")


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    base = tmp_path_factory.mktemp("composed")
    root = base / "shop"
    (root / "tests").mkdir(parents=True)
    (root / "mail.py").write_text(MAIL)
    (root / "jobs.py").write_text(
        "from mail import send_receipt\n\n\ndef nightly(order):\n    send_receipt(order)\n"
    )
    (root / "tests/test_mail.py").write_text(
        "from mail import send_receipt\n\n\ndef test_receipt():\n    send_receipt(None)\n"
    )
    for command in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "feat: mail"],
    ):
        subprocess.run(["git", "-C", str(root), *command], check=True)
    (root / "mail.py").write_text(MAIL.replace("return order\n", "return order.address\n"))
    scan(root, ScanOptions(jobs=0))
    at = Environment(
        root, ProjectRegistry(base / "home/projects.json", lambda: datetime.now(UTC)), {},
        today=lambda: date(2026, 6, 1),
    )  # fmt: skip
    runtime = ServerRuntime(ServerName.ANALYSIS, all_tools(), Surface("full"), at=at)
    yield lambda tool, **arguments: asyncio.run(runtime.call(tool, arguments))
    runtime.close()


def parts(outcome):
    assert not outcome.is_error, outcome.body
    return {each["step"]: each for each in outcome.body["data"]["sections"]}


@pytest.mark.parametrize("name", NAMES)
def test_a_workflow_gives_its_steps_only_what_their_tools_take(name):
    for step in workflow(name).steps:
        tool = all_tools().find(step.tool)
        assert tool is not None, step
        assert set(step.args) <= {each.wire for each in tool.parameters}, step


def test_a_plan_of_a_refactoring_says_whom_it_reaches_and_what_to_run(ask):
    found = parts(ask("drift_refactor_plan", target="send_receipt"))

    assert set(found) == {"what", "impact", "callers", "coupling", "moving", "cover", "tests"}
    assert [row["symbol"] for row in found["callers"]["data"]["callers"]] == ["nightly", "test_receipt"]
    assert found["coupling"]["data"]["module"]["measures"]["module"] == "mail.py"
    assert [row["file"] for row in found["tests"]["data"]["tests"]] == ["tests/test_mail.py"]


def test_a_plan_for_a_file_has_no_callers_and_says_so(ask):
    outcome = ask("drift_refactor_plan", target="mail.py")

    assert parts(outcome)["what"]["data"]["file"]["file"] == "mail.py"
    assert outcome.body["data"]["unanswered"][0]["step"] == "callers"


def test_a_review_is_of_what_changed(ask):
    found = parts(ask("drift_code_review"))

    assert [row["symbol"] for row in found["change"]["data"]["changed"]] == ["deliver"]
    assert found["conventions"]["data"]["file"] == "mail.py"
    assert [row["function"] for row in found["errors"]["data"]["gaps"]] == ["send_receipt"]
    assert {"gate", "tests"} <= set(found)


def test_the_context_of_a_bug_has_its_place_and_what_happened_there(ask):
    found = parts(ask("drift_debug_context", issue="the receipt of an order is not sent"))

    assert found["places"]["data"]["files"][0]["file"] == "mail.py"
    assert {"callers", "impact", "errors", "recent", "conventions"} <= set(found)
    given = parts(ask("drift_debug_context", issue="the receipt is not sent", symbol="deliver"))
    assert [row["symbol"] for row in given["callers"]["data"]["callers"]] == ["send_receipt"]


def test_an_answer_keeps_within_its_tokens_and_a_missing_target_fails_it(ask):
    outcome = ask("drift_refactor_plan", target="send_receipt", maxTokens=600)

    assert any(each.get("cut") for each in parts(outcome).values())
    assert ask("drift_refactor_plan", target="nobody").is_error
