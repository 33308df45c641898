"""Who may change what: every tool that writes, with every kind of caller."""

from dataclasses import replace

import pytest
from http_fixture_server import call, create_mount, running
from server_world import real_server
from test_http_auth import READER, VERIFIER

from drift.protocol.http.settings import HttpSettings
from drift.registry import PERSON, Effect, Scope
from drift.tools import all_tools

# The tools that any caller of their server may use although they write: counts, opinions, and calls of others.
_OPEN = {"feedback_submit", "usage_track", "usage_flush", "instructions_batch", "drift_batch", "drift_tool"}
_RELAYS = {"feedback_dispatch", "instructions_dispatch"}


def test_every_tool_that_writes_needs_more_than_to_read():
    writing = [tool for tool in all_tools() if tool.effect is not Effect.READS]
    needed = {tool.name: tool.scopes.union(*tool.action_scopes.values()) for tool in writing}

    open_to_readers = {name for name, scopes in needed.items() if scopes <= {Scope.READ}}

    assert open_to_readers == _OPEN | _RELAYS


@pytest.mark.parametrize(
    ("name", "arguments", "needed"),
    [
        ("drift_projects", {"action": "add", "path": "/"}, {Scope.ADMIN, PERSON}),
        ("drift_projects", {"action": " ADD", "path": "/"}, {Scope.ADMIN, PERSON}),
        ("drift_tool", {"tool": "drift_projects", "arguments": {"action": "Add"}}, {Scope.ADMIN, PERSON}),
        ("drift_projects", {"action": "list"}, {Scope.ADMIN}),
        ("drift_tool", {"name": "drift_projects", "args": {"action": "add"}}, {Scope.ADMIN, PERSON}),
        (
            "drift_batch",
            {"calls": [{"tool": "drift_projects", "args": {"action": "add"}}]},
            {Scope.ADMIN, PERSON},
        ),
        ("drift_status", {"project": "another"}, {Scope.READ, Scope.ADMIN}),
        ("drift_status", {"project": "shop"}, {Scope.READ}),
        ("drift_pack", {"action": "create"}, {Scope.READ, Scope.WRITE}),
        ("drift_pack", {"action": "Create"}, {Scope.READ, Scope.WRITE}),
        ("drift_pack", {"action": "run"}, {Scope.READ}),
    ],
)
def test_what_a_call_needs_is_known_before_it_is_made(tmp_path, name, arguments, needed):
    server = real_server(tmp_path, surface="full")

    assert server.tools.required_scopes(name, arguments) - {Scope.READ} == needed - {Scope.READ}


@pytest.mark.parametrize("verifier", [None, VERIFIER])
def test_what_is_a_person_s_to_do_is_forbidden_over_http_with_any_token(verifier):
    mount = replace(create_mount("/analysis"), required_scopes=lambda _name, _arguments: frozenset({PERSON}))

    with running(HttpSettings(port=0), verifier=verifier, mounts=[mount]) as service:
        modern = service.modern("tools/call", {"name": "echo", "arguments": {}}, **READER)
        batch = service.post([call("echo")], **service.initialize("2025-03-26", **READER))

    assert (modern.status, modern.json["error"]) == (403, "insufficient_scope")
    assert "person" in modern.json["error_description"]
    assert batch.status == 403
