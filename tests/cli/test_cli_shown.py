"""Text on a terminal: nothing hostile, nothing too wide."""

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from drift.cli.console import Ink
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
def test_wrapped_lines_fit_or_are_one_word_and_lose_nothing(text, width):
    lines = wrap(shown(text), width)

    assert all(measure(line) <= width or len(line.split()) == 1 for line in lines)
    assert " ".join(lines).split() == shown(text).split()


@given(
    st.integers(1, 5).flatmap(
        lambda columns: st.lists(st.lists(texts, min_size=columns, max_size=columns), min_size=1, max_size=6)
    ),
    st.integers(10, 120),
)
def test_no_word_of_a_table_is_broken(rows, width):
    headings = [f"h{position}" for position in range(len(rows[0]))]

    lines = format_table(headings, rows, width=width)

    there = {word for line in lines for word in line.split()}
    first_words = {cut(shown(cell).split()[0], 120) for row in rows for cell in row if shown(cell).split()}
    assert first_words - {"-"} <= there  # which stands for nothing
    assert all(line.isprintable() for line in lines)


def test_a_place_is_never_wrapped_or_cut_and_pushes_no_other_row():
    long = f"src/{'deep/' * 60}with a space.py:12"

    lines = format_table(("at", "name"), [(long, "load"), ("a.py:3", "save")], width=60, whole={0})

    assert lines[1] == f"{long}  load"
    assert measure(lines[2]) <= 60


def test_a_word_without_end_is_cut():
    lines = format_table(("a",), [("x" * 100_000,)], width=40)

    assert all(measure(line) <= 120 for line in lines)


def test_colours_leave_the_columns_where_they_are():
    plain = format_table(("at", "n"), [("a.py:1", "12"), ("bb.py:22", "3")], width=40)
    painted = format_table(
        ("at", "n"),
        [("a.py:1", "12"), ("bb.py:22", "3")],
        width=40,
        paint=lambda text, ink: f"<{ink}>{text}</>",
        ink_of=lambda _row, column: Ink.RED if column == 0 else None,
    )

    assert painted[1].startswith("<31>a.py:1</>")
    assert [re.sub(r"<[^>]*>", "", line) for line in painted] == plain


def test_a_table_that_fits_shows_every_cell_in_aligned_columns():
    lines = format_table(("name", "calls"), [("load", "3"), ("save_all", "12")], width=80)

    assert lines == ["name      calls", "load          3", "save_all     12"]


def test_the_widest_column_gives_way_first():
    columns = ["12345"], ["word " * 12], ["four " * 4]

    assert fit_widths(columns, 54) == [5, 25, 20]


def test_a_column_is_at_least_as_wide_as_its_longest_word():
    assert fit_widths([["x" * 30], ["word " * 12]], 20) == [30, 8]


def test_a_huge_cell_is_cut_to_a_few_lines():
    lines = format_table(("a", "b"), [("x", "word " * 100_000)], width=40)

    assert len(lines) <= 7
    assert lines[-1].endswith("…")


def test_a_table_without_rows_is_its_headings():
    assert format_table(("a", "b"), [], width=20) == ["a  b"]


def test_rows_that_would_be_too_long_are_records_of_what_they_say():
    rows = [("hc/api/management/commands/sendalerts.py:145", "Command.handle_going_down", "-", "assigned")]

    lines = format_table(("where", "symbol", "test", "reason"), rows, width=50, whole={0})

    assert lines == [
        "hc/api/management/commands/sendalerts.py:145",
        "    symbol Command.handle_going_down · reason",
        "    assigned",
    ]
