import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from index_samples import CLASS, FUNCTION, LAYERS, LOAD, MODULE, SAVE, build, sample_file, sid

from drift.index import IndexReader, IndexWriter
from drift.index.file_queries import FileFilter
from drift.index.ids import FileId, SymbolId
from drift.index.records import ParameterRecord
from drift.kernel.errors import DriftError, ErrorCode


@pytest.fixture(scope="module")
def db(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("index") / "drift.db"
    build(path)
    return path


@pytest.fixture(scope="module")
def reader(db):
    with IndexReader(db) as opened:
        yield opened


def test_a_file_is_found_by_path_and_by_id(reader):
    file = reader.files.at("shop/part_2.py")

    assert file is not None
    assert (file.id, file.language, file.role, file.size, file.code_lines, file.status) == (
        2, "python", "source", 120, 40, "ok",
    )  # fmt: skip
    assert reader.files.get(FileId(2)) == file
    assert reader.files.at("shop/part_9.py") is None
    assert reader.files.at("shop/\ud800") is None
    assert reader.files.get(FileId(1 << 70)) is None


def test_pages_of_files_follow_each_other(reader):
    first = reader.files.page(limit=2)
    second = reader.files.page(after=first[-1].path, limit=2)

    assert [file.id for file in (*first, *second)] == [1, 2, 3]


def test_files_are_filtered_by_directory_language_role_and_status(tmp_path):
    path = tmp_path / "drift.db"
    with IndexWriter(path) as writer, writer.rebuild(LAYERS) as transaction:
        for file, name in enumerate(("a/x.py", "a-b/x.py", "a/b/y.py", "a0/z.py", "b.py"), 1):
            transaction.add_file(sample_file(file, path=name, role="test" if file == 3 else "source"))

    with IndexReader(path) as reader:
        pages = reader.files.page

        assert [each.path for each in pages(FileFilter(directory="a"))] == ["a/b/y.py", "a/x.py"]
        assert [each.path for each in pages(FileFilter(directory="a/"), after="a/b/y.py")] == ["a/x.py"]
        assert [each.path for each in pages(FileFilter(role="test"))] == ["a/b/y.py"]
        assert pages(FileFilter(language="go")) == []
        assert pages(FileFilter(status="failed")) == []


def test_the_facts_for_linking_come_back_as_given(reader):
    assert reader.files.packed_facts(FileId(3)) == b"facts of 3"
    assert reader.files.packed_facts(FileId(9)) is None


def test_a_symbol_comes_back_with_all_that_was_written(reader):
    symbol = reader.symbols.get(sid(1, SAVE))

    assert (symbol.path, symbol.role, symbol.kind, symbol.qualname) == (
        "shop/part_1.py", "source", "method", "OrderStore.saveOrder",
    )  # fmt: skip
    assert (symbol.line, symbol.column, symbol.end_line, symbol.start_byte, symbol.end_byte) == (
        10,
        4,
        18,
        120,
        300,
    )
    assert symbol.parent_id == sid(1, CLASS)
    assert symbol.modifiers == ("async", "exported")
    assert symbol.parameters[1] == ParameterRecord("depth", "plain", "int", "1")
    assert reader.symbols.get(sid(1, FUNCTION)).parameters == ()
    assert reader.symbols.get(SymbolId(1 << 80)) is None


def test_many_symbols_come_in_the_order_asked_for(reader):
    wanted = [sid(3, LOAD), sid(1, SAVE), sid(9, 0), sid(2, CLASS)]

    assert [each.id for each in reader.symbols.many(wanted)] == [wanted[0], wanted[1], wanted[3]]


def test_names_are_compared_exactly_or_without_case(reader):
    assert len(reader.symbols.named("saveOrder")) == 3
    assert reader.symbols.named("saveorder") == []
    assert len(reader.symbols.named_alike("SAVEORDER", limit=2)) == 2


@pytest.mark.parametrize(
    "qualname", ["OrderStore.saveOrder", "OrderStore::saveOrder", "OrderStore#saveOrder", " saveOrder"]
)
def test_a_qualified_name_may_lack_its_beginning(reader, qualname):
    assert [each.id for each in reader.symbols.qualified(qualname)] == [sid(file, SAVE) for file in (1, 2, 3)]


@pytest.mark.parametrize(
    "qualname", ["Store.saveOrder", "Other.saveOrder", "", "..", "saveOrder.", "%.saveOrder"]
)
def test_a_qualified_name_matches_whole_parts_only(reader, qualname):
    expected = 3 if qualname == "saveOrder." else 0

    assert len(reader.symbols.qualified(qualname)) == expected


@pytest.mark.parametrize(
    ("line", "number"), [(1, MODULE), (6, CLASS), (12, SAVE), (19, CLASS), (35, FUNCTION)]
)
def test_the_innermost_symbol_around_a_line_is_found(reader, line, number):
    assert reader.symbols.at_line(FileId(1), line).id == sid(1, number)


def test_no_symbol_is_around_a_line_past_the_end(reader):
    assert reader.symbols.at_line(FileId(1), 41) is None


def test_members_and_kinds_are_listed(reader):
    assert [each.name for each in reader.symbols.members(sid(1, CLASS))] == ["saveOrder", "load"]
    first = reader.symbols.of_kind("method", limit=4)
    rest = reader.symbols.of_kind("method", after=first[-1].id)
    assert len({each.id for each in (*first, *rest)}) == 6
    assert [each.id for each in reader.symbols.of_file(FileId(2))] == [sid(2, n) for n in range(5)]


def test_parents_and_children_of_a_class_are_found(reader):
    (base,) = reader.symbols.bases(sid(2, CLASS))

    assert (base.text, base.kind, base.target_symbol_id) == ("OrderStore", "extends", sid(1, CLASS))
    assert [each.id for each in reader.symbols.derived(sid(1, CLASS))] == [sid(2, CLASS)]


def test_decorators_are_found_both_ways(reader):
    (decorator,) = reader.symbols.decorators(sid(1, SAVE))

    assert (decorator.name, decorator.line) == ("app.route", 9)
    assert len(reader.symbols.decorated_with("app.route")) == 3
    assert reader.symbols.decorated_with("route") == []


def test_complexity_is_given_where_it_was_measured(reader):
    (measured,) = reader.symbols.complexities(FileId(1))

    assert (measured.symbol_id, measured.cyclomatic, measured.distinct_operands) == (sid(1, SAVE), 3, 12)


def test_a_misspelt_name_finds_the_ones_like_it(reader):
    assert reader.symbols.similar_names("savOrdr")[0] == "saveOrder"
    assert reader.symbols.similar_names("") == ()


@pytest.mark.parametrize("query", ["order save", "saveOrder", "SAVE", "cafe ledger", "orderst save", "ledg"])
def test_search_finds_a_method_by_parts_of_its_name_its_class_or_its_doc(reader, query):
    assert sid(1, SAVE) in {hit.symbol.id for hit in reader.symbols.search(query)}


def test_search_takes_any_word_where_none_has_all(reader):
    assert reader.symbols.search("ledger helicopter")[0].symbol.name == "saveOrder"
    assert reader.symbols.search("helicopter") == []


def test_search_puts_names_before_texts_and_finds_files_by_path(reader):
    hits = reader.symbols.search("order")

    assert hits[-1].score <= hits[0].score
    assert [hit.symbol.id for hit in reader.symbols.search("shop part 2")] == [sid(2, MODULE)]


@given(
    st.text(max_size=60)
    | st.sampled_from(['"', 'a" OR "b', "name:x", "a NEAR b", "(", "*", "a* NOT b", "^x", "\0"])
)
def test_whatever_is_searched_for_is_an_answer_and_no_error(reader, query):
    assert len(reader.symbols.search(query, limit=5)) <= 5


@given(st.text(max_size=40))
def test_any_text_may_be_asked_for(reader, text):
    reader.files.at(text)
    reader.symbols.named(text)
    reader.symbols.named_alike(text)
    reader.symbols.qualified(text)
    reader.facts.constants_equal_to(text)
    reader.files.page(FileFilter(directory=text), after=text)


def test_callers_come_with_place_confidence_and_reason(reader):
    callers = reader.calls.callers(sid(1, SAVE))

    assert [(each.symbol.id, each.line, each.confidence, each.reason) for each in callers] == [
        (sid(1, FUNCTION), 33, 0.5, "name"),
        (sid(2, LOAD), 21, 0.95, "import"),
        (sid(2, FUNCTION), 33, 0.5, "name"),
    ]
    last = callers[1]
    assert reader.calls.callers(sid(1, SAVE), after=(last.symbol.id, last.call_id)) == callers[2:]


def test_callees_are_the_other_way_round(reader):
    callees = reader.calls.callees(sid(2, FUNCTION))

    assert [(each.symbol.id, each.confidence) for each in callees] == [
        (sid(1, SAVE), 0.5),
        (sid(2, SAVE), 0.5),
    ]
    assert reader.calls.callees(sid(2, FUNCTION), limit=1) == callees[:1]


def test_calls_that_lead_outside_are_told_apart_and_counted(reader):
    (_, outside) = reader.calls.calls_of(sid(1, LOAD))

    assert (outside.outcome, outside.external_name) == ("external", "os.getenv")
    assert [call.caller_id for call in reader.calls.calls_to_external("os.getenv")] == [
        sid(n, LOAD) for n in (1, 2, 3)
    ]
    assert reader.calls.outcome_counts() == {"ambiguous": 3, "external": 3, "resolved": 3}


def test_all_edges_can_be_read_page_by_page(reader):
    whole = reader.calls.edges()
    first = reader.calls.edges(limit=4)
    rest = reader.calls.edges(after=first[-1][:3])

    assert [*first, *rest] == whole
    assert len(whole) == 9


def test_imports_are_found_from_both_ends(reader):
    inside, outside = reader.facts.imports_of(FileId(2))

    assert (inside.path, inside.target_file_id, inside.target_symbol_id) == (
        "shop/part_2.py",
        1,
        sid(1, CLASS),
    )
    assert (inside.is_external, outside.is_external, outside.external_package) == (False, True, "os")
    assert reader.facts.importers_of_file(FileId(1)) == [inside]
    assert reader.facts.importers_of_symbol(sid(1, CLASS)) == [inside]
    assert outside in reader.facts.importers_of_package("os")
    assert reader.facts.external_packages() == {"os": 3}


def test_references_are_found_from_both_ends(reader):
    (reference,) = reader.facts.references_to(sid(1, CLASS))

    assert (reference.symbol_id, reference.kind, reference.confidence) == (sid(2, LOAD), "type", 0.9)
    assert reader.facts.references_in(sid(2, LOAD)) == [reference]


def test_what_stands_in_a_file_comes_back(reader):
    url, number = reader.facts.constants_of(FileId(1))
    (comment,) = reader.files.comments(FileId(1))
    (handling,) = reader.facts.handlings_of(FileId(1))

    assert (url.name, number.value, number.symbol_id) == ("API_URL", "3600", sid(1, LOAD))
    assert comment.text == "keep in step with the web shop"
    assert (handling.kind, handling.types, handling.is_empty) == ("catch", ("OSError",), True)


def test_constants_are_found_by_value_and_by_name(reader):
    assert len(reader.facts.constants_equal_to("https://shop.example/api")) == 3
    assert reader.facts.constants_equal_to("https://shop.example/apx") == []
    assert len(reader.facts.constants_named("API_URL", limit=2)) == 2


def test_environment_reads_and_entry_points_are_listed(reader):
    assert len(reader.facts.environment_reads()) == 3
    assert reader.facts.environment_reads("SHOP_TOKEN") == reader.facts.environment_reads()
    assert reader.facts.environment_reads("HOME") == []
    first = reader.facts.entry_points("http", limit=1)
    assert [each.detail for each in reader.facts.entry_points("http", after=(first[0].registered_at, 0))] == [
        "POST /save"
    ] * 2
    assert reader.facts.entry_points_at(sid(1, SAVE)) == first
    assert [(each.how, each.text) for each in reader.facts.guards_of(first[0])][:2] == [
        ("mount", "tenant"),
        ("argument", "signed_in"),
    ]
    assert ("attribute", "permission_classes = [IsOwner]", sid(1, CLASS), 6) in reader.facts.guards_of(
        first[0]
    )
    assert reader.facts.entry_point_counts() == {"http": 3}


def test_copies_are_found_by_fingerprint(reader):
    assert [each.file_id for each in reader.files.sharing(4711)] == [1, 2, 3]
    assert [each.hash for each in reader.files.fingerprints(FileId(2))] == [4711, 2]


def test_settings_are_found_by_name_or_all_together(reader):
    assert [each.is_required for each in reader.facts.setting_reads("shop.url")] == [True] * 3
    assert len(reader.facts.setting_reads()) == 3
    assert reader.facts.setting_reads("SHOP_TOKEN") == []


def test_members_are_found_by_their_constant(reader):
    assert reader.facts.members_of(sid(2, FUNCTION)) == [(sid(2, FUNCTION), 3, "admin", "1")]
    assert reader.facts.members_of(sid(2, LOAD)) == []


def test_elements_and_what_they_are_tied_to_are_had_by_file(reader):
    (element,) = reader.markup.elements_of(FileId(2))
    (binding,) = reader.markup.bindings_of(FileId(2))

    assert element[2:] == ("img", "logo", ("wide", "high"), {"alt": "Shop", "hidden": None})
    assert binding[2:] == ("TextBox", "Text", "binding", "Name", "TwoWay", "Upper", None, None)


def test_without_an_index_a_scan_is_asked_for(tmp_path):
    with pytest.raises(DriftError) as caught:
        IndexReader(tmp_path / "drift.db")

    assert caught.value.code == ErrorCode.SCAN_REQUIRED


@pytest.mark.parametrize(
    "content", [b"no database at all, but long enough to be one" * 100, b"SQLite format 3\0" * 99]
)
def test_a_broken_file_says_how_to_mend_it(tmp_path, content):
    path = tmp_path / "drift.db"
    path.write_bytes(content)

    with pytest.raises(DriftError) as caught:
        IndexReader(path)

    assert caught.value.code == ErrorCode.STORE_UNAVAILABLE
    assert caught.value.recovery.command == "drift scan --force"


@pytest.mark.parametrize(
    ("version", "code", "words"),
    [(0, ErrorCode.SCAN_REQUIRED, "earlier version"), (99, ErrorCode.STORE_UNAVAILABLE, "newer Drift")],
)
def test_an_index_of_another_version_is_refused_with_a_way_out(tmp_path, version, code, words):
    path = tmp_path / "drift.db"
    build(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")

    with pytest.raises(DriftError, match=words) as caught:
        IndexReader(path)

    assert caught.value.code == code


def test_a_view_in_the_place_of_a_table_is_refused(tmp_path):
    path = tmp_path / "drift.db"
    build(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE comments")
        connection.execute("CREATE VIEW comments AS SELECT 1")

    with pytest.raises(DriftError, match="not those of a Drift index"):
        IndexReader(path)


def test_a_table_that_goes_missing_under_an_open_reader_is_an_error_of_ours(tmp_path):
    path = tmp_path / "drift.db"
    build(path)

    with IndexReader(path) as reader:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("DROP TABLE comments")
        with pytest.raises(DriftError) as caught:
            reader.files.comments(FileId(1))

    assert caught.value.code == ErrorCode.STORE_UNAVAILABLE
