"""The log's levels and places."""

import logging

import pytest

from drift.cli.exits import Exit
from drift.cli.logs import LogLevels, follow_log, parse_levels
from drift.kernel.errors import DriftError, ErrorCode


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("debug", LogLevels("debug")),
        ("", LogLevels("info")),
        (" Warning ", LogLevels("warning")),
        (
            "pipeline=debug,protocol=warning,info",
            LogLevels("info", {"pipeline": "debug", "protocol": "warning"}),
        ),
        ("pipeline.cache=debug", LogLevels("info", {"pipeline.cache": "debug"})),
    ],
)
def test_a_level_for_all_and_levels_for_rooms_are_read(text, levels):
    assert parse_levels(text) == levels


@pytest.mark.parametrize("text", ["loud", "pipeline=loud", "=debug", "a b=debug", "pipeline=debug=info"])
def test_a_word_that_is_no_level_is_refused(text):
    with pytest.raises(DriftError) as refusal:
        parse_levels(text)

    assert refusal.value.code is ErrorCode.CONFIG_INVALID


def test_a_misspelt_level_is_answered_with_the_right_one():
    with pytest.raises(DriftError) as refusal:
        parse_levels("pipeline=wraning")

    assert refusal.value.recovery.similar[0] == "warning"


def test_each_room_logs_at_its_own_level(place):
    console = place.console()
    follow_log(console, parse_levels("pipeline=debug,warning"))

    logging.getLogger("drift.pipeline.cache").debug("a detail")
    logging.getLogger("drift.protocol").info("not wanted")
    logging.getLogger("another.package").warning("trouble")
    logging.getLogger("drift.pipeline").setLevel(logging.NOTSET)

    said = console.stderr.getvalue()
    assert "a detail" in said
    assert "not wanted" not in said
    assert "trouble" in said


def test_a_log_file_is_written_beside_standard_error(place):
    console, file = place.console(), place.home / "logs" / "drift.log"
    follow_log(console, LogLevels("info"), file=file)

    logging.getLogger("drift.cli").info("hello")

    assert "hello" in file.read_text()
    assert "hello" in console.stderr.getvalue()


def test_a_log_file_that_cannot_be_written_is_a_problem_of_the_surroundings(place):
    (place.home / "blocked").write_text("a file")

    with pytest.raises(DriftError) as refusal:
        follow_log(place.console(), LogLevels("info"), file=place.home / "blocked" / "drift.log")

    assert refusal.value.code is ErrorCode.STORE_UNAVAILABLE


def test_a_wrong_level_ends_every_command_the_same_way(place):
    assert place.run("status", environ={"DRIFT_LOG": "loud"}).code == Exit.ENVIRONMENT
