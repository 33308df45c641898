"""Feedback is kept word for word, rotated, moved on, and shouted about when it must be."""

import logging

import pytest

from drift.kernel.errors import DriftError, ErrorCode

ON_BOTH_ENGINES = True

GOOD = {
    "kind": "bug-report",
    "severity": "medium",
    "title": "It broke",
    "description": "It broke when I looked.",
}


@pytest.fixture
def feedback(catalog):
    return catalog.feedback


def test_feedback_comes_back_as_it_was_given(feedback):
    sent = feedback.submit(
        **GOOD, context={"toolName": "x", "environment": {"a": [1, None]}}, tags=["ui", "é"]
    )

    found = feedback.get(sent.id)

    assert found == sent
    assert (found.status, found.context["environment"], found.tags) == ("new", {"a": [1, None]}, ("ui", "é"))
    assert feedback.get("none") is None


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "rant"},
        {"severity": "huge"},
        {"title": "ab"},
        {"title": "x" * 201},
        {"description": "short"},
        {"description": "x" * 5001},
        {"tags": ["x"] * 11},
        {"tags": [""]},
        {"title": "half \ud800 pair"},
        {"context": {"a": float("nan")}},
        {"context": {"a": object()}},
        {"context": {"a": "x" * 30_000}},
    ],
)
def test_feedback_outside_the_limits_is_refused(feedback, changes):
    with pytest.raises(DriftError) as caught:
        feedback.submit(**{**GOOD, **changes})
    assert caught.value.code in {ErrorCode.INVALID_ARGUMENT, ErrorCode.TOO_LARGE}
    assert feedback.list_entries().total == 0


def test_feedback_is_listed_by_what_it_is(feedback):
    first = feedback.submit(**GOOD, tags=["a", "b"])
    second = feedback.submit(**{**GOOD, "kind": "security"}, tags=["a"])
    third = feedback.submit(**{**GOOD, "severity": "low"})

    def ids(**asked):
        return [each.id for each in feedback.list_entries(**asked).entries]

    assert ids() == [third.id, second.id, first.id]
    assert ids(kind="security") == [second.id]
    assert ids(severity="low") == [third.id]
    assert ids(tags=["a", "b"]) == [first.id]
    assert ids(since=second.timestamp) == [third.id, second.id]
    assert ids(until=first.timestamp) == [first.id]
    assert ids(limit=1, offset=1) == [second.id]
    assert feedback.list_entries(limit=1).total == 3
    with pytest.raises(DriftError, match="since"):
        ids(since="yesterday")


def test_feedback_is_moved_on(feedback):
    sent = feedback.submit(**GOOD)

    feedback.update(sent.id, "acknowledged", admin_notes="looking")
    moved = feedback.update(sent.id, "resolved")

    assert (moved.status, moved.admin_notes) == ("resolved", "looking")
    assert moved.updated_at > sent.updated_at
    with pytest.raises(DriftError) as caught:
        feedback.update("fb_none", "closed")
    assert caught.value.code is ErrorCode.RESOURCE_NOT_FOUND
    with pytest.raises(DriftError, match="status"):
        feedback.update(sent.id, "ignored")


def test_rotation_drops_the_settled_ones_first_and_then_the_oldest(open_catalog):
    feedback = open_catalog(feedback_max_entries=3).feedback
    sent = [feedback.submit(**GOOD) for _ in range(3)]
    feedback.update(sent[1].id, "closed")

    sent.append(feedback.submit(**GOOD))
    assert [each.id for each in feedback.list_entries().entries] == [sent[3].id, sent[2].id, sent[0].id]
    sent.append(feedback.submit(**GOOD))
    assert [each.id for each in feedback.list_entries().entries] == [sent[4].id, sent[3].id, sent[2].id]


def test_security_and_critical_feedback_is_logged_without_its_secrets(feedback, caplog):
    with caplog.at_level(logging.WARNING):
        feedback.submit(**GOOD)
        assert caplog.records == []
        feedback.submit(
            **{**GOOD, "kind": "security", "title": "Key ghp_0123456789abcdefghijklmnopqrstuvwxyzAB leaks"}
        )
        feedback.submit(**{**GOOD, "severity": "critical"})

    assert len(caplog.records) == 2
    assert "ghp_0123" not in caplog.text


def test_feedback_is_counted(feedback):
    feedback.submit(**GOOD)
    feedback.submit(**{**GOOD, "kind": "issue"})

    found = feedback.stats()

    assert (found.total, found.by_type) == (2, {"bug-report": 1, "issue": 1})
    assert (found.by_severity, found.by_status) == ({"medium": 2}, {"new": 2})
    assert len(found.recent) == 2
    health = feedback.health()
    assert (health.total_entries, health.max_entries) == (2, 1000)
    assert health.disk_bytes > 0
