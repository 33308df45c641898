import asyncio
import json

import pytest
from http_fixture_server import Service, call, running

from drift.protocol.http.batch import answer_batch
from drift.protocol.http.settings import HttpSettings
from drift.protocol.limits import RESPONSE_TOO_LARGE, WireLimits

OLD = "2025-03-26"
NOTE = {"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}
LIMITS = WireLimits(max_response_bytes=50_000)


@pytest.fixture(scope="module", params=[True, False], ids=["json", "stream"])
def service(request):
    with running(HttpSettings(port=0, limits=LIMITS, json_response=request.param)) as started:
        yield started


@pytest.fixture(scope="module")
def session(service):
    return service.initialize(OLD)


def ping(request_id):
    return {"jsonrpc": "2.0", "id": request_id, "method": "ping"}


def test_every_request_of_a_batch_is_answered_in_order(service: Service, session):
    reply = service.post(
        [call("slow", {"seconds": 0.1}, "a"), NOTE, call("echo", {"n": 1}, 2), ping(3)], **session
    )

    assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
    assert [answer["id"] for answer in reply.json] == ["a", 2, 3]
    assert reply.headers["mcp-session-id"] == session["mcp_session_id"]


def test_a_client_may_name_the_version_of_its_batches(service: Service, session):
    assert service.post([ping(1)], mcp_protocol_version=OLD, **session).status == 200


def test_a_batch_of_notifications_is_accepted_without_a_body(service: Service, session):
    reply = service.post([NOTE, NOTE], **session)

    assert (reply.status, reply.body) == (202, b"")


def test_a_wrong_message_is_answered_in_its_place(service: Service, session):
    reply = service.post(
        [1, ping(1), {"jsonrpc": "2.0", "id": "x", "method": "ping", "params": []}], **session
    )

    assert [(answer["id"], "error" in answer) for answer in reply.json] == [
        (None, True),
        (1, False),
        ("x", True),
    ]
    assert reply.json[0]["error"]["code"] == reply.json[2]["error"]["code"] == -32600


def test_an_unknown_method_does_not_spoil_its_batch(service: Service, session):
    reply = service.post([{**ping(1), "method": "no/such"}, ping(2)], **session)

    assert [answer.get("error", {}).get("code") for answer in reply.json] == [-32601, None]


@pytest.mark.parametrize(
    "batch",
    [
        [],
        [ping(number) for number in range(129)],
        [ping(1), {**ping(2), "method": "initialize"}],
        [ping(1), ping(1)],
        [ping(1), ping("1")],
    ],
    ids=["empty", "too long", "initialize", "same id", "same id as text"],
)
def test_an_improper_batch_is_refused_as_a_whole(service: Service, session, batch):
    reply = service.post(batch, **session)

    assert (reply.status, reply.json["error"]["code"], reply.json["id"]) == (400, -32600, None)


def test_the_longest_batch_is_served(service: Service, session):
    reply = service.post([ping(number) for number in range(128)], **session)

    assert [answer["id"] for answer in reply.json] == list(range(128))


@pytest.mark.parametrize("version", ["2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"])
def test_other_revisions_have_no_batches(service: Service, version):
    headers = {"mcp_protocol_version": version} if version == "2026-07-28" else service.initialize(version)

    reply = service.post([ping(1)], **headers)

    assert (reply.status, reply.json["error"]["code"]) == (400, -32600)
    assert OLD in reply.json["error"]["message"]


def test_without_a_version_header_a_later_session_has_no_batches(service: Service):
    headers = service.initialize("2025-11-25")
    del headers["mcp_protocol_version"]

    assert service.post([ping(1)], **headers).status == 400


def test_a_batch_needs_a_session(service: Service):
    reply = service.post([ping(1)], mcp_protocol_version=OLD)

    assert (reply.status, reply.json["error"]["code"]) == (400, -32600)


def test_a_batch_for_an_unknown_session_is_not_found(service: Service):
    reply = service.post([ping(1), ping(2)], mcp_protocol_version=OLD, mcp_session_id="none")

    assert reply.status == 404
    assert reply.json["error"]["message"] == "Session not found"


def test_answers_that_together_are_too_long_are_errors_with_their_ids(service: Service, session):
    half = LIMITS.max_response_bytes // 2

    reply = service.post([call("big", {"bytes": half}, number) for number in range(4)], **session)

    codes = [answer.get("error", {}).get("code") for answer in reply.json]
    assert sorted(codes, key=str) == [RESPONSE_TOO_LARGE] * 3 + [None]
    assert len(reply.body) <= LIMITS.max_response_bytes + 1000
    assert [answer["id"] for answer in reply.json] == [0, 1, 2, 3]


def test_a_call_that_asks_the_client_from_a_batch_is_declined_and_does_not_hang():
    with running(HttpSettings(port=0)) as service:
        reply = service.post([call("ask"), ping(2)], **service.initialize(OLD))

    assert "declined" in json.dumps(reply.json[0])


def test_a_reply_of_the_client_may_be_part_of_a_batch(service: Service, session):
    reply = service.post([{"jsonrpc": "2.0", "id": 99, "result": {}}, ping(1)], **session)

    assert [answer["id"] for answer in reply.json] == [1]


def test_a_client_that_leaves_ends_what_its_batch_waits_for():
    async def wait_for_client(_scope, receive, _send):
        while (await receive())["type"] != "http.disconnect":
            pass

    async def leave():
        return {"type": "http.disconnect"}

    reply = asyncio.run(answer_batch(wait_for_client, {}, leave, messages=[ping(1), NOTE], max_bytes=1000))

    assert [answer["error"]["code"] for answer in json.loads(reply.body)] == [-32603]
