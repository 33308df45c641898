import pytest
from http_fixture_server import Service, create_mount, running

from drift import __version__
from drift.kernel.errors import DriftError, ErrorCode
from drift.protocol.http.app import create_app
from drift.protocol.http.settings import HttpSettings, Mount

PAGE = "https://app.example"


@pytest.fixture(scope="module")
def service():
    with running(HttpSettings(port=0, cors_origins=(PAGE,))) as started:
        yield started


def make_app(mounts, **details):
    settings = HttpSettings(port=0, **details)
    return create_app(mounts, settings=settings, verifier=None, health=dict, metrics=str)


def test_the_index_names_the_servers_and_their_paths(service: Service):
    reply = service.request("GET", "/")

    assert reply.json["version"] == __version__
    assert reply.json["servers"] == {"fixture-analysis": "/analysis", "fixture-memory-mcp": "/memory/mcp"}


def test_health_tells_the_version_and_all_the_caller_knows(service: Service):
    reply = service.request("GET", "/health")

    assert reply.status == 200
    assert reply.json == {
        "status": "ok",
        "version": __version__,
        "servers": ["/analysis", "/memory/mcp"],
        "project": "/secret/place",
    }


def test_a_failing_server_is_unavailable():
    with running(HttpSettings(port=0), health={"status": "failing"}) as service:
        assert service.request("GET", "/health").status == 503


def test_metrics_are_in_the_text_format_of_prometheus(service: Service):
    reply = service.request("GET", "/metrics")

    assert reply.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert reply.body == b"drift_calls_total 1\n"


def test_without_tokens_there_is_no_resource_metadata(service: Service):
    assert service.request("GET", "/.well-known/oauth-protected-resource/analysis").status == 404


@pytest.mark.parametrize("path", ["/nowhere", "/analysis/more", "/health/"])
def test_an_unknown_path_is_not_found_and_not_redirected(service: Service, path):
    assert service.request("GET", path).status == 404


def test_a_preflight_of_a_configured_page_is_answered(service: Service):
    headers = {
        "Origin": PAGE,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, mcp-session-id, mcp-param-region",
    }

    reply = service.request("OPTIONS", "/analysis", headers=headers)

    assert reply.status == 200
    assert reply.headers["access-control-allow-origin"] == PAGE
    assert "mcp-param-region" in reply.headers["access-control-allow-headers"]
    assert "POST" in reply.headers["access-control-allow-methods"]


def test_a_configured_page_may_read_answers_and_the_headers_of_a_session(service: Service):
    reply = service.modern("tools/list", origin=PAGE)

    assert reply.headers["access-control-allow-origin"] == PAGE
    exposed = reply.headers["access-control-expose-headers"]
    assert {"Mcp-Session-Id", "MCP-Protocol-Version", "WWW-Authenticate"} <= set(exposed.split(", "))


def test_a_local_page_that_is_not_configured_gets_no_permission_to_read(service: Service):
    reply = service.modern("tools/list", origin="http://localhost:9999")

    assert "access-control-allow-origin" not in reply.headers


def test_a_preflight_of_another_page_is_refused(service: Service):
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}

    reply = service.request("OPTIONS", "/analysis", headers=headers)

    assert reply.status == 403
    assert "access-control-allow-origin" not in reply.headers


def test_every_page_may_call_only_where_tokens_are_asked_for():
    with pytest.raises(DriftError) as caught:
        make_app([create_mount("/analysis")], cors_origins=("*",))

    assert caught.value.code is ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    "path",
    ["analysis", "/", "/analysis/", "//x", "/health", "/metrics", "/.well-known/x", "/{x}", "/a b", ""],
)
def test_a_mount_path_that_would_not_work_is_refused(path):
    with pytest.raises(DriftError):
        Mount(path, create_mount("/ok").server, lambda _name, _arguments: frozenset(), frozenset())


def test_two_mounts_on_one_path_are_refused():
    with pytest.raises(DriftError):
        make_app([create_mount("/same"), create_mount("/same")])


def test_an_application_without_mounts_is_refused():
    with pytest.raises(DriftError):
        make_app([])


@pytest.mark.parametrize("path", ["/mcp", "/analysis/mcp", "/analysis", "/analysis/mcp/"])
def test_a_server_answers_at_the_ending_some_clients_insist_on(service: Service, path):
    reply = service.modern("tools/list", path=path)

    assert "tools" in reply.message["result"]


def test_no_server_stands_twice_at_a_path_of_its_own(service: Service):
    assert service.request("GET", "/memory").status == 404
    assert "tools" in service.modern("tools/list", path="/memory/mcp").message["result"]
