import io
import re
import shlex

import pytest
from markdown_pages import PAGES, ROOT, code_blocks, code_spans, name_of, typed_commands

from drift.cli.console import Console
from drift.cli.entry import run
from drift.cli.exits import Exit

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
# The example of CONTRIBUTING.md is a tool that exists in the document alone.
MADE_UP = {"sizes"}


def targets():
    return set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))


def commands():
    found = {shlex.split(line)[1] for page in PAGES for line in typed_commands(page)}
    return sorted(found - MADE_UP)


def say(words, cwd):
    out, err = io.StringIO(), io.StringIO()
    home = {"HOME": str(cwd), "DRIFT_HOME": str(cwd / "home")}
    code = run(words, Console(io.StringIO(), out, err, home, cwd))
    return code, out.getvalue(), err.getvalue()


def test_the_readme_begins_with_the_two_commands():
    first = code_blocks(ROOT / "README.md", "sh")[0]

    assert [line.split("#")[0].strip() for line in first.text.splitlines()] == ["make run", "make test"]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_make_target_that_is_named_exists(page):
    shell = [line for block in code_blocks(page, "sh") for line in block.text.splitlines()]
    named = {match[1] for text in (*shell, *code_spans(page)) if (match := re.match(r"make ([a-z]+)", text))}

    assert named <= targets()


def test_make_help_names_every_target():
    described = set(re.findall(r'"make ([a-z]+) ', MAKEFILE))

    assert described == targets() - {"help"}


def test_make_run_ends_with_an_answer_and_tells_how_to_connect_a_client():
    recipe = MAKEFILE[MAKEFILE.index("\nrun: ") : MAKEFILE.index("\ntest: ")]

    assert "$(QUESTION)" in recipe
    assert "Answered in" in MAKEFILE
    assert "drift install --list" in recipe


@pytest.mark.parametrize("command", commands())
def test_every_command_that_is_named_exists(command, tmp_path):
    code, out, err = say([command, "--help"], tmp_path)

    assert code == Exit.OK, err
    assert out.startswith("usage: drift")


def test_options_that_are_named_exist(tmp_path):
    unknown = []
    for page in PAGES:
        for line in typed_commands(page):
            words = shlex.split(line)
            if words[1] in MADE_UP:
                continue
            # Each verb of a group has options of its own.
            command = words[1:3] if words[1] in ("instructions", "memory") else words[1:2]
            _code, help_text, _err = say([*command, "--help"], tmp_path)
            options = [word.partition("=")[0] for word in words[2:] if word.startswith("--")]
            unknown += [f"{name_of(page)}: {line}" for option in options if option not in help_text]

    assert unknown == []


def test_a_command_that_does_not_exist_is_noticed(tmp_path):
    code, _out, err = say(["frobnicate", "--help"], tmp_path)

    assert code == Exit.USAGE
    assert "frobnicate" in err
