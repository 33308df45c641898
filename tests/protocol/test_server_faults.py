"""Failures at the border: clean errors out, causes into the log, and the server lives on."""

import logging
from types import SimpleNamespace

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError
from server_world import PlainTools, both_eras, connect, on_asyncio, parts_of, real_server, server_of

from drift.kernel.answer import Answer
from drift.protocol.faults import clean_faults
from drift.protocol.resources import Resource, Resources
from drift.protocol.server import build_server
from drift.registry import Call, tool

pytestmark = on_asyncio

SECRET = "hunter2 in /etc/shadow"


@tool(category="surgical", title="Break", tokens=(1, 2))
def break_down(call: Call) -> Answer[int]:
    """Fails in a way nobody foresaw."""
    raise RuntimeError(SECRET)


@tool(category="surgical", title="Break later", tokens=(1, 2))
async def break_later(call: Call) -> Answer[int]:
    """Fails in a way nobody foresaw, on the event loop."""
    raise ExceptionGroup(SECRET, [ValueError(SECRET)])


@tool(category="surgical", title="Work", tokens=(1, 2), ttl=0)
def work(call: Call) -> Answer[int]:
    """Answers."""
    return Answer("it works", 7)


@both_eras
async def test_an_unknown_tool_is_an_invalid_parameter_with_the_names_nearest_to_it(era, tmp_path):
    async with connect(real_server(tmp_path).mcp, era) as client:
        with pytest.raises(MCPError) as refused:
            await client.call_tool("drift_statsu", {})

    error = refused.value.error
    assert error.code == types.INVALID_PARAMS
    assert error.data["code"] == "TOOL_NOT_FOUND"
    assert "drift_status" in error.data["similar"]


@both_eras
async def test_an_unknown_tool_behind_drift_tool_is_a_tools_error(era, tmp_path):
    async with connect(real_server(tmp_path).mcp, era) as client:
        result = await client.call_tool("drift_tool", {"name": "drift_statsu"})

    assert result.is_error
    assert result.structured_content["code"] == "TOOL_NOT_FOUND"
    assert "drift_status" in result.structured_content["similar"]
    assert "drift_status" in result.content[0].text


@both_eras
@pytest.mark.parametrize("name", ["break_down", "break_later"])
async def test_a_tool_that_raises_gives_a_clean_error_and_the_server_lives_on(era, name, tmp_path, caplog):
    async with connect(server_of(tmp_path, break_down, break_later, work), era) as client:
        failed = await client.call_tool(name, {})
        answered = await client.call_tool("work", {})

    assert failed.is_error
    assert failed.structured_content["code"] == "INTERNAL_ERROR"
    assert "hunter2" not in failed.model_dump_json()
    assert "hunter2" in caplog.text
    assert answered.structured_content["data"] == 7


@both_eras
async def test_a_source_that_raises_leaks_nothing_either(era, caplog):
    async def explode(context, params):
        raise RuntimeError(SECRET)

    async def read():
        raise OSError(SECRET)

    resources = Resources([Resource("test://broken", "Broken", "x", read)])
    server = build_server(parts_of(PlainTools((), explode), resources=resources))
    async with connect(server, era) as client:
        with pytest.raises(MCPError) as from_tool:
            await client.call_tool("any", {})
        with pytest.raises(MCPError) as from_resource:
            await client.read_resource("test://broken")
        alive = await client.list_tools()

    for raised in (from_tool.value.error, from_resource.value.error):
        assert raised.code == types.INTERNAL_ERROR
        assert "hunter2" not in raised.model_dump_json()
    assert caplog.text.count("hunter2") >= 2
    assert alive.tools == []


@both_eras
async def test_a_source_whose_answer_is_malformed_gives_an_internal_error(era, caplog):
    async def answer_nonsense(context, params):
        return {"content": "not a list", "secret": SECRET}

    caplog.set_level(logging.CRITICAL)
    async with connect(build_server(parts_of(PlainTools((), answer_nonsense))), era) as client:
        with pytest.raises(MCPError) as raised:
            await client.call_tool("any", {})

    assert raised.value.error.code == types.INTERNAL_ERROR
    assert "hunter2" not in raised.value.error.model_dump_json()


@both_eras
@pytest.mark.parametrize(
    ("method", "params", "place"),
    [
        ("tools/call", {"name": {"secret": "hunter2"}}, "name"),
        ("tools/call", {"name": "work", "arguments": ["hunter2"]}, "arguments"),
        ("resources/read", {"uri": ["hunter2"]}, "uri"),
        ("completion/complete", {"ref": "hunter2", "argument": "hunter2"}, "argument"),
        (
            "prompts/get",
            {"name": "onboarding", "arguments": {"project": {"x": "hunter2"}}},
            "arguments.project",
        ),
    ],
)
async def test_invalid_parameters_are_named_without_their_values(era, method, params, place, tmp_path):
    class AnyParams(types.RequestParams, extra="allow"):
        pass

    class AnyRequest(types.Request[AnyParams, str]):
        method: str
        params: AnyParams

    async with connect(server_of(tmp_path, work), era) as client:
        with pytest.raises(MCPError) as refused:
            await client.session.send_request(
                AnyRequest(method=method, params=AnyParams(**params)), types.EmptyResult
            )

    error = refused.value.error
    assert error.code == types.INVALID_PARAMS
    assert place in error.message
    assert "hunter2" not in error.model_dump_json()


@both_eras
@pytest.mark.parametrize(
    ("arguments", "named"),
    [({"maxTokens": "many"}, "maxTokens"), ({"nonsense": 1}, "nonsense"), ({"project": 5}, "project")],
)
async def test_wrong_arguments_of_a_tool_are_its_error_and_name_the_field(era, arguments, named, tmp_path):
    async with connect(server_of(tmp_path, work), era) as client:
        result = await client.call_tool("work", arguments)

    assert result.is_error
    assert result.structured_content["code"] == "INVALID_ARGUMENT"
    assert named in result.structured_content["message"]


@both_eras
async def test_a_resource_that_is_not_there_has_the_number_of_its_era(era, tmp_path):
    async with connect(real_server(tmp_path).mcp, era) as client:
        with pytest.raises(MCPError) as missing:
            await client.read_resource("drift://nowhere/" + "x" * 10_000)

    assert missing.value.error.code == (types.INVALID_PARAMS if era == "auto" else -32002)
    assert len(missing.value.error.message) < 300


@both_eras
async def test_a_prompt_about_a_project_that_is_not_there_is_refused(era, tmp_path):
    async with connect(real_server(tmp_path).mcp, era) as client:
        with pytest.raises(MCPError) as refused:
            await client.get_prompt("onboarding", {"project": "nowhere"})

    assert refused.value.error.code == types.INVALID_PARAMS
    assert refused.value.error.data["code"] == "PROJECT_NOT_FOUND"


@both_eras
@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("onbaording", {}, "no prompt"),
        ("onboarding", {"nonsense": "1"}, "takes no argument"),
        ("onboarding", {"pack": "nowhere"}, "nowhere"),
        ("onboarding", {"project": "x" * 20_000}, "longer"),
    ],
)
async def test_a_prompt_that_cannot_be_written_is_an_invalid_parameter(
    era, name, arguments, reason, tmp_path
):
    async with connect(real_server(tmp_path).mcp, era) as client:
        with pytest.raises(MCPError, match=reason) as refused:
            await client.get_prompt(name, arguments)

    assert refused.value.error.code == types.INVALID_PARAMS


async def test_a_method_before_the_handshake_is_told_what_is_missing():
    async def sdk_refuses(_ctx):
        raise MCPError(types.INVALID_PARAMS, "Invalid request parameters", "")

    with pytest.raises(MCPError) as refused:
        await clean_faults(SimpleNamespace(method="analyze_complexity"), sdk_refuses)

    assert refused.value.error.code == types.INVALID_PARAMS
    assert "send initialize" in refused.value.error.message
