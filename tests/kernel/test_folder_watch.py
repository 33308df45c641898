"""A watch is quiet only when nothing can have happened, and names all that something happened to."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from drift.kernel import folder_watch as watch_module
from drift.kernel.folder_watch import FolderWatch

LONG_AGO_NS = 1_600_000_000_000_000_000


@pytest.fixture
def root(tmp_path):
    project = tmp_path / "project"
    (project / "pkg" / "deep").mkdir(parents=True)
    for name in ("a.py", "pkg/b.py", "pkg/deep/c.py"):
        (project / name).write_text("x = 1\n")
        os.utime(project / name, ns=(LONG_AGO_NS, LONG_AGO_NS))
    return project


@pytest.fixture
def watch(root):
    watch = FolderWatch(root)
    if watch.is_off:
        pytest.skip("this system, or this file system, does not tell of changes")
    watch.listen(["", "pkg", "pkg/deep"])
    return watch


CHANGES = {
    "an edit": lambda root: (root / "a.py").write_text("x = 2\n"),
    "a new file": lambda root: (root / "pkg" / "new.py").write_text(""),
    "a deleted file": lambda root: (root / "pkg" / "b.py").unlink(),
    "a renamed file": lambda root: (root / "a.py").rename(root / "pkg" / "z.py"),
    "another time": lambda root: os.utime(root / "a.py"),
    "other rights": lambda root: (root / "a.py").chmod(0o600),
    "a new folder": lambda root: (root / "pkg" / "new").mkdir(),
    "a renamed folder": lambda root: (root / "pkg" / "deep").rename(root / "pkg" / "other"),
    "a folder moved away": lambda root: (root / "pkg").rename(root.parent / "away"),
    "a new link": lambda root: (root / "pkg" / "link").symlink_to(root / "pkg" / "deep"),
    "an ignore file": lambda root: (root / ".gitignore").write_text("pkg\n"),
    "the root moved": lambda root: root.rename(root.parent / "elsewhere"),
    "a folder above moved": lambda root: root.parent.rename(root.parent.with_name("above")),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_every_change_ends_the_quiet_for_good(watch, root, change):
    assert watch.is_quiet()

    change(root)

    assert not watch.is_quiet()
    assert not watch.is_quiet()


def test_reading_is_no_change(watch, root):
    (root / "a.py").read_text()
    list((root / "pkg").iterdir())

    assert watch.is_quiet()


def test_it_is_quiet_again_once_it_listens_anew(watch, root):
    (root / "a.py").write_text("x = 2\n")
    assert not watch.is_quiet()

    watch.listen(["", "pkg", "pkg/deep"])

    assert watch.is_quiet()


def test_a_folder_made_again_under_its_name_is_heard_once_it_listens_anew(watch, root):
    shutil.rmtree(root / "pkg" / "deep")
    (root / "pkg" / "deep").mkdir()
    watch.listen(["", "pkg", "pkg/deep"])
    assert watch.is_quiet()

    (root / "pkg" / "deep" / "c.py").write_text("x = 2\n")

    assert not watch.is_quiet()


def test_a_folder_that_is_gone_or_a_link_leaves_it_unquiet_and_on(watch, root):
    watch.listen(["", "none"])
    assert not watch.is_quiet()
    (root / "link").symlink_to(root / "pkg")
    watch.listen(["", "link"])
    assert not watch.is_quiet()

    watch.listen(["", "pkg"])

    assert watch.is_quiet()


def test_more_news_than_the_system_keeps_is_news(watch, root):
    kept = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if kept > 50_000:
        pytest.skip("the queue is too long to be filled in a test")
    # Equal events in a row count as one, so these alternate.
    for _ in range(kept // 2 + 10):
        os.utime(root / "a.py")
        os.utime(root / "pkg" / "b.py")

    assert not watch.is_quiet()
    watch.listen(["", "pkg", "pkg/deep"])
    assert watch.is_quiet()


def test_too_many_folders_are_left_to_looking(watch, monkeypatch):
    monkeypatch.setattr(watch_module, "_MOST_FOLDERS", 2)

    watch.listen(["", "pkg", "pkg/deep"])

    assert watch.is_off
    assert not watch.is_quiet()


def test_a_folder_on_another_file_system_is_left_to_looking(root):
    watch = FolderWatch(root)
    if watch.is_off or not os.path.ismount("/proc"):
        pytest.skip("nothing to watch, or no other file system")

    watch.listen(["", "../" * 40 + "proc"])

    assert watch.is_off


def test_a_file_system_that_may_not_tell_is_left_to_looking():
    watch = FolderWatch(Path("/proc"))
    watch.listen([""])

    assert watch.is_off
    assert not watch.is_quiet()


def test_a_limit_of_the_system_is_survived(root):
    code = (
        "import os, sys, resource\n"
        "from drift.kernel.folder_watch import FolderWatch\n"
        "import ctypes\n"
        "ctypes.CDLL(None)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir('/proc/self/fd')) - 1,) * 2)\n"
        f"watch = FolderWatch({str(root)!r})\n"
        "watch.listen([''])\n"
        "sys.exit(0 if watch.is_off and not watch.is_quiet() else 3)\n"
    )
    if sys.platform != "linux":
        pytest.skip("only Linux is listened to")

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.fixture
def hearing(root):
    watch = FolderWatch(root)
    if watch.is_off:
        pytest.skip("this system, or this file system, does not tell of changes")
    watch.listen([""])
    assert watch.hear() == set()
    return watch


NAMED = {
    "an edit": (lambda root: (root / "a.py").write_text("x = 2\n"), {"a.py"}),
    "an edit of the same size": (lambda root: (root / "a.py").write_bytes(b"x = 9\n"), {"a.py"}),
    "a new file": (lambda root: (root / "new é.py").write_text(""), {"new é.py"}),
    "a deleted file": (lambda root: (root / "a.py").unlink(), {"a.py"}),
    "a renamed file": (lambda root: (root / "a.py").rename(root / "z.py"), {"a.py", "z.py"}),
    "a file from elsewhere": (lambda root: (root / "pkg/b.py").rename(root / "b.py"), {"b.py"}),
    "another time": (lambda root: os.utime(root / "a.py"), {"a.py"}),
    "nothing": (lambda root: (root / "a.py").read_text(), set()),
}


@pytest.mark.parametrize(("change", "names"), NAMED.values(), ids=list(NAMED))
def test_what_something_happened_to_is_named_once(hearing, root, change, names):
    change(root)

    assert hearing.hear() == names
    assert hearing.hear() == set()


@pytest.mark.parametrize(
    "change",
    [
        lambda root: root.rename(root.parent / "elsewhere"),
        lambda root: root.parent.rename(root.parent.with_name("over")),
        shutil.rmtree,
    ],
    ids=["moved", "a folder above moved", "removed"],
)
def test_names_are_not_known_of_a_folder_that_is_no_more_where_it_was(hearing, root, change):
    change(root)

    assert hearing.hear() is None
    assert hearing.hear() is None


def test_names_are_not_known_when_there_was_more_news_than_is_kept(hearing, root):
    kept = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if kept > 50_000:
        pytest.skip("the queue is too long to be filled in a test")
    (root / "z.py").write_text("")
    for _ in range(kept // 2 + 10):
        os.utime(root / "a.py")
        os.utime(root / "z.py")

    assert hearing.hear() is None
    hearing.listen([""])
    assert hearing.hear() == set()


def test_many_names_are_all_heard(hearing, root):
    names = {f"{'n' * 200}-{number}.json" for number in range(1_000)}
    for name in names:
        (root / name).write_text("{}")

    assert hearing.hear() == names
