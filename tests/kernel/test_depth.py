import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.kernel.depth import json_depth_exceeds

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='[]{}"\\a\u2603'),
    lambda children: (
        st.lists(children, max_size=4) | st.dictionaries(st.text('[]{}"\\b'), children, max_size=4)
    ),
    max_leaves=30,
)


def depth_of(value):
    if isinstance(value, (list, dict)):
        children = value.values() if isinstance(value, dict) else value
        return 1 + max((depth_of(child) for child in children), default=0)
    return 0


@given(json_values, st.integers(0, 6))
def test_the_depth_of_text_and_of_the_value_is_the_one_counted_by_hand(value, limit):
    expected = depth_of(value) > limit

    assert json_depth_exceeds(value, limit) == expected
    for separators in ((",", ":"), (" , ", " : ")):
        text = json.dumps(value, separators=separators, ensure_ascii=False)
        assert json_depth_exceeds(text.encode(), limit) == expected


@given(st.binary(max_size=200) | st.text('[]{}"\\', max_size=200).map(str.encode))
def test_the_scan_takes_any_bytes(data):
    for limit in (0, 3):
        assert json_depth_exceeds(data, limit) in (True, False)


@pytest.mark.parametrize(
    "data", [b"[" * 1_000_000, b"[]" * 500_000, b'"\\' * 500_000 + b"[" * 100, b'[["' + b'\\"' * 500_000]
)
def test_a_megabyte_made_to_be_slow_is_scanned_in_one_pass(data):
    # Quadratic work on a megabyte would outlast the time-out of the whole run.
    assert json_depth_exceeds(data, 64) == (data == b"[" * 1_000_000)
