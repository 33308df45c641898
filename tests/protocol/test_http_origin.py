import pytest
from http_fixture_server import Service, running
from hypothesis import given
from hypothesis import strategies as st

from drift.kernel.errors import DriftError, ErrorCode
from drift.protocol.http.origin import OriginPolicy, is_loopback, parse_authority, refuse_unsafe_bind
from drift.protocol.http.settings import HttpSettings

ROUTES = ["/", "/health", "/metrics", "/analysis", "/memory/mcp", "/nowhere"]


@pytest.fixture(scope="module")
def service():
    settings = HttpSettings(
        port=0, cors_origins=("https://app.example",), allowed_hosts=("drift.example", "other.example:8443")
    )
    with running(settings) as started:
        yield started


@pytest.mark.parametrize("path", ROUTES)
def test_a_foreign_host_is_misdirected_on_every_route(service: Service, path):
    assert service.request("GET", path, headers={"Host": "evil.example"}).status == 421


@pytest.mark.parametrize("path", ROUTES)
def test_a_foreign_origin_is_forbidden_on_every_route(service: Service, path):
    assert service.request("GET", path, headers={"Origin": "http://evil.example"}).status == 403


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:80", "127.8.9.1:5", "[::1]:99", "drift.example:1", "other.example:8443"]
)
def test_loopback_and_configured_hosts_are_answered(service: Service, host):
    assert service.request("GET", "/health", headers={"Host": host}).status == 200


def test_a_configured_host_with_a_port_means_that_port_only(service: Service):
    assert service.request("GET", "/health", headers={"Host": "other.example:8444"}).status == 421


def test_two_host_headers_are_refused_although_one_is_right():
    policy = OriginPolicy(HttpSettings())

    refusal = policy.refusal([(b"host", b"localhost"), (b"host", b"localhost")])

    assert refusal is not None
    assert refusal.status == 421


def test_a_request_without_a_host_is_refused():
    refusal = OriginPolicy(HttpSettings()).refusal([])

    assert refusal is not None
    assert refusal.status == 421


@pytest.mark.parametrize(
    "origin", ["http://localhost:5173", "https://127.0.0.1", "http://[::1]:3000", "https://app.example"]
)
def test_pages_of_this_machine_and_configured_origins_may_call(service: Service, origin):
    assert service.request("GET", "/health", headers={"Origin": origin}).status == 200


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "http://localhost.evil.example",
        "http://localhost:80@evil.example",
        "file://localhost",
        "localhost",
        "http://localhost:*",
    ],
)
def test_lookalikes_of_a_local_origin_are_forbidden(service: Service, origin):
    assert service.request("GET", "/health", headers={"Origin": origin}).status == 403


def test_a_page_served_under_a_configured_host_may_call_it(service: Service):
    headers = {"Host": "drift.example:8000", "Origin": "https://drift.example:8000"}

    assert service.request("GET", "/health", headers=headers).status == 200


def test_a_server_on_the_network_does_not_trust_pages_of_its_visitors_machines():
    policy = OriginPolicy(HttpSettings(host="0.0.0.0", allowed_hosts=("drift.example",)))

    assert policy.refusal([(b"host", b"drift.example")]) is None
    refusal = policy.refusal([(b"host", b"drift.example"), (b"origin", b"http://localhost:3000")])
    assert refusal is not None
    assert refusal.status == 403


def test_a_wildcard_bind_address_is_no_host_name():
    policy = OriginPolicy(HttpSettings(host="0.0.0.0"))

    assert policy.refusal([(b"host", b"0.0.0.0:3000")]) is not None


def test_the_public_address_is_an_allowed_host():
    policy = OriginPolicy(HttpSettings(host="0.0.0.0", resource_url="https://drift.example/tools"))

    assert policy.refusal([(b"host", b"drift.example")]) is None


@pytest.mark.parametrize(
    "settings",
    [
        {"allowed_hosts": ("http://drift.example",)},
        {"cors_origins": ("drift.example",)},
        {"cors_origins": ("https://drift.example/path",)},
        {"resource_url": "drift.example"},
    ],
)
def test_a_setting_that_is_no_host_or_origin_is_refused_at_the_start(settings):
    with pytest.raises(DriftError) as caught:
        OriginPolicy(HttpSettings(**settings))

    assert caught.value.code is ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize("host", ["127.0.0.1", "127.200.3.4", "::1", "localhost", "LocalHost"])
def test_loopback_needs_no_token(host):
    refuse_unsafe_bind(host, has_auth=False, insecure=False)


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "", "192.168.1.5", "drift.example", "localhost.evil.example", "128.0.0.1"]
)
def test_an_open_address_without_tokens_is_refused_with_a_way_out(host):
    with pytest.raises(DriftError) as caught:
        refuse_unsafe_bind(host, has_auth=False, insecure=False)

    assert caught.value.code is ErrorCode.INVALID_ARGUMENT
    assert "127.0.0.1" in str(caught.value.recovery.hint)


def test_tokens_or_insistence_allow_an_open_address():
    refuse_unsafe_bind("0.0.0.0", has_auth=True, insecure=False)
    refuse_unsafe_bind("0.0.0.0", has_auth=False, insecure=True)


@given(st.binary(max_size=60))
def test_any_bytes_as_host_and_origin_get_a_verdict(noise):
    policy = OriginPolicy(HttpSettings())

    refusal = policy.refusal([(b"host", noise)])

    authority = parse_authority(noise.decode("latin-1"))
    assert (refusal is None) == (
        authority is not None and authority.port != "*" and is_loopback(authority.name)
    )
    policy.refusal([(b"host", b"localhost"), (b"origin", noise)])


@given(st.from_regex(r"[a-z]{1,8}\.example", fullmatch=True), st.integers(0, 65535))
def test_a_name_outside_the_settings_is_never_answered(name, port):
    policy = OriginPolicy(HttpSettings(allowed_hosts=("drift.test",)))

    assert not policy.allows_host(f"{name}:{port}".encode())
    assert not policy.allows_origin(f"http://{name}:{port}".encode(), b"drift.test")


def test_two_origins_are_refused_although_the_first_is_right():
    host, local, foreign = (
        (b"host", b"localhost"), (b"origin", b"http://localhost"), (b"origin", b"http://evil.example"),
    )  # fmt: skip

    refusal = OriginPolicy(HttpSettings()).refusal([host, local, foreign])

    assert refusal is not None
    assert refusal.status == 403
