"""Which texts say the same, and what a memory without a title is called."""

import pytest

from drift.memory.overlap import overlap, telling_words
from drift.memory.saving import NEARLY_SAME, RELATED
from drift.memory.titles import make_title

LONG = (
    "The nightly importer reads the partner feed, checks every row against the catalogue, writes what changed to the "
    "staging table and then tells the search index, which waits {} before it answers with the new prices"
)


def share(one: str, other: str) -> float:
    return overlap(telling_words(one), telling_words(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Run the migrations before you deploy the API", "Before deploying the API, run the migrations"),
        ("Use pnpm, not npm, in the web package", "In the web package use pnpm and not npm"),
    ],
)
def test_the_same_in_another_order_is_nearly_the_same(one, other):
    assert share(one, other) >= NEARLY_SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (LONG.format("30 seconds"), LONG.format("45 seconds")),
        ("Use Redis for the job queue of the importer", "Do not use Redis for the job queue of the importer"),
        ("Use Redis for the job queue of the importer", "Don't use Redis for the job queue of the importer"),
    ],
)
def test_another_number_or_a_denial_is_related_and_not_the_same(one, other):
    assert RELATED <= share(one, other) < NEARLY_SAME
    assert share(one, other) == share(other, one)


def test_a_number_only_one_of_both_names_does_not_part_them():
    assert share(LONG.format("30 seconds"), LONG.format("some seconds")) >= NEARLY_SAME


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("- fix: handle e.g. None in the parser. More follows", "fix: handle e.g. None in the parser"),
        ("Dr. Smith owns the module. Ask her", "Dr. Smith owns the module"),
        ("```python\n```\nThe cache is cold. It warms up", "The cache is cold"),
        ("v1.2.3 is out! Upgrade", "v1.2.3 is out"),
        ("\n\n---\n", ""),
    ],
)
def test_a_title_is_the_first_sentence_that_says_something(text, title):
    assert make_title(text, {}) == title
