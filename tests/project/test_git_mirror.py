"""Copies of repositories are fetched without running anything of theirs, and no larger than they may be."""

import os
import subprocess

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.project.git import git_head
from drift.project.git_mirror import Bounds, ask_commit, check_source, fetch_mirror, path_url

ENVIRON = dict(os.environ)


def git(folder, *words):
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always")
    done = subprocess.run(
        ["git", "-C", folder, *identity, *words], check=True, capture_output=True, encoding="utf-8"
    )
    return done.stdout.strip()


@pytest.fixture
def origin(tmp_path):
    folder = tmp_path / "origin with spaces"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "a.py").write_text("x = 1\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "Begin")
    return folder


def fetch(origin, target, *, branch=None, bounds=None, environ=None):
    source = check_source(path_url(origin), branch)
    return fetch_mirror(target, source, bounds or Bounds(), ENVIRON if environ is None else environ)


def test_a_copy_follows_its_source_and_holds_no_history(origin, tmp_path):
    first = fetch(origin, tmp_path / "copy")
    git(origin, "mv", "a.py", "b.py")
    git(origin, "commit", "-qm", "Move")

    second = fetch(origin, tmp_path / "copy", branch="main")

    assert (first, second) == (git(origin, "rev-parse", "HEAD~"), git(origin, "rev-parse", "HEAD"))
    assert git_head(tmp_path / "copy") == second
    assert sorted(each.name for each in (tmp_path / "copy").iterdir()) == [".git", "b.py"]
    assert git(tmp_path / "copy", "rev-list", "--count", "HEAD") == "1"


def test_the_commit_is_asked_for_without_fetching(origin):
    source = check_source(path_url(origin), None)

    assert ask_commit(source, Bounds(), ENVIRON) == git(origin, "rev-parse", "HEAD")
    with pytest.raises(DriftError, match="it has no other"):
        ask_commit(source._replace(branch="other"), Bounds(), ENVIRON)


def test_nothing_that_a_repository_brings_is_run_nor_its_submodules_entered(origin, tmp_path):
    proof = tmp_path / "ran"
    inner = tmp_path / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    git(inner, "commit", "-q", "--allow-empty", "-m", "Begin")
    git(origin, "submodule", "add", "-q", str(inner), "sub")
    (origin / ".gitattributes").write_text("*.py filter=evil diff=evil\n")
    git(origin, "add", "-A")
    git(origin, "commit", "-qm", "Harm")
    home = tmp_path / "home"
    (home / "hooks").mkdir(parents=True)
    (home / "hooks" / "post-checkout").write_text(f"#!/bin/sh\ntouch {proof}\n")
    (home / "hooks" / "post-checkout").chmod(0o755)
    (home / ".gitconfig").write_text(
        f'[core]\n\thooksPath = {home}/hooks\n[filter "evil"]\n\tsmudge = touch {proof}\n[submodule]\n\trecurse = true\n'
    )

    fetch(origin, tmp_path / "copy", environ=ENVIRON | {"HOME": str(home), "GIT_DIR": "/nowhere"})

    assert not proof.exists()
    assert list((tmp_path / "copy" / "sub").iterdir()) == []


def test_a_broken_copy_is_fetched_anew(origin, tmp_path):
    fetch(origin, tmp_path / "copy")
    (tmp_path / "copy" / ".git" / "HEAD").write_text("damaged")
    (tmp_path / "copy" / ".git" / "shallow.lock").write_text("")

    assert fetch(origin, tmp_path / "copy") == git(origin, "rev-parse", "HEAD")


@pytest.mark.parametrize("bounds", [Bounds(most_files=1), Bounds(most_bytes=100_000)])
def test_what_is_too_large_is_refused_before_it_is_written_out(origin, tmp_path, bounds):
    (origin / "large.txt").write_text("y" * 1_000_000)
    git(origin, "add", "-A")
    git(origin, "commit", "-qm", "Grow")

    with pytest.raises(DriftError) as refused:
        fetch(origin, tmp_path / "copy", bounds=bounds)

    assert refused.value.code is ErrorCode.TOO_LARGE
    assert not (tmp_path / "copy" / "large.txt").exists()


def test_a_pack_that_does_not_end_is_cut_off(origin, tmp_path):
    (origin / "noise.bin").write_bytes(os.urandom(400_000))
    git(origin, "add", "-A")
    git(origin, "commit", "-qm", "Noise")

    with pytest.raises(DriftError) as refused:
        fetch(origin, tmp_path / "copy", bounds=Bounds(most_bytes=100_000))

    assert refused.value.code is ErrorCode.STORE_UNAVAILABLE


def test_another_protocol_than_that_of_the_address_is_not_spoken(origin, tmp_path):
    source = check_source(path_url(origin), None)

    with pytest.raises(DriftError, match="not allowed"):
        ask_commit(
            source._replace(url=f"ext::git upload-pack {origin}"),
            Bounds(),
            ENVIRON | {"GIT_ALLOW_PROTOCOL": "ext"},
        )


def test_what_git_says_of_a_failure_is_told(tmp_path):
    with pytest.raises(DriftError, match="does not appear to be a git repository") as refused:
        fetch(tmp_path / "none", tmp_path / "copy")

    assert refused.value.code is ErrorCode.STORE_UNAVAILABLE
