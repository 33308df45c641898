"""Text on a terminal: nothing hostile, nothing too wide."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from drift.cli.shown import cut, measure, shown, shown_lines
from drift.cli.tables import fit_widths, format_table, wrap

texts = st.text(max_size=60)


def test_an_escape_sequence_in_a_name_is_shown_instead_of_obeyed():
    assert shown("a\x1b[31mred") == "a\\x1b[31mred"


def test_text_that_would_read_backwards_is_shown_as_an_escape():
    assert shown("user\u202egnp.exe") == "user\\u202egnp.exe"


def test_a_lone_surrogate_from_a_file_name_is_shown_as_an_escape():
    assert shown("caf\udce9") == "caf\\udce9"


def test_tabs_in_code_become_blanks():
    assert shown_lines("if x:\n\tpass") == ["if x:", "    pass"]


@given(texts)
def test_shown_text_is_one_printable_line(text):
    assert shown(text).isprintable()


@given(texts, st.integers(1, 40))
def test_cut_text_fits(text, width):
    assert measure(cut(shown(text), width)) <= width


def test_text_that_fits_is_not_cut():
    assert cut("abc", 3) == "abc"
    assert cut("abcd", 3) == "ab…"


def test_east_asian_characters_take_two_columns_and_accents_none():
    assert measure("漢字") == 4
    assert measure(unicodedata.normalize("NFD", "é")) == 1


@given(texts, st.integers(2, 40))
def test_wrapped_lines_fit_and_lose_nothing(text, width):
    lines = wrap(shown(text), width)

    assert all(measure(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(shown(text).split())


@given(
    st.integers(1, 5).flatmap(
        lambda columns: st.lists(st.lists(texts, min_size=columns, max_size=columns), min_size=1, max_size=6)
    ),
    st.integers(10, 120),
)
def test_no_line_of_a_table_is_wider_than_the_terminal(rows, width):
    headings = [f"h{position}" for position in range(len(rows[0]))]

    lines = format_table(headings, rows, width=width)

    assert all(measure(line) <= width and line.isprintable() for line in lines)


def test_a_table_that_fits_shows_every_cell_in_aligned_columns():
    lines = format_table(("name", "calls"), [("load", "3"), ("save_all", "12")], width=80)

    assert lines == ["name      calls", "load          3", "save_all     12"]


def test_the_widest_column_gives_way_first():
    assert fit_widths([5, 60, 20], 54) == [5, 25, 20]


def test_a_huge_cell_is_cut_to_a_few_lines():
    lines = format_table(("a", "b"), [("x", "word " * 100_000)], width=40)

    assert len(lines) <= 7
    assert lines[-1].endswith("…")


def test_a_table_without_rows_is_its_headings():
    assert format_table(("a", "b"), [], width=20) == ["a  b"]
