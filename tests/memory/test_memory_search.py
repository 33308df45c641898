"""Memories are found again by any words of a question."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.memory import Draft, Importance, MemoryStore
from drift.memory.search import Found, Setting, Wanted, WordCounts, classify_intent, search

NOW_MS = 1_700_000_900_000
NOW = Setting(NOW_MS)
ALL_CURRENT = Wanted()


def ask(
    store: MemoryStore,
    text: str,
    *,
    setting: Setting = NOW,
    wanted: Wanted = ALL_CURRENT,
    limit: int = 10,
) -> Found:
    with store.reading() as connection:
        return search(connection, WordCounts(), text, setting=setting, wanted=wanted, limit=limit)


def save(store: MemoryStore, text: str, **more) -> str:
    return store.add(Draft(type=more.pop("type", "tribal"), text=text, **more), actor="test").id


def found_ids(found: Found) -> list[str]:
    return [hit.row.id for hit in found.hits]


def test_a_long_natural_question_finds_its_answer(store):
    answer = save(store, "Deployments fail when the migration lock is held by the worker queue")
    save(store, "The logo is blue")

    found = ask(
        store,
        "Can you please remind me why it is that our deployment failed with some kind of migration lock?",
    )

    assert found_ids(found)[0] == answer
    assert set(found.hits[0].words) >= {"migration", "lock"}


def test_what_the_words_were_taken_for_is_told(store):
    save(store, "The cache is cleared at midnight")

    found = ask(store, "when is the cache cleared by zookeeper")

    assert found.ignored_words == ("when", "is", "the", "by")
    assert found.unknown_words == ("zookeeper",)


@pytest.mark.parametrize(
    "hostile",
    [
        '"',
        "AND",
        "NEAR(a b)",
        "title:x",
        "*",
        "a OR",
        "(((",
        "'; DROP TABLE memories; --",
        "^",
        "-x",
        "\x00",
        "🙂",
        "",
        " ",
        "x" * 20_000,
    ],
)
def test_no_text_is_taken_for_an_operator(store, hostile):
    save(store, "an ordinary note about near and drop")

    assert ask(store, hostile).weighed <= 1


@settings(max_examples=60)
@given(st.text(max_size=200))
def test_any_text_is_a_question(shared_store, text):
    ask(shared_store, text)


@pytest.fixture(scope="module")
def shared_store(tmp_path_factory):
    store = MemoryStore.open(tmp_path_factory.mktemp("shared") / "cortex.db")
    save(store, "Zürich naïve café ΑΒΓ note_with_underscores camelCaseName")
    yield store
    store.close()


def test_accents_endings_and_parts_of_names_do_not_matter(store):
    note = save(store, "Naïve caching in parseUserToken: entries are never evicted")

    for question in ("naive cache", "CACHED entry", "user token parsing", "parseUserToken"):
        assert found_ids(ask(store, question)) == [note], question


def test_a_word_of_the_title_counts_more(store):
    save(store, "rollback rollback", title="Notes of May")
    titled = save(store, "what to do", title="Rollback")

    assert found_ids(ask(store, "rollback"))[0] == titled


def test_purged_archived_and_superseded_memories_are_hidden_until_asked_for(store):
    ids = [save(store, f"retry policy number {n}") for n in ("one", "two", "three", "four")]
    store.purge(ids[:1], actor="test")
    store.archive(ids[1:2], reason="old", actor="test")
    store.supersede(ids[2], ids[3], actor="test")

    assert found_ids(ask(store, "retry policy")) == [ids[3]]
    everything = Wanted(with_purged=True, with_archived=True, with_superseded=True)
    assert set(found_ids(ask(store, "retry policy", wanted=everything))) == set(ids)


def test_filters_look_deeper_than_the_best_by_words(store):
    with store.transaction():
        for n in range(300):
            save(store, f"queue queue queue {n}")
        wanted = save(
            store,
            "a decision about the queue among many other unrelated things",
            type="decision",
            tags=("arch",),
        )

    assert found_ids(ask(store, "queue", wanted=Wanted(types=("decision",)))) == [wanted]
    assert found_ids(ask(store, "queue", wanted=Wanted(tags=("arch",)))) == [wanted]


def test_what_was_said_beside_a_hit_comes_with_it(store):
    save(store, "unrelated", session="other")
    question = save(store, "Which port does the staging gateway use?", session="s1")
    answer = save(store, "It is 8443", session="s1")
    save(store, "lunch at noon", session="s2")

    found = ask(store, "staging gateway port")

    assert found_ids(found)[:2] == [question, answer]
    assert found.hits[1].words == ()


def test_worth_orders_only_what_the_words_leave_equal(store):
    plain = save(store, "timeouts of the billing service are thirty seconds")
    heavy = save(store, "timeouts of the billing service are sixty seconds", importance=Importance.CRITICAL)
    better = save(store, "billing service timeouts after a failed retry")

    alike = [one for one in found_ids(ask(store, "billing service timeouts")) if one != better]
    assert alike == [heavy, plain]
    assert found_ids(ask(store, "billing timeouts failed retry"))[0] == better


def test_a_memory_of_the_file_at_hand_comes_first(store):
    from drift.memory import FileLink

    save(store, "parsing is recursive")
    here = save(store, "parsing is iterative", files=(FileLink("src/parser.py"),))
    save(store, "parsing is streaming")

    found = ask(store, "parsing", setting=Setting(NOW_MS, files=("src/parser.py",)))

    assert found_ids(found)[0] == here


def test_a_query_of_common_words_alone_still_finds_something(store):
    with store.transaction():
        for n in range(700):
            save(store, f"deploy the service {n}")

    assert len(ask(store, "deploy service").hits) == 10


def test_short_forms_find_the_words_they_stand_for(store):
    note = save(store, "Authentication goes through the gateway")

    assert found_ids(ask(store, "auth")) == [note]


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("fix the crash in the parser", "fix_bug"),
        ("add tests for coverage of mocks", "add_test"),
        ("rename and extract a module", "refactor"),
        ("zebra", None),
    ],
)
def test_the_intent_of_a_task_is_read_from_its_words(text, intent):
    assert classify_intent(text) == intent


def test_a_short_note_is_not_buried_under_long_ones_that_say_its_words_in_passing(store):
    answer = save(store, "March 29 ends sprint work; registration came first.")
    passing = "Whatever comes first is sorted into a sprint. " + "A word that says nothing here. " * 20
    for number in range(8):
        save(store, f"Chapter {number}. " + passing * 6 + "The first sprint, in the end.")

    assert found_ids(ask(store, "When does my first sprint end?", limit=3))[0] == answer


def test_among_short_notes_length_hardly_matters(store):
    long = save(
        store, "Melanie and her kids went camping by the lake and they loved the camping trip in June"
    )
    save(store, "Kids: camping?")

    assert found_ids(ask(store, "camping trip of the kids in June"))[0] == long


def test_worth_decides_between_equals_and_never_against_the_words(store):
    plain = save(store, "The importer retries uploads three times", importance=Importance.LOW)
    equal = save(store, "The exporter retries uploads three times", importance=Importance.CRITICAL)
    better = save(store, "Uploads retries: the queue retries uploads on failure", importance=Importance.LOW)

    assert found_ids(ask(store, "retries of uploads three times"))[:2] == [equal, plain]
    assert found_ids(ask(store, "uploads retries on queue failure"))[0] == better


def test_captured_commits_do_not_drown_what_was_decided_unless_they_are_asked_for(store):
    decided = save(store, "Retries of payments keep the idempotency key", type="decision")
    commit = save(
        store, "Make the retries of payments keep their idempotency key", type="episodic", kind="change"
    )
    save(store, "def retries(payments): keep idempotency", type="episodic", kind="change")

    assert found_ids(ask(store, "why must retries of payments keep their idempotency key"))[0] == decided
    assert (
        found_ids(ask(store, "which commit made retries of payments keep the idempotency key"))[0] == commit
    )


def test_a_question_of_what_to_do_when_something_fails_does_not_ask_for_a_moment(store):
    rule = save(store, "A payment that fails is retried after a minute", type="tribal")
    save(store, "A payment that fails is retried", type="episodic", kind="change")

    assert found_ids(ask(store, "what is done when a payment fails"))[0] == rule
    assert found_ids(ask(store, "how are commit messages for a failing payment written"))[0] == rule


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Jobs of the queue run on Celery, queue and all", "Jobs of a queue: we moved from Celery to RQ"),
        ("The queue parser is in shop/parse_queue.py", "Moved shop/parse_queue.py to shop/reading.py"),
        (
            "`load_queue` reads the queue before the jobs of the queue",
            "`load_queue` was renamed to `read_jobs`",
        ),
    ],
)
def test_what_takes_something_back_stands_before_what_said_it(store, earlier, later):
    first = save(store, earlier)
    then = save(store, later)

    assert found_ids(
        ask(store, "what is known of load_queue, parse_queue and Celery in the jobs of the queue")
    ) == [
        then,
        first,
    ]


def test_a_later_memory_that_takes_nothing_back_moves_nothing(store):
    first = save(store, "The queue of jobs runs on Celery")
    save(store, "Celery logs are kept for a week")

    assert found_ids(ask(store, "what does the queue of jobs run on, Celery?"))[0] == first


def test_what_superseded_a_memory_stands_before_it_where_both_are_shown(store):
    first = save(store, "The queue of jobs runs on Celery in the queue host")
    then = save(store, "Jobs run on RQ")
    store.supersede(first, then, actor="test")

    found = ask(store, "queue of jobs Celery queue host", wanted=Wanted(with_superseded=True))

    assert found_ids(found) == [then, first]


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("The config is read once at the start", "configurations"),
        ("Progress bars are drawn by the terminal", "progressbar"),
        ("The progressbar is drawn by the terminal", "which progress bar"),
        ("Authentications are kept for a day", "authent"),
    ],
)
def test_other_forms_of_a_word_that_the_store_uses_are_found(store, said, asked):
    answer = save(store, said)
    save(store, "Something else altogether")

    assert found_ids(ask(store, asked)) == [answer]


def test_a_name_of_code_counts_more_than_other_words(store):
    named = save(store, "The total of a cart, by Cart.total_price alone, is in cents")
    save(store, "The rounding of a cart is a rule: the rounding is half up")

    assert found_ids(ask(store, "rounding rule of total_price"))[0] == named


def test_beside_a_hit_nothing_comes_before_it(store):
    hit = save(store, "The invoice is sent by the night job", session="s1")
    save(store, "And by hand in spring", session="s1")
    save(store, "The invoice is printed by the night job", session="s1")

    found = found_ids(ask(store, "invoice sent by the night job"))

    assert found[0] == hit


def test_a_long_text_is_weighed_by_all_of_it(store):
    for number in range(12):
        save(store, f"Something else, number {number}")
    far = save(store, "Words of no matter. " * 400 + "The zebra crossing " * 20)

    assert found_ids(ask(store, "zebra crossing")) == [far]
