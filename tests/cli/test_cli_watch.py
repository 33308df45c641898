"""`drift watch` in a process of its own, and the options of scans that last."""

import json
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from drift.cli.exits import Exit

pytestmark = pytest.mark.slow


@pytest.fixture
def shop(place):
    (place.project / "a.py").write_text("def first(): pass\n")
    (place.project / "b.py").write_text("def second(): pass\n")
    return place


@contextmanager
def watching(place):
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "drift", "watch", str(place.project), "--json"],
        cwd=place.home,
        env=place.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_watching_scans_first_and_then_what_changes(shop):
    with watching(shop) as process:
        first = json.loads(process.stdout.readline())
        (shop.project / "a.py").write_text("def renamed(): pass\n")
        second = json.loads(process.stdout.readline())

    assert (first["mode"], first["languages"]) == ("full", {"python": 2})
    assert (second["mode"], second["read"]) == ("update", 1)


def test_ctrl_c_ends_watching_cleanly(shop):
    with watching(shop) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=300)

    assert process.returncode == Exit.OK
    assert "Stopped watching" in err
    assert "Traceback" not in err


def test_watching_outlives_a_deleted_project(shop):
    with watching(shop) as process:
        process.stdout.readline()
        shutil.rmtree(shop.project)
        while "is gone" not in (line := process.stderr.readline()):
            assert line, "it ended"
        shop.project.mkdir()
        (shop.project / "c.py").write_text("def third(): pass\n")
        report = json.loads(process.stdout.readline())

    assert (report["mode"], report["files"]) == ("full", 1)


def test_settings_choose_files_and_options_win_over_them(shop):
    (shop.project / "drift.toml").write_text('[scan]\nexclude = ["a.py"]\njobs = 0\n')

    by_settings = json.loads(shop.run("scan", "--json").out)
    by_option = json.loads(shop.run("scan", "--json", "--exclude", "nothing.py").out)

    assert by_settings["languages"] == {"python": 1}
    assert by_option["languages"] == {"python": 2}


def test_a_scan_as_before_keeps_the_options_and_a_plain_one_says_they_are_over(shop):
    told = shop.run("scan", "--jobs", "0", "--exclude", "a.py")
    same = json.loads(shop.run("scan", "--as-before", "--json", "--jobs", "0").out)
    plain = shop.run("scan", "--jobs", "0")

    assert "automatic updates" in told.err
    assert same["languages"] == {"python": 1}
    assert "no longer hold" in plain.err


def test_events_are_lines_of_json_that_end_with_the_report(shop):
    lines = [json.loads(line) for line in shop.spawn("scan", "--events", "--jobs", "0").out.splitlines()]

    assert lines[0] == {"phase": "discover", "done": 0, "total": None}
    assert lines[-1]["report"]["mode"] == "full"


def test_an_error_is_an_event_too(shop):
    (shop.project / ".drift").write_text("in the way")

    result = shop.spawn("scan", "--events")

    assert result.code != Exit.OK
    assert json.loads(result.out.splitlines()[-1])["error"]["code"] == "STORE_UNAVAILABLE"
