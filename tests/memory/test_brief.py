"""What somebody should know who begins to work."""

from drift.memory import Draft, FileLink, Importance, Session
from drift.memory.work.brief import make_brief, recall_for_file
from drift.memory.work.debug_paths import Waypoint, add_waypoint, start_path
from drift.memory.work.stash import stash_thread

NOW = 1_700_000_900_000


def add(store, memory_type, text, **options):
    return store.add(Draft(type=memory_type, text=text, **options), actor="t")


def test_an_empty_store_has_nothing_to_say(store):
    assert make_brief(store, now_ms=NOW).text == ""


def test_the_brief_holds_the_last_session_warnings_goals_decisions_and_changes(store):
    store.sessions.put(Session("old", 1, 2, 2, "3 files changed"))
    store.sessions.put(Session("now", 3, 4, None, "of its own"))
    add(store, "tribal", "Never vacuum at noon", importance=Importance.CRITICAL)
    add(store, "tribal", "Tea is in the kitchen")
    add(store, "goal", "", title="Drop 3.10", content={"status": "blocked"})
    add(store, "goal", "", title="Reached long ago", content={"status": "achieved"})
    add(store, "decision", "SQLite stays")
    add(store, "episodic", "Cents everywhere", title="Changed cart.py", kind="change")
    start_path(store, "KeyError: 'discount' missing in cart", actor="t")
    stash_thread(store, topic="Retries", summary="half done", actor="t")

    text = make_brief(store, now_ms=NOW, session="now").text

    for said in (
        "3 files changed",
        "Never vacuum",
        'blocked: "Drop 3.10"',
        "SQLite stays",
        "cart.py",
        "discount",
        "Retries",
    ):
        assert said in text
    for unsaid in ("of its own", "Tea", "Reached long ago"):
        assert unsaid not in text


def test_the_brief_keeps_within_its_characters_and_counts_what_it_leaves_out(store):
    for number in range(30):
        add(store, "decision", f"Decision {number} " + "because of many reasons " * 8)
        add(store, "tribal", f"Warning {number} " + "which is grave " * 9, importance=Importance.HIGH)

    for most in (200, 900, 6_000):
        brief = make_brief(store, now_ms=NOW, most_chars=most)
        assert len(brief.text) <= most
        assert brief.text.count("\n- ") == len(brief.ids)
    assert make_brief(store, now_ms=NOW, most_chars=200).left_out > 0


def test_before_an_edit_the_file_tells_what_was_learned_and_what_failed(store):
    here = (FileLink("cart.py"),)
    episode = add(store, "episodic", "Changed totals", files=here)
    grave = add(store, "tribal", "Totals are cents", files=here, importance=Importance.CRITICAL)
    note = add(store, "insight", "Prices come from the feed", files=here)
    add(store, "insight", "Of another file", files=(FileLink("user.py"),))
    path = start_path(store, "KeyError: 'discount' missing in cart", actor="t", files=("cart.py",))
    add_waypoint(store, path.id, waypoint=Waypoint.FAILURE, text="raised the timeout", actor="t")

    recall = recall_for_file(store, "cart.py", now_ms=NOW)

    assert [one.id for one in recall.learned] == [grave.id, note.id, episode.id]
    assert [one.failed for one in recall.paths] == [("raised the timeout",)]


def test_what_has_faded_is_not_recalled(store):
    add(store, "episodic", "Long ago", files=(FileLink("cart.py"),))
    later = NOW + 200 * 86_400_000

    assert recall_for_file(store, "cart.py", now_ms=later).learned == ()
