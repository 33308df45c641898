import asyncio
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
from mcp.server.auth.middleware.auth_context import auth_context_var
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp_types.version import SUPPORTED_PROTOCOL_VERSIONS

from drift.kernel.errors import DriftError, ErrorCode
from drift.pipeline import Environment
from drift.project import ProjectRegistry, open_project
from drift.protocol.registry_tools import current_caller
from drift.registry import Caller, Scope, ServerName, Surface
from drift.servers import BLUEPRINTS, assemble, enabled_servers
from drift.servers.assembly import read_tool
from drift.tools.overview import PROTOCOL_VERSIONS


def stand(tmp_path, **environ):
    root = tmp_path / "shop"
    root.mkdir(exist_ok=True)
    return Environment(
        root, ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC)), environ
    )


@pytest.mark.parametrize("name", list(ServerName))
def test_starting_a_server_leaves_no_trace_in_a_project_that_is_not_set_up(tmp_path, name):
    at = stand(tmp_path)

    assembled = assemble(BLUEPRINTS[name], Surface("entry"), at=at)
    assembled.runtime.close()

    assert assembled.mcp.name == f"drift-{name}"
    assert list(at.root.iterdir()) == []


def test_memory_that_is_switched_off_is_not_served(tmp_path):
    at = stand(tmp_path, DRIFT_MCP_MEMORY_ENABLED="false")

    assert enabled_servers(open_project(at.root, at.environ)) == (ServerName.ANALYSIS, ServerName.CATALOG)
    with pytest.raises(DriftError) as caught:
        assemble(BLUEPRINTS[ServerName.MEMORY], Surface("entry"), at=at)
    assert caught.value.code is ErrorCode.CORTEX_UNAVAILABLE


def test_a_surface_that_is_not_there_is_refused_at_the_start(tmp_path):
    with pytest.raises(DriftError) as caught:
        assemble(BLUEPRINTS[ServerName.ANALYSIS], Surface("pack", "nope"), at=stand(tmp_path))

    assert caught.value.code is ErrorCode.PACK_NOT_FOUND


def test_an_intent_that_is_not_there_is_refused_at_the_start(tmp_path):
    at = stand(tmp_path, DRIFT_MCP_INTENT="fix_bugs")

    with pytest.raises(DriftError) as caught:
        assemble(BLUEPRINTS[ServerName.ANALYSIS], Surface("entry"), at=at)

    assert caught.value.code is ErrorCode.CONFIG_INVALID


PROJECTS = {"tool": "drift_projects"}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("drift_projects", {}),
        ("drift_projects_v1", {}),
        ("drift/projects", {}),
        ("drift_tool", {"name": "drift_projects"}),
        ("drift_tool_v1", {"name": "drift/projects", "args": {}}),
        ("drift_tool", {"name": "drift_batch", "args": {"calls": [PROJECTS]}}),
        ("drift_batch", {"calls": [{"tool": "drift_status"}, PROJECTS]}),
        ("drift_batch_v1", {"calls": [PROJECTS]}),
        ("drift/batch", {"calls": [PROJECTS]}),
        ("drift_batch", {"calls": [{"tool": "drift_batch_v1", "args": {"calls": [PROJECTS]}}]}),
    ],
)
@pytest.mark.parametrize("surface", ["entry", "full", "consolidated"])
def test_a_call_needs_the_scopes_of_what_it_leads_to_by_whatever_name(tmp_path, surface, name, arguments):
    assembled = assemble(BLUEPRINTS[ServerName.ANALYSIS], Surface(surface), at=stand(tmp_path))

    assert "drift:admin" in assembled.tools.required_scopes(name, arguments)
    assembled.runtime.close()


@pytest.mark.parametrize("calls", [None, 5, "drift_projects", [None], [["drift_projects"]], [{"tool": 5}]])
def test_senseless_calls_need_nothing_beyond_the_batch_itself(tmp_path, calls):
    assembled = assemble(BLUEPRINTS[ServerName.ANALYSIS], Surface("entry"), at=stand(tmp_path))

    assert assembled.tools.required_scopes("drift_batch", {"calls": calls}) == frozenset()
    assembled.runtime.close()


@contextmanager
def bearing(*scopes):
    """As the HTTP gate leaves it for everything a request with a token leads to."""
    token = AccessToken(token="-", client_id="ada", subject="ada", scopes=list(scopes))
    kept = auth_context_var.set(AuthenticatedUser(token))
    try:
        yield
    finally:
        auth_context_var.reset(kept)


def test_a_token_gives_its_own_scopes_and_no_others():
    with bearing("drift:read", "from:elsewhere"):
        assert current_caller() == Caller("ada", frozenset({Scope.READ}))
    assert current_caller().scopes is None


def test_lists_and_resources_keep_to_the_rights_of_who_asks(tmp_path):
    assembled = assemble(BLUEPRINTS[ServerName.ANALYSIS], Surface("full"), at=stand(tmp_path))

    with bearing("drift:read"):
        listed = {tool.name for tool in assembled.tools.list_tools(None)}
        with pytest.raises(DriftError) as refused:
            asyncio.run(read_tool(assembled.runtime, "drift_projects"))
    everything = {tool.name for tool in assembled.tools.list_tools(None)}

    assert everything - listed >= {"drift_projects", "drift_setup", "drift_cache_clear"}
    assert refused.value.code is ErrorCode.FORBIDDEN
    assembled.runtime.close()


def test_a_resource_needs_the_scopes_of_the_tool_behind_it(tmp_path):
    assembled = assemble(BLUEPRINTS[ServerName.ANALYSIS], Surface("entry"), at=stand(tmp_path))

    places = (
        "drift://boundaries/shop",
        "drift://boundaries/shop/orders",
        "drift://status",
        "drift://nowhere",
    )
    needed = [assembled.resource_scopes(uri) for uri in places]

    assert needed == [{"drift:security"}, {"drift:security"}, set(), set()]
    assembled.runtime.close()


def test_the_revisions_that_are_told_are_those_the_sdk_speaks():
    assert PROTOCOL_VERSIONS == SUPPORTED_PROTOCOL_VERSIONS
