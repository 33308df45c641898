"""Completion scripts."""

import shutil
import subprocess

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
    ],
)
def test_bash_completes_commands_tools_and_options(place, bash_script, words, wanted):
    assert set(complete(place, bash_script, *words)) == wanted


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_a_script_with_every_command(place, shell):
    script = place.run("completion", shell).out

    assert all(name in script for name in complete_words())
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


def test_words_need_no_quoting_in_a_shell():
    words = {word for each in complete_words().values() for word in each}

    assert all(
        set(word) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") for word in words
    )
