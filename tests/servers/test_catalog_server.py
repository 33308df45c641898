"""drift-catalog as a client meets it: both forms of its calls, its errors, its resources and their news."""

import json
import os
import subprocess
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from drift.kernel.tokens import count_tokens
from drift.pipeline import Environment
from drift.project import ProjectRegistry
from drift.registry import Surface
from drift.servers.assembly import assemble
from drift.servers.catalog import CATALOG
from forked import start_drift
from store_places import catalog_db

PATIENCE_SECONDS = 300
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "tests", "version": "1"},
}
ENTRY = {"id": "use-uv", "body": "Install packages with uv.", "categories": ["build"]}


class Session:
    """A client of a server in a process of its own. `heard` are the notifications so far."""

    def __init__(self, process):
        self.process = process
        self.heard = []
        self._count = 0

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, **params):
        """The whole answer to a request, error or result."""
        self._count += 1
        self.send({"id": self._count, "method": method, "params": params})
        return self.hear(lambda message: message.get("id") == self._count and "method" not in message)

    def result(self, method, **params):
        answer = self.ask(method, **params)
        assert "result" in answer, answer
        return answer["result"]

    def call(self, tool, **arguments):
        return self.result("tools/call", name=tool, arguments=arguments)

    def hear(self, is_wanted):
        """The first message that is wanted; notifications on the way are kept."""
        while True:
            line = self.process.stdout.readline()
            assert line, "the server ended"
            message = json.loads(line)
            if "id" not in message:
                self.heard.append(message)
            if is_wanted(message):
                return message


@contextmanager
def serving(tmp_path, surface="entry", **environ):
    """A `drift mcp catalog` of its own process; ends when the block does."""
    root, home = tmp_path / "shop", tmp_path / "home"
    (root / ".git").mkdir(parents=True, exist_ok=True)
    surroundings = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "DRIFT_HOME": str(home / "drift"),
        **environ,
    }
    with start_drift(
        "mcp", "catalog", "--surface", surface,
        cwd=root, environ=surroundings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        try:
            session = Session(process)
            session.result("initialize", **HELLO)
            session.send({"method": "notifications/initialized"})
            yield session
        finally:
            process.stdin.close()
            process.wait(PATIENCE_SECONDS)


@pytest.fixture
def session(tmp_path):
    with serving(tmp_path, MCP_ENABLE_MUTATION="1") as session:
        yield session


def test_what_a_client_pays_at_start_is_at_most_500_tokens(session):
    listed = session.result("tools/list")

    assert len(listed["tools"]) == 3
    assert count_tokens(json.dumps(listed, separators=(",", ":"))) <= 500


def test_parameters_stand_beside_the_action_or_inside_params(session):
    session.call("instructions/dispatch", action="add", entry=ENTRY, lax=True)

    as_method = session.result("instructions/dispatch", action="get", id="use-uv")
    nested = session.result("instructions/dispatch", action="get", params={"id": "use-uv"})
    as_tool = session.call("instructions_dispatch", action="get", id="use-uv")

    assert as_method["item"]["body"] == nested["item"]["body"] == ENTRY["body"]
    assert as_tool["structuredContent"]["data"]["item"] == as_method["item"]
    assert as_method["hash"] == nested["hash"]


@pytest.mark.parametrize(
    ("method", "field"),
    [
        ("usage/hotset", "items"),
        ("metrics/snapshot", "methods"),
        ("feature/status", "features"),
        ("meta/tools", "mcp"),
        ("integrity/verify", "issueCount"),
        ("gates/evaluate", "results"),
        ("feedback/stats", "stats"),
        ("feedback/health", "storageInfo"),
    ],
)
def test_the_other_tools_are_methods_too(session, method, field):
    assert field in session.result(method)


@pytest.mark.parametrize(
    ("params", "number", "code"),
    [
        ({"action": "nonsense"}, -32601, "TOOL_NOT_FOUND"),
        ({"action": "get", "id": "../x"}, -32602, -32002),
        ({"action": "get"}, -32602, -32002),
        ({}, -32602, -32002),
        ({"action": "list", "limit": "many"}, -32602, -32002),
        ({"action": "add", "entry": {"id": "x", "body": "y" * 200_000}, "lax": True}, None, -32001),
        ({"action": "add", "entry": {"id": "x"}}, -32602, -32002),
    ],
)
def test_errors_of_a_method_carry_the_catalogs_numbers(session, params, number, code):
    error = session.ask("instructions/dispatch", **params)["error"]

    assert error["data"]["code"] == code
    assert number in (None, error["code"])
    assert error["data"]["suggestion"]
    assert error["data"].get("action") == params.get("action")


@pytest.mark.parametrize(
    ("method", "params", "fault"),
    [
        ("instructions/dispatch", {"action": "get"}, ("", "required", {"missingProperty": "id"})),
        ("instructions/dispatch", {}, ("", "required", {"missingProperty": "action"})),
        ("instructions/dispatch", {"action": "list", "limit": "many"}, ("/limit", "type", {"type": "integer"})),
        ("instructions/dispatch", {"action": "list", "lost": 1}, ("", "additionalProperties", {"additionalProperty": "lost"})),
        ("usage/hotset", {"limit": 0}, ("/limit", "minimum", {"comparison": ">=", "limit": 1})),
        ("feedback/submit", {"type": "praise"}, ("/type", "enum", None)),
        ("prompt/review", {"prompt": 7}, ("/prompt", "type", {"type": "string"})),
    ],
)  # fmt: skip
def test_wrong_forms_are_listed_as_ajv_does_with_their_part_of_the_schema(session, method, params, fault):
    error = session.ask(method, **params)["error"]

    place, keyword, facts = fault
    found = next(each for each in error["data"]["errors"] if each["keyword"] == keyword)
    assert error["code"] == -32602
    assert error["data"]["method"] == method
    assert set(found) == {"instancePath", "keyword", "message", "schemaPath", "params"}
    assert found["instancePath"] == place
    assert facts in (None, found["params"])
    assert {"type", "required", "properties"} <= set(error["data"]["schema"])


def _make_unlistable(root):
    (root / ".drift").mkdir()
    (root / ".drift/instructions").write_text("no folder")


def _make_unusable(root):
    store = catalog_db(root, {"DRIFT_HOME": str(root.parent / "home/drift")})
    store.parent.mkdir(parents=True)
    store.write_bytes(b"no database at all, " * 500)


@pytest.mark.parametrize(
    ("spoil", "code", "name"),
    [(_make_unlistable, -32004, "STORE_UNAVAILABLE"), (_make_unusable, -32003, "STORE_UNAVAILABLE")],
)
def test_faults_of_the_place_have_their_numbers_in_both_forms(tmp_path, spoil, code, name):
    (tmp_path / "shop").mkdir()
    spoil(tmp_path / "shop")
    with serving(tmp_path, MCP_ENABLE_MUTATION="1") as session:
        error = session.ask("instructions/dispatch", action="add", entry=ENTRY, lax=True)["error"]
        refused = session.call("instructions_dispatch", action="add", params={"entry": ENTRY, "lax": True})

    assert error["data"]["code"] == code
    assert error["data"]["name"] == refused["structuredContent"]["code"] == name
    assert refused["isError"]


def test_a_refused_entry_names_its_errors_and_what_to_report(session):
    data = session.ask("instructions/dispatch", action="add", entry={"id": "x", "priority": 0})["error"][
        "data"
    ]

    assert data["created"] is False
    assert data["errors"]
    assert data["errors"] == data["validation"]
    assert {"instancePath": "/priority", "keyword": "minimum"}.items() <= data["errors"][-1].items()
    assert data["schema"]["properties"]["priority"]["minimum"] == 1
    assert data["reproEntry"] == {"id": "x"}
    assert data["feedbackHint"]


def test_a_server_only_reads_by_default_in_both_forms(tmp_path):
    with serving(tmp_path) as session:
        error = session.ask("instructions/dispatch", action="add", entry=ENTRY, lax=True)["error"]
        refused = session.call("instructions_dispatch", action="add", params={"entry": ENTRY, "lax": True})
        enabled = session.result("instructions/dispatch", action="capabilities")["mutationEnabled"]

    assert error["data"]["code"] == -32000
    assert refused["isError"]
    assert refused["structuredContent"]["code"] == "FORBIDDEN"
    assert enabled is False
    assert not (tmp_path / "shop/.drift/instructions").exists()


def test_instructions_are_resources_with_completion(session):
    session.call("instructions_dispatch", action="add", params={"entry": ENTRY, "lax": True})

    read = session.result("resources/read", uri="instructions://use-uv")
    listing = session.result("resources/read", uri="drift://instructions")
    completed = session.result(
        "completion/complete",
        ref={"type": "ref/resource", "uri": "instructions://{id}"},
        argument={"name": "id", "value": "us"},
    )

    assert json.loads(read["contents"][0]["text"])["body"] == ENTRY["body"]
    assert json.loads(listing["contents"][0]["text"])["data"]["count"] == 1
    assert completed["completion"]["values"] == ["use-uv"]


@pytest.mark.parametrize(
    "uri", ["instructions://nope", "instructions://..%2Fx", "instructions://", "instructions://a/b"]
)
def test_an_address_of_no_instruction_is_not_found(session, uri):
    assert "error" in session.ask("resources/read", uri=uri)


def test_those_who_watch_an_instruction_hear_of_its_changes_and_of_no_other(session):
    session.call("instructions_dispatch", action="add", params={"entry": ENTRY, "lax": True})
    session.result("resources/subscribe", uri="instructions://use-uv")
    session.heard.clear()

    session.call(
        "instructions_dispatch", action="add", params={"entry": {**ENTRY, "id": "other"}, "lax": True}
    )
    session.call(
        "instructions_dispatch", action="governanceUpdate", params={"id": "use-uv", "patch": {"owner": "a"}}
    )
    told = next((each for each in session.heard if each["method"] == "notifications/resources/updated"), None)
    told = told or session.hear(lambda message: message.get("method") == "notifications/resources/updated")

    assert told["params"]["uri"] == "instructions://use-uv"
    updates = [each for each in session.heard if each["method"] == "notifications/resources/updated"]
    assert {each["params"]["uri"] for each in updates} == {"instructions://use-uv"}


def write_by_hand(tmp_path, instruction_id, body):
    folder = tmp_path / "shop/.drift/instructions"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{instruction_id}.json").write_text(json.dumps({"id": instruction_id, "body": body}))


def hears_of(session, method, uri=None):
    """Wait for a notification, which may have been heard already."""

    def is_wanted(message):
        return message.get("method") == method and message.get("params", {}).get("uri") == uri

    return next(filter(is_wanted, session.heard), None) or session.hear(is_wanted)


def test_those_who_watch_hear_of_files_edited_by_hand_without_a_call(tmp_path, session):
    write_by_hand(tmp_path, "use-uv", "Install packages with uv.")
    session.result("resources/subscribe", uri="instructions://use-uv")
    session.result("resources/subscribe", uri="drift://instructions")

    write_by_hand(tmp_path, "use-uv", "Install packages with pip.")
    hears_of(session, "notifications/resources/updated", "instructions://use-uv")
    hears_of(session, "notifications/resources/updated", "drift://instructions")
    assert not [each for each in session.heard if each["method"].endswith("list_changed")]

    write_by_hand(tmp_path, "other", "Another.")
    hears_of(session, "notifications/resources/list_changed")
    (tmp_path / "shop/.drift/instructions/use-uv.json").write_text("{")
    session.heard.clear()
    hears_of(session, "notifications/resources/updated", "instructions://use-uv")


def test_counts_of_use_are_on_disk_when_the_server_has_ended(tmp_path):
    with serving(tmp_path, MCP_ENABLE_MUTATION="1") as session:
        session.call("instructions_dispatch", action="add", params={"entry": ENTRY, "lax": True})
        for _ in range(5):
            session.result("usage/track", id="use-uv")

    with serving(tmp_path) as session:
        assert session.result("usage/hotset")["items"][0]["usageCount"] == 5


@pytest.mark.parametrize(
    ("arguments", "scopes"),
    [
        ({"action": "list"}, {"drift:read"}),
        ({"action": "add", "entry": {}}, {"drift:read", "drift:write"}),
        ({"action": "governanceUpdate", "params": {"id": "x"}}, {"drift:read", "drift:write"}),
        ({"action": "nonsense"}, {"drift:read"}),
        ({"action": 7, "params": []}, {"drift:read"}),
    ],
)
def test_the_rights_a_call_needs_are_those_of_its_action(tmp_path, arguments, scopes):
    (tmp_path / "shop").mkdir()
    registry = ProjectRegistry(tmp_path / "projects.json", lambda: datetime.now(UTC))
    tools = assemble(CATALOG, Surface("entry"), at=Environment(tmp_path / "shop", registry, {})).tools

    assert tools.required_scopes("instructions/dispatch", arguments) == scopes
    assert tools.required_scopes("feedback_dispatch", {"action": "update"}) == {"drift:read", "drift:admin"}
