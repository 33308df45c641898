"""docs/catalog.md says what there is: every variable, every action, every tool."""

import re
from pathlib import Path

from drift.catalog import VARIABLES
from drift.cli.log_variables import LOG_FILE, LOG_SWITCHES
from drift.registry import ServerName, short_list
from drift.tools import all_tools
from drift.tools.catalogs.actions import action_names

PAGE = (Path(__file__).parents[2] / "docs" / "catalog.md").read_text("utf-8")


def rows(heading):
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("|")][2:]


def test_every_variable_that_is_read_has_a_row_and_no_other():
    named = {name for row in rows("Variables") for name in re.findall(r"`([A-Z_]+)`", row[0])}

    assert named == {*VARIABLES, *LOG_SWITCHES, LOG_FILE}


def test_a_variable_that_is_not_read_is_not_read():
    ignored = {
        name for row in rows("Variables that are not read") for name in re.findall(r"`([A-Z_]+)`", row[0])
    }

    assert len(ignored) > 15
    assert not ignored & {*VARIABLES, *LOG_SWITCHES, LOG_FILE}


def test_every_action_and_tool_is_named():
    named = {row[0].strip(): set(re.findall(r"`(\w+)`", row[1])) for row in rows("Actions")}
    tools = {tool.name for tool in all_tools().of_server(ServerName.CATALOG)} - set(
        short_list("entry", ServerName.CATALOG)
    )

    assert named["read"] | named["write"] == set(action_names(all_tools(), "instructions"))
    assert named["feedback"] == set(action_names(all_tools(), "feedback"))
    assert named["by name"] == {name for name in tools if not name.startswith(("instructions_", "feedback_"))}
