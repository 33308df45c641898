"""A memory of a branch is told there, and elsewhere only when the branch is merged or gone."""

import subprocess

import pytest

from drift.kernel.errors import DriftError
from drift.memory import Draft, FileLink
from drift.memory.branches import branch_tag, view_branches
from drift.memory.work.brief import make_brief, recall_for_file
from drift.memory.work.prompting import recall_for_prompt

NOW = 1_700_000_100_000
PROMPT = "let the parser of invoices drop comments"


@pytest.fixture
def git(tmp_path):
    root = tmp_path / "shop"
    root.mkdir()
    given = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]

    def run(*words):
        subprocess.run(["git", *given, *words], cwd=root, check=True, capture_output=True)
        return root

    run("init", "-q", "-b", "main")
    run("commit", "-q", "--allow-empty", "-m", "one")
    return run


@pytest.fixture
def memory(store, git):
    root = git("checkout", "-q", "-b", "feature/x")
    draft = Draft(
        type="decision",
        text="The parser of invoices keeps comments",
        tags=(branch_tag(root),),
        files=(FileLink("a.py"),),
    )
    return store.add(draft, actor="t")


def told(store, root):
    """The mark of the memory where it is told, everywhere alike; None where it is not."""
    view = view_branches(store, root)
    found = recall_for_prompt(store, PROMPT, root=root, now_ms=NOW)
    brief = make_brief(store, now_ms=NOW, hidden=view.hidden)
    learned = recall_for_file(store, "a.py", now_ms=NOW, hidden=view.hidden).learned
    assert bool(found.ids) == bool(brief.ids) == bool(learned)
    return next(iter(view.marks.values()), "") if found.ids else None


def test_it_is_told_on_its_branch_and_elsewhere_when_merged_or_gone(store, git, memory):
    root = git("commit", "-q", "--allow-empty", "-m", "two")
    (root / "a.py").write_text("")
    assert told(store, root) == "of branch feature/x"
    git("checkout", "-q", "main")
    assert told(store, root) is None
    git("merge", "-q", "--no-ff", "-m", "merged", "feature/x")
    assert told(store, root) == "of branch feature/x, merged"
    assert '; "of branch feature/x, merged"' in recall_for_prompt(store, PROMPT, root=root, now_ms=NOW).text
    git("branch", "-q", "-d", "feature/x")
    assert told(store, root) == "of branch feature/x, which is gone"
    store.update(memory.id, {"tags": ()}, actor="t")
    assert told(store, root) == ""


def test_without_a_branch_there_is_none_to_keep_it_on(store, tmp_path):
    with pytest.raises(DriftError, match="no branch is checked out"):
        branch_tag(tmp_path)
