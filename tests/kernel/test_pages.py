import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.pages import page_of

KEY = b"k" * 32


@given(st.lists(st.integers(), max_size=60), st.integers(1, 20))
def test_following_the_cursors_gives_every_item_once_and_in_order(items, size):
    seen, cursor = [], None
    while True:
        page, cursor = page_of(items, cursor, key=KEY, query="tools", size=size, now=0.0)
        assert len(page) <= size
        seen += page
        if cursor is None:
            break

    assert seen == items


def test_a_cursor_of_another_list_or_of_a_list_that_shrank_is_refused():
    _, cursor = page_of(range(30), None, key=KEY, query="tools", size=20, now=0.0)

    for items, query in ((range(30), "prompts"), (range(5), "tools")):
        with pytest.raises(DriftError) as caught:
            page_of(items, cursor, key=KEY, query=query, size=20, now=0.0)
        assert caught.value.code is ErrorCode.INVALID_CURSOR
