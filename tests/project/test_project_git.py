import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.project import processes
from drift.project.git import (
    git_branch,
    git_head,
    git_version,
    is_tracked,
    run_git,
    user_argument,
)
from drift.project.git_repository import find_repository
from drift.project.processes import run_bounded

_WHO = ("-c", "user.name=Test", "-c", "user.email=test@example.org")


def git(root, *args):
    shown = subprocess.run(["git", *_WHO, *args], cwd=root, check=True, capture_output=True, text=True)
    return shown.stdout.strip()


@pytest.fixture(autouse=True)
def _own_git_configuration(monkeypatch, tmp_path_factory):
    """The machine's configuration must not decide how these tests end."""
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("xdg")))
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def repo(tmp_path):
    root = tmp_path / "repo"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "a.txt").write_text("one\n")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "first")
    return root


def test_head_and_branch_of_a_repository(repo):
    assert git_head(repo) == git(repo, "rev-parse", "HEAD")
    assert git_branch(repo) == "main"


def test_a_repository_without_commits_has_a_branch_and_no_head(tmp_path):
    git(tmp_path, "init", "-q", "-b", "trunk")

    assert (git_head(tmp_path), git_branch(tmp_path)) == (None, "trunk")


def test_a_detached_head_has_no_branch(repo):
    git(repo, "checkout", "-q", "--detach")

    assert git_branch(repo) is None
    assert git_head(repo) is not None


def test_a_linked_worktree_is_a_work_tree(repo):
    git(repo, "worktree", "add", "-q", "../linked", "-b", "side")

    assert git_branch(repo.parent / "linked") == "side"


def test_a_clone_that_shares_the_objects_of_a_bare_repository_has_its_history(repo, tmp_path):
    git(tmp_path, "clone", "-q", "--mirror", str(repo), str(tmp_path / "store"))
    git(tmp_path, "clone", "-q", "--shared", str(tmp_path / "store"), str(tmp_path / "clone"))

    assert run_git(tmp_path / "clone", "log", "-1", "--format=%s").stdout.strip() == b"first"


@pytest.mark.skipif(sys.platform == "win32", reason="files are copied there, and nothing is left")
def test_views_that_a_killed_process_left_are_deleted_and_no_others(repo, tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    names = {
        "left": f"drift-git-{ended.pid}-abc",
        "young": f"drift-git-{ended.pid}-new",
        "in use": f"drift-git-{os.getpid()}-abc",
        "another's": "drift-git-notes",
    }
    for kind, name in names.items():
        (tmp_path / name).mkdir()
        if kind != "young":
            os.utime(tmp_path / name, (1, 1))
    program = "import sys; from pathlib import Path; from drift.project.git import git_branch; print(git_branch(Path(sys.argv[1])))"

    environ = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program, repo], env=environ, capture_output=True, text=True, check=True
    )

    assert done.stdout == "main\n"
    assert {path.name for path in tmp_path.glob("drift-git-*")} == {*names.values()} - {names["left"]}


def test_outside_a_repository_there_is_nothing(tmp_path):
    assert (git_head(tmp_path), git_branch(tmp_path)) == (None, None)


def test_a_missing_directory_has_nothing_and_running_there_is_an_error(tmp_path):
    gone = tmp_path / "gone"

    assert git_head(gone) is None
    with pytest.raises(DriftError) as caught:
        run_git(gone, "status")
    assert caught.value.code == ErrorCode.STORE_UNAVAILABLE


def test_the_version_is_numbers():
    assert git_version().split(".")[0].isdigit()


def test_without_git_there_is_none_and_running_it_is_an_error(repo, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))

    assert git_version() is None
    assert git_head(repo) is None
    with pytest.raises(DriftError) as caught:
        run_git(repo, "status")
    assert caught.value.code == ErrorCode.STORE_UNAVAILABLE


def test_a_git_found_by_a_relative_path_is_not_run(repo, monkeypatch):
    (repo / "git").write_text("#!/bin/sh\necho git version 99\n")
    (repo / "git").chmod(0o755)
    monkeypatch.chdir(repo)
    monkeypatch.setenv("PATH", ".")

    assert git_version() is None


def test_a_failure_is_a_result_with_its_message(repo):
    result = run_git(repo, "rev-parse", "--verify", "no-such-thing")

    assert result.exit_code != 0
    assert "fatal" in result.stderr


def test_output_over_the_limit_is_cut_and_said_so(repo):
    (repo / "long.txt").write_text("x" * 100_000)
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "long")

    result = run_git(repo, "show", "HEAD:long.txt", max_bytes=1000)

    assert (len(result.stdout), result.is_cut) == (1000, True)


def test_output_of_exactly_the_limit_is_not_cut(repo):
    result = run_git(repo, "show", "HEAD:a.txt", max_bytes=4)

    assert (result.stdout, result.is_cut, result.exit_code) == (b"one\n", False, 0)


def test_file_names_that_are_no_text_survive(repo):
    name = os.fsdecode(b"\xff.txt")
    (repo / name).write_text("odd")
    git(repo, "add", ".")

    assert name in run_git(repo, "ls-files", "-z").text.split("\0")


def test_variables_of_a_surrounding_git_command_are_dropped(repo, tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))

    assert git_branch(repo) == "main"


@pytest.mark.parametrize("text", ["-x", "--output=/tmp/x", "-", "", "a\0b"])
def test_user_text_that_git_would_misread_is_refused(text):
    with pytest.raises(DriftError) as caught:
        user_argument(text, argument="since")
    assert caught.value.code == ErrorCode.INVALID_ARGUMENT


def test_ordinary_user_text_passes_unchanged():
    assert user_argument("two words; rm -rf $HOME", argument="since") == "two words; rm -rf $HOME"


def test_text_for_a_shell_is_only_text(repo, tmp_path):
    run_git(repo, "log", f"--grep=$(touch {tmp_path}/sprung); touch {tmp_path}/sprung")

    assert not (tmp_path / "sprung").exists()


class TestOneDoor:
    def test_a_bare_repository_inside_a_checkout_is_not_entered(self, repo):
        git(repo, "init", "-q", "-b", "planted", "--bare", "inner.git")

        assert git_branch(repo / "inner.git") == "main"

    def test_only_commands_that_read_can_be_asked(self, repo):
        with pytest.raises(KeyError):
            run_git(repo, "checkout", "HEAD")


class TestBounds:
    def run(self, code, *, timeout_seconds=300.0, max_bytes=1000):
        return run_bounded(
            [sys.executable, "-c", code],
            cwd=Path("/"),
            environ=os.environ,
            timeout_seconds=timeout_seconds,
            max_bytes=max_bytes,
        )

    def test_a_program_that_takes_too_long_is_killed(self):
        done = self.run("import time; print('x', flush=True); time.sleep(60)", timeout_seconds=0.5)

        assert done.has_timed_out
        assert done.exit_code != 0

    def test_a_program_that_closes_its_output_and_lingers_is_killed(self):
        done = self.run("import os, time; os.close(1); time.sleep(60)", timeout_seconds=0.5)

        assert done.has_timed_out

    def test_a_child_left_behind_does_not_keep_us_waiting(self):
        code = (
            "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])"
        )

        done = self.run(code, timeout_seconds=1.0)

        assert done.has_timed_out

    def test_a_program_that_never_stops_talking_is_stopped(self):
        done = self.run("while True: print('x' * 1000)")

        assert (done.is_cut, len(done.stdout), done.has_timed_out) == (True, 1000, False)

    def test_a_flood_of_errors_is_drained_and_cut(self):
        done = self.run("import sys; sys.stderr.write('e' * 1_000_000); print('done')")

        assert (done.stdout, done.exit_code) == (b"done\n", 0)
        assert len(done.stderr) == 10_000

    def test_it_gets_no_input_of_ours(self):
        assert self.run("import sys; print(repr(sys.stdin.read()))").stdout == b"''\n"

    def test_no_thread_is_left_behind(self):
        before = threading.active_count()

        self.run("print('x')")

        assert threading.active_count() == before

    def test_a_timeout_of_git_is_an_error_with_a_way_out(self, repo, tmp_path):
        slow = tmp_path / "bin" / "git"
        slow.parent.mkdir()
        slow.write_text("#!/bin/sh\nsleep 60\n")
        slow.chmod(0o755)
        environ = {**os.environ, "PATH": f"{slow.parent}:{os.environ['PATH']}"}

        with pytest.raises(DriftError) as caught:
            run_git(repo, "log", timeout_seconds=0.3, environ=environ)
        assert caught.value.code == ErrorCode.TIMEOUT


def test_a_file_that_git_cannot_be_asked_about_may_have_come_with_the_repository(repo, tmp_path, monkeypatch):
    (tmp_path / "plain").mkdir()
    assert (is_tracked(repo, "a.txt"), is_tracked(repo, "b.txt")) == (True, False)

    monkeypatch.setenv("PATH", str(tmp_path / "plain"))

    assert (is_tracked(repo, "b.txt"), is_tracked(tmp_path / "plain", "b.txt")) == (True, False)


def test_a_program_that_says_no_more_but_does_not_end_is_late():
    silent = SimpleNamespace(join=lambda _seconds: None, is_alive=lambda: False, kept=b"")
    with subprocess.Popen(["sleep", "600"]) as process:
        assert not processes._wait(process, silent, max_bytes=1, deadline=0)
        process.kill()


def test_an_argument_that_no_program_can_be_given_is_an_error_of_ours(repo):
    with pytest.raises(DriftError) as caught:
        run_git(repo, "log", "--", "a\0b")

    assert caught.value.code == ErrorCode.STORE_UNAVAILABLE


class TestUnusualRepositories:
    def refusal(self, root):
        with pytest.raises(DriftError) as caught:
            run_git(root, "log")
        return caught.value.message

    def test_a_git_file_that_names_no_repository(self, tmp_path):
        (tmp_path / ".git").write_text("nothing of the kind")

        assert "names no repository" in self.refusal(tmp_path)

    def test_a_git_file_that_is_too_long_to_be_one(self, tmp_path):
        (tmp_path / ".git").write_text("gitdir: " + "x" * 100_000)

        assert "cannot be read" in self.refusal(tmp_path)

    def test_a_format_of_another_time(self, repo):
        git(repo, "config", "core.repositoryFormatVersion", "7")

        assert "version that Drift does not know" in self.refusal(repo)

    def test_a_head_that_is_too_long_to_be_one(self, repo):
        (repo / ".git" / "HEAD").write_text("ref: refs/heads/" + "x" * 100_000)

        assert "HEAD cannot be read" in self.refusal(repo)

    def test_a_linked_worktree_with_reftables(self, repo):
        git(repo, "worktree", "add", "-q", "../linked", "-b", "side")
        with (repo / ".git" / "config").open("a") as config:
            config.write("[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefstorage = reftable\n")

        assert "reftable" in self.refusal(repo.parent / "linked")

    def test_objects_from_another_machine(self, repo):
        (repo / ".git/objects/info/http-alternates").write_text("https://example.com/objects\n")

        assert "takes objects from elsewhere" in self.refusal(repo)

    def test_objects_of_a_folder_that_is_no_repository(self, repo, tmp_path):
        (tmp_path / "store/objects").mkdir(parents=True)
        (repo / ".git/objects/info/alternates").write_text(f"{tmp_path}/store/objects\n")

        assert "partly those of another repository" in self.refusal(repo)

    def test_a_work_tree_that_is_not_there(self, repo, tmp_path):
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / ".git").write_text(f"gitdir: {repo}/.git\n")
        with (repo / ".git" / "config").open("a") as config:
            config.write("[core]\n\tworktree = /nowhere\n")

        assert "does not name this directory" in self.refusal(tmp_path / "other")

    def test_a_repository_without_a_configuration(self, repo):
        (repo / ".git" / "config").unlink()

        assert git_branch(repo) == "main"

    def test_a_repository_whose_references_are_all_packed(self, repo):
        head = git(repo, "rev-parse", "HEAD")
        git(repo, "pack-refs", "--all")
        shutil.rmtree(repo / ".git" / "refs")

        assert git_head(repo) == head

    @pytest.mark.skipif(not Path("/proc/sys/kernel").is_dir(), reason="needs another file system")
    def test_the_search_for_one_ends_where_another_disk_is_mounted(self):
        assert find_repository(Path("/proc/sys/kernel")) is None

    def test_the_search_for_one_ends_at_the_root_of_all_folders(self):
        assert find_repository(Path("/")) is None
