"""Where names stand in texts."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from drift.analyses.dead_code.mentions import find_mentions
from drift.analyses.usages.whole_words import whole_words


@settings(max_examples=60)
@given(text=st.text(alphabet="ab_1\né .", max_size=60))
def test_a_name_is_found_as_a_whole_word_with_its_line(text):
    content = text.encode()

    found = find_mentions({"a": {"own.py"}, "ab": set()}, [("own.py", content)])

    for name, places in found.items():
        expected = [
            (match.start(), content[: match.start()].count(b"\n") + 1)
            for match in re.finditer(rf"(?<!\w){name}(?!\w)".encode(), content, re.ASCII)
        ]
        assert [(one.offset, one.line) for one in places] == expected[:12]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["cart", "car", "_car", "t", " ", ".", "9", "art", "\n"]), max_size=30))
def test_few_words_are_found_as_many_are(parts):
    text = "".join(parts).encode()
    wanted = {b"cart", b"car", b"_car", b"art", b"t"}
    many = wanted | {b"other%d" % number for number in range(40)}

    # A name behind a digit is a part of something else; read one by one, words begin there.
    alone = {word for word in wanted if re.search(rb"(?<!\w)" + word + rb"(?!\w)", text, re.ASCII)}
    assert whole_words(wanted, text) == alone
    assert whole_words(many, text) >= alone


def test_a_word_that_is_mostly_a_part_of_others_is_found_behind_them():
    text = b"cartridge " * 500

    assert whole_words({b"cart"}, text) == set()
    assert whole_words({b"cart"}, text + b"cart") == {b"cart"}
