"""Code cut into statements, in languages that end them in different ways."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.quality.clones import StatementReader
from drift.quality.clones.corpus import label_repeated
from drift.quality.clones.repeats import Repeats

PYTHON = '''"""A module."""
import os
from shop import (
    cart,
)


def total(rows,
          rate):  # a comment
    """Say it."""
    return sum(
        row.price
        for row in rows
    ) * rate


text = """one
two"""
after = 1
'''
SCRIPT = """import { a } from "a";
const total = rows
  .map((row) => {
    const price = row.price
    return price
  })
  .join("; ")
if (total) { show(total) } else {
  hide()
}
"""
JAVA = """package shop;
import java.util.List;
class Cart {
    int total(List<Row> rows) { // {
        for (int i = 0; i < rows.size(); i++) {
            sum += rows.get(i)
                .price();
        }
        return sum; } }
"""
RUBY = "require 'set'\ndef total(rows)\n  rows.each do |row|\n    sum += row.price\n  end\nend\n"
C = "#include <a.h>\n#define ONE \\\n 1\nint one(void) {\n    return ONE;\n}\n"


def spans(text, language):
    found = StatementReader().read(text.encode(), language)
    return list(zip(found.lines, found.end_lines, found.depths, strict=True))


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        (PYTHON, "python", [(8, 9, 0), (11, 14, 4), (17, 18, 0), (19, 19, 0)]),
        (JAVA, "java", [(3, 3, 0), (4, 4, 1), (5, 5, 2), (6, 7, 3), (9, 9, 2)]),
        (RUBY, "ruby", [(2, 2, 0), (3, 3, 2), (4, 4, 4)]),
        (C, "cpp", [(4, 4, 0), (5, 5, 1)]),
    ],
)
def test_statements_end_where_the_language_says(text, language, expected):
    assert spans(text, language) == expected


def test_a_chain_of_calls_is_one_statement_and_the_functions_in_it_have_their_own():
    assert [span[:2] for span in spans(SCRIPT, "javascript")] == [
        (2, 3), (4, 4), (5, 5), (6, 7), (8, 8), (8, 8), (8, 8), (9, 9),
    ]  # fmt: skip


def test_blanks_and_comments_change_nothing_and_names_the_text_alone():
    read = StatementReader().read
    one, two, three, four = (
        read(text, "python")
        for text in (b"a = f(a, b)\n", b"a  =  f( a,b )  # why\n", b"x = g(x, y)\n", b"x = g(y, x)\n")
    )

    assert one.texts == two.texts
    assert one.shapes == three.shapes
    assert one.texts != three.texts
    assert one.shapes != four.shapes, "another name came back"


def test_a_language_without_marks_is_not_read():
    assert StatementReader().read(b"a", "wpf") is None


def test_operands_can_be_told_in_words():
    found = StatementReader().read(b"a = f('x', 2)\n", "python", with_words=True)

    assert [found.words[one] for one in found.operands] == [b"a", b"f", b"'x'", b"2"]


@given(
    st.binary(max_size=200),
    st.sampled_from(["python", "javascript", "cpp", "ruby", "php", "go", "rust", "csharp"]),
)
@settings(max_examples=60)
def test_whatever_the_bytes_lines_are_in_order_and_columns_are_equally_long(content, language):
    found = StatementReader().read(content, language)

    assert len({len(each) for each in found[:7]}) == 1
    assert list(found.lines) == sorted(found.lines)
    assert all(
        first <= last <= content.count(b"\n") + 1
        for first, last in zip(found.lines, found.end_lines, strict=True)
    )


@given(st.lists(st.integers(1, 4), max_size=40))
@settings(max_examples=60)
def test_repeats_are_all_that_repeats_and_cannot_be_longer(numbers):
    labels = label_repeated([*numbers, 0])
    repeats = list(Repeats(labels))

    for places, length in repeats:
        assert len({tuple(numbers[place : place + length]) for place in places}) == 1
        assert len({(numbers[place + length : place + length + 1] or [-place])[0] for place in places}) > 1


def test_a_run_in_three_places_and_its_longer_form_in_two_are_two_repeats():
    numbers = [1, 2, 3, 4, 9, 1, 2, 3, 4, 8, 2, 3, 7]

    assert sorted(Repeats(label_repeated(numbers))) == [((0, 5), 4), ((1, 6, 10), 2)]


def test_tables_and_endless_repeats_are_not_followed_to_the_end():
    table, endless = Repeats([1, 2] * 3_000), Repeats([1, 2, 3] * 2_000, most_steps=100_000)

    assert list(table) == []
    assert sum(1 for _ in endless) < 10_000
    assert not endless.is_whole
