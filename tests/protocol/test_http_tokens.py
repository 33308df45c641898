import asyncio
import hashlib
import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.auth.provider import AccessToken

from drift.kernel.errors import DriftError, ErrorCode
from drift.protocol.http.tokens import EitherTokens, StaticTokens, TokenEntry

SHA = hashlib.sha256(b"secret").hexdigest()
ENTRY = {"sha256": SHA, "subject": "ann", "scopes": ["drift:read"]}


@pytest.fixture
def token_file(tmp_path):
    path = tmp_path / "tokens.json"

    def write(entries):
        path.write_bytes(entries if isinstance(entries, bytes) else json.dumps(entries).encode())
        path.chmod(0o600)
        return path

    return write


def verify(tokens, token):
    return asyncio.run(tokens.verify_token(token))


def test_a_token_is_known_by_its_hash_and_carries_its_scopes(token_file):
    tokens = StaticTokens.from_file(token_file([ENTRY]))

    access = verify(tokens, "secret")

    assert access is not None
    assert (access.subject, access.scopes) == ("ann", ["drift:read"])


def test_what_is_handed_on_does_not_hold_the_token_itself(token_file):
    access = verify(StaticTokens.from_file(token_file([ENTRY])), "secret")

    assert access is not None
    assert access.token == SHA


@given(st.text(max_size=40).filter(lambda text: text != "secret"))
def test_no_other_text_is_taken_for_the_token(text):
    access = AccessToken(token=SHA, client_id="ann", scopes=[])
    tokens = StaticTokens([TokenEntry(hashlib.sha256(b"secret").digest(), access)])

    assert verify(tokens, text) is None


@pytest.mark.parametrize(("now", "is_known"), [(999, True), (1000, False), (1001, False)])
def test_a_token_ends_at_its_expiry(token_file, now, is_known):
    path = token_file([{**ENTRY, "expires": "1970-01-01T00:16:40+00:00"}])

    assert (verify(StaticTokens.from_file(path, lambda: now), "secret") is not None) == is_known


def test_an_expiry_without_a_zone_is_utc(token_file):
    path = token_file([{**ENTRY, "expires": "1970-01-01T00:16:40"}])

    assert verify(StaticTokens.from_file(path, lambda: 999), "secret") is not None
    assert verify(StaticTokens.from_file(path, lambda: 1000), "secret") is None


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"\xff",
        b"[" * 100_000,
        {},
        [],
        ["entry"],
        [{"sha256": SHA, "subject": "ann"}],
        [{**ENTRY, "sha256": "secret"}],
        [{**ENTRY, "sha256": SHA[:-2]}],
        [{**ENTRY, "sha256": 5}],
        [{**ENTRY, "subject": ""}],
        [{**ENTRY, "scopes": "drift:read"}],
        [{**ENTRY, "scopes": [1]}],
        [{**ENTRY, "expire": "2030-01-01"}],
        [{**ENTRY, "expires": "soon"}],
        [{**ENTRY, "expires": 5}],
        [ENTRY, {**ENTRY, "subject": "bob"}],
    ],
)
def test_a_malformed_file_is_refused_and_says_how_entries_look(token_file, content):
    with pytest.raises(DriftError) as caught:
        StaticTokens.from_file(token_file(content))

    assert caught.value.code is ErrorCode.CONFIG_INVALID
    assert "sha256" in str(caught.value.recovery.hint)


def test_a_misspelt_scope_is_refused_with_the_right_one(token_file):
    with pytest.raises(DriftError) as caught:
        StaticTokens.from_file(token_file([{**ENTRY, "scopes": ["drift:reed"]}]))

    assert "drift:read" in caught.value.recovery.similar


def test_a_missing_file_is_a_configuration_error(tmp_path):
    with pytest.raises(DriftError) as caught:
        StaticTokens.from_file(tmp_path / "none.json")

    assert caught.value.code is ErrorCode.CONFIG_INVALID


def test_a_file_open_to_others_is_read_with_a_warning(token_file, caplog):
    path = token_file([ENTRY])
    path.chmod(0o644)

    with caplog.at_level(logging.WARNING):
        StaticTokens.from_file(path)

    assert "chmod 600" in caplog.text


def test_a_private_file_is_read_in_silence(token_file, caplog):
    with caplog.at_level(logging.WARNING):
        StaticTokens.from_file(token_file([ENTRY]))

    assert caplog.text == ""


class Elsewhere:
    """Takes one token, and knows whether it was let go of."""

    is_closed = False

    async def verify_token(self, token):
        return AccessToken(token=token, client_id="elsewhere", scopes=[]) if token == "elsewhere" else None

    async def close(self):
        self.is_closed = True


def test_beside_a_file_another_verifier_is_asked_and_let_go_of_in_the_end():
    other = Elsewhere()
    either = EitherTokens(StaticTokens(()), other)

    async def use():
        taken = await either.verify_token("elsewhere"), await either.verify_token("nobody's")
        await either.close()
        return taken

    known, unknown = asyncio.run(use())

    assert known is not None
    assert known.client_id == "elsewhere"
    assert unknown is None
    assert other.is_closed
