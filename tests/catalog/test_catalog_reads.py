"""Lists, searches, queries and diffs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.catalog import Filters, Sort, entry_cache, search
from drift.catalog.entry import from_normal
from drift.catalog.normalisation import normalise
from drift.catalog.queries import (
    select_entry,
    select_false_hashes,
    select_page,
    select_problems,
    select_stats,
)
from drift.catalog.search import match_expression
from drift.catalog.structure import find_faults


@pytest.fixture
def filled(catalog, entry):
    catalog.import_entries(
        [
            entry(
                f"i{number:02}",
                title=f"Rule {number % 3}",
                body=f"Always test number {number}.",
                priority=number * 4 + 1,
                categories=["even" if number % 2 == 0 else "odd", "all"],
                owner="ann" if number < 5 else "bob",
                status="approved" if number < 10 else "draft",
                createdAt=f"2026-01-{number + 1:02}",
                tags=["speed"] if number == 7 else [],
                **({"userId": "ann"} if number == 3 else {}),
                **({"teamIds": ["core"]} if number in {4, 5} else {}),
            )
            for number in range(20)
        ]
    )
    return catalog


def test_a_list_is_cut_and_counted(filled):
    page = filled.list_entries(category="EVEN", limit=3, offset=2)

    assert [each.id for each in page.items] == ["i04", "i06", "i08"]
    assert page.count == 10
    assert page.hash == filled.hash()


def test_the_narrowest_scope_that_has_instructions_is_listed(filled):
    def scope(**asked):
        found = filled.list_scoped(**asked)
        return found.scope, found.count

    assert scope(user_id="ann", team_ids=["core"]) == ("user", 1)
    assert scope(user_id="nobody", team_ids=["core"]) == ("team", 2)
    assert scope(user_id="nobody") == ("all", 17)


@pytest.mark.parametrize("field", ["createdAt", "updatedAt", "priority", "title"])
@pytest.mark.parametrize("direction", ["asc", "desc"])
def test_pages_in_any_order_give_every_instruction_once(filled, field, direction):
    seen, after = [], None
    while True:
        page = filled.query(Filters(), sort=Sort(field, direction), limit=3, after=after)
        seen += [each.id for each in page.items]
        after = page.next
        if after is None:
            break

    assert sorted(seen) == [f"i{number:02}" for number in range(20)]
    assert page.total == 20
    if field in {"createdAt", "priority"}:
        assert seen == sorted(seen, reverse=direction == "desc")


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        (Filters(categories=["even"], owners=["ann"]), ["i00", "i02", "i04"]),
        (Filters(priority_tiers=["P1"]), ["i00", "i01", "i02", "i03", "i04"]),
        (Filters(status=["draft"], created_after="2026-01-19T00:00:00.000Z"), ["i19"]),
        (Filters(team_ids=["core", "none"]), ["i04", "i05"]),
        (Filters(user_id="ann"), ["i03"]),
        (Filters(text="speed"), ["i07"]),
        (Filters(text="  !! "), []),
        (Filters(workspace_id="none"), []),
        (Filters(classification=["public"]), []),
        (Filters(owners=["' OR 1=1 --"]), []),
    ],
)
def test_filters_narrow_a_query(filled, filters, ids):
    page = filled.query(filters)

    assert ([each.id for each in page.items], page.total) == (ids, len(ids))


def test_a_search_finds_words_in_title_body_categories_and_tags(filled):
    assert filled.search("speed").hits[0].instruction.id == "i07"
    assert filled.search("odd", limit=3).count == 10
    hit = filled.search("number 13").hits[0]
    assert hit.instruction.id == "i13"
    assert "**13**" in hit.snippet


@given(st.text(max_size=40))
def test_any_text_makes_an_expression_of_quoted_words(text):
    asked = match_expression(text)

    assert asked is None or asked.count('"') % 2 == 0


@pytest.mark.parametrize("text", ["", '"', "a AND", "NEAR(", "*", "title:x", "-x", "\0", "a" * 5000, "^"])
def test_no_text_breaks_a_search(filled, text):
    assert filled.search(text).count >= 0


def test_categories_are_counted(filled):
    assert [(each.name, each.count) for each in filled.categories()] == [
        ("all", 20),
        ("even", 10),
        ("odd", 10),
    ]


def test_a_diff_tells_what_a_client_lacks(filled, entry):
    known = {each.id: each.source_hash for each in filled.export()}
    assert filled.diff(client_hash=filled.hash()).is_up_to_date
    assert filled.diff(known=known).is_up_to_date

    filled.add(entry("new"))
    filled.add({**filled.get("i00").as_wire(), "body": "Other."}, overwrite=True)
    filled.remove(["i01"])
    changes = filled.diff(client_hash="old", known=known)

    assert not changes.is_up_to_date
    assert ([each.id for each in changes.added], [each.id for each in changes.updated]) == (["new"], ["i00"])
    assert changes.removed == ("i01",)
    assert len(filled.diff(client_hash="old").added) == 20


def test_the_catalog_in_numbers(filled, write):
    write("bad.json", "{")

    found = filled.stats()

    assert (found.count, found.categories, found.problems) == (20, 3, 1)
    assert found.total_bytes > 1000


@pytest.fixture
def crowded(catalog, monkeypatch):
    """Thirty hits for one word where only ten are ranked."""
    monkeypatch.setattr(search, "_MOST_RANKED", 10)
    entries = [
        {"id": f"c{number:02}", "title": "Plain", "body": "common " * (1 + number % 7)}
        for number in range(30)
    ]
    entries[3]["title"] = "A common title"
    entries[8]["categories"] = ["common"]
    catalog.import_entries(entries, validate=False)
    return catalog


def test_pages_of_very_many_hits_hold_each_hit_once(crowded):
    pages = [crowded.search("common", limit=7, offset=offset) for offset in range(0, 35, 7)]

    ids = [hit.instruction.id for page in pages for hit in page.hits]
    assert sorted(ids) == [f"c{number:02}" for number in range(30)]
    assert {page.count for page in pages} == {30}
    assert crowded.search("common", limit=7, offset=40).hits == ()


def test_of_very_many_hits_those_with_the_word_in_title_or_category_come_first(crowded):
    hits = crowded.search("common", limit=10).hits

    assert [hit.instruction.id for hit in hits[:2]] == ["c03", "c08"]
    assert hits[0].title == "A **common** title"
    assert sorted((hit.score for hit in hits), reverse=True) == [hit.score for hit in hits]


def test_what_was_found_before_a_change_is_not_found_after_it(catalog, entry):
    catalog.add(entry("one", body="quokka"))
    assert catalog.search("quokka").count == 1
    assert catalog.query(Filters(text="quokka")).total == 1
    assert catalog.list_entries(limit=5).count == 1

    catalog.add(entry("one", body="wombat"), overwrite=True)
    catalog.add(entry("two", body="quokka"))

    assert [hit.instruction.id for hit in catalog.search("quokka").hits] == ["two"]
    assert catalog.search("wombat").hits[0].snippet == "**wombat**"
    assert catalog.query(Filters(text="quokka")).items[0].id == "two"
    assert [each.id for each in catalog.list_entries(limit=5).items] == ["one", "two"]


def test_a_shelf_keeps_what_fits_and_gives_back_what_does_not(catalog, entry, monkeypatch):
    monkeypatch.setattr(entry_cache, "_MOST_BYTES", 8_000)
    catalog.import_entries([entry(f"s{number}") for number in range(9)])

    for _ in range(2):
        assert [each.id for each in catalog.export()] == [f"s{number}" for number in range(9)]
        assert catalog.get("s4").body == "The body of s4."
    assert len(catalog._store._index._entries._entries) <= 3


def test_an_index_that_has_lost_contents_is_made_anew(catalog, entry):
    catalog.add(entry("one"))
    catalog._store._index.connection.execute("DELETE FROM content")

    assert catalog.get("one").body == "The body of one."


def test_hot_queries_use_their_indexes(filled):
    index = filled._store._index
    connection = index.connection
    plans = []

    def explain(statement):
        plans.append(connection.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall())

    seen = []
    connection.set_trace_callback(seen.append)
    index._digests.forget()
    index._remembered.clear()
    select_entry(index, "i00")
    select_page(index, Filters(categories=["even"]), sort=Sort(), limit=5, after=(3, "i"))
    select_false_hashes(index)
    select_problems(index)
    select_stats(index, "2026-01-01T00:00:00.000Z")
    filled.hash()
    connection.set_trace_callback(None)
    for statement in [each for each in seen if each.lstrip().startswith("SELECT")]:
        explain(statement)

    bare = [
        step
        for plan in plans
        for *_, step in plan
        if step.startswith("SCAN instruction") and "INDEX" not in step
    ]
    assert bare == []
    assert len(plans) >= 4


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
ENTRIES = st.fixed_dictionaries(
    {"id": st.just("a"), "body": TEXT.filter(bool)},
    optional={
        "title": TEXT.filter(bool),
        "priority": st.integers(1, 100),
        "requirement": st.sampled_from(["mandatory", "optional", "deprecated"]),
        "categories": st.lists(
            TEXT.filter(bool) | st.sampled_from(["scope:user:x", "scope:team:Y", "A"]), max_size=4
        ),
        "owner": TEXT,
        "createdAt": st.datetimes().map(lambda moment: moment.isoformat()),
        "lastReviewedAt": st.datetimes().map(lambda moment: moment.isoformat()),
        "reviewIntervalDays": st.integers(1, 3650),
        "riskScore": st.floats(allow_nan=False, allow_infinity=False),
        "teamIds": st.lists(TEXT.filter(bool), max_size=3),
        "changeLog": st.lists(
            st.fixed_dictionaries({"version": TEXT, "changedAt": st.just("2026-01-01"), "summary": TEXT}),
            max_size=2,
        ),
        "custom": st.integers() | TEXT,
    },
)


@given(ENTRIES)
def test_the_normal_form_stays_as_it_is(given_entry):
    assert find_faults(given_entry, lax=True) == []
    normal = normalise(given_entry)

    assert find_faults(normal.as_wire(), lax=True) == []
    assert normalise(normal.as_wire()) == normal
    assert from_normal(normal.as_wire()) == normal
