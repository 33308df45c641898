import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.project.state import StateDir


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


def test_naming_the_places_touches_no_disk(tmp_path):
    state = StateDir(tmp_path)

    assert state.index_db == tmp_path / ".drift" / "drift.db"
    assert state.pointer == tmp_path / ".drift" / "project.json"
    assert list(tmp_path.iterdir()) == []


def test_git_sees_only_what_people_share(tmp_path):
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    state = StateDir(tmp_path).ensure()
    for directory in (state.instructions, state.packs, state.rules, state.snapshots):
        (directory / "deep").mkdir(parents=True)
        (directory / "deep" / "file.json").touch()
    for file in (
        state.index_db,
        state.pointer,
        state.scan_record,
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
    (state.path / "history").symlink_to(tmp_path)

    assert state.check(state.index_db) == state.index_db
    with pytest.raises(DriftError) as caught:
        state.check(state.snapshots)
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
