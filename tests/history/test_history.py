"""The history of a project is git's, read once and kept: up to date with HEAD whatever was done to the branch."""

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from drift.history import WHOLE, Wanted, follow_renames, kind_of, opened_history
from drift.history import opening as opening_module
from drift.kernel.errors import DriftError, ErrorCode
from drift.project import StateDir


def git(root, *args, day=None):
    when = {"GIT_AUTHOR_DATE": f"{day}T12:00:00Z", "GIT_COMMITTER_DATE": f"{day}T12:00:00Z"} if day else {}
    identity = [
        "-c",
        "user.name=Ann Lee",
        "-c",
        "user.email=ann@example.com",
        "-c",
        "protocol.file.allow=always",
    ]
    done = subprocess.run(
        ["git", *identity, *args], cwd=root, env=os.environ | when, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def write(root, message, day="2026-01-01", **files):
    for name, content in files.items():
        (root / name).write_text(content)
    git(root, "add", "-A", ":!.drift")
    git(root, "commit", "-q", "--allow-empty", "-m", message, day=day)
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "shop"
    root.mkdir()
    StateDir(root).ensure()
    git(root, "init", "-q", "-b", "main")
    return root


def subjects(root, wanted=WHOLE):
    with opened_history(root, wanted) as history:
        return [each.subject for each in history.latest(100)]


def lines_of_log(root):
    return git(root, "log", "--no-merges", "--format=%s").splitlines()


def reads_of_log(monkeypatch):
    asked = []
    real = opening_module.read_log
    monkeypatch.setattr(
        opening_module,
        "read_log",
        lambda root, revision, **rest: asked.append(revision) or real(root, revision, **rest),
    )
    return asked


def test_a_commit_is_told_with_author_parents_time_and_changes(root):
    first = write(root, "feat: begin", "2026-01-01", cart="1\n")
    write(root, "fix(cart): count", "2026-01-02", cart="2\n", price="1\n")

    with opened_history(root) as history:
        latest, _ = history.latest(10)

    assert (latest.author, latest.mail, latest.parents) == ("Ann Lee", "ann@example.com", (first,))
    assert latest.time == 1767355200
    assert [(each.letter, each.path) for each in latest.changes] == [("M", "cart"), ("A", "price")]
    assert (latest.type, latest.kind) == ("fix", "fix")


def test_only_what_is_new_is_read_after_a_commit(root, monkeypatch):
    first = write(root, "one", a="1\n")
    subjects(root)
    asked = reads_of_log(monkeypatch)

    assert subjects(root) == ["one"]
    second = write(root, "two", a="2\n")
    assert subjects(root) == ["two", "one"]

    assert asked == [f"{first}..{second}"]


def test_a_rewritten_history_is_mended(root):
    write(root, "one", a="1\n")
    write(root, "two", a="2\n")
    write(root, "three", a="3\n")
    assert subjects(root) == ["three", "two", "one"]

    git(root, "reset", "-q", "--hard", "HEAD~2")
    write(root, "other", b="1\n")

    assert subjects(root) == ["other", "one"]


def test_commits_that_git_has_forgotten_are_forgotten(root):
    write(root, "one", a="1\n")
    write(root, "two", a="2\n")
    assert subjects(root) == ["two", "one"]

    git(root, "reset", "-q", "--hard", "HEAD~1")
    write(root, "other", b="1\n")
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "-q", "--prune=now")

    assert subjects(root) == ["other", "one"]


def test_another_branch_is_another_history(root):
    write(root, "one", a="1\n")
    git(root, "checkout", "-q", "-b", "side")
    write(root, "aside", b="1\n")
    assert subjects(root) == ["aside", "one"]

    git(root, "checkout", "-q", "main")
    assert subjects(root) == ["one"]
    git(root, "checkout", "-q", "side")
    assert subjects(root) == ["aside", "one"]


def test_what_is_merged_is_told_once(root):
    write(root, "one", a="1\n")
    git(root, "checkout", "-q", "-b", "side")
    write(root, "aside", b="1\n")
    git(root, "checkout", "-q", "main")
    write(root, "straight", c="1\n")
    subjects(root)

    git(root, "merge", "-q", "--no-ff", "-m", "merge", "side")

    assert sorted(subjects(root)) == ["aside", "one", "straight"]
    with opened_history(root) as history:
        assert history.reach.commits == 4


@pytest.mark.parametrize("first", [1, 2, 3, 50])
def test_the_history_is_the_log_in_whatever_pieces_it_is_read(root, monkeypatch, first):
    for number in range(12):
        write(root, f"number {number}", f"2026-01-{number + 1:02}", a=f"{number}\n")
        if number == 6:
            git(root, "checkout", "-q", "-b", "side", "HEAD~3")
            write(root, "aside", "2026-01-05", b="1\n")
            git(root, "checkout", "-q", "main")
            git(root, "merge", "-q", "--no-ff", "-m", "merge", "side", day="2026-01-08")
    monkeypatch.setattr(opening_module, "_FIRST_CHUNK", first)
    monkeypatch.setattr(opening_module, "_CHUNK", 2)

    with opened_history(root, Wanted(commits=1)) as history:
        assert history.reach.is_whole == (first > 14)
        assert (history.reach.notes() == ()) == history.reach.is_whole
    write(root, "late", "2026-02-01", a="late\n")

    assert sorted(subjects(root, Wanted(days=10))) != []
    assert sorted(subjects(root)) == sorted(lines_of_log(root))
    with opened_history(root) as history:
        assert history.reach.is_whole
        assert history.reach.notes() == ()


def test_a_window_of_days_reads_no_further_than_it_must(root, monkeypatch):
    for number in range(8):
        write(root, f"number {number}", f"2026-0{number + 1}-01", a=f"{number}\n")
    monkeypatch.setattr(opening_module, "_FIRST_CHUNK", 2)
    monkeypatch.setattr(opening_module, "_CHUNK", 2)
    monkeypatch.setattr(opening_module, "_SLOP", 1)

    with opened_history(root, Wanted(days=65)) as history:
        assert history.reach.commits == 4
        assert not history.reach.is_whole


def test_a_file_keeps_its_past_through_renames(root):
    write(root, "one", "2026-01-01", old="a\nb\nc\nd\n")
    git(root, "mv", "old", "new")
    write(root, "rename", "2026-01-02")
    write(root, "edit", "2026-01-03", new="a\nb\nc\nd\ne\n")
    write(root, "another of the old name", "2026-01-04", old="quite different\n")

    with opened_history(root) as history:
        assert [each.subject for each in history.since(0, area="new")] == ["edit", "rename", "one"]
        assert history.renamed_to("old") == "new"
        assert history.renamed_to("new") is None
        told = [
            (commit.subject, [name for name, _ in changes])
            for commit, changes in follow_renames(history.latest(9))
        ]
    assert told == [
        ("another of the old name", ["old"]),
        ("edit", ["new"]),
        ("rename", ["new"]),
        ("one", ["new"]),
    ]


def test_a_name_that_was_given_up_for_good_leads_nowhere(root):
    write(root, "one", old="a\nb\nc\nd\n")
    git(root, "mv", "old", "new")
    write(root, "rename")
    write(root, "again", old="x\n")
    git(root, "rm", "-q", "old")
    write(root, "delete")

    with opened_history(root) as history:
        assert history.renamed_to("old") is None


def test_lines_are_counted_when_they_are_asked_for_and_kept(root, monkeypatch):
    write(root, "one", "2026-01-01", a="1\n2\n", b="\0binary")
    git(root, "mv", "a", "c")
    write(root, "move", "2026-01-02", c="1\n2\n3\n")

    with opened_history(root) as history:
        assert [each.added for one in history.latest(9) for each in one.changes] == [None, None, None]
        counted = history.with_lines(history.latest(9))
    monkeypatch.setattr("drift.history.past.count_lines", None)  # not asked again
    with opened_history(root) as history:
        assert history.with_lines(history.latest(9)) == counted

    assert [(each.path, each.added, each.removed) for one in counted for each in one.changes] == [
        ("c", 1, 0), ("a", 2, 0), ("b", None, None),
    ]  # fmt: skip


def test_a_folder_of_a_repository_has_its_own_history(root):
    (root / "inner" / ".drift").mkdir(parents=True)
    write(root, "outside", outside="1\n")
    (root / "inner/cart.py").write_text("x = 1\n")
    write(root, "inside")

    with opened_history(root / "inner") as history:
        assert [each.path for one in history.latest(9) for each in one.changes] == ["cart.py"]


def test_a_shallow_clone_says_so_and_lays_nothing_to_its_first_commit(root, tmp_path):
    for number in range(4):
        write(root, f"number {number}", f"2026-01-0{number + 1}", a=f"{number}\n")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "2", root.as_uri(), str(clone))
    StateDir(clone).ensure()

    with opened_history(clone) as history:
        assert [(each.subject, len(each.changes)) for each in history.latest(9)] == [
            ("number 3", 1),
            ("number 2", 0),
        ]
        assert history.reach.notes() == ("the clone is shallow: git has no commits before 2026-01-03 here",)

    git(clone, "fetch", "-q", "--unshallow")
    assert subjects(clone) == lines_of_log(root)


def test_a_partial_clone_tells_all_commits_and_says_what_is_not_known(root, tmp_path):
    text = "".join(f"line {number}\n" for number in range(40))
    write(root, "first", "2026-01-01", a=text)
    git(root, "mv", "a", "b")
    write(root, "renamed with a change", "2026-01-02", b=text + "more\n")
    write(root, "last", "2026-01-03", b="other\n")
    git(root, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--filter=blob:none", root.as_uri(), str(clone))
    git(clone, "remote", "set-url", "origin", (tmp_path / "gone").as_uri())
    StateDir(clone).ensure()

    with opened_history(clone) as history:
        found = history.latest(9)
        assert [each.subject for each in found] == ["last", "renamed with a change", "first"]
        assert sorted(each.letter for each in found[1].changes) == ["A", "D"]
        assert [each.added for one in history.with_lines(found[2:]) for each in one.changes] == [None]
        assert history.reach.notes() == (
            "the clone is partial: git has no old files here, so renames with changes and lines are not known",
        )


def test_no_repository_and_no_commit_are_told_apart(root, tmp_path):
    with opened_history(root) as history:
        assert history.reach.head is None
        assert history.latest(9) == []
    with pytest.raises(DriftError) as raised, opened_history(tmp_path):
        pass
    assert raised.value.code is ErrorCode.STORE_UNAVAILABLE


def test_without_a_place_of_its_own_the_history_is_read_and_not_kept(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    write(tmp_path, "one", a="1\n")

    assert subjects(tmp_path) == ["one"]
    assert sorted(each.name for each in tmp_path.iterdir()) == [".git", "a"]


def test_nothing_that_a_commit_says_can_feign_another(root):
    feigned = "\x01" + "a" * 40 + "\x1f1\x1fEve\x1ffix: feigned"
    write(root, feigned, **{"a\n": "1", "M": "1", "f" * 40: "1"})

    with opened_history(root) as history:
        (commit,) = history.latest(9)
    assert commit.author == "Ann Lee"
    assert sorted(each.path for each in commit.changes) == sorted(["M", "a\n", "f" * 40])


def test_paths_of_any_bytes_come_back(root):
    name = os.fsdecode(b"caf\xe9")
    write(root, "one", **{name: "1\n"})

    with opened_history(root) as history:
        assert [each.path for each in history.latest(1)[0].changes] == [name]
        assert len(history.since(0, area=name)) == 1


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_store_is_read_anew(root, content):
    write(root, "one", a="1\n")
    subjects(root)
    StateDir(root).commits_db.write_bytes(content)

    assert subjects(root) == ["one"]


def test_damage_inside_costs_one_question_at_most(root):
    for number in range(30):
        write(root, f"number {number}", a=f"{number}\n")
    subjects(root)
    path = StateDir(root).commits_db
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)

    try:
        subjects(root)
    except DriftError as error:
        assert error.code is ErrorCode.STORE_UNAVAILABLE
    assert subjects(root) == lines_of_log(root)


def test_a_store_that_came_with_the_repository_is_not_believed(root, tmp_path):
    write(root, "one", a="1\n")
    subjects(root)
    path = StateDir(root).commits_db
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE commits SET subject = 'feigned'")
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(root), str(other))
    StateDir(other).ensure()
    with (
        closing(sqlite3.connect(path)) as source,
        closing(sqlite3.connect(StateDir(other).commits_db)) as target,
    ):
        source.backup(target)

    assert subjects(root) == ["feigned"]
    assert subjects(other) == ["one"]


READER = """
import sys
from pathlib import Path
from drift.history import opened_history
with opened_history(Path(sys.argv[1])) as history:
    print(history.reach.commits)
"""


def test_processes_that_come_at_once_read_one_history(root):
    for number in range(20):
        write(root, f"number {number}", a=f"{number}\n")

    running = [
        subprocess.Popen([sys.executable, "-c", READER, str(root)], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]

    assert [each.communicate()[0].strip() for each in running] == ["20"] * 4


def test_a_process_killed_while_reading_leaves_a_sound_store(root, monkeypatch):
    for number in range(9):
        write(root, f"number {number}", a=f"{number}\n")
    killed = """
import os, sys
from pathlib import Path
from drift.history import opened_history, store
real = store.CommitStore.stand_at
store.CommitStore.stand_at = lambda self, standing: os.kill(os.getpid(), 9)
with opened_history(Path(sys.argv[1])) as history: pass
"""
    assert subprocess.run([sys.executable, "-c", killed, str(root)], check=False).returncode == -9

    assert subjects(root) == lines_of_log(root)


@pytest.mark.parametrize(
    ("subject", "kind"),
    [
        ("fix: x", "fix"),
        ("Fixed #123 -- Added a thing.", "fix"),
        ("Fix typo in readme", "docs"),
        ("hotfix(core)!: x", "fix"),
        ("Add support for x", "feat"),
        ("Addendum to x", None),
        ('Revert "fix: x"', "revert"),
        ("note: this is none", None),
        ("", None),
    ],
)
def test_the_kind_of_a_change_is_told_by_its_subject(subject, kind):
    assert kind_of(subject) == kind


def test_nobody_else_reads_the_log():
    source = Path(opening_module.__file__).parent.parent
    asking = re.compile(r"""run_git\([^()]*["'](?:log|shortlog|rev-list)["']""")

    found = [each for each in source.rglob("*.py") if asking.search(each.read_text("utf-8"))]

    assert {each.parent.name for each in found} == {"history"}
