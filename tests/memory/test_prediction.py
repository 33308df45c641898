"""What will be wanted, what warns, what is missing: each by evidence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.memory import CausalEdge, Draft, FileLink, Importance, LinkKind, Listing, Relation
from drift.memory.lessons.prediction import Situation, predict
from drift.memory.lessons.suggestions import HotFile, suggest
from drift.memory.lessons.warnings import Severity, find_warnings, severity_of
from drift.memory.records import Memory

NOW_MS = 1_700_000_100_000
DAY_MS = 86_400_000


@pytest.fixture
def note(store):
    def add(title, memory_type="tribal", *, file=None, **more):
        files = (FileLink(file),) if file else ()
        return store.add(Draft(type=memory_type, title=title, files=files, **more), actor="test")

    return add


def test_the_active_file_outweighs_recent_ones_and_those_by_how_recent(store, note):
    oldest, active, recent = (note(f"About {name}", file=name) for name in ("c.py", "a.py", "b.py"))

    found = predict(store, Situation("a.py", ("b.py", "c.py")), now_ms=NOW_MS)

    assert [one.memory.id for one in found] == [active.id, recent.id, oldest.id]


def test_each_further_sign_adds_a_little(store, note):
    one = note("Plain", file="a.py")
    two = note("With a pattern", file="a.py", patterns=("repository",))

    found = predict(store, Situation("a.py", patterns=("repository",)), now_ms=NOW_MS)

    assert [prediction.memory.id for prediction in found] == [two.id, one.id]
    assert found[0].score == pytest.approx(found[1].score + 0.05, abs=0.002)


def test_causal_neighbours_and_the_same_session_are_signs(store, note):
    seen = note("Seen", file="a.py", session="s1")
    cause, beside = note("Cause"), note("Beside", session="s1")
    note("Stranger", session="s2")
    store.edges.put([CausalEdge(cause.id, seen.id, Relation.CAUSED, 1.0)], actor="test")

    found = predict(store, Situation("a.py"), now_ms=NOW_MS)

    assert {one.memory.id for one in found} == {seen.id, cause.id, beside.id}
    assert all(one.signs for one in found)


def test_faded_archived_and_purged_memories_are_not_predicted(store, note):
    faded = note("Faded", "episodic", file="a.py")
    archived, purged = note("Archived", file="a.py"), note("Purged", file="a.py")
    store.archive([archived.id], reason="old", actor="test")
    store.purge([purged.id], actor="test")

    assert [one.memory.id for one in predict(store, Situation("a.py"), now_ms=NOW_MS)] == [faded.id]
    assert predict(store, Situation("a.py"), now_ms=NOW_MS + 60 * DAY_MS) == ()


def test_the_intent_weighs_by_type_and_says_so(store, note):
    note("A rule", "tribal", file="a.py", confidence=0.9)
    incident = note("An outage", "incident", file="a.py", confidence=0.9)

    found = predict(store, Situation("a.py", intent="fix_bug"), now_ms=NOW_MS)

    assert incident.id in {one.memory.id for one in found}
    assert any("for fix_bug" in sign.because for one in found for sign in one.signs)


@given(
    st.sampled_from(["critical", "high", "medium", "warning", "low", "info", None]),
    st.sampled_from(Importance),
)
def test_severity_is_said_or_else_by_importance(said, importance):
    content = {} if said is None else {"severity": said}
    memory = Memory(
        type="incident",
        title="x",
        content=content,
        importance=importance,
        id="m",
        recorded_at_ms=0,
        updated_at_ms=0,
    )

    found = severity_of(memory)

    assert isinstance(found, Severity)
    if said == "critical" or (said is None and importance is Importance.CRITICAL):
        assert found is Severity.CRITICAL


def test_one_shared_word_of_many_does_not_warn(store, note):
    note("Payments are retried by the gateway")
    wanted = note("Retry of payments doubles charges")

    found = find_warnings(store, focus="retry payments doubles", now_ms=NOW_MS).found
    chance = find_warnings(
        store, focus="gateway colours and unrelated doubles charges words", now_ms=NOW_MS
    ).found

    assert wanted.id in {one.memory.id for one in found}
    assert all(len(one.because[0].split(",")) >= 2 for one in chance)


def test_only_types_that_warn_do(store, note):
    note("A fact", "semantic", file="a.py")

    assert find_warnings(store, files=["a.py"], now_ms=NOW_MS).found == ()


def test_hot_files_are_suggested_heaviest_first_and_only_without_memories(store, note):
    note("Known", file="known.py")
    hot = (
        HotFile("known.py", 9, "9 commits"),
        HotFile("b.py", 5, "5 commits"),
        HotFile("a.py", 10, "10 commits"),
    )

    found = suggest(store, hot_files=hot, now_ms=NOW_MS).found

    assert [one.file for one in found] == ["a.py", "b.py"]


def test_episodes_that_taught_nothing_lasting_are_named(store, note):
    for turn in range(3):
        note(f"Episode {turn}", "episodic", file="a.py")
        note(f"Other {turn}", "episodic", file="b.py")
    note("Learned", "semantic", file="b.py")

    found = suggest(store, now_ms=NOW_MS).found

    assert [(one.kind, one.file) for one in found] == [("unlearned_episodes", "a.py")]


def test_what_is_used_and_hardly_believed_should_be_confirmed(store, note):
    doubted = note("Doubted", confidence=0.3)
    note("Unused", confidence=0.3)
    for _ in range(3):
        store.touch([doubted.id])
    store.flush_usage()

    found = suggest(store, now_ms=NOW_MS).found

    assert [one.memory for one in found] == [doubted.id]
    assert "used 3 times" in found[0].because


def test_a_focus_narrows_suggestions(store, note):
    note("Outage of search", "incident")
    note("Outage of mail", "incident")

    found = suggest(store, focus="mail", now_ms=NOW_MS).found

    assert len(found) == 1


def test_an_empty_store_suggests_nothing(store):
    assert suggest(store, now_ms=NOW_MS).found == ()
    assert store.list(Listing(link=(LinkKind.FUNCTION, "x"))).memories == ()
