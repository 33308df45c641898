"""Answers in both eras: structured content, resources, prompts, completions, and methods of our own."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

import jsonschema_rs
import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError
from server_world import ERAS, PlainTools, both_eras, connect, on_asyncio, parts_of, real_server, server_of

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode
from drift.protocol.server import build_server
from drift.registry import Call, Length, Question, tool
from drift.servers import BLUEPRINTS
from drift.tools import all_tools
from store_places import copy_project

pytestmark = on_asyncio

SERVERS = tuple(str(name) for name in BLUEPRINTS)
TOOLS = tuple(all_tools())
# Answers are wrapped by the era, not by the tool: each tool answers in one of them.
TOOLS_BY_TURNS = [
    pytest.param(definition, ERAS[number % len(ERAS)], id=definition.name)
    for number, definition in enumerate(TOOLS)
]
# For tools with required arguments and no example; a tool's first example is used where there is one.
ARGUMENTS = {
    "drift_memory_context": {"focus": "checkout"},
    "drift_memory_manage": {"name": "drift_memory_discover"},
    "instructions_dispatch": {"action": "list"},
    "feedback_dispatch": {"action": "list"},
}


def arguments_for(definition):
    if definition.name in ARGUMENTS:
        return ARGUMENTS[definition.name]
    return dict(definition.examples[0]) if definition.examples else {}


@cache
def validator(schema: str) -> Any:
    return jsonschema_rs.validator_for(json.loads(schema))


def assert_fits(result, listed):
    validator(json.dumps(listed.output_schema)).validate(result.structured_content)


@pytest.mark.parametrize(("definition", "era"), TOOLS_BY_TURNS)
async def test_what_a_tool_answers_fits_its_listed_schema_in_success_and_in_error(
    definition, era, example_shop, tmp_path
):
    copy_project(example_shop, tmp_path / "shop")
    server = real_server(tmp_path, str(definition.category.server), "full", MCP_ENABLE_MUTATION="1").mcp
    async with connect(server, era) as client:
        listed = {each.name: each for each in (await client.list_tools()).tools}.get(definition.name)
        if listed is None:
            # Tools of a language are listed where the project has it, and can be called all the same.
            assert definition.languages
            listed = definition

        good = await client.call_tool(definition.name, arguments_for(definition))
        bad = await client.call_tool(definition.name, {"nonsense": 1})

    assert_fits(good, listed)
    # Embeddings need a model that is not part of Drift, a fleet is more than the one project here.
    lacking = {"drift_memory_embed": "CORTEX_UNAVAILABLE", "drift_fleet": "CONFIG_INVALID"}
    excused = lacking.get(definition.name, "NOT_REGISTERED")
    assert not good.is_error or good.structured_content["code"] == excused
    assert_fits(bad, listed)
    assert bad.is_error
    assert bad.structured_content["code"] in {"INVALID_ARGUMENT", "MISSING_REQUIRED_PARAM"}
    for result in (good, bad):
        assert result.content[0].text
        assert result.structured_content["meta"]["requestId"]


@both_eras
@pytest.mark.parametrize("surface", ["entry", "consolidated"])
@pytest.mark.parametrize("name", SERVERS)
async def test_answers_fit_the_schemas_of_the_shorter_surfaces_too(era, surface, name, tmp_path):
    async with connect(real_server(tmp_path, name, surface).mcp, era) as client:
        for listed in (await client.list_tools()).tools:
            arguments = ARGUMENTS.get(listed.name) or (
                {"name": "drift_status"} if listed.name == "drift_tool" else {}
            )
            good = await client.call_tool(listed.name, arguments)
            bad = await client.call_tool(listed.name, {"nonsense": 1})

            assert_fits(good, listed)
            assert_fits(bad, listed)
            assert bad.is_error, listed.name


@both_eras
async def test_text_and_structure_say_the_same_and_link_to_the_resource(era, tmp_path):
    async with connect(real_server(tmp_path).mcp, era) as client:
        result = await client.call_tool("drift_status", {})
        text, link = result.content
        read = await client.read_resource(link.uri)

    assert text.text.startswith(result.structured_content["summary"])
    assert "shop" in text.text
    assert (link.type, link.uri) == ("resource_link", "drift://status")
    assert (
        json.loads(read.contents[0].text)["data"]["project"] == result.structured_content["data"]["project"]
    )
    assert read.contents[0].mime_type == "application/json"


@both_eras
async def test_a_template_reads_one_tools_schema(era, tmp_path):
    async with connect(real_server(tmp_path).mcp, era) as client:
        templates = (await client.list_resource_templates()).resource_templates
        read = await client.read_resource("drift://tools/drift_status")

    assert [each.uri_template for each in templates] == [
        "drift://tools/{name}",
        "drift://callgraph/{function}",
        "drift://boundaries/{module}",
        "drift://files/{path}",
        "drift://packages/{name}",
        "drift://patterns?category={category}",
        "drift://patterns/{id}",
        "template://{category}/{toolchain}/{variant}",
    ]
    assert json.loads(read.contents[0].text)["data"]["tool"]["name"] == "drift_status"


@both_eras
async def test_onboarding_tells_a_model_of_the_project_and_the_tools(era, tmp_path):
    async with connect(real_server(tmp_path).mcp, era) as client:
        prompt, *_others = (await client.list_prompts()).prompts
        plain = await client.get_prompt("onboarding")
        named = await client.get_prompt("onboarding", {"project": "shop"})

    assert {argument.name for argument in prompt.arguments} == {"project", "pack"}
    text = "\n".join(message.content.text for message in plain.messages)
    assert "shop" in text
    assert "drift_status" in text
    assert len(named.messages) == len(plain.messages)


@both_eras
async def test_completions_offer_what_begins_with_the_text_first(era, tmp_path):
    template = types.ResourceTemplateReference(type="ref/resource", uri="drift://tools/{name}")
    prompt = types.PromptReference(type="ref/prompt", name="onboarding")
    async with connect(real_server(tmp_path).mcp, era) as client:
        await client.call_tool("drift_setup", {"action": "init", "name": "Corner shop", "register": True})
        tools = (await client.complete(template, {"name": "name", "value": "STAT"})).completion
        everything = (await client.complete(template, {"name": "name", "value": ""})).completion
        projects = (await client.complete(prompt, {"name": "project", "value": "cor"})).completion
        packs = (await client.complete(prompt, {"name": "pack", "value": ""})).completion
        unknown = (await client.complete(prompt, {"name": "nonsense", "value": "x"})).completion

    assert tools.values == ["drift_status"]
    assert len(everything.values) == len(set(everything.values)) == min(everything.total, 100) > 5
    assert everything.has_more == (everything.total > 100)
    assert projects.values == ["Corner shop"]
    assert packs.values
    assert (unknown.values, unknown.total) == ([], 0)


@both_eras
async def test_more_completions_than_fit_are_counted(era, tmp_path):
    server = build_server(parts_of(PlainTools(), complete=lambda params: [str(n) for n in range(250)]))
    async with connect(server, era) as client:
        reference = types.PromptReference(type="ref/prompt", name="any")
        found = (await client.complete(reference, {"name": "n", "value": ""})).completion

    assert (len(found.values), found.total, found.has_more) == (100, 250, True)


class AnyParams(types.RequestParams, extra="allow"):
    pass


class AnyRequest(types.Request[AnyParams, str]):
    method: str
    params: AnyParams


class AnyResult(types.Result, extra="allow"):
    pass


async def send(client, method, **params):
    return await client.session.send_request(AnyRequest(method=method, params=AnyParams(**params)), AnyResult)


@both_eras
async def test_instructions_dispatch_is_a_method_and_a_tool_by_both_names(era, tmp_path):
    async with connect(real_server(tmp_path, "catalog").mcp, era) as client:
        as_method = await send(client, "instructions/dispatch", action="list", limit=5)
        slashed = await client.call_tool("instructions/dispatch", {"action": "list", "limit": 5})
        listed = await client.call_tool("instructions_dispatch", {"action": "list", "params": {"limit": 5}})

    assert as_method.model_extra["items"] == []
    assert as_method.model_extra["meta"]["requestId"]
    assert slashed.structured_content["data"] == listed.structured_content["data"]
    assert listed.structured_content["data"]["count"] == 0


@both_eras
async def test_a_method_with_wrong_parameters_names_them(era, tmp_path):
    async with connect(real_server(tmp_path, "catalog").mcp, era) as client:
        with pytest.raises(MCPError) as missing:
            await send(client, "instructions/dispatch")
        with pytest.raises(MCPError) as unknown:
            await send(client, "feedback/dispatch", action="list", nonsense=1)
        with pytest.raises(MCPError) as nowhere:
            await send(client, "instructions/nowhere")

    assert (missing.value.error.code, unknown.value.error.code) == (
        types.INVALID_PARAMS,
        types.INVALID_PARAMS,
    )
    assert "action" in missing.value.error.message
    assert "nonsense" in unknown.value.error.message
    assert nowhere.value.error.code == types.METHOD_NOT_FOUND


@tool(category="surgical", title="Note", tokens=(1, 2), ttl=0, method="notes/write")
async def notes_write(call: Call, word: Annotated[str, Length(10)], ask: bool = False) -> Answer[str]:
    """Answers with the word."""
    if ask:
        await call.client.ask(Question("sure", "Sure?", {"type": "object", "properties": {}}))
    return Answer("noted", word)


@both_eras
async def test_a_method_answers_with_the_tools_structured_content(era, tmp_path):
    async with connect(server_of(tmp_path, notes_write), era) as client:
        result = await send(client, "notes/write", word="tea")

    assert result.model_extra["data"] == "tea"
    assert result.model_extra["meta"]["requestId"]


async def test_a_method_whose_tool_must_ask_points_to_the_tool(tmp_path):
    async def reply(context, params):
        return types.ElicitResult(action="accept", content={})

    server = server_of(tmp_path, notes_write)
    async with connect(server, "auto", elicitation_callback=reply) as client:
        with pytest.raises(MCPError, match="tools/call of notes_write"):
            await send(client, "notes/write", word="tea", ask=True)


@dataclass(frozen=True, slots=True)
class Checked:
    is_valid: bool
    checked_words: tuple[str, ...]


@tool(category="surgical", title="Check", tokens=(1, 2), is_method=True)
def check_words(call: Call, first_word: str, more_words: tuple[str, ...] = ()) -> Answer[Checked]:
    """Checks words; some are refused with a number of their own."""
    if first_word in ErrorCode.__members__:
        raise DriftError(ErrorCode(first_word), "refused")
    return Answer(
        "checked", Checked(is_valid=True, checked_words=(first_word, *more_words)), warnings=("so so",)
    )


@both_eras
async def test_a_tool_may_be_a_method_by_its_own_name_in_snake_case(era, tmp_path):
    async with connect(server_of(tmp_path, check_words), era) as client:
        as_method = await send(client, "check_words", first_word="a", more_words=["b"])
        as_tool = await client.call_tool("check_words", {"firstWord": "a"})

    found = as_method.model_extra
    assert (found["is_valid"], found["checked_words"], found["warnings"]) == (True, ["a", "b"], ["so so"])
    assert found["meta"]["requestId"]
    assert as_tool.structured_content["data"] == {"is_valid": True, "checked_words": ["a"]}


@pytest.mark.parametrize(
    ("code", "number"),
    [
        ("TEMPLATE_NOT_FOUND", -32000),
        ("INVALID_TEMPLATE_URI", -32001),
        ("PARAMETER_VALIDATION_FAILED", -32002),
        ("RATE_LIMITED", -32003),
    ],
)
async def test_a_failure_has_a_number_as_a_method_and_is_a_result_as_a_tool(code, number, tmp_path):
    async with connect(server_of(tmp_path, check_words), "auto") as client:
        with pytest.raises(MCPError) as raised:
            await send(client, "check_words", first_word=code)
        as_tool = await client.call_tool("check_words", {"first_word": code})

    assert (raised.value.error.code, raised.value.error.data["code"]) == (number, code)
    assert as_tool.is_error
    assert as_tool.structured_content["code"] == code
