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


@settings(max_examples=40)
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


@settings(max_examples=25)
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


@pytest.mark.parametrize("rule", ["*a*a*a*a*b", "**/a/**/b/**/c", "x" * 501])
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


def test_a_hundred_thousand_names_and_endings_all_count(tmp_path):
    rules = IgnoreRules()
    lines = [f"name{number}" for number in range(50_000)] + [f"*.e{number}" for number in range(50_000)]

    rules.add("", [*lines, "!name7", "/top/kept/"])

    assert rules.judge("", "name49999") is True
    assert rules.judge("any/where", "x.tar.e3") is True
    assert rules.judge("", "name7") is False
    assert rules.judge_directory("top/kept") is True
    assert rules.judge("other/top", "kept") is None


def test_rules_with_patterns_beyond_a_number_are_left_out_and_told(tmp_path, caplog):
    (tmp_path / ".gitignore").write_text("".join(f"a{number}-*b\n" for number in range(1_500)))
    rules = IgnoreRules()

    assert rules.read(tmp_path, "", ".gitignore")

    assert rules.judge("", "a999-xb") is True
    assert rules.judge("", "a1400-xb") is None
    assert ".gitignore: 500 rules left out" in caplog.text


def test_trying_rules_ends_when_it_has_taken_too_long(caplog):
    seconds = iter(range(0, 1_000, 4))
    rules = IgnoreRules(lambda: next(seconds))
    rules.add("", ["a*b", "plain"])

    judged = [rules.judge("", f"a{number}b") for number in range(5)]

    assert judged == [True, True, True, None, None]
    assert rules.judge("", "plain") is True
    assert caplog.text.count("took too long") == 1


@pytest.mark.parametrize("rule", ["*a*a*ab", "x*a*a*", "a*/*a*a*b", "*a*[ab]*b", "*a?*a*b"])
def test_stars_in_one_name_do_not_multiply_what_is_tried(rule):
    rules = IgnoreRules()
    rules.add("", [rule] * 900)

    # Without settling each star once this would take hours.
    assert rules.judge("", "a" * 250 + "c") is None


@settings(max_examples=150, deadline=None)
@given(
    rule=st.text(alphabet="ab*?.", min_size=1, max_size=8),
    name=st.text(alphabet="ab.", min_size=1, max_size=8),
)
@example(rule="*[ab]*b", name="aab")
@example(rule="*a*b", name="aab")
@example(rule="*ab*a*b", name="abab")
def test_patterns_mean_what_they_mean_to_git(rule, name):
    if not is_fair_rule(rule) or name in {".", ".."}:
        return
    rules = IgnoreRules()
    rules.add("", [rule])
    with tempfile.TemporaryDirectory() as folder:
        environ = {"PATH": os.environ["PATH"], "HOME": folder}
        subprocess.run(["git", "init", "-q", folder], check=True, env=environ)
        Path(folder, ".gitignore").write_text(f"{rule}\n")
        asked = subprocess.run(
            ["git", "check-ignore", "-q", "--no-index", "--", name], cwd=folder, env=environ, check=False
        )

    assert bool(rules.judge("", name)) is (asked.returncode == 0)
