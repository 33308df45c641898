"""Variables of other servers of instructions that ask for a log mean the same here."""

import logging

import pytest

from drift.catalog import Catalog
from drift.cli.log_variables import LOG_SWITCHES, translate_log_variables
from drift.cli.logs import parse_levels
from drift.cli.serving import serving_environ
from drift.kernel.errors import DriftError
from drift.project import load_config


@pytest.mark.parametrize("name", LOG_SWITCHES)
def test_each_switch_is_a_level_that_the_log_understands(name, tmp_path):
    environ = serving_environ({name: "1"})

    levels = parse_levels(load_config(tmp_path, environ).log.level)

    assert "debug" in {levels.overall, *levels.by_room.values()}
    assert "DRIFT_LOG" not in serving_environ({name: "0"})


def test_several_switches_add_up_and_a_file_is_taken_over():
    given = {"MCP_CATALOG_DIAG": "true", "MCP_LOG_DIAG": "1", "MCP_LOG_FILE": "/tmp/x.log"}

    assert translate_log_variables(given) == {
        "DRIFT_LOG": "protocol=debug,catalog=debug",
        "DRIFT_LOG_FILE": "/tmp/x.log",
    }


@pytest.mark.parametrize("own", ["DRIFT_LOG", "DRIFT_LOG_LEVEL"])
def test_the_own_variables_win(own):
    environ = serving_environ(
        {"MCP_LOG_VERBOSE": "1", own: "error", "MCP_LOG_FILE": "a", "DRIFT_LOG_FILE": "b"}
    )

    assert environ[own] == "error"
    assert environ.get("DRIFT_LOG") in (None, "error")
    assert environ["DRIFT_LOG_FILE"] == "b"


def test_a_value_that_is_no_switch_is_refused_by_name():
    with pytest.raises(DriftError, match="MCP_LOG_VERBOSE"):
        translate_log_variables({"MCP_LOG_VERBOSE": "loud"})


def test_the_catalog_says_what_the_switches_ask_for(tmp_path, caplog):
    catalog = Catalog.open(tmp_path, {"INSTRUCTIONS_DIR": str(tmp_path / "rules")})
    (tmp_path / ".drift").mkdir()
    with caplog.at_level(logging.DEBUG, "drift.catalog"):
        catalog.add({"id": "rule", "body": "Be kind."}, lax=True, actor="ann")
        (tmp_path / "rules/bad.json").write_text("{")
        catalog.expect("bad")
    catalog.close()

    said = {(record.name, record.getMessage().split(":")[0]) for record in caplog.records}
    assert ("drift.catalog.audit", "add by ann") in said
    assert ("drift.catalog.freshness", "bad.json") in said
    assert ("drift.catalog.catalog", "expected") in said
