"""A detector that listens for changes sees all that one that looks for them does."""

import os
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.scan import ScanOptions, scan
from drift.scan import detection as detection_module
from drift.scan.detection import Detector

LONG_AGO_NS = 1_600_000_000_000_000_000


@pytest.fixture
def root(tmp_path):
    project = tmp_path / "project"
    (project / "pkg" / "deep").mkdir(parents=True)
    for name in ("a.py", "pkg/b.py", "pkg/deep/c.py"):
        (project / name).write_text("x = 1\n")
        os.utime(project / name, ns=(LONG_AGO_NS, LONG_AGO_NS))
    return project


class Eager(Detector):
    """One that listens from the start, and whose clock stands still: nothing is found by waiting."""

    def __init__(self, root):
        super().__init__(root, {}, clock=lambda: 0.0)
        self.looks = 0

    def _look_anew(self, glance):
        self.looks += 1
        return super()._look_anew(glance)


@pytest.fixture
def detector(root):
    scan(root, ScanOptions(jobs=0))
    detector = Eager(root)
    while detector.recall() is None:
        assert detector.detect().is_current
        if detector.looks > 5:
            pytest.skip("this system, or this file system, does not tell of changes")
    return detector


def test_a_detector_looks_no_more_while_it_is_quiet(detector):
    looks = detector.looks
    assert detector.is_listening

    for _ in range(5):
        assert detector.detect().is_current
        assert detector.recall() is not None

    assert detector.looks == looks


@pytest.mark.parametrize(
    ("change", "differing"),
    [
        (lambda root: (root / "a.py").write_text("x = 2\n"), 1),
        (lambda root: (root / "pkg/new.py").write_text("y = 1\n"), 1),
        (lambda root: (root / "pkg/b.py").unlink(), 1),
        (lambda root: (root / ".gitignore").write_text("pkg\n"), 2),
        (lambda root: (root / ".driftignore").write_text("deep/\n"), 1),
        (lambda root: shutil.rmtree(root / "pkg"), 2),
    ],
)
def test_a_detector_that_listens_sees_each_change_at_once(detector, root, change, differing):
    change(root)

    assert detector.recall() is None
    assert detector.detect().differing == differing


def test_folders_made_and_filled_at_once_are_found_and_listened_to(detector, root):
    new = root / "pkg" / "x" / "y"
    new.mkdir(parents=True)
    (new / "one.py").write_text("one = 1\n")
    found = detector.detect()
    assert found.differing == 1

    (new / "two.py").write_text("two = 2\n")

    assert detector.detect().differing == 2


def test_a_folder_deleted_and_made_again_is_listened_to(detector, root):
    for content in ("x = 1\n", "x = 2\n"):
        shutil.rmtree(root / "pkg/deep")
        (root / "pkg/deep").mkdir()
        (root / "pkg/deep/c.py").write_text(content)
        detector.detect()
    while detector.recall() is None:
        assert detector.detect().differing == 1

    (root / "pkg/deep/c.py").write_text("x = 1\n")

    assert detector.recall() is None
    assert detector.detect().differing == 0


def test_a_file_with_several_names_is_looked_at_each_time(root, tmp_path):
    os.link(root / "a.py", tmp_path / "other")
    scan(root, ScanOptions(jobs=0))
    detector = Eager(root)
    for _ in range(3):
        assert detector.detect().is_current
        assert detector.recall() is None
    assert not detector.is_listening

    (tmp_path / "other").write_text("x = 2\n")

    assert detector.detect().differing == 1


def test_an_ignore_file_of_the_repository_itself_is_noticed(root):
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    scan(root, ScanOptions(jobs=0))
    detector = Eager(root)
    for _ in range(3):
        assert detector.detect().is_current

    (root / ".git/info").mkdir(exist_ok=True)
    (root / ".git/info/exclude").write_text("pkg\n")

    assert detector.detect().differing == 2


def test_a_look_that_fails_is_taken_again(detector, root, monkeypatch):
    def fail(*_arguments, **_options):
        raise OSError("the disk is gone")

    (root / "pkg/new.py").write_text("y = 1\n")
    with monkeypatch.context() as broken:
        broken.setattr(detection_module, "discover_listed", fail)
        with pytest.raises(OSError, match="the disk is gone"):
            detector.detect()

    assert detector.recall() is None
    assert detector.detect().differing == 1


NAMES = st.sampled_from(["a.py", "b.py", "pkg/b.py", "pkg/deep/c.py", "pkg/deep/d.py", "new/e.py"])
STEPS = st.lists(st.tuples(st.sampled_from(["write", "remove", "replace", "detect"]), NAMES), max_size=12)


@settings(max_examples=25)
@given(steps=STEPS)
def test_listening_and_finding_all_anew_tell_the_same(tmp_path_factory, steps):
    root = tmp_path_factory.mktemp("listened")
    (root / "pkg/deep").mkdir(parents=True)
    (root / "a.py").write_text("x = 1\n")
    (root / "pkg/deep/c.py").write_text("x = 1\n")
    scan(root, ScanOptions(jobs=0))
    detector = Eager(root)
    detector.detect()
    detector.detect()
    for number, (step, name) in enumerate(steps):
        path = root / name
        if step == "write":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"x = {number}\n")
        elif step == "remove":
            path.unlink(missing_ok=True)
            if path.parent.name == "new" and path.parent.exists():
                path.parent.rmdir()  # a folder with nothing of interest is looked into now and then only
        elif step == "replace" and path.exists():
            (path.parent / "saved").write_text(f"y = {number}\n")
            (path.parent / "saved").replace(path)
        else:
            detector.detect()

    detected = detector.recall() or detector.detect()

    assert (detected.differing, detected.discovery.files) == _found_anew(root)


def _found_anew(root):
    found = Detector(root, {}).detect()
    return found.differing, found.discovery.files
