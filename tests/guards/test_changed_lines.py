"""What changed is read from git: since a branch, a commit, in a range, staged, or not committed."""

import subprocess

import pytest

from drift.guards.changed_lines import read_change
from drift.kernel.errors import DriftError


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """main has one.py and two.py; the branch `work` changes one.py, renames two.py and adds three.py."""
    root = tmp_path_factory.mktemp("changes")
    git = ["git", "-C", str(root), "-c", "user.name=t", "-c", "user.email=t@example.com"]

    def run(*words):
        return subprocess.run([*git, *words], check=True, capture_output=True, text=True).stdout.strip()

    run("init", "-q", "-b", "main")
    (root / "one.py").write_text("a = 1\nb = 2\nc = 3\n")
    (root / "two.py").write_text("".join(f"x{number} = {number}\n" for number in range(20)))
    run("add", "-A")
    run("commit", "-qm", "Begin")
    run("checkout", "-qb", "work")
    (root / "one.py").write_text("a = 1\nb = 20\nc = 3\nd = 4\n")
    run("mv", "two.py", "moved.py")
    with (root / "moved.py").open("a") as file:
        file.write("y = 1\n")
    (root / "three.py").write_text("z = 1\n")
    run("add", "-A")
    run("commit", "-qm", "Work")
    return root, run


def added(change):
    return {path: each.added for path, each in change.files.items()}


def test_without_a_base_it_is_what_the_branch_changed_since_it_left_the_default_one(repository):
    root, _ = repository

    change = read_change(root, None, environ={})

    assert added(change) == {"one.py": ((2, 2), (4, 4)), "moved.py": ((21, 21),), "three.py": ((1, 1),)}
    assert "since main" in change.told
    assert change.moved == {"b = 2"}
    assert change.has_line("one.py", 4)
    assert not change.has_line("one.py", 3)


def test_what_is_not_committed_and_not_known_to_git_is_new(repository):
    root, run = repository
    (root / "four.py").write_text("new = 1\n")
    (root / "one.py").write_text("a = 1\nb = 20\nc = 3\nd = 5\n")
    try:
        working = added(read_change(root, "working", environ={}))
        nothing_staged = added(read_change(root, "staged", environ={}))
        run("add", "one.py")
        staged = read_change(root, "staged", environ={})
        (root / "one.py").write_text("a = 1\nb = 20\nc = 3\nd = 5\ne = 6\n")
        mixed = read_change(root, "staged", environ={})
    finally:
        run("checkout", "-q", "--force", "HEAD", "--", "one.py")
        (root / "four.py").unlink()

    assert set(working) == {"one.py", "four.py"}
    assert working["one.py"] == ((4, 4),)
    assert nothing_staged == {}
    assert added(staged) == {"one.py": ((4, 4),)}
    assert staged.notes == ()
    assert "not staged" in mixed.notes[0]


def test_a_range_must_end_where_the_tree_is(repository):
    root, _ = repository

    assert set(added(read_change(root, "main..work", environ={}))) == {"one.py", "moved.py", "three.py"}
    assert set(added(read_change(root, "main...HEAD", environ={}))) == {"one.py", "moved.py", "three.py"}
    with pytest.raises(DriftError, match="main is not checked out"):
        read_change(root, "work..main", environ={})


@pytest.mark.parametrize("against", ["--output=x", "no-such-commit", "-p", "a..--all"])
def test_what_is_no_commit_is_refused(repository, against):
    with pytest.raises(DriftError):
        read_change(repository[0], against, environ={})


def test_ci_says_what_to_compare_with(repository):
    root, run = repository
    first = run("rev-parse", "main")
    merge_request = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": first}
    pushed = {"CI_COMMIT_BEFORE_SHA": first, "CI_COMMIT_BRANCH": "work", "CI_DEFAULT_BRANCH": "work"}
    hostile = {"GITHUB_BASE_REF": "--output=/tmp/x"}

    assert f"since {first}" in read_change(root, None, environ=merge_request).told
    assert f"since {first}" in read_change(root, None, environ=pushed).told
    assert "since main" in read_change(root, None, environ={"GITHUB_BASE_REF": "main"}).told
    assert "since main" in read_change(root, None, environ=hostile).told
    with pytest.raises(DriftError, match="no branch 'release'"):
        read_change(root, None, base_branch="release", environ={})


def test_on_the_default_branch_it_is_the_last_commit(repository):
    root, run = repository
    run("checkout", "-q", "-B", "main-copy", "work")
    try:
        change = read_change(root, None, base_branch="main-copy", environ={})
    finally:
        run("checkout", "-q", "work")

    assert "in the last commit" in change.told
    assert set(change.files) == {"one.py", "moved.py", "three.py"}


def test_before_the_first_commit_all_is_new_and_without_git_nothing_can_be_told(tmp_path):
    (tmp_path / "one.py").write_text("a = 1\n")
    with pytest.raises(DriftError, match="no repository"):
        read_change(tmp_path, None, environ={})
    assert read_change(tmp_path, "all", environ={}) is None

    subprocess.run(["git", "-C", str(tmp_path), "init", "-q"], check=True)
    assert read_change(tmp_path, None, environ={}).has_line("one.py", 1)
