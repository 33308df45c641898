"""The servers as a person starts them."""

import json
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest

from drift.cli.exits import Exit
from drift.cli.serving import choose_surface, serving_environ
from drift.kernel.errors import DriftError
from drift.project import load_config, open_project

pytestmark = pytest.mark.slow
HANDSHAKE = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
)
LIST = {"id": 2, "method": "tools/list"}


def talk(place, *words, messages=(*HANDSHAKE, LIST), environ=()):
    lines = b"".join(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n" for message in messages)
    result = place.spawn(*words, stdin=lines, environ=environ)
    return result, {message.get("id"): message for message in map(json.loads, result.out.splitlines())}


@pytest.mark.parametrize(
    ("server", "tool"),
    [("analysis", "drift_tool"), ("memory", "drift_memory_manage"), ("catalog", "instructions_dispatch")],
)
def test_each_server_speaks_protocol_and_nothing_else_on_standard_output(place, server, tool):
    result, answers = talk(place, "mcp", server, str(place.project), environ={"DRIFT_LOG": "debug"})

    assert result.code == Exit.OK
    assert answers[1]["result"]["serverInfo"]["name"] == f"drift-{server}"
    assert tool in {each["name"] for each in answers[2]["result"]["tools"]}


def test_the_surface_is_chosen_by_option(place):
    _result, answers = talk(place, "mcp", "analysis", "--surface", "full", "--no-rate-limit")

    assert "drift_status" in {each["name"] for each in answers[2]["result"]["tools"]}


def test_the_log_goes_to_the_file_that_is_named(place):
    file = place.home / "drift.log"

    talk(place, "mcp", "--log-level", "pipeline=debug,info", environ={"DRIFT_LOG_FILE": str(file)})

    assert file.is_file()


def test_the_second_command_is_the_analysis_server_of_this_directory(place):
    lines = b"".join(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n" for message in HANDSHAKE)
    program = "import sys; from drift.cli import main_mcp; sys.exit(main_mcp())"

    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        input=lines,
        cwd=place.project,
        env=place.environ,
        capture_output=True,
        check=True,
    )

    assert json.loads(done.stdout.splitlines()[0])["result"]["serverInfo"]["name"] == "drift-analysis"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["mcp", "analysis", "missing"], Exit.FAILED),
        (["mcp", "nonsense"], Exit.USAGE),
        (["mcp", "--json"], Exit.USAGE),
        (["mcp", "--surface", "nonsense"], Exit.FAILED),
        (["mcp", "--intent", "nonsense"], Exit.USAGE),
        (["mcp", "--log-level", "nonsense"], Exit.ENVIRONMENT),
    ],
)
def test_a_server_that_cannot_start_says_so_on_standard_error_alone(place, words, code):
    result = place.run(*words)

    assert result.code == code
    assert result.out == ""
    assert result.err.startswith("error: ")


def test_options_stand_over_the_environment_as_that_stands_over_the_file(place):
    environ = serving_environ({"DRIFT_MCP_INTENT": "refactor"}, intent="fix_bug", has_rate_limit=False)

    mcp = load_config(place.project, environ).mcp

    assert mcp.intent == "fix_bug"
    limits = (
        mcp.analysis_rate_limit,
        mcp.memory_rate_limit,
        mcp.catalog_rate_limit,
        mcp.expensive_rate_limit,
    )
    assert limits == (0, 0, 0, 0)


def test_without_an_option_the_projects_own_surface_counts(place):
    (place.project / "drift.toml").write_text('[mcp]\nsurface = "full"\n')
    project = open_project(place.project, place.environ)

    assert str(choose_surface(None, project)) == "full"
    assert str(choose_surface("pack:security", project)) == "pack:security"
    with pytest.raises(DriftError):
        choose_surface("", project)


@contextmanager
def serving(place, *words):
    command = [sys.executable, "-P", "-m", "drift", "serve", "--port", "0", *words]
    with subprocess.Popen(
        command, cwd=place.project, env=place.environ, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            url = next(
                match[1] for line in process.stderr if (match := re.search(r"(http://\S+)/metrics", line))
            )
            yield process, url
        finally:
            process.kill()


def get(url, **headers):
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request, timeout=300) as answer:
        return answer.read().decode()


def test_the_house_answers_over_http_until_it_is_interrupted(place):
    with serving(place) as (process, url):
        health = json.loads(get(f"{url}/health"))
        metrics = get(f"{url}/metrics")
        process.send_signal(signal.SIGINT)
        code = process.wait(300)

    assert health["status"] == "ok"
    assert health["project"] == "shop"
    assert health["servers"] == ["/analysis", "/memory", "/catalog"]
    assert "# TYPE drift_calls_total counter" in metrics
    assert code == Exit.OK


def post(url, message, session=""):
    """The answer to a message and the session it belongs to."""
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    if session:
        headers |= {"Mcp-Session-Id": session, "Mcp-Protocol-Version": "2025-06-18"}
    sent = json.dumps({"jsonrpc": "2.0", **message}).encode()
    with urllib.request.urlopen(urllib.request.Request(url, sent, headers), timeout=300) as answer:
        return answer.read().decode(), answer.headers.get("Mcp-Session-Id")


def test_what_is_true_of_the_person_is_never_served_over_http(place):
    (place.project / "drift.toml").write_text("[cortex]\nuser_store = true\n")
    place.environ["DRIFT_CORTEX_USER_STORE"] = "true"
    place.run("memory", "save", "--user", "I like quetzals in every picture")
    place.run("memory", "save", "The pictures of this shop show quetzals")
    assert "every picture" in place.run("memory", "search", "quetzals").out

    with serving(place) as (_process, url):

        def call(name, **arguments):
            params = {"name": "drift_memory_manage", "arguments": {"name": name, "args": arguments}}
            message = {"id": 2, "method": "tools/call", "params": params}
            return post(f"{url}/memory", message, session)[0]

        _answer, session = post(f"{url}/memory", HANDSHAKE[0])
        post(f"{url}/memory", HANDSHAKE[1], session)
        found = call("recall", query="quetzals")
        refused = call("recall", query="quetzals", project=str(place.home / ".drift" / "user"))
        named = call("drift_memory_export", scope="user")

    assert "The pictures of this shop" in found
    for answer in (found, refused, named):
        assert "every picture" not in answer
    assert "CORTEX_UNAVAILABLE" in named


def test_callers_must_show_a_token_where_tokens_are_asked_for(place):
    tokens = place.home / "tokens.json"
    digest = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"  # of "secret"
    tokens.write_text(json.dumps([{"sha256": digest, "subject": "me", "scopes": ["drift:admin"]}]))
    tokens.chmod(0o600)

    with serving(place, "--tokens", str(tokens)) as (_process, url):
        with pytest.raises(urllib.error.HTTPError) as refusal:
            get(f"{url}/metrics")
        refusal.value.close()
        metrics = get(f"{url}/metrics", Authorization="Bearer secret")

    assert refusal.value.code == 401
    assert "drift_calls_total" in metrics


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--host", "0.0.0.0"], "open to the network"),
        (["--tokens", "missing.json"], "cannot be read"),
        (["--port", "70000"], "cannot listen"),
        (["--cors", "not an origin"], "is no origin"),
        (["missing"], "PROJECT_NOT_FOUND"),
    ],
)
def test_what_would_be_unsafe_or_impossible_is_refused(place, words, message):
    result = place.run("serve", *words)

    assert result.code in (Exit.FAILED, Exit.ENVIRONMENT)
    assert message in result.err


def test_a_setting_that_is_wrong_is_the_answer_to_a_client_s_first_request(place):
    request = '{"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": {}}\n'

    result = place.run("mcp", "analysis", stdin=request.encode(), environ={"DRIFT_MCP_RATE_LIMIT": "many"})

    answer = json.loads(result.out)
    assert (answer["id"], answer["error"]["code"]) == (7, -32603)
    assert "DRIFT_MCP_RATE_LIMIT" in answer["error"]["message"]
    assert "DRIFT_MCP_RATE_LIMIT" in result.err
    assert result.code == Exit.ENVIRONMENT


@pytest.mark.parametrize("stdin", ["", "nonsense\n", "[" * 100_000, '{"method": "x"}\n', '{"id": true}\n'])
def test_what_is_no_request_gets_no_answer_when_a_setting_is_wrong(place, stdin):
    result = place.run("mcp", "analysis", stdin=stdin.encode(), environ={"DRIFT_MCP_RATE_LIMIT": "many"})

    assert result.out == ""
    assert "DRIFT_MCP_RATE_LIMIT" in result.err


@pytest.mark.parametrize(
    ("work", "patience", "said"), [("threading.Event().wait", 0.01, ""), ("str", 300, "ended by itself\n")]
)
def test_a_tool_that_does_not_end_does_not_keep_a_server_alive(work, patience, said):
    code = f"""
import threading
from concurrent.futures import ThreadPoolExecutor
from drift.cli.serving import leave_tools_behind
threads = ThreadPoolExecutor(1, thread_name_prefix="drift-long-tool")
threads.submit({work})
threads.shutdown(wait=False)
leave_tools_behind({patience})
print("ended by itself")
"""

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False
    )

    assert (done.returncode, done.stdout) == (0, said), done.stderr
