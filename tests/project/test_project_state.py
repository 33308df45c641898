import os
import shutil
import stat
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.project.state import StateDir, cursor_key

_PRINT_KEY = """
import sys
from pathlib import Path
from drift.project.state import cursor_key
print("ready", flush=True)
sys.stdin.readline()
print(cursor_key(Path(sys.argv[1])).hex())
"""


@pytest.fixture
def public_directory():
    """A directory every user may enter, which pytest's own are not."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@contextmanager
def unwritable(path):
    """Root may write anywhere, so as root the block runs as nobody."""
    path.chmod(0o555)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        path.chmod(0o755)


def keys_of_processes(root, count):
    """The keys that processes get which all ask at the same moment."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", _PRINT_KEY, str(root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(count)
    ]
    for process in running:
        assert process.stdout.readline() == "ready\n"
    for process in running:
        process.stdin.write("go\n")
        process.stdin.flush()
    return {bytes.fromhex(process.communicate()[0].strip()) for process in running}


def test_naming_the_places_touches_no_disk(tmp_path):
    state = StateDir(tmp_path)

    assert state.index_db == tmp_path / ".drift" / "drift.db"
    assert state.memory_db == tmp_path / ".drift" / "memory" / "cortex.db"
    assert list(tmp_path.iterdir()) == []


def test_git_sees_only_what_people_share(tmp_path):
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    state = StateDir(tmp_path).ensure()
    for directory in (state.instructions, state.packs, state.rules, state.memory_db.parent):
        (directory / "deep").mkdir(parents=True)
        (directory / "deep" / "file.json").touch()
    for file in (
        state.index_db,
        state.memory_db,
        state.catalog_db,
        state.cache_db,
        state.usage_db,
        state.key,
    ):
        file.touch()

    shown = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )

    assert shown.stdout.splitlines() == [
        ".drift/.gitignore",
        ".drift/instructions/deep/file.json",
        ".drift/packs/deep/file.json",
        ".drift/rules/deep/file.json",
    ]


def test_a_gitignore_of_the_user_is_kept(tmp_path):
    StateDir(tmp_path).ensure()
    (tmp_path / ".drift" / ".gitignore").write_text("# mine\n")

    StateDir(tmp_path).ensure()

    assert (tmp_path / ".drift" / ".gitignore").read_text() == "# mine\n"


def test_a_link_out_of_the_project_is_not_used(tmp_path):
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / ".drift").symlink_to(outside)

    with pytest.raises(DriftError) as caught:
        StateDir(root).ensure()

    assert caught.value.code == ErrorCode.PATH_OUTSIDE_PROJECT
    assert len(cursor_key(root)) == 32
    assert list(outside.iterdir()) == []


def test_a_link_to_nothing_outside_is_not_used_either(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (root / ".drift").symlink_to(tmp_path / "gone")

    with pytest.raises(DriftError) as caught:
        StateDir(root).ensure()
    assert caught.value.code == ErrorCode.PATH_OUTSIDE_PROJECT


def test_a_link_within_the_project_is_used(tmp_path):
    (tmp_path / "kept").mkdir()
    (tmp_path / ".drift").symlink_to(tmp_path / "kept")

    StateDir(tmp_path).ensure()

    assert (tmp_path / "kept" / ".gitignore").exists()


def test_a_store_behind_a_link_out_of_the_project_is_refused(tmp_path):
    root = tmp_path / "root"
    state = StateDir(root)
    root.mkdir()
    state.ensure()
    state.memory_db.parent.symlink_to(tmp_path)

    assert state.check(state.index_db) == state.index_db
    with pytest.raises(DriftError) as caught:
        state.check(state.memory_db)
    assert caught.value.code == ErrorCode.PATH_OUTSIDE_PROJECT


@pytest.mark.parametrize("obstacle", ["file", "loop"])
def test_something_else_of_that_name_is_refused_with_a_way_out(tmp_path, obstacle):
    path = tmp_path / ".drift"
    path.touch() if obstacle == "file" else path.symlink_to(path)

    with pytest.raises(DriftError) as caught:
        StateDir(tmp_path).ensure()

    assert caught.value.code in {ErrorCode.STORE_UNAVAILABLE, ErrorCode.PATH_OUTSIDE_PROJECT}
    assert caught.value.recovery.hint


def test_a_read_only_project_is_refused_with_a_way_out(public_directory):
    with unwritable(public_directory), pytest.raises(DriftError) as caught:
        StateDir(public_directory).ensure()

    assert caught.value.code == ErrorCode.STORE_UNAVAILABLE
    assert "write" in caught.value.recovery.hint


def test_a_read_only_state_directory_is_refused_though_it_exists(public_directory):
    state = StateDir(public_directory).ensure()

    with unwritable(state.path), pytest.raises(DriftError) as caught:
        state.ensure()

    assert caught.value.code == ErrorCode.STORE_UNAVAILABLE


class TestCursorKey:
    def test_it_is_kept_and_private(self, tmp_path):
        key = cursor_key(tmp_path)

        assert len(key) == 32
        assert cursor_key(tmp_path) == key == StateDir(tmp_path).key.read_bytes()
        assert stat.S_IMODE(StateDir(tmp_path).key.stat().st_mode) == 0o600

    def test_projects_have_different_ones(self, tmp_path):
        (tmp_path / "a").mkdir()
        (tmp_path / "b").mkdir()

        assert cursor_key(tmp_path / "a") != cursor_key(tmp_path / "b")

    @pytest.mark.parametrize("content", [b"", b"short", b"x" * 33, b"x" * 100_000])
    def test_one_of_the_wrong_length_is_replaced(self, tmp_path, content):
        StateDir(tmp_path).ensure().key.write_bytes(content)

        key = cursor_key(tmp_path)

        assert StateDir(tmp_path).key.read_bytes() == key
        assert len(key) == 32

    def test_a_link_in_its_place_is_replaced_and_what_it_names_left_alone(self, tmp_path):
        target = tmp_path / "source.py"
        target.write_text("print('precious')")
        StateDir(tmp_path).ensure().key.symlink_to(target)

        key = cursor_key(tmp_path)

        assert target.read_text() == "print('precious')"
        assert not StateDir(tmp_path).key.is_symlink()
        assert cursor_key(tmp_path) == key

    def test_a_link_to_a_known_key_is_not_trusted(self, tmp_path):
        known = tmp_path / "known"
        known.write_bytes(b"k" * 32)
        StateDir(tmp_path).ensure().key.symlink_to(known)

        assert cursor_key(tmp_path) != b"k" * 32

    def test_a_pipe_in_its_place_is_never_waited_for(self, tmp_path):
        os.mkfifo(StateDir(tmp_path).ensure().key)

        assert len(cursor_key(tmp_path)) == 32

    def test_a_directory_in_its_place_gives_the_key_of_the_process(self, tmp_path):
        StateDir(tmp_path).ensure().key.mkdir()

        assert cursor_key(tmp_path) == cursor_key(tmp_path)

    def test_where_nothing_can_be_written_the_process_has_one_of_its_own(self, public_directory):
        with unwritable(public_directory):
            keys = {cursor_key(public_directory), cursor_key(public_directory)}

        assert len(keys) == 1
        assert not (public_directory / ".drift").exists()

    @pytest.mark.slow
    @pytest.mark.parametrize("before", [None, b"wrong length"])
    def test_processes_that_ask_at_once_get_the_same(self, tmp_path, before):
        if before is not None:
            StateDir(tmp_path).ensure().key.write_bytes(before)

        keys = keys_of_processes(tmp_path, 6)

        assert keys == {StateDir(tmp_path).key.read_bytes()}
