"""Where names stand in texts."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from drift.analyses.dead_code.mentions import find_mentions


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
