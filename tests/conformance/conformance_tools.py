"""The tools the official suite calls by name, answered with what it expects."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import anyio
import mcp_types as types
from mcp.shared.exceptions import MCPError

from drift.protocol.sources import Context, ToolResult

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="

Handler = Callable[[Context, types.CallToolRequestParams], Awaitable[ToolResult]]


@dataclass(frozen=True)
class FixtureTool:
    """A tool of the fixture and the function that answers it."""

    listed: types.Tool
    answer: Handler


TOOLS: dict[str, FixtureTool] = {}


def object_schema(**properties: str) -> dict[str, Any]:
    """An object whose members, all required, have these JSON types."""
    members = {name: {"type": kind} for name, kind in properties.items()}
    return {"type": "object", "properties": members, "required": list(properties)}


def offer(schema: Mapping[str, Any] | None = None) -> Callable[[Handler], Handler]:
    """Register a function as the tool of its name; its docstring is the description."""

    def register(answer: Handler) -> Handler:
        name = answer.__name__
        listed = types.Tool(
            name=name,
            description=answer.__doc__,
            input_schema=dict(schema or {"type": "object", "properties": {}}),
        )
        TOOLS[name] = FixtureTool(listed, answer)
        return answer

    return register


def text_of(value: str) -> types.TextContent:
    return types.TextContent(type="text", text=value)


def answer_text(value: str) -> types.CallToolResult:
    return types.CallToolResult(content=[text_of(value)])


def image() -> types.ImageContent:
    return types.ImageContent(type="image", data=PNG, mime_type="image/png")


def embedded(uri: str, mime_type: str, text: str) -> types.EmbeddedResource:
    content = types.TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    return types.EmbeddedResource(type="resource", resource=content)


@offer()
async def test_simple_text(context, params):
    """Answers with text."""
    return answer_text("This is a simple text response for testing.")


@offer()
async def test_image_content(context, params):
    """Answers with an image."""
    return types.CallToolResult(content=[image()])


@offer()
async def test_audio_content(context, params):
    """Answers with a sound."""
    return types.CallToolResult(content=[types.AudioContent(type="audio", data=WAV, mime_type="audio/wav")])


@offer()
async def test_embedded_resource(context, params):
    """Answers with a resource inside."""
    resource = embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    return types.CallToolResult(content=[resource])


@offer()
async def test_multiple_content_types(context, params):
    """Answers with text, an image and a resource."""
    resource = embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
    return types.CallToolResult(content=[text_of("Multiple content types test:"), image(), resource])


@offer()
async def test_tool_with_logging(context, params):
    """Sends log messages while it works."""
    for message in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await context.session.send_log_message("info", message, related_request_id=context.request_id)
        await anyio.sleep(0.05)
    return answer_text("Tool with logging executed successfully")


@offer()
async def test_logging_tool(context, params):
    """Sends one log message, to those who asked for it."""
    await context.session.send_log_message("info", "logged", related_request_id=context.request_id)
    return answer_text("logged")


@offer()
async def test_tool_with_progress(context, params):
    """Reports progress while it works."""
    for done in (0, 50, 100):
        await context.session.report_progress(done, 100, f"Completed step {done} of 100")
        await anyio.sleep(0.05)
    return answer_text("done")


@offer(object_schema(prompt="string"))
async def test_sampling(context, params):
    """Asks the client's model."""
    message = types.SamplingMessage(role="user", content=text_of(params.arguments["prompt"]))
    reply = await context.session.create_message(
        messages=[message], max_tokens=100, related_request_id=context.request_id
    )
    return answer_text(f"LLM response: {reply.content.text}")


async def elicit(context: Context, message: str, schema: dict[str, Any]) -> types.CallToolResult:
    reply = await context.session.elicit_form(message, schema, related_request_id=context.request_id)
    return answer_text(f"Elicitation completed: action={reply.action}, content={reply.content}")


@offer(object_schema(message="string"))
async def test_elicitation(context, params):
    """Asks the person."""
    return await elicit(
        context, params.arguments["message"], object_schema(username="string", email="string")
    )


@offer()
async def test_elicitation_sep1034_defaults(context, params):
    """Asks with a default for every kind of field."""
    fields = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await elicit(context, "Please review", {"type": "object", "properties": fields})


@offer()
async def test_elicitation_sep1330_enums(context, params):
    """Asks with every form of a choice."""
    options = ["option1", "option2", "option3"]
    titled = [{"const": f"value{number}", "title": f"Option {number}"} for number in (1, 2, 3)]
    fields = {
        "untitledSingle": {"type": "string", "enum": options},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": options, "enumNames": ["One", "Two", "Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await elicit(context, "Please choose", {"type": "object", "properties": fields})


@offer()
async def test_error_handling(context, params):
    """Fails, as a tool does."""
    return types.CallToolResult(
        content=[text_of("This tool intentionally returns an error for testing")], is_error=True
    )


@offer()
async def test_reconnection(context, params):
    """Closes its stream before it answers."""
    if context.close_sse_stream is not None:
        await context.close_sse_stream()
    await anyio.sleep(0.2)
    return answer_text("Reconnection test completed")


@offer()
async def test_missing_capability(context, params):
    """Needs a client that samples."""
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.sampling is None:
        needed = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "This tool needs sampling", needed)
    return answer_text("sampling is there")


@offer({"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}})
async def test_x_mcp_header(context, params):
    """Has an argument that is also a header."""
    return answer_text((params.arguments or {}).get("region", "<none>"))


@offer(
    {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    }
)
async def json_schema_2020_12_tool(context, params):
    """Has a schema with the whole vocabulary."""
    return answer_text("ok")
