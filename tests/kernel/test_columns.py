"""Columns of a table are written at one go, and must read as if each cell had been written by itself."""

from hypothesis import given
from hypothesis import strategies as st

from drift.kernel.cells import write_cell, write_cells, write_listed, write_member
from drift.kernel.columns import write_column, write_scalars

TRICKY = st.sampled_from(
    [
        "null",
        "true",
        "1",
        "-1.5",
        "1e5",
        "inf",
        "12ab",
        "2026-01-02",
        "a,b",
        "a:b",
        " a",
        "a ",
        "",
        "[",
        "x\ty",
        "é",
    ]
)
TEXTS = TRICKY | st.text(max_size=12) | st.text("abc 019,-", max_size=6)
NUMBERS = st.integers() | st.floats()
ONE_KIND = (
    st.lists(TEXTS, min_size=1)
    | st.lists(TEXTS | st.none(), min_size=1)
    | st.lists(NUMBERS, min_size=1)
    | st.lists(st.lists(TEXTS, max_size=3), min_size=1)
)
MIXED = st.lists(TEXTS | NUMBERS | st.booleans() | st.none() | st.lists(NUMBERS, max_size=3), min_size=1)


def has_many_lines(value: object) -> bool:
    texts = value if isinstance(value, list) else [value]
    return any(isinstance(text, str) and text.count("\n") >= 3 for text in texts)


@given(ONE_KIND | MIXED)
def test_a_column_reads_as_if_each_cell_were_written_by_itself(values):
    cells = write_column(values)

    if any(map(has_many_lines, values)):
        assert cells is None
    else:
        assert cells == ["" if value is None else write_cell(value) for value in values]


@given(st.lists(TEXTS | NUMBERS | st.booleans() | st.none(), min_size=1))
def test_a_list_of_scalars_names_its_nulls(values):
    cells = write_scalars(values)

    assert cells == (None if any(map(has_many_lines, values)) else [write_cell(value) for value in values])


@given(st.sets(TEXTS, min_size=1))
def test_texts_looked_at_together_are_quoted_as_those_looked_at_alone(texts):
    cells, listed = write_cells(texts), write_listed(texts)

    assert {text: cells[text] if cells else text for text in texts} == {
        text: write_cell(text) for text in texts
    }
    assert {text: listed[text] if listed else text for text in texts} == {
        text: write_member([text])[1:-1] for text in texts
    }


def test_equal_long_texts_are_too_large_for_cells_too():
    assert write_column(["a\nb\nc\nd"] * 4) is None
    assert write_column([["a\nb\nc\nd"], ["b"]]) is None
    assert write_column(["a\nb\nc\nd", None]) is None


def test_a_list_with_an_object_is_no_list_of_scalars():
    assert write_scalars([{"a": 1}]) is None
    assert write_scalars(["a", ["b"]]) is None
