from dataclasses import FrozenInstanceError

import pytest

from drift.kernel.answer import Answer, NextAction, Pagination
from drift.kernel.render import render_answer
from drift.kernel.wire import to_wire


def test_an_answer_needs_only_a_summary_and_data():
    answer = Answer("3 files", ["a", "b", "c"])

    assert answer.pagination is None
    assert answer.next == answer.warnings == answer.links == ()


def test_an_answer_cannot_be_changed_once_given():
    answer = Answer("s", 1)

    with pytest.raises(FrozenInstanceError):
        answer.summary = "other"  # type: ignore[misc]  # the point of the test


def test_the_wire_form_of_an_answers_parts_is_what_its_text_is_made_from():
    pagination = Pagination(total=90, has_more=False, next_cursor=None, page_size=9)
    action = NextAction("drift_impact", {"target": "a", "depth": 2}, "see more", "high")

    text = render_answer(
        {"summary": "s", "pagination": to_wire(pagination), "nextActions": [to_wire(action)], "warnings": []}
    )

    assert text == "s\npage: the last of 90\nnext (high): drift_impact(target=a, depth=2) — see more"
