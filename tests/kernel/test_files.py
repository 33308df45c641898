import os
import stat
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.files import locked, write_atomically

COUNT_TO = 60


def names_in(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_file_is_written_whole_and_nothing_else_is_left(tmp_path):
    target = tmp_path / "a.json"

    write_atomically(target, "straße\r\n")
    write_atomically(target, b"\x00\xff")

    assert target.read_bytes() == b"\x00\xff"
    assert names_in(tmp_path) == ["a.json"]


def test_text_is_written_as_utf_8_with_its_own_line_ends(tmp_path):
    write_atomically(tmp_path / "a", "straße\r\n\n")

    assert (tmp_path / "a").read_bytes() == "straße\r\n\n".encode()


def test_an_existing_file_keeps_its_permissions(tmp_path):
    target = tmp_path / "a"
    target.write_text("old")
    target.chmod(0o640)

    write_atomically(target, "new")

    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_given_mode_wins_over_the_one_the_file_had(tmp_path):
    target = tmp_path / "key"
    target.write_text("old")
    target.chmod(0o666)

    write_atomically(target, b"secret", mode=0o600)

    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_new_file_has_the_permissions_the_process_gives_new_files(tmp_path):
    (tmp_path / "usual").write_text("")

    write_atomically(tmp_path / "a", "")

    assert (tmp_path / "a").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_linked_file_is_replaced_behind_its_link(tmp_path):
    real = tmp_path / "elsewhere" / "real"
    real.parent.mkdir()
    real.write_text("old")
    link = tmp_path / "link"
    link.symlink_to(real)

    write_atomically(link, "new")

    assert link.is_symlink()
    assert real.read_text() == "new"
    assert names_in(real.parent) == ["real"]


def test_links_that_form_a_loop_are_refused(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")

    with pytest.raises(DriftError, match="loop") as caught:
        write_atomically(tmp_path / "a", "x")

    assert caught.value.code is ErrorCode.STORE_UNAVAILABLE
    assert names_in(tmp_path) == ["a", "b"]


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path):
    target = tmp_path / "folder"
    target.mkdir()
    (target / "kept").write_text("kept")

    with pytest.raises(DriftError) as caught:
        write_atomically(target, "x")

    assert caught.value.code is ErrorCode.STORE_UNAVAILABLE
    assert caught.value.as_wire()["hint"]
    assert names_in(tmp_path) == ["folder"]
    assert (target / "kept").read_text() == "kept"


def test_a_missing_folder_is_an_error_with_a_way_out(tmp_path):
    with pytest.raises(DriftError, match="could not be written") as caught:
        write_atomically(tmp_path / "no" / "a", "x")

    assert "folder exists" in caught.value.as_wire()["hint"]


def test_text_that_utf_8_cannot_hold_is_refused_before_anything_is_touched(tmp_path):
    with pytest.raises(DriftError) as caught:
        write_atomically(tmp_path / "a", "ab\ud800")

    assert caught.value.code is ErrorCode.INVALID_ARGUMENT
    assert names_in(tmp_path) == []


def test_a_writer_killed_at_any_moment_leaves_one_whole_version(tmp_path):
    target = tmp_path / "a"
    versions = [letter * 200_000 for letter in "ab"]
    write_atomically(target, versions[0])
    writer = start(
        """
        import itertools, pathlib, sys
        from drift.kernel.files import write_atomically
        print("ready", flush=True)
        for letter in itertools.cycle("ba"):
            write_atomically(pathlib.Path(sys.argv[1]), letter * 200_000)
        """,
        target,
    )
    assert writer.stdout is not None
    writer.stdout.readline()

    seen = [target.read_text() for _ in range(50)]
    writer.kill()
    writer.communicate()

    assert set(seen) | {target.read_text()} <= set(versions)


def test_a_lock_is_held_by_one_process_at_a_time(tmp_path):
    counter = tmp_path / "counter"
    counter.write_text("0")
    count = """
        import pathlib, sys
        from drift.kernel.files import locked
        counter = pathlib.Path(sys.argv[1])
        for _ in range(int(sys.argv[2])):
            with locked(counter, timeout_seconds=300):
                counter.write_text(str(int(counter.read_text()) + 1))
        """

    counters = [start(count, counter, COUNT_TO) for _ in range(2)]

    assert [process.wait(timeout=300) for process in counters] == [0, 0]
    for process in counters:
        process.communicate()
    assert counter.read_text() == str(2 * COUNT_TO)


@pytest.fixture
def holder(tmp_path):
    """A process that holds the lock on `store` until its input closes."""
    process = start(
        """
        import pathlib, sys
        from drift.kernel.files import locked
        with locked(pathlib.Path(sys.argv[1]), timeout_seconds=300):
            print("held", flush=True)
            sys.stdin.read()
        """,
        tmp_path / "store",
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_waiting_too_long_names_the_holder_and_what_to_do(tmp_path, holder):
    with pytest.raises(DriftError) as caught, locked(tmp_path / "store", timeout_seconds=0.05):
        pytest.fail("the lock was given twice")

    error = caught.value.as_wire()
    assert error["code"] == "STORE_UNAVAILABLE"
    assert f"process {holder.pid}" in error["message"]
    assert f"process {holder.pid}" in error["hint"]
    assert error["retryAfterMs"] >= 1000


def test_a_lock_is_free_again_when_its_holder_dies(tmp_path, holder):
    holder.kill()
    holder.wait()

    with locked(tmp_path / "store", timeout_seconds=300):
        assert (tmp_path / "store.lock").read_text() == f"process {os.getpid()}"


def test_threads_of_one_process_exclude_each_other_too(tmp_path):
    entered = threading.Event()
    results: list[ErrorCode] = []

    def compete() -> None:
        try:
            with locked(tmp_path / "store", timeout_seconds=0.05):
                entered.set()
        except DriftError as error:
            results.append(error.code)

    with locked(tmp_path / "store", timeout_seconds=1):
        thread = threading.Thread(target=compete)
        thread.start()
        thread.join()

    assert results == [ErrorCode.STORE_UNAVAILABLE]
    assert not entered.is_set()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only a fork shares an open file")
def test_a_forked_child_does_not_keep_the_lock_its_parent_has_left(tmp_path):
    parent = start(
        """
        import os, pathlib, sys
        from drift.kernel.files import locked
        store = pathlib.Path(sys.argv[1])
        ready, leave = os.pipe()
        with locked(store, timeout_seconds=1):
            if os.fork() == 0:
                os.close(leave)
                os.read(ready, 1)
                os._exit(0)
        with locked(store, timeout_seconds=0):
            print("free")
        """,
        tmp_path / "store",
    )

    assert parent.communicate(timeout=300)[0] == "free\n"


def test_an_error_inside_frees_the_lock_and_passes_through(tmp_path):
    with pytest.raises(OSError, match="mine"), locked(tmp_path / "store", timeout_seconds=1):
        raise OSError("mine")

    with locked(tmp_path / "store", timeout_seconds=0):
        pass


def test_a_lock_file_that_is_a_link_is_not_followed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "store.lock").symlink_to(victim)

    with pytest.raises(DriftError) as caught, locked(tmp_path / "store", timeout_seconds=0):
        pytest.fail("a planted link was followed")

    assert caught.value.code is ErrorCode.STORE_UNAVAILABLE
    assert victim.read_text() == "precious"
