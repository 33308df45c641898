"""drift_setup asks the person, in the way of each era, and believes only what fits the question."""

import logging

import anyio
import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError
from server_world import both_eras, connect, on_asyncio, real_server

from drift.scan import ScanOptions, scan

pytestmark = on_asyncio

INIT = {"action": "init"}


def replying(action, content=None):
    asked = []

    async def reply(context, params):
        asked.append(params)
        return types.ElicitResult(action=action, content=content)

    return reply, asked


def is_set_up(tmp_path):
    return (tmp_path / "shop" / "drift.toml").exists()


@both_eras
async def test_what_the_person_accepts_is_done(era, tmp_path):
    reply, asked = replying("accept", {"name": "Corner shop", "register": False})
    async with connect(real_server(tmp_path).mcp, era, elicitation_callback=reply) as client:
        result = await client.call_tool("drift_setup", INIT)

    assert len(asked) == 1
    assert set(asked[0].requested_schema["properties"]) == {"name", "register"}
    assert not result.is_error
    assert result.structured_content["summary"].startswith("Corner shop")
    assert result.structured_content["data"]["assumed"] == []
    assert is_set_up(tmp_path)


@both_eras
async def test_only_what_is_missing_is_asked_for(era, tmp_path):
    reply, asked = replying("accept", {"register": False})
    async with connect(real_server(tmp_path).mcp, era, elicitation_callback=reply) as client:
        result = await client.call_tool("drift_setup", {**INIT, "name": "Shop"})
        await client.call_tool("drift_setup", {**INIT, "name": "Shop", "register": False})

    assert [set(each.requested_schema["properties"]) for each in asked] == [{"register"}]
    assert result.structured_content["data"]["assumed"] == []


@both_eras
async def test_the_question_comes_through_drift_tool_as_well(era, tmp_path):
    reply, asked = replying("accept", {"name": "Shop", "register": False})
    async with connect(real_server(tmp_path).mcp, era, elicitation_callback=reply) as client:
        result = await client.call_tool("drift_tool", {"name": "drift_setup", "args": INIT})

    assert len(asked) == 1
    assert not result.is_error
    assert is_set_up(tmp_path)


@both_eras
@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_what_the_person_declines_is_left_undone(era, action, tmp_path):
    reply, _asked = replying(action)
    async with connect(real_server(tmp_path).mcp, era, elicitation_callback=reply) as client:
        result = await client.call_tool("drift_setup", INIT)

    assert result.is_error
    assert "declined" in result.content[0].text
    assert not is_set_up(tmp_path)


@both_eras
async def test_a_client_that_cannot_be_asked_gets_defaults_that_are_named(era, tmp_path):
    async with connect(real_server(tmp_path).mcp, era) as client:
        result = await client.call_tool("drift_setup", INIT)

    assert not result.is_error
    assert result.structured_content["data"]["assumed"] == ['name="shop"', "register=true"]
    assert is_set_up(tmp_path)


async def test_a_client_that_promised_to_answer_but_fails_gets_the_defaults(tmp_path):
    async def fail(context, params):
        return types.ErrorData(code=types.INTERNAL_ERROR, message="no window")

    async with connect(real_server(tmp_path).mcp, "legacy", elicitation_callback=fail) as client:
        result = await client.call_tool("drift_setup", INIT)

    assert result.structured_content["data"]["assumed"] == ['name="shop"', "register=true"]


@both_eras
@pytest.mark.parametrize(
    "content", [{"name": 5}, {"name": "x" * 500}, {"register": "yes"}, {"register": None}]
)
async def test_a_reply_that_does_not_fit_the_question_is_refused(era, content, tmp_path):
    reply, _asked = replying("accept", content)
    async with connect(real_server(tmp_path).mcp, era, elicitation_callback=reply) as client:
        result = await client.call_tool("drift_setup", INIT)

    assert result.is_error
    assert result.structured_content["code"] == "INVALID_ARGUMENT"
    assert not is_set_up(tmp_path)


async def asked_once(client):
    """The first round of a call of 2026-07-28, left open."""
    result = await client.session.call_tool("drift_setup", INIT, allow_input_required=True)
    assert isinstance(result, types.InputRequiredResult)
    return result


async def answer(client, state, **responses):
    return await client.session.call_tool(
        "drift_setup", INIT, input_responses=responses, request_state=state, allow_input_required=True
    )


FORM = types.ElicitResult(action="accept", content={"name": "Shop", "register": False})


async def test_since_2026_the_call_ends_with_the_question_and_comes_again_with_the_reply(tmp_path):
    reply, _asked = replying("accept")
    async with connect(real_server(tmp_path).mcp, "auto", elicitation_callback=reply) as client:
        question = await asked_once(client)
        before = is_set_up(tmp_path)

        result = await answer(client, question.request_state, **dict.fromkeys(question.input_requests, FORM))

    assert not before
    assert result.structured_content["summary"].startswith("Shop")


@pytest.mark.parametrize(
    "tamper", [lambda s: s[:-4] + "AAAA", lambda s: s[::-1], lambda s: "", lambda s: "setup"]
)
async def test_a_state_that_was_tampered_with_is_refused(tamper, tmp_path, caplog):
    caplog.set_level(logging.CRITICAL)
    reply, _asked = replying("accept")
    async with connect(real_server(tmp_path).mcp, "auto", elicitation_callback=reply) as client:
        question = await asked_once(client)

        with pytest.raises(MCPError) as refused:
            await answer(client, tamper(question.request_state), setup=FORM)

    assert refused.value.error.code == types.INVALID_PARAMS
    assert not is_set_up(tmp_path)


async def test_a_state_of_another_call_is_refused(tmp_path, caplog):
    caplog.set_level(logging.CRITICAL)
    reply, _asked = replying("accept")
    async with connect(real_server(tmp_path).mcp, "auto", elicitation_callback=reply) as client:
        question = await asked_once(client)

        with pytest.raises(MCPError) as refused:
            await client.session.call_tool(
                "drift_telemetry", {"action": "enable"}, request_state=question.request_state
            )

    assert refused.value.error.code == types.INVALID_PARAMS


async def test_a_reply_of_another_kind_is_refused(tmp_path):
    reply, _asked = replying("accept")
    sampled = types.CreateMessageResult(
        role="assistant", content=types.TextContent(type="text", text="hi"), model="m"
    )
    async with connect(real_server(tmp_path).mcp, "auto", elicitation_callback=reply) as client:
        question = await asked_once(client)

        result = await answer(client, question.request_state, setup=sampled)

    assert result.is_error
    assert result.structured_content["code"] == "INVALID_ARGUMENT"


TWINS = {"a.py": "def load(path):\n    return path\n", "b.py": "def load(path):\n    return path\n"}
LOAD = {"name": "drift_rename", "args": {"symbol": "load", "newName": "read"}}
TEXT = {"name": "drift_memory_add", "args": {"text": "The importer runs before midnight."}}


def with_twins(tmp_path):
    assembled = real_server(tmp_path)
    for path, text in TWINS.items():
        (tmp_path / "shop" / path).write_text(text)
    scan(tmp_path / "shop", ScanOptions(jobs=0))
    return assembled.mcp


@both_eras
async def test_of_several_symbols_of_a_name_the_person_chooses_one(era, tmp_path):
    reply, asked = replying("accept", {"choice": "b.py:1 function load"})
    async with connect(with_twins(tmp_path), era, elicitation_callback=reply) as client:
        result = await client.call_tool("drift_tool", LOAD)

    assert not result.is_error, result.content
    assert result.structured_content["data"]["target"]["file"] == "b.py"
    assert len(asked) == 1
    assert "means 2 symbols" in asked[0].message
    assert len(asked[0].requested_schema["properties"]["choice"]["enum"]) == 2


@both_eras
@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_without_a_choice_the_answer_names_the_symbols(era, action, tmp_path):
    reply, asked = replying(action)
    async with connect(with_twins(tmp_path), era, elicitation_callback=reply) as client:
        result = await client.call_tool("drift_tool", LOAD)

    assert asked
    assert result.is_error
    assert "a.py:1" in result.content[0].text
    assert "b.py:1" in result.content[0].text


@both_eras
async def test_whoever_cannot_be_asked_gets_the_symbols_named(era, tmp_path):
    async with connect(with_twins(tmp_path), era) as client:
        result = await client.call_tool("drift_tool", LOAD)

    assert result.is_error
    assert "means 2 symbols" in result.content[0].text


@both_eras
async def test_one_of_several_calls_made_together_asks_nothing(era, tmp_path):
    reply, asked = replying("accept", {"choice": "b.py:1 function load"})
    batch = {"calls": [{"tool": LOAD["name"], "args": LOAD["args"]}]}
    async with connect(with_twins(tmp_path), era, elicitation_callback=reply) as client:
        result = await client.call_tool("drift_tool", {"name": "drift_batch", "args": batch})

    assert not asked
    assert "means 2 symbols" in result.content[0].text


async def test_a_person_who_never_answers_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr("drift.pipeline.clarify._WAIT_SECONDS", 0.01)

    async def never(context, params):
        await anyio.sleep_forever()

    async with connect(with_twins(tmp_path), "legacy", elicitation_callback=never) as client:
        result = await client.call_tool("drift_tool", LOAD)

    assert result.is_error
    assert "means 2 symbols" in result.content[0].text


@both_eras
async def test_the_person_is_asked_what_kind_of_memory_it_is(era, tmp_path):
    reply, asked = replying("accept", {"choice": "tribal"})
    async with connect(real_server(tmp_path, "memory").mcp, era, elicitation_callback=reply) as client:
        result = await client.call_tool("drift_memory_manage", TEXT)

    assert not result.is_error, result.content
    assert len(asked) == 1
    assert "incident" in asked[0].requested_schema["properties"]["choice"]["enum"]


@both_eras
async def test_a_memory_of_no_kind_is_refused_where_nobody_can_be_asked(era, tmp_path):
    async with connect(real_server(tmp_path, "memory").mcp, era) as client:
        result = await client.call_tool("drift_memory_manage", TEXT)

    assert result.is_error
    assert "type: required" in result.content[0].text
