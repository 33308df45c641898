import os
import stat
import subprocess
import sys

import pytest

from drift.project.machine import cursor_key, is_sealed, machine_key, seal

_PRINT_KEY = """
import os
from drift.project.machine import machine_key
print("ready", flush=True)
input()
print(machine_key(os.environ).hex())
"""


def at(home):
    return {"DRIFT_HOME": str(home)}


def keys_of_processes(home, count):
    """The keys that processes get which all ask at the same moment."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", _PRINT_KEY],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **at(home)},
        )
        for _ in range(count)
    ]
    for process in running:
        process.stdout.readline()
    for process in running:
        process.stdin.write("\n")
        process.stdin.flush()
    keys = {bytes.fromhex(process.communicate()[0].strip()) for process in running}
    assert [process.returncode for process in running] == [0] * count
    return keys


def test_it_is_kept_and_private(tmp_path):
    key = machine_key(at(tmp_path / "home"))

    assert (tmp_path / "home" / "key").read_bytes() == key
    assert stat.S_IMODE((tmp_path / "home" / "key").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700


def test_asking_without_making_leaves_no_trace_among_temporary_files(tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))

    machine_key(at(tmp_path / "home"), may_make=False)

    assert list((tmp_path / "temporary").iterdir()) == []


def test_asking_without_making_leaves_no_trace(tmp_path):
    machine_key(at(tmp_path / "home"), may_make=False)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 33, b"x" * 100_000])
def test_one_of_the_wrong_length_is_replaced(tmp_path, content):
    (tmp_path / "key").write_bytes(content)

    key = machine_key(at(tmp_path))

    assert (tmp_path / "key").read_bytes() == key
    assert len(key) == 32


def test_a_link_in_its_place_is_replaced_and_what_it_names_left_alone(tmp_path):
    target = tmp_path / "source.py"
    target.write_bytes(b"k" * 32)
    (tmp_path / "key").symlink_to(target)

    key = machine_key(at(tmp_path))

    assert target.read_bytes() == b"k" * 32 != key
    assert not (tmp_path / "key").is_symlink()


def test_a_pipe_in_its_place_is_never_waited_for(tmp_path):
    os.mkfifo(tmp_path / "key")

    assert len(machine_key(at(tmp_path))) == 32


def test_without_a_home_that_can_be_written_the_key_still_lasts(tmp_path, monkeypatch):
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "file").touch()

    key = machine_key(at(tmp_path / "file" / "home"))

    assert key == (tmp_path / f"drift-{os.getuid()}" / "key").read_bytes()


def test_a_folder_of_others_among_the_temporary_files_gives_no_key(tmp_path, monkeypatch):
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "file").touch()
    planted = tmp_path / f"drift-{os.getuid()}"
    planted.mkdir()
    planted.chmod(0o777)
    (planted / "key").write_bytes(b"k" * 32)

    assert machine_key(at(tmp_path / "file" / "home")) != b"k" * 32


@pytest.mark.slow
@pytest.mark.parametrize("before", [None, b"wrong length"])
def test_processes_that_ask_at_once_get_the_same(tmp_path, before):
    if before is not None:
        (tmp_path / "key").write_bytes(before)

    keys = keys_of_processes(tmp_path, 6)

    assert keys == {(tmp_path / "key").read_bytes()}


def test_projects_sign_their_cursors_with_different_keys(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()

    assert len(cursor_key(tmp_path / "a")) == 32
    assert cursor_key(tmp_path / "a") != cursor_key(tmp_path / "b")
    assert cursor_key(tmp_path / "a") != machine_key(os.environ)


def test_a_seal_holds_for_its_purpose_and_its_parts_as_they_are_divided():
    key = bytes(32)
    claim = seal(key, "index", "ab", "c")

    assert is_sealed(key, claim, "index", "ab", "c")
    assert not is_sealed(key, claim, "index", "a", "bc")
    assert not is_sealed(key, claim, "pointer", "ab", "c")
    assert not is_sealed(b"k" * 32, claim, "index", "ab", "c")
    assert not is_sealed(key, None, "index", "ab", "c")
    assert not is_sealed(key, "\udc80", "index", "ab", "c")
