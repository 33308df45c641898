"""The MCP Inspector's command line, a client not of our making, against drift-analysis."""

import json
import subprocess
import sys

import pytest
from suites import INSPECTOR, NODE

pytestmark = [pytest.mark.node, pytest.mark.slow]

TRANSPORTS = ("stdio", "http")
ERAS = ("legacy", "modern")


@pytest.fixture
def inspect(request, project, environ):
    """Run one method and return its result; nothing else may be on the Inspector's stdout."""

    def run(transport, method, *options, era="legacy"):
        if transport == "http":
            target = [f"{request.getfixturevalue('real_url')}/analysis", "--transport", "http"]
        else:
            target = [sys.executable, "-m", "drift", "mcp", "analysis", str(project)]
        command = [str(NODE), str(INSPECTOR), "--cli", *target, "--method", method, *options]
        command += ["--protocol-era", era, "--format", "json", "--quiet"]
        # It writes to ~/.mcp-inspector, so its home is the test's own.
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=environ, timeout=300)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["result"]

    request.getfixturevalue("_node")
    return run


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_inspector_lists_the_tools_and_finds_no_fault_in_their_schemas(inspect, transport, era):
    result = inspect(transport, "tools/list", "--strict", era=era)

    assert {"drift_discover", "drift_tool"} <= {tool["name"] for tool in result["tools"]}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_inspector_calls_a_tool_through_drift_tool(inspect, transport, era, project):
    called = json.dumps({"name": "drift_status"})

    result = inspect(
        transport, "tools/call", "--tool-name", "drift_tool", "--tool-args-json", called, era=era
    )

    assert not result.get("isError")
    assert result["structuredContent"]["data"]["project"]["name"] == project.name
    assert result["content"][0]["text"].startswith(project.name)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_inspector_calls_drift_discover(inspect, transport):
    result = inspect(transport, "tools/call", "--tool-name", "drift_discover", "--tool-arg", "section=tools")

    names = {row["call"].partition("(")[0] for row in result["structuredContent"]["data"]["tools"]}
    assert "drift_status" in names


def test_the_inspector_reads_a_resource_and_a_prompt(inspect, project):
    resource = inspect("http", "resources/read", "--uri", "drift://status")
    prompt = inspect("http", "prompts/get", "--prompt-name", "onboarding")

    assert json.loads(resource["contents"][0]["text"])["data"]["project"]["name"] == project.name
    assert project.name in json.dumps(prompt["messages"])
