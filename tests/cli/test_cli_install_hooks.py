"""Hooks are put beside those of others, once, and taken out without a trace."""

import json

import pytest

from drift.cli.clients.hooks import hook_table
from drift.cli.commands.memory_hook import EVENTS
from drift.cli.exits import Exit

OTHERS = {
    "model": "opus",
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "check"}]}],
    },
}


def install(place, client, *more):
    return place.run("install", client, "--hooks", "--scope", "project", *more)


def file_of(place, client):
    return place.project / hook_table()[client].files["project"].removeprefix("{project}/")


@pytest.mark.parametrize("client", hook_table())
def test_the_hooks_of_a_client_come_once_and_go_without_a_trace(place, client):
    path = file_of(place, client)

    assert [install(place, client).code for _ in range(2)] == [Exit.OK, Exit.OK]

    hooks = json.loads(path.read_text())["hooks"]
    commands = [group["hooks"][0]["command"] for groups in hooks.values() for group in groups]
    assert len(commands) == len(hook_table()[client].events)
    assert {command.split()[-1] for command in commands} <= set(EVENTS)
    assert any("user-prompt-submit" in command for command in commands)
    assert install(place, client, "--uninstall").code == Exit.OK
    assert not path.exists()


def test_what_others_put_there_stays(place):
    path = file_of(place, "claude-code")
    path.parent.mkdir()
    path.write_text(json.dumps(OTHERS, indent=2))

    install(place, "claude-code")
    there = json.loads(path.read_text())
    assert there["model"] == "opus"
    assert [len(there["hooks"][event]) for event in ("Stop", "PreToolUse", "UserPromptSubmit")] == [2, 2, 1]

    install(place, "claude-code", "--uninstall")
    assert json.loads(path.read_text()) == OTHERS


@pytest.mark.parametrize("text", ["{", '{"hooks": []}', '{"hooks": {"Stop": "x"}}', "[]"])
def test_a_file_that_is_none_is_left_alone(place, text):
    path = file_of(place, "claude-code")
    path.parent.mkdir()
    path.write_text(text)

    assert install(place, "claude-code").code == Exit.FAILED
    assert path.read_text() == text


def test_a_client_without_such_hooks_and_a_link_out_of_the_project_are_refused(place, tmp_path):
    assert place.run("install", "zed", "--hooks").code == Exit.USAGE
    (tmp_path / "elsewhere").mkdir()
    (place.project / ".claude").symlink_to(tmp_path / "elsewhere")

    assert install(place, "claude-code").code != Exit.OK
    assert list((tmp_path / "elsewhere").iterdir()) == []
