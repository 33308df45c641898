"""Scores of two stores compare as if all memories were in one."""

from drift.memory import Draft, MemoryStore
from drift.memory.search import Setting, WordCounts, search
from drift.memory.search.joint import JointCounts

QUESTION = "imperative commit messages"
NOW_MS = 1_700_000_000_000


def fill(path, texts):
    store = MemoryStore.open(path, now_ms=lambda: NOW_MS)
    for text in texts:
        store.add(Draft(type="insight", title=text, text=text), actor="test")
    return store


def search_with(store, counts):
    with store.reading() as connection:
        return search(connection, counts, QUESTION, setting=Setting(NOW_MS))


def count(*stores):
    joint = JointCounts(QUESTION)
    for store in stores:
        with store.reading() as connection:
            joint.add(WordCounts(), connection)
    return joint


def test_a_small_store_scores_as_high_as_a_large_one_for_the_same_text(tmp_path):
    text = "imperative commit messages"
    small = fill(tmp_path / "small.db", [text])
    large = fill(tmp_path / "large.db", [text, *(f"message {number} of the queue" for number in range(50))])

    alone = [search_with(store, WordCounts()).hits[0].score for store in (small, large)]
    joint = count(small, large)
    together = [search_with(store, joint).hits[0].score for store in (small, large)]

    assert alone[0] < alone[1] / 2
    # What is left between them is how long the other texts of each store are.
    assert abs(together[0] - together[1]) < together[1] * 0.1
    small.close()
    large.close()


def test_only_a_word_that_no_store_holds_is_unknown(tmp_path):
    one = fill(tmp_path / "one.db", ["imperative mood"])
    other = fill(tmp_path / "other.db", ["messages of a queue"])

    found = search_with(one, count(one, other))

    assert found.unknown_words == ("commit",)
    one.close()
    other.close()


def test_an_empty_question_finds_nothing_in_any(tmp_path):
    store = fill(tmp_path / "one.db", ["imperative mood"])
    joint = JointCounts("")
    with store.reading() as connection:
        joint.add(WordCounts(), connection)
        assert search(connection, joint, "", setting=Setting(NOW_MS)).hits == ()
    store.close()
