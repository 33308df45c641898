"""Ignore rules against git itself."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from drift.scan.discover import discover
from drift.scan.ignores import IgnoreRules, is_fair_rule

NAMES = [
    "a.py",
    "b.py",
    "ab.py",
    "sub/a.py",
    "sub/b.py",
    "sub/deep/a.py",
    "sub/deep/ab.py",
    "x y/a.py",
    "lib/sub/a.py",
]
RULES = ["a.py", "*.py", "/a.py", "sub/", "sub", "/sub", "deep/", "sub/deep", "!a.py", "!sub/", "!*.py", "**/deep",
         "sub/**", "a?.py", "[ab].py", "x y/", "# note", "", " ", "!", "lib/*/a.py", "**/sub/a.py", "\\a.py", "a.py  "]  # fmt: skip


def make_tree(root: Path, ignoring: dict[str, list[str]], name: str) -> None:
    for path in NAMES:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x = 1\n")
    for directory, rules in ignoring.items():
        (root / directory / name).write_text("\n".join(rules) + "\n")


ignore_files = st.dictionaries(
    st.sampled_from(["", "sub", "sub/deep", "lib"]), st.lists(st.sampled_from(RULES), max_size=5), max_size=3
)


@settings(max_examples=40, deadline=None)
@given(ignoring=ignore_files)
@example(ignoring={"": ["**/deep", "!sub/"]})
@example(ignoring={"": ["sub/**", "!sub/a.py"]})
def test_the_walk_finds_what_git_finds(ignoring):
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        make_tree(root, ignoring, ".gitignore")
        walked = discover(root)
        subprocess.run(
            ["git", "init", "-q", name], check=True, env={"PATH": os.environ["PATH"], "HOME": name}
        )
        listed = discover(root)

    # A repository in which all is ignored has nothing to list, and is walked.
    assert (walked.source, listed.source) == ("walk", "git" if listed.source == "git" else "walk")
    assert [file.path for file in walked.files] == [file.path for file in listed.files]


@settings(max_examples=25, deadline=None)
@given(ignoring=ignore_files)
def test_driftignore_means_the_same_with_and_without_git(ignoring):
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        make_tree(root, ignoring, ".driftignore")
        walked = discover(root)
        subprocess.run(
            ["git", "init", "-q", name], check=True, env={"PATH": os.environ["PATH"], "HOME": name}
        )
        listed = discover(root)

    assert listed.source == "git"
    assert walked.files == listed.files


@pytest.mark.parametrize("rule", ["*a*a*a*a*b", "**/a/**/b/**/c/**/d", "x" * 501])
def test_a_rule_that_would_take_forever_is_passed_over(rule):
    rules = IgnoreRules()

    assert not is_fair_rule(rule)
    assert not rules.add("", [rule])
    assert rules.judge("", "a" * 250) is None


@pytest.mark.parametrize("rule", ["*.py[co]", "**/build/**", ".*.sw?", "docs/*/_build/*.html", "!keep*me*"])
def test_rules_people_write_are_fair(rule):
    assert is_fair_rule(rule)


def test_an_ignore_file_that_is_a_link_or_no_text_is_no_harm(tmp_path):
    (tmp_path / ".driftignore").symlink_to("/etc/passwd")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / ".driftignore").write_bytes(b"\xff\xfe\0*.py\n\xff")
    rules = IgnoreRules()

    assert not rules.read(tmp_path, "", ".driftignore")
    rules.read(tmp_path, "sub", ".driftignore")
    assert not rules.read(tmp_path, "gone", ".driftignore")
    assert rules.judge("", "a.py") is None
