"""The fixture must not hand the official suite a pass it has not earned."""

import anyio
import pytest
from fixture import create_fixture
from mcp import Client
from mcp.shared.exceptions import MCPError


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_tool_that_is_not_there_is_a_protocol_error_and_not_a_result(mode):
    # tools-call-simple-text and tools-call-error take an "unknown tool" result for a pass.
    async def call() -> None:
        async with Client(create_fixture(), mode=mode) as client:
            with pytest.raises(MCPError, match="no tool named"):
                await client.call_tool("test_simple_txt", {})

    anyio.run(call)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_tools_behind_those_scenarios_answer_for_themselves(mode):
    async def call():
        async with Client(create_fixture(), mode=mode) as client:
            return await client.call_tool("test_simple_text", {}), await client.call_tool(
                "test_error_handling", {}
            )

    text, error = anyio.run(call)

    assert (text.is_error or False, text.content[0].text) == (
        False,
        "This is a simple text response for testing.",
    )
    assert error.is_error
    assert "intentionally" in error.content[0].text
