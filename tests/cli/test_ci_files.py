"""The hook, the GitHub Action and the GitLab template do what they say: their own command lines are run on a repository."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from drift.documents.nodes import read_nodes

HOME = Path(__file__).parents[2]
CLASSES = "".join(f"class Part{number}Error(Exception):\n    pass\n\n\n" for number in range(40))


def read(name):
    (document,) = read_nodes((HOME / name).read_text())
    return document


@pytest.fixture(scope="module")
def repository(shared_place, tmp_path_factory):
    """A repository whose branch adds an exception that is called otherwise, and a `drift` on the path."""
    place, programs = shared_place, tmp_path_factory.mktemp("bin")
    program = programs / "drift"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -m drift "$@"\n')
    program.chmod(0o755)
    environ = {**place.environ, "PATH": f"{programs}:{place.environ['PATH']}"}
    git = ["git", "-C", str(place.project), "-c", "user.name=t", "-c", "user.email=t@example.com"]

    def run(*words):
        subprocess.run([*git, *words], check=True, capture_output=True)

    for name in ("one", "two"):
        (place.project / f"{name}.py").write_text(CLASSES.replace("Part", name.title()))
    run("init", "-q", "-b", "main")
    run("add", "-A")
    run("commit", "-qm", "Begin")
    run("checkout", "-qb", "work")
    (place.project / "three.py").write_text("class CardDeclined(Exception):\n    pass\n")
    run("add", "-A")
    return place.project, environ, run


def shell(script, root, environ, **variables):
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=root, env={**environ, **variables}, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


def test_the_hook_refuses_what_is_staged(repository):
    root, environ, _ = repository
    (hook,) = read(".pre-commit-hooks.yaml").children()

    done = shell(hook.get("entry").text, root, environ)

    assert hook.get("pass_filenames").text == "false"
    assert done.returncode == 1, done.stderr
    assert "three.py:1: warning errors/exception-suffix" in done.stdout


def test_the_action_annotates_and_the_template_reports_what_the_branch_changed(repository, tmp_path):
    root, environ, run = repository
    run("commit", "-qm", "Work")
    install, check = read("action.yml").get("runs", "steps").children()
    given = {"DRIFT_POLICY": "default", "DRIFT_BASE": "", "DRIFT_FORMAT": "github", "DRIFT_OUTPUT": ""}
    assert {name for name, _ in check.get("env").pairs()} == set(given)
    assert "drift-mcp" in install.get("run").text
    script = check.get("run").text

    annotated = shell(script, root, environ, **given, GITHUB_BASE_REF="main")
    assert annotated.returncode == 1, annotated.stderr
    assert annotated.stdout.startswith(
        "::warning file=three.py,line=1,endLine=1,title=errors/exception-suffix::"
    )

    told = tmp_path / "outputs"
    inputs = {**given, "DRIFT_FORMAT": "sarif", "DRIFT_OUTPUT": "drift.sarif", "DRIFT_BASE": "main"}
    shell(script, root, environ, **inputs, GITHUB_OUTPUT=str(told))
    assert told.read_text() == "report=drift.sarif\n"
    (found,) = json.loads((root / "drift.sarif").read_text())["runs"][0]["results"]
    (root / "drift.sarif").unlink()

    job = read("gitlab/drift-check.yml").get("drift-check")
    lines = "\n".join(each.text for each in job.get("script").children())
    variables = {name: each.text for name, each in job.get("variables").pairs()}
    reported = shell(lines, root, environ, **variables, CI_DEFAULT_BRANCH="main")
    rows = json.loads((root / job.get("artifacts", "reports", "codequality").text).read_text())
    assert reported.returncode == 1
    assert [row["fingerprint"] for row in rows] == list(found["partialFingerprints"].values())
