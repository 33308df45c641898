"""`drift fleet` keeps a fleet and asks it, by a list that is named on the line or in the settings."""

import json
import os
import subprocess

import pytest

from drift.cli.exits import Exit
from drift.fleet import run
from drift.fleet.task import bring_up


@pytest.fixture
def listed(place, monkeypatch):
    """A list of one repository and one that is not there, brought up by this process."""

    class Cluster:
        def __enter__(self):
            return None

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(run, "local_cluster", lambda *_: Cluster())
    monkeypatch.setattr(run, "run_tasks", lambda _client, tasks, _workers: map(bring_up, tasks))
    monkeypatch.setenv("DRIFT_HOME", os.environ["DRIFT_HOME"])  # put back what a task changes
    origin = place.project / "origin"
    origin.mkdir(parents=True)
    (origin / "app.py").write_text("import requests\n\n\ndef load():\n    return requests.get('x')\n")
    git = ["git", "-C", origin, "-c", "user.name=t", "-c", "user.email=t@example.com"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "Begin"]):
        subprocess.run([*git, *words], check=True)
    names = {"own": "origin", "lost": "nowhere"}
    lines = [f'[[repositories]]\nname = "{name}"\npath = "{path}"\n' for name, path in names.items()]
    (place.project / "fleet.toml").write_text("".join(lines))
    return place


def test_a_fleet_is_updated_shown_and_asked(listed):
    updated = listed.run("fleet", "update", "--file", "fleet.toml")
    status = listed.run("fleet", "status", "--file", "fleet.toml", "--html", "fleet.html")
    asked = listed.run("fleet", "callers", "requests.get", "--file", "fleet.toml", "--json")

    assert updated.code == Exit.FAILED
    assert "2 repositories: 1 scanned, 0 unchanged, 1 failed" in updated.out
    assert "never lost: STORE_UNAVAILABLE" in status.out
    assert "own" in (listed.project / "fleet.html").read_text()
    (row,) = json.loads(asked.out)["data"]["callers"]
    assert (row["repository"], row["file"], row["line"]) == ("own", "app.py", 5)


def test_without_a_list_the_way_to_name_one_is_told(place):
    result = place.run("fleet", "status")

    assert result.code == Exit.FAILED
    assert "fleet.file" in result.err


def test_a_name_that_is_not_on_the_list_is_refused(listed):
    result = listed.run("fleet", "update", "--file", "fleet.toml", "--only", "unheard")

    assert result.code == Exit.FAILED
    assert "unheard is not in the fleet" in result.err
