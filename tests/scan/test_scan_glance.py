"""A glance at files that were found before shows every change, or that there may be others."""

import os
import subprocess
import time

import pytest

from drift.scan.detection import Detector
from drift.scan.discover import discover
from drift.scan.discovery import DiscoverOptions
from drift.scan.glance import Glance

LONG_AGO_NS = 1_600_000_000_000_000_000


@pytest.fixture
def root(tmp_path):
    (tmp_path / "pkg").mkdir()
    for name in ("a.py", "pkg/b.py"):
        (tmp_path / name).write_text("x = 1\n")
        os.utime(tmp_path / name, ns=(LONG_AGO_NS, LONG_AGO_NS))
    return tmp_path


def glance_at(root):
    return Glance(discover(root, DiscoverOptions(), known={}))


def test_nothing_changed_is_the_same(root):
    seen = glance_at(root).look()

    assert seen.is_same
    assert not seen.may_have_others


def test_an_edit_shows_as_the_new_size_and_time(root):
    glance = glance_at(root)
    (root / "a.py").write_text("x = 12\n")

    seen = glance.look()

    assert not seen.is_same
    assert not seen.may_have_others
    assert {file.path: file.size for file in seen.discovery.files} == {"a.py": 7, "pkg/b.py": 6}


def test_a_file_saved_by_renaming_is_an_edit(root):
    glance = glance_at(root)
    (root / "new").write_text("x = 12\n")
    (root / "new").replace(root / "a.py")

    seen = glance.look()

    assert not seen.is_same
    assert not seen.may_have_others


def test_a_file_changed_just_now_counts_as_changed_until_its_time_can_tell(root):
    (root / "a.py").write_text("x = 1\n")
    glance = glance_at(root)

    assert not glance.look().is_same
    os.utime(root / "a.py", ns=(time.time_ns(), LONG_AGO_NS))
    glance.look()
    assert glance.look().is_same


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "pkg" / "c.py").write_text("x = 1\n"),
        lambda root: (root / "pkg" / "b.py").unlink(),
        lambda root: (root / "new").mkdir(),
        lambda root: (root / "a.py").rename(root / "z.py"),
        lambda root: (root / ".gitignore").write_text("pkg\n"),
        lambda root: (root / "pkg" / ".driftignore").write_text("b.py\n"),
    ],
)
def test_what_comes_goes_or_decides_which_files_there_are_asks_for_a_thorough_look(root, change):
    glance = glance_at(root)
    change(root)

    assert glance.look().may_have_others


def test_a_deciding_file_that_is_edited_in_place_is_noticed(root):
    (root / ".gitignore").write_text("x\n")
    os.utime(root / ".gitignore", ns=(LONG_AGO_NS, LONG_AGO_NS))
    glance = glance_at(root)
    with (root / ".gitignore").open("r+") as file:
        file.write("y\n")

    assert glance.look().may_have_others


def test_a_detector_sees_an_edit_right_after_it_looked(root):
    from drift.scan import ScanOptions, scan

    scan(root, ScanOptions(jobs=0))
    detector = Detector(root, {})
    assert detector.detect().is_current

    (root / "a.py").write_text("x = 2\n")

    found = detector.detect()
    assert found.differing == 1
    scan(root, ScanOptions(jobs=0, discovery=found.discovery))
    assert detector.detect().is_current


@pytest.mark.parametrize("is_repository", [True, False])
def test_what_no_glance_shows_is_found_after_a_while(root, is_repository):
    from drift.scan import ScanOptions, scan

    if is_repository:
        subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / "empty").mkdir()
    scan(root, ScanOptions(jobs=0))
    now = [0.0]
    detector = Detector(root, {}, clock=lambda: now[0])
    assert detector.detect().is_current
    (root / "empty" / "new.py").write_text("x = 1\n")

    now[0] += 11

    assert detector.detect().differing == 1


def test_files_that_git_lists_as_before_are_not_inspected_again(root, monkeypatch):
    from drift.scan import ScanOptions, detection, scan

    subprocess.run(["git", "init", "-q", str(root)], check=True)
    scan(root, ScanOptions(jobs=0))
    (root / ".git/info").mkdir(exist_ok=True)
    (root / ".git/info/exclude").touch()
    for path in (root, root / "pkg", root / ".git/info/exclude"):
        os.utime(path, ns=(LONG_AGO_NS, LONG_AGO_NS))
    now, found = [0.0], []
    discover_listed = detection.discover_listed
    monkeypatch.setattr(
        detection,
        "discover_listed",
        lambda *given, **named: found.append(1) or discover_listed(*given, **named),
    )
    detector = Detector(root, {}, clock=lambda: now[0])
    detector.detect()
    detector.detect()
    times = len(found)

    now[0] += 11
    assert detector.detect().is_current
    assert len(found) == times

    (root / "a.py").write_text("x = 2\n")
    now[0] += 11
    assert detector.detect().differing == 1


def test_a_folder_that_lost_its_last_file_is_still_looked_into(root):
    from drift.scan import ScanOptions, scan

    scan(root, ScanOptions(jobs=0))
    detector = Detector(root, {}, clock=lambda: 0.0)
    detector.detect()
    detector.detect()
    (root / "pkg" / "b.py").unlink()
    assert detector.detect().differing == 1

    (root / "pkg" / "other.py").write_text("def other(): pass\n")

    assert detector.detect().differing == 2
