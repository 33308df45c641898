"""Templates as a client meets them: tools, methods, resources and prompts of drift-analysis."""

import json

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError
from server_world import connect, on_asyncio, real_server

from drift.protocol.registry_tools import RegistryTools
from drift.servers import scaffolding
from drift.templates import load_library, toolchains

pytestmark = on_asyncio

MAKEFILE = "template://makefile/rust/cli"


class AnyParams(types.RequestParams, extra="allow"):
    pass


class AnyRequest(types.Request[AnyParams, str]):
    method: str
    params: AnyParams


class AnyResult(types.Result, extra="allow"):
    pass


async def send(client, method, **params):
    request = AnyRequest(method=method, params=AnyParams(**params))
    return (await client.session.send_request(request, AnyResult)).model_extra


async def fails(client, method, **params):
    with pytest.raises(MCPError) as raised:
        await send(client, method, **params)
    called = await client.call_tool(method, params)
    assert called.is_error
    assert called.structured_content["code"] == raised.value.error.data["code"]
    return raised.value.error.code, raised.value.error.data["code"]


async def test_the_tools_answer_as_methods_in_their_own_words(tmp_path):
    async with connect(real_server(tmp_path).mcp, "auto") as client:
        listed = await send(client, "list_templates", toolchain="rust", category="makefile")
        found = await send(client, "search_templates", query="docker go")
        made = await send(
            client, "generate_template", resource_uri=MAKEFILE, parameters={"project_name": "a"}
        )
        plain = await send(client, "generate_template", resource_uri="template://gitignore/go/cli")
        checked = await send(client, "validate_template", resource_uri=MAKEFILE, parameters={"x": 1})
        wanted = {"toolchain": "rust", "templates": ["readme"], "parameters": {"project_name": "a"}}
        shown = await send(client, "scaffold_project", **wanted)

    assert [each["uri"] for each in listed["templates"]] == [MAKEFILE]
    assert (listed["count"], found["results"][0]["uri"]) == (1, "template://dockerfile/go/cli")
    assert made["content"].startswith("# a: `make help`")
    assert (made["filename"], len(made["checksum"]), plain["filename"]) == ("Makefile", 64, ".gitignore")
    assert {key: checked[key] for key in ("valid", "errors", "missing_required", "unknown")} == {
        "valid": False,
        "errors": [],
        "missing_required": ["project_name"],
        "unknown": ["x"],
    }
    assert (shown["written"], [each["path"] for each in shown["files"]]) == (False, ["a/README.md"])
    assert "cargo test" in shown["commands"]
    assert not (tmp_path / "shop/a").exists()


async def test_failures_have_their_numbers_and_codes(tmp_path):
    async with connect(real_server(tmp_path).mcp, "auto") as client:
        absent = await fails(client, "generate_template", resource_uri="template://makefile/cobol/cli")
        malformed = await fails(client, "validate_template", resource_uri="makefile", parameters={})
        unfit = await fails(
            client, "generate_template", resource_uri=MAKEFILE, parameters={"project_name": "../a"}
        )
        above = await fails(
            client, "scaffold_project", toolchain="rust", directory="../out", parameters={"project_name": "a"}
        )

    assert absent == (-32000, "TEMPLATE_NOT_FOUND")
    assert malformed == (-32001, "INVALID_TEMPLATE_URI")
    assert unfit == (-32002, "PARAMETER_VALIDATION_FAILED")
    assert above == (types.INVALID_PARAMS, "PATH_OUTSIDE_PROJECT")


async def test_a_scaffold_is_written_only_when_asked_and_by_whom_may_write(tmp_path):
    server = real_server(tmp_path)
    wanted = {"toolchain": "node", "parameters": {"project_name": "a"}, "write": True}
    async with connect(server.mcp, "auto") as client:
        written = await client.call_tool("scaffold_project", wanted)
        again = await client.call_tool("scaffold_project", wanted)
        hooks = await client.call_tool("scaffold_project", wanted | {"directory": ".git/hooks"})

    root = tmp_path / "shop"
    data = written.structured_content["data"]
    assert data["written"]
    assert all((root / each["path"]).is_file() and "content" not in each for each in data["files"])
    assert again.structured_content["code"] == "INVALID_ARGUMENT"
    assert hooks.structured_content["code"] == "PARAMETER_VALIDATION_FAILED"
    assert not (root / ".git").exists()
    tools = RegistryTools(server.runtime)
    assert tools.required_scopes("scaffold_project", wanted) == {"drift:read", "drift:write"}
    assert tools.required_scopes("scaffold_project", wanted | {"write": False}) == {"drift:read"}


async def test_agents_are_told_of_a_project_that_nobody_scanned_yet(tmp_path):
    async with connect(real_server(tmp_path).mcp, "auto") as client:
        made = await client.call_tool("generate_template", {"resource_uri": "template://agents/any/project"})

    assert "- python: 1 file\n" in made.structured_content["data"]["content"]


async def test_templates_are_resources_with_their_parameters_as_schema(tmp_path):
    async with connect(real_server(tmp_path).mcp, "auto") as client:
        forms = [each.uri_template for each in (await client.list_resource_templates()).resource_templates]
        first = await client.list_resources()
        second = await client.list_resources(cursor=first.next_cursor)
        body, schema = (await client.read_resource(MAKEFILE)).contents
        with pytest.raises(MCPError) as absent:
            await client.read_resource("template://makefile/rust/other")
        with pytest.raises(MCPError):
            await client.read_resource("template://../../etc/passwd")
        reference = types.ResourceTemplateReference(
            type="ref/resource", uri="template://{category}/{toolchain}/{variant}"
        )
        completed = await client.complete(reference, {"name": "toolchain", "value": "py"})

    listed = {each.uri: each for each in [*first.resources, *second.resources]}
    assert "template://{category}/{toolchain}/{variant}" in forms
    assert {each.uri for each in load_library(None).templates.values()} <= listed.keys()
    assert listed[MAKEFILE].mime_type == body.mime_type == "text/x-makefile"
    assert "{{project_name}}" in body.text
    assert json.loads(schema.text)["required"] == ["project_name"]
    assert (schema.uri, schema.mime_type) == (f"{MAKEFILE}#parameters", "application/schema+json")
    assert absent.value.error.code == types.INVALID_PARAMS
    assert completed.completion.values == ["python-uv"]


async def test_a_prompt_for_each_toolchain_begins_a_project_with_real_files(tmp_path):
    async with connect(real_server(tmp_path).mcp, "auto") as client:
        names = {each.name for each in (await client.list_prompts()).prompts}
        got = await client.get_prompt(
            "scaffold-python-uv-project", {"project_name": "till", "description": "Counts."}
        )
        with pytest.raises(MCPError) as unfit:
            await client.get_prompt("scaffold-rust-project", {"project_name": "../till"})

    begin, call = (message.content.text for message in got.messages)
    arguments = json.loads(call.splitlines()[0].removeprefix("scaffold_project "))
    assert {f"scaffold-{toolchain}-project" for toolchain in toolchains()} <= names
    assert "called till" in begin
    assert "`uv run pytest`" in begin
    assert arguments["write"]
    assert "till/src/till/cli.py" in call
    assert unfit.value.error.data["code"] == "PARAMETER_VALIDATION_FAILED"


def test_the_toolchains_of_the_prompts_are_those_of_the_templates(anyio_backend):
    assert {name: each["title"] for name, each in toolchains().items()} == scaffolding._TOOLCHAINS
