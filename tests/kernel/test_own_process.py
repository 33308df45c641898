"""How processes of ours start: what they may find, what they are told, and where."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from drift.kernel import search_path
from drift.kernel.own_process import isolated
from drift.kernel.search_path import entries_outside, leave_out_working_directory

OWN = str(Path(search_path.__file__).parents[2])


def test_a_process_sees_neither_the_environments_code_nor_anybodys_secrets(tmp_path):
    environ = {
        "PATH": "/bin",
        "DRIFT_LOG": "debug",
        "LC_ALL": "C.UTF-8",
        "PYTHONPATH": str(tmp_path),
        "PYTHONSTARTUP": "x.py",
        "LD_PRELOAD": "x.so",
        "API_TOKEN": "secret",
    }

    start = isolated("pass", environ=environ, project=tmp_path)

    assert start.environ == {"PATH": "/bin", "DRIFT_LOG": "debug", "LC_ALL": "C.UTF-8"}
    assert Path(start.cwd).is_dir()


def test_a_process_finds_what_this_one_finds(tmp_path, monkeypatch):
    beside = tmp_path / "pack: äges"
    beside.mkdir()
    (beside / "only_here.py").write_text("said = 'found'\n")
    monkeypatch.syspath_prepend(str(beside))
    start = isolated(
        "import only_here, drift.cli; print(only_here.said)", environ={}, project=tmp_path / "project"
    )

    done = subprocess.run(start.command, env=start.environ, cwd=start.cwd, capture_output=True, check=True)

    assert done.stdout == b"found\n"


def test_what_lies_in_the_project_is_left_out_unless_it_is_drift_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", ["", ".", str(tmp_path), str(tmp_path / "src"), "/elsewhere", OWN])

    assert entries_outside(str(tmp_path)) == ["/elsewhere", OWN]
    assert OWN in entries_outside("/")


@pytest.mark.parametrize("variable", ["", ".", "here", f"/kept{os.pathsep}here"])
def test_the_working_directory_and_relative_parts_are_taken_out(tmp_path, monkeypatch, variable):
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", variable)
    # Python makes parts of the variable absolute before anyone sees them.
    parts = [str(tmp_path / part) for part in variable.split(os.pathsep)] if variable else []
    monkeypatch.setattr(sys, "path", ["", "relative", str(tmp_path), *parts, "/kept", OWN])

    leave_out_working_directory()

    assert list(dict.fromkeys(sys.path)) == ["/kept", OWN]


def test_drift_still_runs_in_its_own_folder(monkeypatch):
    monkeypatch.chdir(OWN)
    monkeypatch.setattr(sys, "path", [OWN])

    leave_out_working_directory()

    assert sys.path == [OWN]


def test_where_bytecode_goes_is_handed_on(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "pycache_prefix", "/elsewhere")
    without = isolated("pass", environ={}, project=tmp_path).command
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    usual = isolated("pass", environ={}, project=tmp_path).command

    assert {"-B", "pycache_prefix=/elsewhere"} <= set(without)
    assert set(without) - set(usual) == {"-B", "pycache_prefix=/elsewhere"}


def test_a_working_directory_that_is_gone_leads_nowhere(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setattr(sys, "path", ["here", OWN])

    assert entries_outside(str(tmp_path)) == [OWN]


def test_a_relative_part_without_a_working_directory_stays_as_it_is(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    assert search_path._real("here") == "here"
