"""What is asked of the authorization server: its keys as they change, and whether a token is still good."""

import asyncio
import threading
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from http_fixture_server import running
from issuing import ISSUER, NOW, RESOURCE, Answers, key_set, public_jwk, rsa_key, token

from drift.protocol.http.oauth import OAuthSettings, OAuthTokens
from drift.protocol.http.oauth.keys import KEPT_SECONDS
from drift.protocol.http.oauth.outbound import Outbound, is_safe_address
from drift.protocol.http.oauth.verifier import ANSWER_SECONDS, Clocks, metadata_addresses
from drift.protocol.http.quotas import CallerQuota
from drift.protocol.http.refusals import Reason, TokenRefusedError, UnverifiableError
from drift.protocol.http.settings import HttpSettings
from drift.protocol.http.standing import receive_while

JWKS = f"{ISSUER}/jwks"
ASKING = OAuthSettings(
    ISSUER, "introspection", introspection_url=f"{ISSUER}/introspect", client_id="drift", client_secret="s p"
)
ACTIVE = {
    "active": True,
    "aud": f"{RESOURCE}/analysis",
    "sub": "ada",
    "client_id": "editor",
    "exp": NOW + 600,
    "scope": "drift:read",
}


class Server:
    """A verifier, the answers it gets, and its clock."""

    def __init__(self, settings, **answers):
        self.elapsed = 0.0
        self.answers = Answers(**answers)
        clocks = Clocks(lambda: NOW + self.elapsed, lambda: self.elapsed)
        self.verifier = OAuthTokens(settings, self.answers, clocks)

    def verify(self, text):
        return asyncio.run(self.verifier.verify_token(text))

    def refuses(self, text):
        with pytest.raises(TokenRefusedError) as refused:
            self.verify(text)
        return refused.value.reason


def rotated():
    return token(header={"kid": "second"}, key=rsa_key("second"))


def test_keys_are_asked_for_once_and_again_when_a_new_one_is_named():
    server = Server(OAuthSettings(ISSUER, jwks_url=JWKS), jwks=key_set())
    assert [server.verify(token()).subject for _ in range(3)] == ["ada"] * 3
    assert server.answers.asked == [JWKS]

    server.answers.by_ending["jwks"] = {"keys": [public_jwk(rsa_key("second"), kid="second")]}
    server.elapsed = 20

    assert server.verify(rotated()).subject == "ada"
    assert server.refuses(token()) is Reason.KEY  # the first key was withdrawn
    assert len(server.answers.asked) == 2


def test_names_nobody_knows_do_not_make_a_question_each():
    server = Server(OAuthSettings(ISSUER, jwks_url=JWKS), jwks=key_set())

    for number in range(50):
        assert server.refuses(token(header={"kid": f"made-up-{number}"})) is Reason.KEY

    assert len(server.answers.asked) == 1


def test_a_withdrawn_key_is_not_believed_for_long():
    server = Server(OAuthSettings(ISSUER, jwks_url=JWKS), jwks=key_set())
    server.verify(token())
    server.answers.by_ending["jwks"] = {"keys": []}

    server.elapsed = KEPT_SECONDS

    assert server.refuses(token()) is Reason.KEY


def test_while_the_server_is_away_known_keys_serve_and_without_any_nobody_is_called_a_stranger():
    server = Server(OAuthSettings(ISSUER, jwks_url=JWKS), jwks=key_set())
    server.verify(token(exp=NOW + 10_000))
    server.answers.by_ending["jwks"] = UnverifiableError("away")

    server.elapsed = KEPT_SECONDS + 1
    assert server.verify(token(exp=NOW + 10_000)).subject == "ada"

    server.elapsed = 3_700
    for _ in range(2):
        with pytest.raises(UnverifiableError):
            server.verify(token(exp=NOW + 10_000))
    with running(HttpSettings(port=0, resource_url=RESOURCE), verifier=server.verifier) as service:
        reply = service.modern("tools/list", authorization=f"Bearer {token(exp=NOW + 10_000)}")
    assert (reply.status, reply.headers["retry-after"]) == (503, "5")


def test_what_is_no_set_of_keys_is_none():
    for wrong in ({}, {"keys": {}}, {"keys": [{}] * 101}):
        with pytest.raises(UnverifiableError):
            Server(OAuthSettings(ISSUER, jwks_url=JWKS), jwks=wrong).verify(token())


def test_the_issuer_s_own_metadata_says_where_its_keys_are():
    metadata = {"issuer": ISSUER, "jwks_uri": JWKS}
    foreign = {**metadata, "issuer": "https://evil.example"}
    server = Server(
        OAuthSettings(ISSUER), realm=foreign, jwks=key_set(), **{"openid-configuration": metadata}
    )

    assert server.verify(token()).subject == "ada"
    assert server.answers.asked == [*metadata_addresses(ISSUER), JWKS]
    with pytest.raises(UnverifiableError):
        Server(OAuthSettings(ISSUER), realm=foreign, **{"openid-configuration": foreign}).verify(token())


def test_a_revoked_token_is_refused_within_a_minute():
    server = Server(ASKING, introspect=ACTIVE)
    assert [server.verify("opaque").subject for _ in range(3)] == ["ada"] * 3
    assert len(server.answers.asked) == 1
    assert server.answers.headers == [{"authorization": "Basic ZHJpZnQ6cytw"}]

    server.answers.by_ending["introspect"] = {"active": False}
    server.elapsed = ANSWER_SECONDS

    assert server.refuses("opaque") is Reason.INACTIVE
    assert ANSWER_SECONDS <= 60


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"active": "true"}, Reason.INACTIVE),
        ({"active": 1}, Reason.INACTIVE),
        ({"iss": "https://evil.example"}, Reason.ISSUER),
        ({"exp": NOW - 31}, Reason.EXPIRED),
        ({"nbf": NOW + 31}, Reason.NOT_YET),
        ({"aud": None}, Reason.AUDIENCE),
        ({"sub": 7}, Reason.CLAIMS),
        ({"token_type": "DPoP"}, Reason.TYPE),
        ({"token_type": "refresh_token"}, Reason.TYPE),
        ({"cnf": {}}, Reason.BOUND),
    ],
)
def test_an_answer_that_says_no_in_any_way_is_a_no(said, reason):
    assert Server(ASKING, introspect={**ACTIVE, **said}).refuses("opaque") is reason


def test_both_checks_mean_both():
    both = OAuthSettings(
        ISSUER, "both", jwks_url=JWKS, introspection_url=ASKING.introspection_url, client_id="x"
    )
    assert Server(both, jwks=key_set(), introspect={"active": True}).verify(token()).subject == "ada"
    for answer in ({"active": False}, {"active": True, "sub": "eve"}):
        assert Server(both, jwks=key_set(), introspect=answer).refuses(token()) is Reason.INACTIVE
    unasked = Server(both, jwks=key_set(), introspect=ACTIVE)
    assert unasked.refuses(token(key=rsa_key("thief"))) is Reason.SIGNATURE
    assert unasked.answers.asked == [JWKS]  # a stranger's token is not carried on


@pytest.mark.parametrize(
    ("address", "is_safe"),
    [
        ("https://login.example/jwks", True),
        ("http://127.0.0.1:9000/jwks", True),
        ("http://[::1]/jwks", True),
        ("http://localhost/jwks", True),
        ("http://login.example/jwks", False),
        ("http://127.0.0.1.evil.example/jwks", False),
        ("http://localhost@evil.example/jwks", False),
        ("http://evil.example\\@localhost/", False),
        ("file:///etc/passwd", False),
        ("https://", False),
        ("https://a b/", False),
    ],
)
def test_what_is_asked_is_asked_where_nobody_listens_in(address, is_safe):
    assert is_safe_address(address) is is_safe


class Misbehaving(BaseHTTPRequestHandler):
    """A server of JSON that does what its path says."""

    def do_GET(self):
        wanted = self.path.strip("/")
        if wanted == "silent":
            self.server.is_released.wait(60)
            return
        body = {"large": b'{"a": "' + b"x" * 300_000 + b'"}', "list": b"[]", "text": b"hello"}.get(
            wanted, b"{}"
        )
        self.send_response(302 if wanted == "elsewhere" else 500 if wanted == "broken" else 200)
        if wanted == "elsewhere":
            self.send_header("location", "/fine")
        if wanted == "packed":
            self.send_header("content-encoding", "gzip")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments):
        pass


@contextmanager
def misbehaving():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Misbehaving)
    server.is_released = threading.Event()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.is_released.set()
        server.shutdown()
        thread.join()
        server.server_close()


def test_an_answer_is_short_is_json_and_comes_from_where_it_was_asked(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")  # would get every token to see

    async def ask_all(url):
        patient, hasty = Outbound(), Outbound(timeout_seconds=0.05)
        assert await patient.get(f"{url}/fine") == {}
        wrong = [(patient, each) for each in ("elsewhere", "broken", "large", "list", "text", "packed")]
        for outbound, path in (*wrong, (hasty, "silent")):
            with pytest.raises(UnverifiableError):
                await outbound.get(f"{url}/{path}")
        await patient.close()
        await hasty.close()

    with misbehaving() as url:
        asyncio.run(ask_all(url))


def test_one_caller_leaves_room_for_the_others_whichever_clients_they_use():
    quota = CallerQuota(2)
    server = Server(OAuthSettings(ISSUER, jwks_url=JWKS), jwks=key_set())
    ada, shell, eve = (server.verify(each) for each in (token(), token(client_id="shell"), token(sub="eve")))

    with ExitStack() as held:
        wanted = [(ada, 1), (shell, 1), (ada, 1), (eve, 500), (None, 9)]
        granted = [held.enter_context(quota.hold(caller, count)) for caller, count in wanted]
    assert granted == [True, True, False, True, True]
    with quota.hold(ada, 2) as again:
        assert again


def test_a_stream_ends_when_its_token_does():
    async def wait_for_ever():
        await asyncio.Event().wait()

    answers = iter([True, False])

    async def is_good():
        return next(answers)

    receive = receive_while(wait_for_ever, is_good, seconds=0.01)

    assert asyncio.run(receive()) == {"type": "http.disconnect"}
