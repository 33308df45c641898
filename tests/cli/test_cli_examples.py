"""Help shows what to type, and what it shows can be typed."""

import shlex

import pytest

from drift.cli.commands import COMMANDS
from drift.cli.examples import examples_by_command
from drift.cli.exits import Exit


def test_every_command_has_an_example():
    assert [each.name for each in COMMANDS if each.name not in examples_by_command()] == []


@pytest.mark.parametrize("command", sorted(examples_by_command()))
def test_examples_use_options_that_there_are(place, command):
    whole = place.run(command, "--help").out
    told = whole.partition("\nexamples:\n")[0]
    for line in examples_by_command()[command]:
        words = shlex.split(line.partition("  # ")[0])
        assert words[:2] == ["drift", command]
        group = command in {"memory", "instructions"}
        known = place.run(*words[1:3], "--help").out if group else told
        missing = [
            word for word in words[2:] if word.startswith("--") and word not in f"{known} --help --open"
        ]
        assert missing == [], line
        assert line.partition("  # ")[0] in whole


def test_a_tools_help_shows_its_own_examples(place):
    ran = place.run("coupling", "--help")

    assert ran.code == Exit.OK
    assert "\nexamples:\n  drift coupling " in ran.out
