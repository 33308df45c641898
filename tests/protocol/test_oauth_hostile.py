"""Tokens that must not be taken. All get the same answer; only the audit knows why."""

import asyncio
import json
import logging

import jwt
import pytest
from http_fixture_server import Service, running
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from issuing import (
    CLAIMS,
    HEADER,
    ISSUER,
    NOW,
    RESOURCE,
    Answers,
    ec_key,
    encode,
    key_set,
    public_jwk,
    public_pem,
    rsa_key,
    sign,
    token,
)

from drift.protocol.http.auth import TokenGate
from drift.protocol.http.oauth import OAuthSettings, OAuthTokens
from drift.protocol.http.oauth.verifier import Clocks
from drift.protocol.http.refusals import Reason, Refusals, TokenRefusedError
from drift.protocol.http.settings import HttpSettings

SETTINGS = OAuthSettings(
    ISSUER, jwks_url=f"{ISSUER}/jwks", algorithms=("RS256", "ES256"), clock_skew_seconds=30
)
HTTP = HttpSettings(port=0, resource_url=RESOURCE, issuer_url=ISSUER, audiences=("urn:drift",))


def verifier(settings=SETTINGS, **answers):
    outbound = Answers(**{"jwks": key_set(), **answers})
    return OAuthTokens(settings, outbound, Clocks(lambda: NOW, lambda: 0.0))


def header(**members):
    return token(header=members)


def doubled(part):
    """A token that names a member twice, the second time to its advantage."""
    head = json.dumps(HEADER)[:-1] + (', "alg": "RS256"}' if part == "header" else "}")
    claims = json.dumps({**CLAIMS, "sub": "eve"})[:-1] + (', "sub": "ada"}' if part == "claims" else "}")
    return sign(head.encode(), claims.encode())


def hmac(secret, **members):
    head = json.dumps({**HEADER, "alg": "HS256", **members}).encode()
    signed = f"{encode(head)}.{encode(json.dumps(CLAIMS).encode())}"
    algorithm = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256)
    return f"{signed}.{encode(algorithm.sign(signed.encode(), secret))}"


def parts(text):
    return text.split(".")


def altered(**claims):
    """A good signature under other claims."""
    head, _, signature = parts(token())
    return f"{head}.{encode(json.dumps({**CLAIMS, **claims}).encode())}.{signature}"


def curve_token(**members):
    """An elliptic signature under a header that says what it likes."""
    return jwt.encode(CLAIMS, ec_key(), "ES256", {**HEADER, "alg": "ES256", "kid": "curve", **members})


def loose_ending(text):
    """The same bytes written with other unused bits at the end."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return text[:-1] + alphabet[alphabet.index(text[-1]) ^ 1]


HOSTILE = {
    "expired": (lambda: token(exp=NOW - 31), Reason.EXPIRED),
    "expired to the second with the skew": (lambda: token(exp=NOW - 30), Reason.EXPIRED),
    "not yet": (lambda: token(nbf=NOW + 31), Reason.NOT_YET),
    "made in the future": (lambda: token(iat=NOW + 31), Reason.NOT_YET),
    "without an end": (lambda: token(exp=None), Reason.CLAIMS),
    "without a beginning": (lambda: token(iat=None), Reason.CLAIMS),
    "end is true": (lambda: token(exp=True), Reason.CLAIMS),
    "end is text": (lambda: token(exp=str(NOW + 600)), Reason.CLAIMS),
    "end is beyond numbers": (lambda: token(exp=10**400), Reason.CLAIMS),
    "end is no number": (lambda: sign(json.dumps(HEADER).encode(), b'{"exp": NaN}'), Reason.MALFORMED),
    "end is infinite": (lambda: sign(json.dumps(HEADER).encode(), b'{"exp": Infinity}'), Reason.MALFORMED),
    "for another server": (lambda: token(aud="https://other.example/analysis"), Reason.AUDIENCE),
    "for another part of this one": (lambda: token(aud=f"{RESOURCE}/memory"), Reason.AUDIENCE),
    "for an address that begins alike": (lambda: token(aud=f"{RESOURCE}/analysis.evil"), Reason.AUDIENCE),
    "for a host that begins alike": (lambda: token(aud=f"{RESOURCE}.evil/analysis"), Reason.AUDIENCE),
    "for nobody": (lambda: token(aud=None), Reason.AUDIENCE),
    "for an empty list": (lambda: token(aud=[]), Reason.AUDIENCE),
    "for what is no name": (lambda: token(aud=[{"a": 1}]), Reason.AUDIENCE),
    "of another issuer": (lambda: token(iss="https://evil.example"), Reason.ISSUER),
    "of an issuer written otherwise": (lambda: token(iss=f"{ISSUER}/"), Reason.ISSUER),
    "of no issuer": (lambda: token(iss=None), Reason.ISSUER),
    "of a list of issuers": (lambda: token(iss=[ISSUER]), Reason.ISSUER),
    "alg none without a signature": (lambda: ".".join([*parts(header(alg="none"))[:2], ""]), Reason.MALFORMED),
    "alg none with one": (lambda: header(alg="none"), Reason.ALGORITHM),
    "alg nOnE": (lambda: header(alg="nOnE"), Reason.ALGORITHM),
    "alg missing": (lambda: header(alg=None), Reason.ALGORITHM),
    "alg a list": (lambda: header(alg=["RS256"]), Reason.ALGORITHM),
    "alg not among the pinned": (lambda: header(alg="RS512"), Reason.ALGORITHM),
    "HS256 with the public key": (lambda: hmac(public_pem(rsa_key())), Reason.ALGORITHM),
    "HS256 with the key as JSON": (
        lambda: hmac(json.dumps(public_jwk(rsa_key(), kid="main")).encode()),
        Reason.ALGORITHM,
    ),
    "HS256 with a published secret": (lambda: hmac(b"secret", kid="shared"), Reason.ALGORITHM),
    "RS256 with a published secret": (lambda: header(kid="shared"), Reason.KEY),
    "of another key": (lambda: token(key=rsa_key("thief")), Reason.SIGNATURE),
    "of a key for sealing": (lambda: token(header={"kid": "sealing"}, key=rsa_key("sealing")), Reason.KEY),
    "of a weak key": (lambda: token(header={"kid": "weak"}, key=rsa_key("weak", 1024)), Reason.KEY),
    "a key of another kind": (lambda: curve_token(kid="main"), Reason.KEY),
    "another kind named for the key": (lambda: header(kid="curve"), Reason.KEY),
    "unknown kid": (lambda: header(kid="newer"), Reason.KEY),
    "kid a path": (lambda: header(kid="../../../../dev/null"), Reason.KEY),
    "kid an address": (lambda: header(kid="https://evil.example/key"), Reason.KEY),
    "kid a query": (lambda: header(kid="main' OR '1'='1"), Reason.KEY),
    "kid with a null": (lambda: header(kid="main\0"), Reason.KEY),
    "kid a number": (lambda: header(kid=1), Reason.KEY),
    "kid empty": (lambda: header(kid=""), Reason.KEY),
    "key inside": (lambda: header(jwk=public_jwk(rsa_key("thief"))), Reason.KEY),
    "key elsewhere": (lambda: header(jku="https://evil.example/jwks"), Reason.KEY),
    "certificate elsewhere": (lambda: header(x5u="https://evil.example/cert"), Reason.KEY),
    "certificate inside": (lambda: header(x5c=["MIIB"]), Reason.KEY),
    "critical extension": (lambda: header(crit=["exp"]), Reason.KEY),
    "claims not encoded": (lambda: header(b64=False), Reason.KEY),
    "an identity token": (lambda: header(typ="JWT"), Reason.TYPE),
    "of no type": (lambda: header(typ=None), Reason.TYPE),
    "a logout token": (lambda: header(typ="logout+jwt"), Reason.TYPE),
    "type no text": (lambda: header(typ=["at+jwt"]), Reason.TYPE),
    "truncated": (lambda: token()[:-10], Reason.SIGNATURE),
    "cut in the claims": (lambda: token()[:200], Reason.MALFORMED),
    "two parts": (lambda: ".".join(parts(token())[:2]), Reason.MALFORMED),
    "five parts": (lambda: token() + ".a.b", Reason.MALFORMED),
    "no parts": (lambda: "opaque", Reason.MALFORMED),
    "doubled claim": (lambda: doubled("claims"), Reason.MALFORMED),
    "doubled header": (lambda: doubled("header"), Reason.MALFORMED),
    "huge": (lambda: token(padding="x" * 8000), Reason.MALFORMED),
    "nested without end": (
        lambda: sign(json.dumps(HEADER).encode(), b"[" * 2000),
        Reason.MALFORMED,
    ),
    "claims a list": (lambda: sign(json.dumps(HEADER).encode(), b"[]"), Reason.MALFORMED),
    "header no JSON": (lambda: sign(b"alg: RS256", b"{}"), Reason.MALFORMED),
    "other claims under the signature": (lambda: altered(sub="root"), Reason.SIGNATURE),
    "more scopes under the signature": (lambda: altered(scope="drift:admin"), Reason.SIGNATURE),
    "another way to write it": (lambda: loose_ending(token()), Reason.MALFORMED),
    "padded": (lambda: token() + "==", Reason.MALFORMED),
    "in pieces": (lambda: token().replace(".", ". ", 1), Reason.MALFORMED),
    "without a subject": (lambda: token(sub=None), Reason.CLAIMS),
    "subject an object": (lambda: token(sub={"name": "ada"}), Reason.CLAIMS),
    "subject of two lines": (lambda: token(sub="ada\ncaller=root"), Reason.CLAIMS),
    "subject without end": (lambda: token(sub="a" * 256), Reason.CLAIMS),
    "without a client": (lambda: token(client_id=None), Reason.CLAIMS),
    "without an id": (lambda: token(jti=None), Reason.CLAIMS),
    "bound to a key nobody showed": (lambda: token(cnf={"jkt": "x"}), Reason.BOUND),
    "scopes an object": (lambda: token(scope={"drift:admin": True}), Reason.CLAIMS),
}  # fmt: skip


async def judge(text):
    gate = TokenGate(verifier(), HTTP, clock=lambda: NOW)
    return await gate._judge({"headers": [(b"authorization", f"Bearer {text}".encode())]}, "/analysis")


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_token_is_refused_for_what_is_wrong_with_it(case):
    make, reason = HOSTILE[case]

    with pytest.raises(TokenRefusedError) as refused:
        asyncio.run(judge(make()))

    assert refused.value.reason is reason


@pytest.mark.parametrize(
    ("claims", "scopes"),
    [
        ({}, ["drift:read", "drift:write"]),
        ({"exp": NOW - 29}, ["drift:read", "drift:write"]),
        ({"nbf": NOW + 30, "iat": NOW + 30}, ["drift:read", "drift:write"]),
        ({"aud": ["https://other.example", f"{RESOURCE}/"]}, ["drift:read", "drift:write"]),
        ({"aud": "urn:drift"}, ["drift:read", "drift:write"]),
        ({"scope": "drift:person drift:memory openid"}, ["drift:memory"]),
        ({"scope": None}, []),
    ],
)
def test_a_good_token_is_taken_with_the_scopes_there_are(claims, scopes):
    access = asyncio.run(judge(token(**claims)))

    assert (access.subject, access.client_id, access.scopes) == ("ada", "editor", scopes)
    assert token(**claims) not in repr(access)


def test_another_algorithm_among_the_pinned_is_taken():
    assert asyncio.run(judge(curve_token())).subject == "ada"


def test_tokens_of_older_servers_are_taken_where_the_settings_say_so():
    old = token(header={"typ": "JWT"}, jti=None, iat=None, client_id=None, azp="shell", scp=["drift:read"])
    loose = OAuthSettings(ISSUER, jwks_url=f"{ISSUER}/jwks", is_strict=False, scope_claim="scp")

    access = asyncio.run(verifier(loose).verify_token(old))

    assert (access.client_id, access.scopes) == ("shell", ["drift:read"])
    with pytest.raises(TokenRefusedError):
        asyncio.run(verifier(loose).verify_token(token(header={"typ": "logout+jwt"})))


@settings(max_examples=80, deadline=None)
@given(st.floats(0, 1, exclude_max=True), st.characters(min_codepoint=33, max_codepoint=126))
def test_a_token_with_one_other_character_is_another_token(share, character):
    good = token()
    position = int(share * len(good))
    assume(good[position] != character)

    with pytest.raises(TokenRefusedError):
        asyncio.run(judge(good[:position] + character + good[position + 1 :]))


@settings(max_examples=80, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(st.text("eyJ9-_=. {}", max_size=40)).map(".".join)))
def test_whatever_is_sent_as_a_token_is_refused_and_breaks_nothing(text):
    with pytest.raises(TokenRefusedError):
        asyncio.run(verifier().verify_token(text))


@pytest.fixture(scope="module")
def service():
    with running(HttpSettings(port=0, resource_url=RESOURCE), verifier=verifier()) as started:
        yield started


def test_all_of_them_get_one_and_the_same_answer(service: Service):
    replies = set()
    for make, _reason in HOSTILE.values():
        reply = service.modern("tools/list", authorization=f"Bearer {make()}")
        replies.add((reply.status, reply.headers["www-authenticate"], reply.body))

    ((status, challenge, body),) = replies
    assert status == 401
    assert json.loads(body) == {"error": "invalid_token", "error_description": "Send a valid bearer token."}
    assert challenge == (
        'Bearer error="invalid_token", scope="drift:read", '
        f'resource_metadata="{RESOURCE}/.well-known/oauth-protected-resource/analysis"'
    )


def test_too_small_a_scope_is_told_with_what_is_missing(service: Service):
    reader = token(scope="drift:read", exp=2**33)

    assert service.modern("tools/list", authorization=f"Bearer {reader}").status == 200
    refused = service.modern("tools/call", {"name": "write"}, authorization=f"Bearer {reader}")

    assert refused.status == 403
    assert 'error="insufficient_scope", scope="drift:read drift:write"' in refused.headers["www-authenticate"]


def test_every_refusal_is_in_the_audit_and_none_holds_a_token(service: Service, caplog):
    secret = token(exp=NOW - 100)
    with caplog.at_level(logging.INFO, "drift.audit"):
        service.modern("tools/list", authorization=f"Bearer {secret}")
        service.modern("tools/list")

    lines = [each.getMessage() for each in caplog.records if each.name == "drift.audit"]
    assert lines == [
        "caller=- path=/analysis why=expired result=UNAUTHORIZED",
        "caller=- path=/analysis why=missing result=UNAUTHORIZED",
    ]
    assert secret[:40] not in caplog.text


def test_nobody_fills_the_audit_and_what_was_left_out_is_told(caplog):
    refusals = Refusals()
    with caplog.at_level(logging.INFO, "drift.audit"):
        for _ in range(1_000):
            refusals.unknown_caller("/analysis", Reason.UNKNOWN)

    assert 200 <= len(caplog.records) < 300
    assert refusals.counts == {"unknown": 1_000}


def test_a_caller_s_name_cannot_forge_a_line(caplog):
    with caplog.at_level(logging.INFO, "drift.audit"):
        Refusals().forbidden("ada result=ok", "/analysis", "drift:write")

    (line,) = (each.getMessage() for each in caplog.records)
    assert line == "caller='ada result=ok' path=/analysis needs=drift:write result=FORBIDDEN"
