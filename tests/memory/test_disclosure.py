from hypothesis import given
from hypothesis import strategies as st

from drift.memory import Memory
from drift.memory.work.disclosure import Level, disclose, excerpt, full_text


def memory(title, text, **content):
    return Memory(
        id="m_1", type="insight", title=title, text=text, content=content, recorded_at_ms=1, updated_at_ms=1
    )


def test_each_level_tells_more_than_the_one_below():
    note = memory("Retries", "word " * 400, insight="keep the key")

    lengths = [len(disclose(note, level)) for level in Level]

    assert lengths == sorted(lengths)
    assert lengths[0] == 0
    assert "keep the key" in disclose(note, Level.FULL)


def test_a_title_made_from_the_text_is_not_told_twice():
    assert disclose(memory("Keep the key", "Keep the key. Always."), Level.FULL) == "Keep the key. Always."


def test_an_excerpt_stands_around_the_word_that_was_looked_for():
    note = memory("Notes", "filler " * 100 + "the gateways refuse " + "filler " * 100)

    assert "gateways" in excerpt(note, ["gateway"], chars=80)


def test_an_excerpt_begins_where_a_cut_title_ends_at_a_whole_word():
    note = memory("The token exp…", "The token expires at noon")

    assert excerpt(note, [], chars=80) == "expires at noon"


def test_every_field_of_the_content_is_in_the_full_text():
    said = full_text(memory("t", "", insight="a", steps=[{"order": 1}], tags=["x", "y"]))

    assert said.splitlines() == ["insight: a", 'steps: [{"order":1}]', "tags: x; y"]


@given(st.text(max_size=300), st.text(max_size=600), st.lists(st.text(max_size=10), max_size=3))
def test_any_memory_can_be_told_on_one_line(title, text, words):
    note = memory(title, text)

    assert len(disclose(note, Level.LINE).splitlines()) <= 1
    assert len(excerpt(note, words, chars=100)) <= 101
