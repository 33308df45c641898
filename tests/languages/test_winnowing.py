"""Winnowing keeps its promise for any stream of tokens."""

from hashlib import blake2b

from hypothesis import given
from hypothesis import strategies as st

from drift.languages.fingerprints import winnow

_TOKENS = st.binary(min_size=50, max_size=120)


@given(_TOKENS, st.binary(max_size=60), st.binary(max_size=60))
def test_every_long_enough_copy_shares_a_fingerprint(copied, before, after):
    hashes = {value for value, _, _ in winnow(copied)}
    elsewhere = {value for value, _, _ in winnow(before + copied + after)}

    # Grams of fewer than four kinds of token are left out, so only varied streams are promised one.
    is_varied = all(len(set(copied[start : start + 25])) >= 4 for start in range(len(copied) - 24))
    assert hashes & elsewhere or not is_varied


@given(st.binary(max_size=300))
def test_places_are_inside_and_ascending(tokens):
    found = winnow(tokens)

    assert all(0 <= first <= last < len(tokens) for _, first, last in found)
    assert [first for _, first, _ in found] == sorted({first for _, first, _ in found})


@given(st.binary(max_size=300))
def test_a_hash_depends_on_nothing_but_its_tokens(tokens):
    for value, first, last in winnow(tokens):
        digest = blake2b(tokens[first : last + 1], digest_size=8).digest()
        assert value == int.from_bytes(digest, "big") % (1 << 63)
        assert last - first == 24


def test_a_stream_too_short_has_none():
    assert winnow(b"") == winnow(bytes(range(24))) == []
