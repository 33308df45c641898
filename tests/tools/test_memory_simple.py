import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory_world import MemoryWorld

from drift.kernel.tokens import count_tokens

NOTES = [
    "Retries of payments must keep the idempotency key, or customers are charged twice.",
    "The staging database is wiped every Sunday night by a cron job nobody owns.",
    "Images are resized by the worker, never in the request, since a large upload blocked everything.",
    "The partner's API answers 200 with an error in the body; check the field `status`.",
    "We moved from Celery to a plain queue table because deploys lost tasks.",
    "Feature flags are read once at start; changing one needs a restart.",
    "The search index is rebuilt in a second table and swapped, so that readers never see half of it.",
    "Customer numbers begin with zeros: never parse them as integers.",
    "Logs of the billing job go to another account, ask the platform team for access.",
    "The mobile app caches the price list for a day, so a wrong price lives that long.",
    "Time zones: the warehouse reports in local time without an offset.",
    "Payments of less than one cent are rounded up by the gateway and refused by the bank.",
]


@pytest.fixture
def world(tmp_path):
    made = MemoryWorld(tmp_path)
    yield made
    made.close()


@pytest.fixture
def filled(world):
    for note in NOTES:
        world.save(note)
    return world


def test_a_memory_is_saved_with_a_title_of_its_own_and_found_by_a_long_question(filled):
    hits = filled.data(
        "recall", query="why could it happen that some customers were charged two times for one order?"
    )

    assert hits["results"][0]["title"].startswith("Retries of payments must keep the")
    assert "charged" not in hits.get("unknownWords", [])


def test_nothing_saved_yet_is_no_error(world):
    for name, arguments in (
        ("recall", {"query": "x"}), ("recall", {}), ("drift_memory_search", {"query": "x"}),
        ("drift_memory_context", {"focus": "x"}), ("drift_memory_status", {}), ("drift_memory_discover", {}),
    ):  # fmt: skip
        outcome = world.call(name, **arguments)
        assert not outcome.is_error, outcome.text
    assert "Nothing has been saved" in world.call("recall", query="x").text
    assert not world.store.exists()


def test_the_very_same_text_is_not_kept_twice(world):
    first = world.data("save_memory", text=NOTES[0])
    again = world.data("save_memory", text="  " + NOTES[0].upper())

    assert (first["created"], again["created"]) == (True, False)
    assert again["id"] == first["id"]


def test_a_near_duplicate_is_kept_and_named(world):
    first = world.save(NOTES[0])

    saved = world.data("save_memory", text=NOTES[0].replace("twice", "thrice"))

    assert saved["created"]
    assert saved["similar"][0]["id"] == first
    assert 0.7 <= saved["similar"][0]["share"] < 1


def test_secrets_are_taken_out_and_named(world):
    outcome = world.call("save_memory", text="The key is AKIAIOSFODNN7EXAMPLE for the bucket.")

    assert outcome.body["data"]["redacted"] == [{"what": "AWS access key", "line": 1}]
    assert "AKIA" not in world.data("recall", id=outcome.body["data"]["id"])["results"][0]["text"]
    assert b"AKIAIOSFODNN7EXAMPLE" not in world.store.read_bytes()


@pytest.mark.parametrize(
    ("kind", "memory_type"),
    [("change", "episodic"), ("reference", "reference"), ("finding", "insight"), ("decision", "decision"),
     ("verification", "episodic"), (None, "insight")],
)  # fmt: skip
def test_a_kind_chooses_the_type(world, kind, memory_type):
    saved = world.data("save_memory", text=NOTES[1], kind=kind)

    assert (saved["type"], saved.get("kind")) == (memory_type, kind)
    assert world.found("staging", "recall", kind=kind or "finding") == ([saved["id"]] if kind else [])


def test_a_diff_is_a_change_whose_lines_and_files_are_kept(world):
    diff = "Fix\n--- a/shop/orders.py\n+++ b/shop/orders.py\n@@ -1,2 +1,3 @@\n def order():\n-    return 1\n+    x = 2\n+    return x\n"

    saved = world.data("save_memory", text=diff)
    kept = world.data("drift_memory_get", id=saved["id"])["memory"]

    assert saved["code"] == {"added": 2, "removed": 1, "files": ["shop/orders.py"]}
    assert kept["content"] == {"context": {"code": saved["code"]}}
    assert (kept["kind"], kept["files"]) == ("change", ["shop/orders.py"])


def test_hits_without_a_word_that_was_looked_for_are_told_by_their_places(filled):
    outcome = filled.call("recall", query="staging", limit=10)

    titles = [row["title"] for row in outcome.body["data"]["results"]]
    wordless = [str(place) for place, title in enumerate(titles, 1) if "staging" not in title]
    assert 0 < len(wordless) < len(titles)
    assert outcome.body["warnings"] == [f"none of the words looked for: hits {', '.join(wordless)}"]


def test_ten_compact_hits_stay_under_350_tokens(filled):
    outcome = filled.call("recall", query=" ".join(NOTES) + " zebra quokka wombat", limit=10)

    assert len(outcome.body["data"]["results"]) == 10
    assert count_tokens(outcome.full_text) <= 350


def test_many_in_full_stay_under_2000_tokens_and_none_is_left_out(world):
    ids = [
        world.save(f"Queue {number}: " + f"the worker {number} drains it slowly. " * 60)
        for number in range(12)
    ]

    outcome = world.call("recall", query="queue worker", detail="full", limit=12)

    assert {row["id"] for row in outcome.body["data"]["results"]} == set(ids)
    assert count_tokens(outcome.full_text) <= 2000
    assert "text" in outcome.body["data"]["results"][0]


def test_one_full_view_stays_under_4000_tokens_and_says_that_it_is_cut(world):
    memory = world.save("A very long note. " * 5_000)

    outcome = world.call("recall", id=memory)

    assert count_tokens(outcome.full_text) <= 4000
    assert outcome.truncated


def test_a_timeline_is_in_the_order_of_time(filled):
    rows = filled.data("recall", query="payments customers price", detail="timeline")["results"]

    assert [row["id"] for row in rows] == sorted(row["id"] for row in rows)
    assert all(row["at"] for row in rows)


def test_without_a_query_the_newest_come_first(filled):
    rows = filled.data("recall", limit=3)["results"]

    assert rows[0]["title"].startswith("Payments of less than one cent")


def test_a_title_that_is_asked_for_stands_first(world):
    world.save("The gateway is described in the note Payment gateway, see there.", title="Where to look")
    wanted = world.save("It refuses amounts below one cent.", title="Payment gateway")

    assert world.data("recall", title="payment gateway")["results"][0]["id"] == wanted
    assert world.data("recall", title="amounts")["results"][0]["id"] == wanted


def test_purge_needs_ids_and_never_acts_on_a_query(filled):
    listed = filled.call("recall", query="payments", action="purge")

    assert "nothing was purged" in listed.body["summary"]
    assert not any(row.get("purged") for row in filled.data("recall", limit=20)["results"])
    assert filled.call("recall", action="purge").code == "MISSING_REQUIRED_PARAM"


def test_what_is_purged_is_hidden_kept_and_restored(filled):
    memory = filled.found("idempotency", "recall")[0]

    filled.data("recall", ids=[memory], action="purge")

    assert memory not in filled.found("idempotency", "recall")
    assert filled.data("recall", query="idempotency", includePurged=True)["results"][0]["purged"] is True
    assert filled.data("recall", query="idempotency", action="restore")["results"][0]["id"] == memory
    filled.data("recall", ids=[memory], action="restore")
    assert filled.found("idempotency", "recall")[0] == memory


def test_an_unknown_id_changes_nothing_and_names_those_like_it(filled):
    memory = filled.found("idempotency", "recall")[0]

    outcome = filled.call("recall", ids=[memory, memory[:-1] + "!"], action="purge")

    assert outcome.code == "RESOURCE_NOT_FOUND"
    assert memory in outcome.body["similar"]
    assert memory in filled.found("idempotency", "recall")


def test_a_word_that_no_memory_holds_is_told_and_the_others_still_find(filled):
    data = filled.data("recall", query="zebra payments")

    assert data["unknownWords"] == ["zebra"]
    assert data["results"]


def test_empty_text_and_nul_are_refused_with_a_reason(world):
    assert world.call("save_memory", text="  \n ").code == "INVALID_ARGUMENT"
    assert "NUL" in world.call("save_memory", text="a\0b").text
    assert world.call("save_memory", text="x" * 200_001).code == "INVALID_ARGUMENT"


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    made = MemoryWorld(tmp_path_factory.mktemp("shared"))
    for note in NOTES:
        made.save(note)
    yield made
    made.close()


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200)
       | st.lists(st.sampled_from(["NEAR(", "payments", '"', "AND", "OR", "NOT", "*", "^", "(", ")", "title:", "-", "\0", "é", "支払い"]), max_size=12).map(" ".join))  # fmt: skip
def test_any_query_is_answered_and_a_word_that_matches_finds(shared, query):
    outcome = shared.call("recall", query=query)

    assert not outcome.is_error, outcome.text
    if "payments" in query.lower().split():
        assert outcome.body["data"]["results"]


def test_ten_kilobytes_of_question_are_answered(shared):
    assert shared.found("how " * 2_500 + "payments idempotency", "recall")
    assert shared.call("recall", query="x" * 10_241).code == "INVALID_ARGUMENT"


def test_a_broken_store_is_told_with_a_way_out_and_the_server_lives_on(world):
    world.store.parent.mkdir(parents=True)
    world.store.write_bytes(b"this is no database at all" * 100)

    for name, arguments in (
        ("save_memory", {"text": "a"}), ("recall", {"query": "a"}), ("recall", {"id": "m_1"}),
        ("drift_memory_add", {"type": "insight", "text": "a"}), ("drift_memory_search", {"query": "a"}),
        ("drift_memory_status", {}), ("drift_memory_context", {"focus": "a"}), ("drift_memory_get", {"id": "m_1"}),
    ):  # fmt: skip
        outcome = world.call(name, **arguments)
        assert outcome.code == "CORTEX_UNAVAILABLE", name
        assert outcome.body["command"] == "drift memory salvage"
    assert world.data("drift_memory_discover")["memories"] is None


def test_a_memory_whose_code_changed_is_marked_and_lowered_in_every_answer(world):
    stale = world.save("In shop/orders.py, `order` gives the number of the order")
    sound = world.save("An order has a number that is given once")
    asked = "which number does an order get, and what gives the number of the order"
    assert world.found(asked)[0] == stale

    (world.root / "shop/orders.py").write_text("def order():\n    return 2\n\n\nLIMIT = 3\n")

    rows = world.data("drift_memory_search", query=asked, detail="snippets")["results"]
    marked = {row["id"]: row.get("stale") for row in rows}
    assert marked == {stale: "order changed since, now shop/orders.py:1", sound: None}
    assert {row["id"]: row["confidence"] for row in rows}[stale] == 0.5
    for tool, arguments in (
        ("recall", {"query": asked}), ("recall", {}), ("recall", {"ids": [stale]}),
        ("drift_memory_context", {"focus": asked}), ("drift_memory_get", {"id": stale}),
        ("drift_memory_for_context", {"focus": asked, "resend": True}),
    ):  # fmt: skip
        assert "stale" in world.call(tool, **arguments).text, tool


def test_code_that_changes_beside_what_a_memory_is_about_marks_nothing(world):
    world.save("In shop/orders.py, `order` gives the number of the order")

    (world.root / "shop/orders.py").write_text("LIMIT = 4\n\n\ndef order():\n    return 1\n")

    assert "stale" not in world.call("drift_memory_search", query="number of the order").text


def test_a_memory_of_a_branch_is_found_on_it_alone(world):
    def git(*words):
        subprocess.run(["git", *words], cwd=world.root, check=True, capture_output=True)

    assert world.call("save_memory", text=NOTES[0], scope="branch").code == "INVALID_ARGUMENT"
    git("init", "-q", "-b", "main")
    git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "--allow-empty", "-m", "one")
    git("checkout", "-q", "-b", "feature/x")
    git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "--allow-empty", "-m", "two")
    world.data("save_memory", text="The parser of invoices keeps comments", scope="branch")

    def found():
        rows = [
            *world.data("recall", query="parser of invoices")["results"],
            *world.data("recall")["results"],
        ]
        return [row.get("branch") for row in rows]

    assert found() == ["of branch feature/x"] * 2
    git("checkout", "-q", "main")
    assert found() == []


def test_a_contradiction_says_which_is_newer_and_what_the_code_says_of_each(world):
    (world.root / "requirements.txt").write_text("rq==1.16\n")
    older = world.add("Background jobs run on Celery")
    newer = world.add("We moved from Celery to RQ for background jobs")

    (row,) = world.data("drift_memory_contradictions")["contradictions"]

    assert (row["a"], row["b"], row["newerDays"]) == (older, newer, 0)
    assert row["codeA"] == "no manifest declares celery"
    assert row["codeB"].startswith("requirements.txt declares rq")
