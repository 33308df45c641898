import tomllib
from importlib.resources import files
from typing import get_args

import pytest

from drift.cli.clients.table import CLIENTS
from drift.registry import find_client, known_clients, parse_surface, sends_structured, surface_for
from drift.registry.known_clients import Structured, ToolsKnown


def test_every_client_of_the_table_has_values_the_code_knows():
    for client in known_clients().values():
        assert client.structured in get_args(Structured), client.id
        assert client.tools in get_args(ToolsKnown), client.id
        assert client.names, client.id
        assert all(name == name.casefold().strip() for name in client.names), client.id


def test_no_two_clients_go_by_one_name():
    for client in known_clients().values():
        assert {find_client(name) for name in client.names} == {client}


def test_what_costs_a_client_its_json_has_its_source_beside_it():
    text = files("drift.registry").joinpath("data/clients.toml").read_text("utf-8")
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line in ('structured = "replaces"', 'structured = "adds"', 'tools = "searched"'):
            assert lines[number - 1].startswith("# "), line
    assert tomllib.loads(text)


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("claude-code", "claude-code"),
        ("Claude-Code/2.1", "claude-code"),
        ("Visual Studio Code - Insiders", "vscode"),
        ("gemini-cli-mcp-client-drift-v0.9", "gemini-cli"),
        ("codexter", None),
        ("", None),
    ],
)
def test_a_client_is_known_by_the_name_it_gives(name, known_as):
    found = find_client(name)

    assert (found.id if found else None) == known_as


def test_a_client_without_a_name_gets_both_forms():
    assert sends_structured("auto", None)
    assert not sends_structured("never", None)


def test_every_client_drift_can_be_installed_into_has_a_surface_that_exists():
    for client in CLIENTS:
        assert parse_surface(surface_for(client.name)).kind in ("entry", "core")


def test_where_tools_are_searched_each_stands_for_itself_and_elsewhere_the_list_is_short():
    assert surface_for("claude-code") == "core"
    assert surface_for("zed") == "entry"
    assert surface_for("nobody-knows") == "entry"
