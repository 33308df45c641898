"""What happens to a command line, above all to a wrong one."""

import io
import json
import subprocess
import sys

import pytest

from drift.cli.commands import COMMANDS
from drift.cli.console import Console, Ink
from drift.cli.entry import run
from drift.cli.exits import MEANINGS, Exit, exit_for
from drift.kernel.errors import ErrorCode


def test_a_misspelt_command_is_answered_with_the_right_one(place):
    result = place.run("stauts")

    assert result.code == Exit.USAGE
    assert "did you mean: status" in result.err
    assert result.out == ""


def test_an_error_with_json_is_one_document_on_standard_output(place):
    result = place.run("stauts", "--json")

    assert result.code == Exit.USAGE
    assert json.loads(result.out)["similar"][0] == "status"
    assert result.err == ""


def test_an_unknown_option_of_a_command_is_answered_with_the_nearest(place):
    result = place.run("install", "--lits")

    assert result.code == Exit.USAGE
    assert "did you mean: --list" in result.err


def test_an_option_without_a_command_is_wrong_usage(place):
    assert place.run("--jsno").code == Exit.USAGE


def test_the_help_page_names_every_command_and_exit_code(place):
    result = place.run("--help")

    assert result.code == Exit.OK
    assert all(f"  {command.name}" in result.out for command in COMMANDS)
    assert all(meaning in " ".join(result.out.split()) for meaning in MEANINGS.values())
    assert len(result.out.splitlines()) <= 62


@pytest.mark.parametrize("command", [each.name for each in COMMANDS])
def test_every_command_explains_itself_in_both_ways(place, command):
    asked = place.run(command, "--help")

    assert asked.code == Exit.OK
    assert asked.out.startswith(f"usage: drift {command}")
    assert place.run("help", command).out == asked.out


def test_no_command_shows_where_the_project_stands_and_what_can_be_asked(place):
    result = place.run(environ={"DRIFT_SCAN_AUTO": "false"})

    assert result.code == Exit.OK
    assert "Project shop" in result.out
    assert "not scanned yet: the first question does it" in result.out
    assert result.out.count("  drift ") == 5


def test_both_spellings_of_version_agree(place):
    assert place.run("--version").out == place.run("version").out


def test_wrong_settings_are_a_problem_of_the_surroundings(place):
    (place.project / "drift.toml").write_text("[mcp]\nhttp_prot = 1\n")

    result = place.run("status")

    assert result.code == Exit.ENVIRONMENT
    assert "mcp.http_prot is not a setting" in result.err


def test_a_tools_error_is_told_on_standard_error_with_its_way_out(place):
    result = place.run("projects", "remove", "nothing")

    assert result.code == Exit.FAILED
    assert "[PROJECT_NOT_FOUND]" in result.err
    assert "hint:" in result.err
    assert result.out == ""


def test_a_fault_of_ours_is_a_message_and_not_a_traceback(place):
    console = _with_late_fault(place)

    code = run(["projects", "--json"], console)

    assert code == Exit.FAILED
    assert json.loads(console.stdout.getvalue())["code"] == "INTERNAL_ERROR"
    assert "Traceback" not in console.stderr.getvalue()


def test_a_fault_of_ours_shows_its_traceback_on_request(place):
    console = _with_late_fault(place, DRIFT_LOG="debug")

    run(["version"], console)

    assert "the screen is broken" in console.stderr.getvalue()
    assert "Traceback" in console.stderr.getvalue()


def _with_late_fault(place, **environ):
    class FailsOnce(io.StringIO):
        has_failed = False

        def write(self, text):
            if not self.has_failed:
                self.has_failed = True
                raise RuntimeError("the screen is broken")
            return super().write(text)

    return Console(io.StringIO(), FailsOnce(), io.StringIO(), {**place.environ, **environ}, place.project)


def test_an_interrupt_ends_with_its_own_code(place):
    class Interrupted(io.StringIO):
        def write(self, text):
            raise KeyboardInterrupt

    console = Console(io.StringIO(), Interrupted(), io.StringIO(), place.environ, place.project)

    assert run(["version"], console) == Exit.INTERRUPTED


def test_a_reader_that_leaves_early_is_no_error(place):
    command = f"{sys.executable} -P -m drift tools | true; exit ${{PIPESTATUS[0]}}"

    done = subprocess.run(
        ["bash", "-c", command], cwd=place.project, env=place.environ, capture_output=True, check=False
    )

    assert done.returncode == Exit.OK
    assert done.stderr == b""


def test_colours_are_for_screens_alone(place):
    text = "x"

    assert place.console().paint(text, Ink.RED) == "x"
    assert place.console(is_screen=True).paint(text, Ink.RED) == "\x1b[31mx\x1b[0m"
    assert place.console(is_screen=True, environ={"NO_COLOR": "1"}).paint(text, Ink.RED) == "x"
    assert place.console(environ={"FORCE_COLOR": "1"}).paint(text, Ink.RED) == "\x1b[31mx\x1b[0m"
    assert place.console(environ={"FORCE_COLOR": "1", "NO_COLOR": "1"}).paint(text, Ink.RED) == "x"
    assert place.console(is_screen=True, environ={"FORCE_COLOR": "0"}).paint(text, Ink.RED) == "x"
    assert place.console(is_screen=True, environ={"TERM": "dumb"}).paint(text, Ink.RED) == "x"


def test_nothing_piped_has_escape_sequences(place):
    assert "\x1b" not in place.run("tools").out
    assert "\x1b" in place.run("tools", is_screen=True).out


def test_json_is_readable_where_the_terminal_has_no_unicode(place):
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    Console(io.StringIO(), out, io.StringIO(), {}, place.project).say_json({"name": "Café"})
    out.flush()

    assert json.loads(out.buffer.getvalue()) == {"name": "Café"}


@pytest.mark.parametrize("code", list(ErrorCode))
def test_every_error_code_has_an_exit_code(code):
    assert exit_for(code) in (Exit.FAILED, Exit.ENVIRONMENT)


def test_a_missing_store_is_a_problem_of_the_surroundings():
    assert exit_for(ErrorCode.STORE_UNAVAILABLE) is Exit.ENVIRONMENT
    assert exit_for(None) is Exit.OK
