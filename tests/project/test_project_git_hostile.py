"""Configurations that name a program, over everything git is asked for: none is run, and an answer comes."""

import os
import subprocess
import sys

import pytest

from drift.analyses.changes import read_diff
from drift.analyses.history import read_lately
from drift.context.history import read_past
from drift.kernel.errors import DriftError, ErrorCode
from drift.memory.truth.citation_checks import Renames
from drift.project.git import git_branch, git_head, run_git
from drift.scan.git_listing import list_with_git

_WHO = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
_ATTRIBUTES = "* filter=evil diff=evil merge=evil\n"


def git(root, *args, **options):
    shown = subprocess.run(
        ["git", *_WHO, "-c", "protocol.file.allow=always", *args],
        cwd=root, check=options.pop("check", True), capture_output=True, text=True, **options,
    )  # fmt: skip
    return shown.stdout.strip()


@pytest.fixture(autouse=True)
def _own_git_configuration(monkeypatch, tmp_path_factory):
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
    (root / "old.txt").write_text("a long enough text\nthat moves\n")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "first")
    git(root, "mv", "old.txt", "new.txt")
    git(root, "commit", "-q", "-m", "move")
    return root


class Trap:
    """A program that leaves a trace when it is run."""

    def __init__(self, folder):
        self.mark = folder / "sprung"
        self.program = folder / "trap.sh"
        self.program.write_text(f"#!/bin/sh\ntouch {self.mark}\ncat\n")
        self.program.chmod(0o755)

    @property
    def is_sprung(self):
        return self.mark.exists()


@pytest.fixture
def trap(tmp_path):
    return Trap(tmp_path)


def edit(root):
    """Change a tracked file so that git has to look at its content."""
    (root / ".gitattributes").write_text(_ATTRIBUTES)
    (root / "a.txt").write_text("two\n")
    (root / "untracked.txt").write_text("new\n")
    os.utime(root / "new.txt", (1, 1))  # so that the index is written anew, however fast the machine is


def ask_everything(root):
    """Every command that can be asked, and every answer made of one; checks that each is the true one."""
    listing = list_with_git(root)
    assert listing is not None
    assert {"a.txt", "new.txt", "untracked.txt"} <= set(listing.paths)
    assert git_branch(root) == "main"
    assert git_head(root) is not None
    diff = read_diff(root, "HEAD")
    assert "-one" in diff
    assert "+two" in diff
    assert [one.subject for one in read_lately(root, area=None, days=30).commits] == ["move", "first"]
    assert [one.subject for one in read_past(root).commits] == ["move", "first"]
    assert Renames(root).follow("old.txt") == "new.txt"
    assert " M a.txt" in run_git(root, "status", "--porcelain").text
    assert b"two" in run_git(root, "blame", "--", "a.txt").stdout
    assert b"+one" in run_git(root, "show", "-p", "HEAD~1").stdout
    assert b"+one" in run_git(root, "log", "-p", "--all").stdout
    assert "a.txt" in run_git(root, "diff-index", "--name-only", "HEAD").text


def section(head, key, value):
    return f"[{head}]\n\t{key} = {value}\n"


CONFIGURATIONS = {
    "clean filter": ('filter "evil"', "clean", "{trap}"),
    "smudge filter": ('filter "evil"', "smudge", "{trap}"),
    "process filter": ('filter "evil"', "process", "{trap}"),
    "file system monitor": ("core", "fsmonitor", "{trap}"),
    "hooks": ("core", "hooksPath", "{folder}/hooks"),
    "external diff": ("diff", "external", "{trap}"),
    "diff driver": ('diff "evil"', "command", "{trap}"),
    "text converter": ('diff "evil"', "textconv", "{trap}"),
    "merge driver": ('merge "evil"', "driver", "{trap}"),
    "pager": ("core", "pager", "{trap}"),
    "pager of log": ("pager", "log", "{trap}"),
    "editor": ("core", "editor", "{trap}"),
    "sequence editor": ("sequence", "editor", "{trap}"),
    "askpass": ("core", "askPass", "{trap}"),
    "ssh command": ("core", "sshCommand", "{trap}"),
    "git proxy": ("core", "gitProxy", "{trap}"),
    "credential helper": ("credential", "helper", "!{trap}"),
    "signature program": ("gpg", "program", "{trap}"),
    "ssh signature program": ('gpg "ssh"', "program", "{trap}"),
    "alternate refs": ("core", "alternateRefsCommand", "{trap}"),
    "alias": ("alias", "ls-files", "!{trap}"),
    "alias of log": ("alias", "log", "!{trap}"),
    "submodule update": ('submodule "x"', "update", "!{trap}"),
    "interactive diff filter": ("interactive", "diffFilter", "{trap}"),
    "partial clone": ("extensions", "partialClone", "origin"),
    "remote program": ('remote "origin"', "uploadpack", "{trap}"),
    "remote by ext": ('remote "origin"', "url", "ext::{trap} %S"),
    "ext allowed": ('protocol "ext"', "allow", "always"),
    "pack objects hook": ("uploadpack", "packObjectsHook", "{trap}"),
    "other work tree": ("core", "worktree", "{folder}"),
    "attributes elsewhere": ("core", "attributesFile", "{folder}/attributes"),
    "ignored elsewhere": ("core", "excludesFile", "{folder}/everything"),
    "submodules in full": ("diff", "submodule", "diff"),
    "submodules in short": ("status", "submoduleSummary", "true"),
    "no submodule ignored": ("diff", "ignoreSubmodules", "none"),
    "recursion": ("submodule", "recurse", "true"),
    "signatures shown": ("log", "showSignature", "true"),
    "own format": ("format", "pretty", "%x00nothing"),
    "colours": ("color", "ui", "always"),
    "prefixes": ("diff", "noprefix", "true"),
    "quoting": ("core", "quotePath", "false"),
    "relative dates": ("log", "date", "relative"),
    "blame of others": ("blame", "ignoreRevsFile", "{trap}"),
    "names of others": ("mailmap", "file", "{trap}"),
    "trace": ("trace2", "eventTarget", "{folder}/traced"),
    "bare": ("core", "bare", "true"),
    "web browser": ("web", "browser", "{trap}"),
    "difftool": ('difftool "evil"', "cmd", "{trap}"),
    "include": ("include", "path", "{folder}/included"),
    "conditional include": ('includeIf "gitdir:**"', "path", "{folder}/included"),
}


def plant(repo, trap, name):
    folder = trap.program.parent
    (folder / "hooks").mkdir()
    for hook in ("post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction"):
        (folder / "hooks" / hook).symlink_to(trap.program)
    (folder / "attributes").write_text(_ATTRIBUTES)
    (folder / "everything").write_text("*\n")
    (folder / "included").write_text(
        section('filter "evil"', "clean", trap.program) + section("core", "fsmonitor", trap.program)
    )
    head, key, value = CONFIGURATIONS[name]
    with (repo / ".git" / "config").open("a") as config:
        config.write(section(head, key, f'"{value.format(trap=trap.program, folder=folder)}"'))


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_no_program_of_a_configuration_is_run_and_answers_stay_true(repo, trap, name):
    plant(repo, trap, name)
    edit(repo)

    ask_everything(repo)

    assert not trap.is_sprung
    assert not (trap.program.parent / "traced").exists()


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("clean filter", "diff"),
        ("process filter", "diff"),
        ("file system monitor", "status"),
        ("external diff", "diff"),
        ("diff driver", "diff"),
        ("text converter", "diff"),
        ("include", "status"),
        ("hooks", "status"),
    ],
)
def test_the_traps_are_real(repo, trap, name, command):
    plant(repo, trap, name)
    edit(repo)

    git(repo, command, check=False)

    assert trap.is_sprung


def test_a_driver_with_a_name_of_megabytes_is_a_clear_refusal(repo, trap):
    with (repo / ".git" / "config").open("a") as config:
        config.write(section(f'filter "{"x" * 11_000_000}"', "clean", "true"))
        config.write(section('filter "evil"', "clean", trap.program))
    edit(repo)

    with pytest.raises(DriftError) as caught:
        read_diff(repo, "HEAD")

    assert caught.value.code == ErrorCode.STORE_UNAVAILABLE
    assert "usual size" in caught.value.message
    assert list_with_git(repo) is None
    assert not trap.is_sprung


@pytest.mark.parametrize("text", ["[core\n", "nonsense = = =\n[", '[a "\n', "\0\0\0"])
def test_a_malformed_configuration_is_a_clear_refusal(repo, text):
    (repo / ".git" / "config").write_text(text)

    with pytest.raises(DriftError) as caught:
        run_git(repo, "status")

    assert caught.value.code == ErrorCode.STORE_UNAVAILABLE
    assert "configuration" in caught.value.message


def test_includes_that_multiply_are_not_read(repo, tmp_path):
    for level in range(10):
        (tmp_path / f"bomb{level}").write_text(f"[include]\n\tpath = {tmp_path}/bomb{level + 1}\n" * 30)
    (tmp_path / "bomb10").write_text("[core]\n\tbare = true\n")
    with (repo / ".git" / "config").open("a") as config:
        config.write(f"[include]\n\tpath = {tmp_path}/bomb0\n\tpath = {repo}/.git/config\n")
    edit(repo)

    ask_everything(repo)


def test_a_clean_filter_of_a_nested_repository_is_not_run(repo, trap, tmp_path):
    for made in ("module", "embedded"):
        inner = repo / made
        git(tmp_path, "init", "-q", str(inner))
        (inner / "in.txt").write_text("in\n")
        git(inner, "add", ".")
        git(inner, "commit", "-q", "-m", "inner")
        with (inner / ".git" / "config").open("a") as config:
            config.write(section('filter "evil"', "clean", trap.program))
            config.write(section("diff", "external", trap.program))
            config.write(section("core", "fsmonitor", trap.program))
        (inner / ".gitattributes").write_text(_ATTRIBUTES)
    git(repo, "add", "module", check=False)
    git(repo, "config", "diff.submodule", "diff")
    git(repo, "config", "diff.ignoreSubmodules", "none")
    trap.mark.unlink(missing_ok=True)
    (repo / "module" / "in.txt").write_text("changed\n")
    edit(repo)

    ask_everything(repo)

    assert not trap.is_sprung


class TestStorage:
    """What a repository may look like and still be read without its configuration."""

    @pytest.mark.parametrize("options", [("--object-format=sha256",), ()])
    def test_formats_of_objects(self, tmp_path, options):
        git(tmp_path, "init", "-q", "-b", "main", *options)
        (tmp_path / "a.txt").write_text("one\n")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "-m", "first")

        assert git_head(tmp_path) == git(tmp_path, "rev-parse", "HEAD")
        assert list_with_git(tmp_path).paths == ["a.txt"]

    def test_a_shallow_clone_with_packed_refs(self, repo, tmp_path):
        git(tmp_path, "clone", "-q", "--depth=1", f"file://{repo}", "shallow")
        shallow = tmp_path / "shallow"
        git(shallow, "pack-refs", "--all")

        assert git_head(shallow) == git(repo, "rev-parse", "HEAD")
        assert run_git(shallow, "rev-list", "--count", "HEAD").text.strip() == "1"
        # What the commit at the border changed is not known: it would seem to have made every file.
        assert read_past(shallow).commits == ()
        assert run_git(shallow, "rev-parse", "--verify", "origin/main").exit_code == 0

    def test_a_split_index(self, repo):
        git(repo, "update-index", "--split-index")
        (repo / "b.txt").write_text("b\n")
        git(repo, "add", "b.txt")

        assert list_with_git(repo).paths == ["a.txt", "b.txt", "new.txt"]

    def test_a_sparse_checkout_with_a_sparse_index(self, repo):
        (repo / "in").mkdir()
        (repo / "out").mkdir()
        (repo / "in" / "i.txt").write_text("i")
        (repo / "out" / "o.txt").write_text("o")
        git(repo, "add", ".")
        git(repo, "commit", "-q", "-m", "folders")
        git(repo, "sparse-checkout", "set", "--cone", "--sparse-index", "in")

        assert "in/i.txt" in list_with_git(repo).paths
        assert run_git(repo, "status", "--porcelain").text == ""

    def test_a_linked_worktree(self, repo, tmp_path):
        git(repo, "worktree", "add", "-q", str(tmp_path / "linked"), "-b", "side")
        linked = tmp_path / "linked"
        (linked / "only.txt").write_text("here\n")

        assert (git_branch(linked), git_branch(repo)) == ("side", "main")
        assert set(list_with_git(linked).paths) == {"a.txt", "new.txt", "only.txt"}
        assert len(read_past(linked).commits) == 2

    def test_a_submodule(self, repo, tmp_path):
        git(tmp_path, "init", "-q", "-b", "main", "super")
        git(tmp_path / "super", "submodule", "add", "-q", str(repo), "inner")
        git(tmp_path / "super", "commit", "-q", "-m", "with a submodule")

        assert "inner/a.txt" in list_with_git(tmp_path / "super").paths
        assert len(read_past(tmp_path / "super" / "inner").commits) == 2

    def test_what_the_user_ignores_everywhere_is_ignored(self, repo, tmp_path):
        (tmp_path / "mine").write_text("*.mine\n")
        git(repo, "config", "--global", "core.excludesFile", str(tmp_path / "mine"))
        (repo / "x.mine").write_text("x")

        assert "x.mine" not in list_with_git(repo).paths

    def test_line_ends_that_the_repository_converts_are_no_change(self, repo):
        git(repo, "config", "core.autocrlf", "true")
        (repo / "a.txt").write_bytes(b"one\r\n")

        assert read_diff(repo, "HEAD") == ""

    def test_a_subfolder_is_listed_from_itself(self, repo):
        (repo / "sub").mkdir()
        (repo / "sub" / "s.txt").write_text("s")

        assert list_with_git(repo / "sub").paths == ["s.txt"]

    def test_a_format_of_the_future_is_refused(self, repo):
        git(repo, "config", "core.repositoryFormatVersion", "1")
        git(repo, "config", "extensions.newThing", "true")

        with pytest.raises(DriftError, match="newthing"):
            run_git(repo, "status")


class TestPointers:
    """A `.git` that leads elsewhere is followed only where that place says the same."""

    @pytest.fixture
    def secret(self, tmp_path):
        root = tmp_path / "secret"
        git(tmp_path, "init", "-q", "-b", "hidden", str(root))
        (root / "s.txt").write_text("secret\n")
        git(root, "add", ".")
        git(root, "commit", "-q", "-m", "secret")
        git(root, "worktree", "add", "-q", str(tmp_path / "elsewhere"), "-b", "other")
        return root

    @pytest.fixture
    def bait(self, tmp_path):
        root = tmp_path / "bait"
        root.mkdir()
        return root

    def assert_refused(self, root):
        with pytest.raises(DriftError) as caught:
            run_git(root, "log")
        assert caught.value.code == ErrorCode.STORE_UNAVAILABLE
        assert git_head(root) is None
        assert list_with_git(root) is None
        assert read_past(root).commits == ()

    def test_a_file_to_another_repository(self, secret, bait):
        (bait / ".git").write_text(f"gitdir: {secret}/.git\n")

        self.assert_refused(bait)

    def test_a_file_to_a_worktree_of_another_repository(self, secret, bait):
        (bait / ".git").write_text(f"gitdir: {secret}/.git/worktrees/elsewhere\n")

        self.assert_refused(bait)

    def test_a_link_to_another_repository(self, secret, bait):
        (bait / ".git").symlink_to(secret / ".git")

        self.assert_refused(bait)

    def test_a_repository_that_takes_its_common_part_from_another(self, secret, bait):
        git(bait, "init", "-q")
        (bait / ".git" / "commondir").write_text(f"{secret}/.git\n")

        self.assert_refused(bait)

    @pytest.mark.parametrize("part", ["objects", "refs"])
    def test_a_repository_with_a_part_of_another(self, secret, bait, part):
        git(bait, "init", "-q", "-b", "hidden")
        subprocess.run(["rm", "-r", str(bait / ".git" / part)], check=True)
        (bait / ".git" / part).symlink_to(secret / ".git" / part)

        self.assert_refused(bait)

    def test_a_repository_that_borrows_objects(self, secret, bait):
        git(bait, "init", "-q", "-b", "hidden")
        (bait / ".git" / "objects" / "info" / "alternates").write_text(f"{secret}/.git/objects\n")
        (bait / ".git" / "packed-refs").write_text(f"{git(secret, 'rev-parse', 'HEAD')} refs/heads/hidden\n")

        self.assert_refused(bait)

    def test_a_repository_that_borrows_objects_by_a_lender(self, secret, bait, tmp_path):
        git(bait, "init", "-q", "-b", "hidden")
        git(tmp_path, "init", "-q", "--bare", "lender")
        (tmp_path / "lender/objects/info/alternates").write_text(f"{secret}/.git/objects\n")
        (bait / ".git/objects/info/alternates").write_text(f"{tmp_path}/lender/objects\n")
        (bait / ".git/packed-refs").write_text(f"{git(secret, 'rev-parse', 'HEAD')} refs/heads/hidden\n")

        self.assert_refused(bait)

    def test_a_repository_whose_lenders_go_in_a_circle(self, bait, tmp_path):
        git(bait, "init", "-q", "-b", "hidden")
        git(tmp_path, "init", "-q", "--bare", "lender")
        for place in (bait / ".git", tmp_path / "lender"):
            (place / "objects/info/alternates").write_text(f"{tmp_path}/lender/objects\n")

        self.assert_refused(bait)

    def test_a_repository_with_links_among_its_objects(self, secret, bait):
        git(bait, "init", "-q", "-b", "hidden")
        for folder in (secret / ".git" / "objects").iterdir():
            place = bait / ".git" / "objects" / folder.name
            if not place.exists():
                place.symlink_to(folder)

        self.assert_refused(bait)

    @pytest.mark.parametrize("name", [".git", ".git/HEAD", ".git/config", ".git/index"])
    def test_a_pipe_is_not_waited_for(self, bait, name):
        if name != ".git":
            git(bait, "init", "-q")
        (bait / name).unlink(missing_ok=True)
        os.mkfifo(bait / name)

        assert git_head(bait) is None
        assert list_with_git(bait) is None

    def test_a_separate_directory_that_points_back_is_followed(self, tmp_path):
        git(tmp_path, "init", "-q", "-b", "main", "--separate-git-dir", str(tmp_path / "store"), "work")
        git(tmp_path / "work", "config", "core.worktree", str(tmp_path / "work"))

        assert git_branch(tmp_path / "work") == "main"


def test_a_view_is_made_anew_when_the_repository_changes_its_form(repo):
    before = git_head(repo)
    git(repo, "commit", "-q", "--allow-empty", "-m", "third")
    git(repo, "pack-refs", "--all")
    git(repo, "checkout", "-q", "-b", "next")

    assert git_head(repo) == git(repo, "rev-parse", "HEAD") != before
    assert git_branch(repo) == "next"


def test_nothing_of_ours_is_left_in_the_temporary_folder(repo, tmp_path):
    place = tmp_path / "temporary"
    place.mkdir()
    code = "import sys, pathlib; from drift.project.git import git_head; git_head(pathlib.Path(sys.argv[1]))"

    subprocess.run(
        [sys.executable, "-c", code, str(repo)], check=True, env={**os.environ, "TMPDIR": str(place)}
    )

    assert list(place.iterdir()) == []
