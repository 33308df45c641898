import base64
import struct

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from drift.kernel.cursors import LIFETIME_SECONDS, _sign, decode_cursor, encode_cursor
from drift.kernel.errors import DriftError, ErrorCode

KEY = b"k" * 32
NOW = 1_790_000_000.5
QUERY = {"tool": "drift_callers", "args": {"function": "main", "depth": 2}}
ALPHABET = "abcXYZ019-_.=%/+ \n\0é"
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def refusal(cursor, *, key=KEY, query=QUERY, now=NOW):
    with pytest.raises(DriftError) as caught:
        decode_cursor(key, cursor, query, now=now)
    assert caught.value.code is ErrorCode.INVALID_CURSOR
    return caught.value.message


@given(JSON, JSON, st.binary(min_size=1, max_size=64))
def test_a_cursor_gives_its_position_back(position, query, key):
    cursor = encode_cursor(key, position, query, now=NOW)

    assert decode_cursor(key, cursor, query, now=NOW + 5) == position


@given(st.data())
def test_any_single_changed_character_is_refused(data):
    cursor = encode_cursor(KEY, ["src/app.py", 42], QUERY, now=NOW)
    at = data.draw(st.integers(0, len(cursor) - 1))
    character = data.draw(st.sampled_from(ALPHABET) | st.characters())
    altered = cursor[:at] + character + cursor[at + 1 :]

    if altered != cursor:
        refusal(altered)


def test_every_other_last_character_of_payload_and_signature_is_refused():
    cursor = encode_cursor(KEY, ["src/app.py", 42], QUERY, now=NOW)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    for at in (cursor.index(".") - 1, len(cursor) - 1):
        for letter in set(letters) - {cursor[at]}:
            refusal(cursor[:at] + letter + cursor[at + 1 :])


@given(st.text(max_size=200))
@example("")
@example(".")
@example("..")
@example("a.b")
@example("AQ.")
@example(".AQ")
@example("\ud800.x")
def test_garbage_is_refused(text):
    refusal(text)


def test_a_longer_or_shorter_cursor_is_refused():
    cursor = encode_cursor(KEY, 7, QUERY, now=NOW)

    for altered in (cursor[:-1], cursor + "A", cursor + "=", cursor + ".x", " " + cursor, cursor + "\n"):
        assert "altered" in refusal(altered)


def test_a_huge_text_is_refused_for_its_length():
    assert "too long" in refusal("A" * 10_000_000)


def test_a_cursor_from_another_query_is_refused():
    cursor = encode_cursor(KEY, 7, QUERY, now=NOW)

    assert "another query" in refusal(cursor, query={**QUERY, "tool": "drift_impact"})


def test_the_order_of_a_querys_members_does_not_matter():
    cursor = encode_cursor(KEY, 7, {"a": 1, "b": {"c": 2, "d": 3}}, now=NOW)

    assert decode_cursor(KEY, cursor, {"b": {"d": 3, "c": 2}, "a": 1}, now=NOW) == 7


def test_a_cursor_signed_with_another_key_is_refused():
    cursor = encode_cursor(b"other", 7, QUERY, now=NOW)

    assert "another project" in refusal(cursor)


def test_a_cursor_of_another_version_is_refused():
    payload = base64.urlsafe_b64encode(struct.pack(">B", 2) + b"a later form").rstrip(b"=").decode()

    assert "another version" in refusal(f"{payload}.{_sign(KEY, payload)}")


def test_a_cursor_lives_for_an_hour():
    cursor = encode_cursor(KEY, 7, QUERY, now=NOW)

    assert decode_cursor(KEY, cursor, QUERY, now=NOW + LIFETIME_SECONDS - 1) == 7
    assert "expired" in refusal(cursor, now=NOW + LIFETIME_SECONDS + 1)


def test_a_clock_set_back_by_seconds_is_forgiven_and_by_more_is_not():
    cursor = encode_cursor(KEY, 7, QUERY, now=NOW)

    assert decode_cursor(KEY, cursor, QUERY, now=NOW - 30) == 7
    assert "expired" in refusal(cursor, now=NOW - 300)


def test_a_refusal_tells_nothing_of_key_position_or_signature():
    cursor = encode_cursor(KEY, ["secret/place.py", 1], QUERY, now=NOW)

    message = refusal(cursor, query="other")

    assert "secret" not in message
    assert cursor.rpartition(".")[2] not in message


def test_a_position_too_long_to_pass_back_is_refused_when_the_cursor_is_made():
    with pytest.raises(DriftError) as caught:
        encode_cursor(KEY, "x" * 20_000, QUERY, now=NOW)

    assert caught.value.code is ErrorCode.TOO_LARGE
