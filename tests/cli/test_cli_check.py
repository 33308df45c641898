"""`drift check`: a gate for people, hooks and CI, with exit codes 0, 1 and 2."""

import json
import subprocess

import pytest

from drift.cli.exits import Exit
from drift.project import open_project
from drift.quality.keeping import kept_runs

BRANCHES = "".join(f"    if value == {number}:\n        return {number}\n" for number in range(12))
TANGLED = ("check", "--all", "--policy", "thresholds", "--gate", "complexity")


@pytest.fixture(scope="module")
def shop(shared_place):
    place = shared_place
    for number in range(60):
        (place.project / f"part_{number}.py").write_text(
            f"def choose_{number}(value):\n{BRANCHES}    return None\n"
        )
    return place


def test_what_is_not_kept_ends_with_one_and_shows_what_to_mend(shop):
    done = shop.run(*TANGLED)

    assert done.code == Exit.FAILED
    assert "60 warnings" in done.out
    assert "part_0.py:1: warning complexity/cyclomatic" in done.out


def test_what_is_kept_ends_with_zero_and_the_run_is_remembered(shop):
    assert shop.run("check", "--all").code == Exit.OK

    run = kept_runs(open_project(shop.project, shop.environ))[0].row
    assert (run.policy, run.scope, run.status) == ("default", "project", "passed")


@pytest.mark.parametrize(
    "words",
    [
        ("--base", "no-such-commit"),
        ("--policy", "none-such", "--all"),
        ("--gate", "none-such", "--all"),
        ("--gate", "regression-detection", "--all"),
        ("--base", "--output=x"),
    ],
)
def test_what_cannot_be_told_ends_with_two(shop, words):
    assert shop.run("check", *words).code == 2


def test_a_report_is_whole_and_alone_on_standard_output_or_in_a_file(shop):
    done = shop.run(*TANGLED, "--format", "sarif")
    written = shop.run(*TANGLED, "--format", "sarif", "--output", "drift.sarif")

    assert (done.code, written.code) == (Exit.FAILED, Exit.FAILED)
    assert len(json.loads(done.out)["runs"][0]["results"]) == 60
    assert written.out == ""
    assert (shop.project / "drift.sarif").read_text() == done.out


def test_only_findings_of_named_files_count(shop):
    done = shop.run(*TANGLED, "part_1.py", "--format", "json")

    assert [each["file"] for each in json.loads(done.out)["findings"]] == ["part_1.py"]


def test_old_debts_are_taken_into_a_baseline_and_new_ones_fail(shop):
    updated = shop.run(*TANGLED[0:1], *TANGLED[2:], "--update-baseline")
    baseline = shop.project / ".drift" / "rules" / "baseline.json"
    try:
        assert "60 findings in .drift/rules/baseline.json" in updated.out
        assert shop.run(*TANGLED).code == Exit.OK
        (shop.project / "new.py").write_text(f"def choose(value):\n{BRANCHES}    return None\n")
        assert shop.run(*TANGLED).code == Exit.FAILED
    finally:
        baseline.unlink()
        (shop.project / "new.py").unlink(missing_ok=True)


def test_what_a_model_gets_of_the_same_report_is_bounded(shop):
    asked = ("against=all", "policy=thresholds", "gates=complexity", "format=sarif", "--json")
    whole = json.loads(shop.run("call", "drift_quality_gate", *asked).out)
    cut = json.loads(shop.run("call", "drift_quality_gate", *asked, "maxTokens=2000").out)

    assert whole["data"]["exitCode"] == 1
    assert len(cut["data"]["document"]) < len(whole["data"]["document"])


def test_a_hook_judges_what_is_staged(shop):
    git = ["git", "-C", str(shop.project), "-c", "user.name=t", "-c", "user.email=t@example.com"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "Begin"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    words = ("check", "--staged", "--policy", "thresholds", "--gate", "complexity")

    assert shop.run(*words).code == Exit.OK
    (shop.project / "new.py").write_text(f"def choose(value):\n{BRANCHES}    return None\n")
    assert shop.run(*words).code == Exit.OK
    subprocess.run([*git, "add", "new.py"], check=True)
    assert shop.run(*words).code == Exit.FAILED
