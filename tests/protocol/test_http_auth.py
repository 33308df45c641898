import asyncio
import hashlib
import logging
from dataclasses import replace

import pytest
from http_fixture_server import Service, call, create_mount, running
from mcp.server.auth.provider import AccessToken

from drift.protocol.http.auth import TokenGate, metadata_path, metadata_url, needed_scopes
from drift.protocol.http.settings import HttpSettings
from drift.protocol.http.tokens import StaticTokens, TokenEntry

RIGHTS = {
    "reader": ["drift:read"],
    "writer": ["drift:read", "drift:write"],
    "admin": ["drift:admin"],
    "nobody": [],
}
READER = {"authorization": "Bearer reader"}
WRITER = {"authorization": "Bearer writer"}


def entry(subject, **details):
    digest = hashlib.sha256(subject.encode()).digest()
    access = AccessToken(
        token=digest.hex(),
        client_id=subject,
        subject=subject,
        scopes=RIGHTS.get(subject, ["drift:read"]),
        **details,
    )
    return TokenEntry(digest, access)


VERIFIER = StaticTokens([*map(entry, RIGHTS), entry("foreign", resource="https://other.example/analysis")])


@pytest.fixture(scope="module")
def service():
    settings = HttpSettings(
        port=0, cors_origins=("https://app.example",), issuer_url="https://issuer.example"
    )
    with running(settings, verifier=VERIFIER) as started:
        yield started


def challenge(reply):
    return reply.headers["www-authenticate"]


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "PUT"])
@pytest.mark.parametrize(
    ("sent", "error"),
    [
        ({}, ""),
        ({"authorization": "Bearer wrong"}, 'error="invalid_token", '),
        ({"authorization": "Basic reader"}, ""),
        ({"authorization": "Bearer "}, 'error="invalid_token", '),
    ],
)
def test_no_method_passes_without_a_valid_token(service: Service, method, sent, error):
    reply = service.request(method, "/analysis", headers=sent, body=b"{}")

    assert reply.status == 401
    assert challenge(reply) == (
        f'Bearer {error}scope="drift:read", resource_metadata='
        f'"http://127.0.0.1:{service.port}/.well-known/oauth-protected-resource/analysis"'
    )


def test_a_token_for_another_server_is_not_taken(service: Service):
    assert service.modern("tools/list", authorization="Bearer foreign").status == 401


def test_a_token_without_the_basic_scope_is_forbidden_everything(service: Service):
    reply = service.modern("tools/list", authorization="Bearer nobody")

    assert reply.status == 403
    assert 'error="insufficient_scope", scope="drift:read"' in challenge(reply)


def test_a_reader_may_read_and_is_known_to_the_tool(service: Service):
    modern = service.modern("tools/call", {"name": "whoami", "arguments": {}}, **READER)
    legacy = service.post(call("whoami"), **service.initialize(**READER))

    for reply in (modern, legacy):
        assert reply.message["result"]["content"][0]["text"] == "reader"


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "write", "arguments": {}}),
        ("tools/call", {"name": "relay", "arguments": {"tool": "write"}}),
        ("notes/write", {"word": "x"}),
    ],
)
def test_what_writes_needs_the_scope_to_write_however_it_is_reached(service: Service, method, params):
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    session = service.initialize(**READER)

    for refused in (service.modern(method, params, **READER), service.post(message, **session)):
        assert refused.status == 403
        assert 'scope="drift:read drift:write"' in challenge(refused)
        assert "resource_metadata=" in challenge(refused)
    assert service.modern(method, params, **WRITER).status == 200


def test_the_last_of_repeated_names_is_judged_as_it_is_served(service: Service):
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{},"name":"write"}}'

    assert service.post(body, **service.initialize(**READER)).status == 403


def test_one_forbidden_call_refuses_the_whole_batch(service: Service):
    session = service.initialize("2025-03-26", **READER)

    refused = service.post([call("echo"), call("write", request_id=2)], **session)
    served = service.post([call("echo"), call("whoami", request_id=2)], **session)

    assert refused.status == 403
    assert 'scope="drift:read drift:write"' in challenge(refused)
    assert len(served.json) == 2


def test_a_session_belongs_to_whom_opened_it(service: Service):
    session = service.initialize(**READER)

    assert service.post(call("echo"), **(session | WRITER)).status == 404
    assert service.post(call("echo"), **session).status == 200


@pytest.mark.parametrize("path", ["/analysis", "/memory/mcp"])
def test_the_resource_metadata_stands_at_the_root_and_needs_no_token(service: Service, path):
    reply = service.request("GET", f"/.well-known/oauth-protected-resource{path}")

    assert reply.status == 200
    assert reply.json["resource"] == f"http://127.0.0.1:{service.port}{path}"
    assert reply.json["authorization_servers"] == ["https://issuer.example"]
    assert reply.json["scopes_supported"] == [
        "drift:admin",
        "drift:memory",
        "drift:read",
        "drift:security",
        "drift:write",
    ]


def test_metrics_need_an_administrator(service: Service):
    assert service.request("GET", "/metrics").status == 401
    refused = service.request("GET", "/metrics", headers=READER)
    assert (refused.status, 'scope="drift:admin"' in challenge(refused)) == (403, True)
    assert service.request("GET", "/metrics", headers={"authorization": "Bearer admin"}).status == 200


def test_health_is_open_and_tells_nothing_about_projects(service: Service):
    reply = service.request("GET", "/health")

    assert reply.status == 200
    assert set(reply.json) == {"status", "version", "servers"}


def test_a_browser_may_read_the_challenge(service: Service):
    reply = service.request("GET", "/analysis", headers={"Origin": "https://app.example"})

    assert reply.status == 401
    assert "WWW-Authenticate" in reply.headers["access-control-expose-headers"]


def test_a_token_that_has_ended_is_unknown():
    with running(HttpSettings(port=0), verifier=StaticTokens([entry("late", expires_at=1)])) as service:
        assert service.modern("tools/list", authorization="Bearer late").status == 401


def test_two_authorization_headers_count_as_none(service: Service):
    with service.connection() as connection:
        connection.putrequest("POST", "/analysis")
        for _ in range(2):
            connection.putheader("Authorization", "Bearer reader")
        connection.putheader("Content-Length", "0")
        connection.endheaders()

        assert connection.getresponse().status == 401


@pytest.mark.parametrize("params", [None, {}, {"name": 5}, {"name": "write", "arguments": "x"}, [], "x"])
def test_malformed_calls_need_at_least_the_basic_scope(params):
    mount = create_mount("/analysis")

    needed = needed_scopes(mount, {"method": "tools/call", "params": params})

    assert needed >= mount.base_scopes


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("resources/read", {"uri": "x://secret"}),
        ("resources/subscribe", {"uri": "x://secret"}),
        ("subscriptions/listen", {"notifications": {"resourceSubscriptions": ["x://open", "x://secret"]}}),
        ("subscriptions/listen", {"notifications": {"resource_subscriptions": ["x://secret"]}}),
    ],
)
def test_a_resource_may_need_more_than_its_server(method, params):
    secret = {"x://secret": frozenset({"drift:security"})}
    mount = replace(create_mount("/analysis"), resource_scopes=lambda uri: secret.get(uri, frozenset()))

    assert needed_scopes(mount, {"method": method, "params": params}) == {"drift:read", "drift:security"}
    assert needed_scopes(mount, {"method": method, "params": {"uri": 5, "notifications": 5}}) == {
        "drift:read"
    }


def test_one_caller_cannot_have_all_places_of_running_requests():
    with running(HttpSettings(port=0, max_requests_per_caller=1), verifier=VERIFIER) as service:
        headers = {**service.initialize(**READER), "accept": "text/event-stream"}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with service.connection() as stream:
            stream.request("GET", "/analysis", headers=named)
            assert stream.getresponse().status == 200  # and goes on

            refused = service.modern("tools/list", **READER)
            other = service.modern("tools/list", **WRITER)

    assert (refused.status, refused.headers["retry-after"]) == (429, "1")
    assert other.status == 200


def test_mounted_under_a_path_the_metadata_is_found_where_the_challenge_says():
    settings = HttpSettings(
        port=0, resource_url="https://x.example/drift/", issuer_url="https://login.example"
    )
    with running(settings, verifier=VERIFIER) as service:
        told = challenge(service.modern("tools/list")).partition('resource_metadata="https://x.example')[2][
            :-1
        ]
        metadata = service.request("GET", told)

    assert told == "/.well-known/oauth-protected-resource/drift/analysis"
    assert metadata.json["resource"] == "https://x.example/drift/analysis"
    assert metadata.json["authorization_servers"] == ["https://login.example"]


def test_behind_a_proxy_with_a_path_the_metadata_goes_between_host_and_path():
    settings = HttpSettings(resource_url="https://drift.example/tools/")
    scope = {"headers": [], "scheme": "http"}

    assert metadata_path(settings, "/analysis") == "/.well-known/oauth-protected-resource/tools/analysis"
    assert metadata_url(scope, settings, "/analysis") == (
        "https://drift.example/.well-known/oauth-protected-resource/tools/analysis"
    )


def test_every_refusal_is_audited_without_what_was_said(service: Service, caplog):
    with caplog.at_level(logging.INFO, "drift.audit"):
        service.modern("tools/call", {"name": "write", "arguments": {"secret": "hunter2"}}, **READER)
        service.modern("tools/list", authorization="Bearer stranger")

    assert [each.getMessage() for each in caplog.records if each.name == "drift.audit"] == [
        "caller=reader path=/analysis needs=drift:read drift:write result=FORBIDDEN",
        "caller=- path=/analysis why=unknown result=UNAUTHORIZED",
    ]


class Forgetful:
    """A verifier that leaves the expiry to others, as the SDK's interface allows."""

    async def verify_token(self, token: str) -> AccessToken:
        return AccessToken(token=token, client_id="ada", scopes=["drift:read"], expires_at=1_000)


@pytest.mark.parametrize(("now", "is_taken"), [(999.0, True), (1_000.0, False)])
def test_a_token_past_its_time_is_not_taken_whatever_the_verifier_says(now, is_taken):
    gate = TokenGate(Forgetful(), HttpSettings(), clock=lambda: now)
    scope = {"headers": [(b"authorization", b"Bearer x")]}

    access = asyncio.run(gate.find_caller(scope, "/analysis"))

    assert (access is not None) is is_taken
