"""Every example that `drift tools NAME` prints runs as it is written, and makes the call it is an example of."""

import shlex

import pytest

from drift.cli import tool_command, verb_command
from drift.cli.command_lines import command_line
from drift.cli.commands import call as call_command
from drift.cli.exits import Exit
from drift.tools import all_tools

EXAMPLES = [(tool.name, example) for tool in all_tools() for example in tool.examples]
# A memory by its id alone is shown by the tool that shows one.
SAID_OTHERWISE = {"recall": "drift_memory_get"}


@pytest.fixture
def made(monkeypatch):
    """The calls that command lines come to, instead of their answers."""
    calls = []

    def note(name, arguments, _console, **_how):
        calls.append((name, dict(arguments)))
        return Exit.OK

    for module in (tool_command, verb_command, call_command):
        monkeypatch.setattr(module, "call_and_say", note)
    return calls


def passed_on(name, arguments):
    """The call itself, or the one that it only passes on."""
    inner = arguments.get("name")
    if all_tools().get(name).is_relay and inner and all_tools().find(inner):
        return inner, arguments.get("args", {})
    return name, arguments


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[f"{name} {args}" for name, args in EXAMPLES])
def test_an_example_runs_as_written_and_is_the_same_call(place, made, name, example):
    drift, *words = shlex.split(command_line(name, example, all_tools()))

    result = place.run(*words)

    assert (drift, result.code, result.err) == ("drift", Exit.OK, "")
    ((called, arguments),) = made
    wanted, given = passed_on(name, example)
    assert called in {wanted, SAID_OTHERWISE.get(wanted)}
    assert arguments == given
