"""Threads of work laid aside and taken up."""

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.memory import Draft
from drift.memory.work.stash import list_threads, resume_thread, stash_thread


def lay_aside(store, topic, **options):
    return stash_thread(store, topic=topic, summary="Key is kept; tests are missing", actor="t", **options)


def test_a_thread_comes_back_with_where_it_stood_and_what_was_learned(store):
    learned = store.add(Draft(type="insight", text="The key must be kept", session="s1"), actor="t")
    store.add(Draft(type="insight", text="Elsewhere", session="s2"), actor="t")
    lay_aside(store, "Retries", next_steps=("write tests",), files=("pay.py",), session="s1")

    thread = resume_thread(store, None, actor="t")

    assert thread.summary == "Key is kept; tests are missing"
    assert (thread.next_steps, thread.files) == (("write tests",), ("pay.py",))
    assert thread.learned == (learned.id,)


def test_threads_are_found_by_topic_whatever_its_case(store):
    first = lay_aside(store, "Retries")
    lay_aside(store, "Search index")

    assert resume_thread(store, "retries", actor="t").id == first.id
    assert [one.topic for one in list_threads(store)] == ["Search index"]
    assert len(list_threads(store, with_resumed=True)) == 2


def test_the_same_thread_laid_aside_again_is_open_again(store):
    first = lay_aside(store, "Retries")
    resume_thread(store, first.id, actor="t")

    assert lay_aside(store, "Retries").id == first.id
    assert [one.id for one in list_threads(store)] == [first.id]


def test_an_unknown_topic_is_answered_with_those_like_it(store):
    lay_aside(store, "Retries")

    with pytest.raises(DriftError) as raised:
        resume_thread(store, "Retrys", actor="t")

    assert raised.value.code is ErrorCode.RESOURCE_NOT_FOUND
    assert raised.value.recovery.similar == ("Retries",)


def test_nothing_laid_aside_is_said(store):
    with pytest.raises(DriftError, match="No thread is laid aside"):
        resume_thread(store, None, actor="t")
