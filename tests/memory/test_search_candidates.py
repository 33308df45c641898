"""Few memories are scored for a question, whatever its words, and the best are among them."""

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.memory import Draft, Memory, MemoryStore
from drift.memory.overlap import telling_words, telling_words_of
from drift.memory.saving import find_alike
from drift.memory.search import WordCounts, candidates
from drift.memory.search.candidates import find_candidates, find_sharing
from drift.memory.search.matching import match_texts
from drift.memory.search.questions import read_question
from drift.memory.search.wanted import Said
from drift.memory.stems import stem, stems

COUNT = 400
WORDS = st.text("abcdefgilnorst0123äßé日", min_size=1, max_size=12)


def memory(number: int, text: str) -> Memory:
    return Memory(id=f"m_{number:05}", type="core", text=text, recorded_at_ms=1, updated_at_ms=1)


@pytest.fixture
def connection(tmp_path) -> Iterator[sqlite3.Connection]:
    """Memories that all hold "queue", every second "worker", every fifth "lock", every ninth "cache"."""
    store = MemoryStore(tmp_path / "cortex.db")
    every = {"queue": 1, "worker": 2, "lock": 5, "cache": 9, "zebra": 100}
    texts = (
        " ".join(word for word, step in every.items() if number % step == 0) + f" n{number}"
        for number in range(1, COUNT + 1)
    )
    store.add_many((memory(number, text) for number, text in enumerate(texts, 1)), actor="test")
    with store.reading() as reading:
        yield reading
    store.close()


@pytest.fixture
def few(monkeypatch) -> None:
    """The bounds of a large store, for a small one."""
    for name, value in {
        "_ALWAYS_RARE": 10, "_COMMON_COUNT": 10, "_MOST_CHOSEN": 10, "_MOST_SCORED": 60, "_PROBED": 20,
    }.items():  # fmt: skip
        monkeypatch.setattr(candidates, name, value)


def find(connection: sqlite3.Connection, text: str, most: int = 5) -> list[int]:
    question = read_question(text)
    return list(find_candidates(connection, question, WordCounts().of(connection, question), most=most))


@pytest.mark.usefixtures("few")
def test_common_words_find_what_holds_them_together(connection):
    found = find(connection, "queue worker lock cache", most=8)

    assert set(found) == set(range(45, COUNT, 45))  # lock and cache, the rarest two, and another


@pytest.mark.usefixtures("few")
def test_a_rare_word_comes_before_common_ones_and_these_order_what_holds_it(connection):
    found = find(connection, "zebra queue worker lock cache", most=8)

    assert set(found[:4]) == {100, 200, 300, 400}


@pytest.mark.usefixtures("few")
def test_too_few_with_a_rare_word_are_filled_up_with_the_newest_of_the_others(connection):
    found = find(connection, "zebra queue", most=50)

    assert len(found) == 50
    assert set(found[:4]) == {100, 200, 300, 400}
    assert min(found[4:]) > COUNT - 70


@pytest.mark.usefixtures("few")
def test_one_common_word_is_looked_for_in_the_newest_memories(connection):
    assert min(find(connection, "queue", most=20)) > COUNT - 61


@pytest.mark.usefixtures("few")
def test_whoever_asks_for_more_than_is_scored_gets_it(connection):
    assert len(find(connection, "queue", most=1_000)) == COUNT


@pytest.mark.parametrize("text", ["", "???", "nowhere"])
def test_no_word_that_is_there_finds_nothing(connection, text):
    assert find(connection, text) == []


@pytest.mark.usefixtures("few")
def test_what_shares_all_rare_words_is_found_among_many_that_share_two(connection):
    question = read_question("worker lock cache")
    words = WordCounts().roughly(connection, question)

    assert set(find_sharing(connection, question, words, most=4)) == {90, 180, 270, 360}


@pytest.mark.usefixtures("few")
def test_rough_counts_end_early_for_common_words_and_are_true_for_rare_ones(connection):
    question = read_question("queue zebra nowhere")
    counts = WordCounts()

    first, again = (dict(counts.roughly(connection, question).counts) for _ in range(2))

    assert first == again == {stem("queue"): 20, stem("zebra"): 4, stem("nowhere"): 0}
    assert counts.of(connection, question).counts[stem("queue")] == COUNT


def test_a_text_of_words_that_are_nowhere_is_like_nothing(connection):
    draft = Draft(type="core", text="alpha bravo charlie delta queue")

    assert find_alike(connection, draft, counts=WordCounts()) == ()


def test_the_same_words_in_another_order_are_found_with_one_word_changed(connection):
    draft = Draft(type="core", text="n90 cache lock worker queue elephant")

    (first, *_others) = find_alike(connection, draft, counts=WordCounts())

    assert first.memory.id == "m_00090"


@given(st.lists(WORDS, max_size=20))
def test_stems_asked_for_together_are_those_asked_for_one_by_one(words):
    assert stems(words) == {word: stem(word) for word in words}


@given(st.lists(st.lists(WORDS, max_size=8).map(" ".join), max_size=5))
def test_the_words_of_several_texts_are_those_of_each(texts):
    assert telling_words_of(texts) == [telling_words(text) for text in texts]


@given(st.lists(st.tuples(st.text(max_size=40), st.text(max_size=80)), min_size=1, max_size=6))
def test_a_text_matches_the_same_words_alone_and_beside_others(texts):
    question = read_question("retry the payment queue")
    words = candidates.Words(dict.fromkeys(question.weights, 1), 10)
    said = {
        number: Said(f"{title} retry", f"payment queue {body}", None, "insight")
        for number, (title, body) in enumerate(texts)
    }

    together = match_texts(said, question, words)

    for number, one in said.items():
        assert set(together[number].stems) == set(match_texts({0: one}, question, words)[0].stems)


def test_the_end_of_one_text_and_the_beginning_of_the_next_are_no_pair():
    question = read_question("payment queue")
    words = candidates.Words(dict.fromkeys(question.weights, 1), 10)
    apart = {1: Said("", "the payment", None, "insight"), 2: Said("queue", "is late", None, "insight")}
    joined = {
        1: Said("", "the payment queue", None, "insight"),
        2: Said("", "the queue payment", None, "insight"),
    }

    split, beside = match_texts(apart, question, words), match_texts(joined, question, words)

    assert split[1].stems == (stem("payment"),)
    assert beside[1].score > beside[2].score
