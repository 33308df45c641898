"""Completion scripts."""

import shutil
import subprocess
import sys

import pytest

from drift.cli.commands.completion import complete_words


def complete(place, script, *words):
    asked = " ".join(f"'{word}'" for word in words)
    probe = f"""
source /dev/stdin
COMP_WORDS=({asked}); COMP_CWORD={len(words) - 1}
_drift
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(
        ["bash", "--norc", "-c", probe],
        input=script,
        capture_output=True,
        text=True,
        env=place.environ,
        check=True,
    )
    return done.stdout.split()


@pytest.fixture
def bash_script(place):
    return place.run("completion", "bash").out


def test_the_bash_script_parses(bash_script):
    subprocess.run(["bash", "-n"], input=bash_script, text=True, check=True)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("drift", "sta"), {"status"}),
        (("drift", "cache"), {"cache-clear"}),
        (("drift", "tools", "drift_st"), {"drift_status"}),
        (("drift", "call", "instructions_dis"), {"instructions_dispatch"}),
        (("drift", "install", "cur"), {"cursor"}),
        (("drift", "install", "--dry"), {"--dry-run"}),
        (("drift", "mcp", "m"), {"memory"}),
        (("drift", "projects", "re"), {"remove", "recent", "rename"}),
        (("drift", "projects", "--new"), {"--new-name"}),
        (("drift", "nothing", "x"), set()),
        (("drift", "dea"), {"dead", "dead-code"}),
        (("drift", "memory", "timel"), {"timeline"}),
        (("drift", "memory", "add", "--ty"), {"--type"}),
        (("drift", "instructions", "gro"), {"groom"}),
        (("drift", "context", "fix"), {"fix_bug"}),
        (("drift", "context", "--intent", "ref"), {"refactor"}),
        (("drift", "explain", "--depth", "d"), {"detailed"}),
        (("drift", "install", "--scope", "lo"), {"local"}),
        (("drift", "graph", "cyc"), {"cycles"}),
    ],
)
def test_bash_completes_commands_tools_and_options(place, bash_script, words, wanted):
    assert set(complete(place, bash_script, *words)) == wanted


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_a_script_with_every_command(place, shell):
    script = place.run("completion", shell).out

    assert all(word in script for name in complete_words() for word in name.split())
    assert "drift __complete" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


def test_words_need_no_quoting_in_a_shell():
    words = {word for each in complete_words().values() for word in each}

    assert all(
        set(word) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") for word in words
    )


@pytest.fixture
def scanned(place):
    (place.project / "cart.py").write_text("class Cart:\n    def add(self): ...\n\n\ndef checkout(): ...\n")
    (place.project / "odd name.py").write_text("def checked(): ...\n")
    place.run("scan")
    return place


@pytest.mark.parametrize(
    ("prefix", "names"),
    [
        ("che", ["checked", "checkout"]),
        ("CAR", ["Cart"]),
        ("Cart.a", ["Cart.add"]),
        ("car", ["Cart", "cart.py"]),
        ("odd", []),
        ("%", []),
        ("-", []),
    ],
)
def test_symbols_and_files_are_completed_from_the_index(scanned, prefix, names):
    assert scanned.run("__complete", "--", prefix).out.split() == names


def test_nothing_is_said_without_an_index_or_with_a_broken_one(place):
    first = place.run("__complete", "--", "a")
    (place.project / ".drift").mkdir()
    (place.project / ".drift" / "drift.db").write_text("no database")
    second = place.run("__complete", "--", "a")
    elsewhere = place.run("__complete", "--", "a", cwd=place.home / "gone")

    assert {(each.code, each.out, each.err) for each in (first, second, elsewhere)} == {(0, "", "")}


def test_completing_imports_no_tool_and_no_parser(place):
    probe = (
        "import sys; from drift.cli.entry import main; main(['__complete', '--', 'a']); "
        "print(sorted(name for name in sys.modules if name.startswith(('drift.tools', 'tree_sitter', 'mcp'))))"
    )

    done = subprocess.run(
        [sys.executable, "-P", "-c", probe],
        cwd=place.project,
        env=place.environ,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == "[]"


def test_bash_asks_the_index_for_the_names_after_a_question(scanned, bash_script):
    bin_dir = scanned.home / "bin"
    bin_dir.mkdir()
    script = f'#!/bin/sh\ncd {scanned.project} && exec {sys.executable} -P -m drift "$@"\n'
    (bin_dir / "drift").write_text(script)
    (bin_dir / "drift").chmod(0o755)
    scanned.environ["PATH"] = f"{bin_dir}:{scanned.environ['PATH']}"

    assert set(complete(scanned, bash_script, "drift", "callers", "che")) == {"checked", "checkout"}
    assert complete(scanned, bash_script, "drift", "status", "che") == []
