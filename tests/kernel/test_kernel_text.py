import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.kernel.text import first_sentence, plural, shorten


@pytest.mark.parametrize(
    ("count", "expected"),
    [(0, "0 callers"), (1, "1 caller"), (2, "2 callers"), (1234567, "1,234,567 callers")],
)
def test_a_count_agrees_with_its_noun(count, expected):
    assert plural(count, "caller") == expected


def test_a_noun_may_bring_its_own_plural():
    assert plural(2, "query", "queries") == "2 queries"
    assert plural(1, "query", "queries") == "1 query"


@given(st.text(), st.integers(1, 50))
def test_shortened_text_is_never_longer_than_the_limit(text, limit):
    short = shorten(text, limit)

    assert len(short) <= limit
    assert short == text or short.endswith("…")


def test_short_text_stays_as_it_is():
    assert shorten("abc", 3) == "abc"
    assert shorten("abcd", 3) == "ab…"


def test_no_room_leaves_no_text():
    assert shorten("abc", 0) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who calls it.", "Who calls it"),
        ("Who calls\n    it. And more.\n\nRest.", "Who calls it"),
        ("\n\n  One line\n\n  Rest.  ", "One line"),
        ("Reads a.py files. Then stops.", "Reads a.py files"),
        ("", ""),
    ],
)
def test_the_first_sentence_of_a_docstring_is_one_line(text, expected):
    assert first_sentence(text) == expected
