"""Every question of the reader, and every deletion of the writer, goes by an index."""

import sqlite3
from contextlib import closing

import pytest
from index_samples import CLASS, FUNCTION, LOAD, SAVE, build, sample_file, sample_links, sid

from drift.index import IndexReader
from drift.index.connection import open_for_update
from drift.index.file_queries import FileFilter
from drift.index.ids import FileId
from drift.index.records import EntryPointRecord
from drift.index.transaction import IndexTransaction

FILE = FileId(2)
QUESTIONS = {
    "files.at": lambda reader: reader.files.at("shop/part_1.py"),
    "files.get": lambda reader: reader.files.get(FILE),
    "files.page": lambda reader: reader.files.page(FileFilter(directory="shop"), after="shop/a"),
    "files.paths_beginning": lambda reader: reader.files.paths_beginning("s"),
    "files.packed_facts": lambda reader: reader.files.packed_facts(FILE),
    "flow.calls_in": lambda reader: reader.flow.calls_in(FILE),
    "flow.targets_in": lambda reader: reader.flow.targets_in(FILE),
    "flow.symbols_in": lambda reader: reader.flow.symbols_in(FILE),
    "flow.callers_in": lambda reader: reader.flow.callers_in(FILE, range(50)),
    "flow.called": lambda reader: reader.flow.called([sid(1, SAVE)]),
    "flow.calling": lambda reader: reader.flow.calling([sid(1, SAVE)]),
    "flow.handlers": lambda reader: reader.flow.handlers(),
    "files.comments": lambda reader: reader.files.comments(FILE),
    "files.fingerprints": lambda reader: reader.files.fingerprints(FILE),
    "files.sharing": lambda reader: reader.files.sharing(4711),
    "symbols.get": lambda reader: reader.symbols.get(sid(1, SAVE)),
    "symbols.many": lambda reader: reader.symbols.many([sid(1, SAVE), sid(2, SAVE)]),
    "symbols.named": lambda reader: reader.symbols.named("load"),
    "symbols.named_alike": lambda reader: reader.symbols.named_alike("LOAD"),
    "symbols.qualified": lambda reader: reader.symbols.qualified("OrderStore.load"),
    "symbols.names_beginning": lambda reader: reader.symbols.names_beginning("lo"),
    "symbols.names_beginning of an owner": lambda reader: reader.symbols.names_beginning("OrderStore.lo"),
    "symbols.names_with": lambda reader: reader.symbols.names_with("method", "async"),
    "symbols.at_line": lambda reader: reader.symbols.at_line(FILE, 12),
    "facts.guards_at": lambda reader: reader.facts.guards_at(sid(1, SAVE)),
    "symbols.of_file": lambda reader: reader.symbols.of_file(FILE),
    "symbols.members": lambda reader: reader.symbols.members(sid(1, CLASS)),
    "symbols.of_kind": lambda reader: reader.symbols.of_kind("method", after=sid(1, SAVE)),
    "symbols.identities": lambda reader: reader.symbols.identities(FILE),
    "symbols.search": lambda reader: reader.symbols.search("order"),
    "symbols.bases": lambda reader: reader.symbols.bases(sid(1, CLASS)),
    "symbols.derived": lambda reader: reader.symbols.derived(sid(1, CLASS)),
    "symbols.decorators": lambda reader: reader.symbols.decorators(sid(1, SAVE)),
    "symbols.decorated_with": lambda reader: reader.symbols.decorated_with("app.route"),
    "symbols.complexities": lambda reader: reader.symbols.complexities(FILE),
    "calls.callers": lambda reader: reader.calls.callers(sid(1, SAVE)),
    "calls.callees": lambda reader: reader.calls.callees(sid(1, FUNCTION)),
    "calls.closure up": lambda reader: reader.calls.closure([sid(1, SAVE)], "callers"),
    "calls.closure down": lambda reader: reader.calls.closure([sid(1, FUNCTION)], "callees"),
    "calls.closure sure up": lambda reader: reader.calls.closure(
        [sid(1, SAVE)], "callers", min_confidence=0.4
    ),
    "calls.closure sure down": lambda reader: reader.calls.closure(
        [sid(1, LOAD)], "callees", min_confidence=0.4
    ),
    "calls.shortest_paths": lambda reader: reader.calls.shortest_paths(sid(2, FUNCTION), sid(1, SAVE)),
    "calls.calls_of": lambda reader: reader.calls.calls_of(sid(1, LOAD)),
    "calls.calls_to_external": lambda reader: reader.calls.calls_to_external("os.getenv"),
    "calls.calls_to_method": lambda reader: reader.calls.calls_to_method("os.getenv"),
    "calls.overriders": lambda reader: reader.calls.overriders(sid(1, SAVE)),
    "calls.overridden": lambda reader: reader.calls.overridden(sid(2, SAVE)),
    "calls.texts_beginning": lambda reader: reader.calls.texts_beginning("os."),
    "calls.edges": lambda reader: reader.calls.edges(after=(1, 2, 3)),
    "usages.calls_to": lambda reader: reader.usages.calls_to([sid(1, SAVE)], limit=10),
    "usages.references_to": lambda reader: reader.usages.references_to([sid(1, CLASS)], limit=10),
    "usages.imports_in": lambda reader: reader.usages.imports_in([FILE]),
    "usages.calls_named": lambda reader: reader.usages.calls_named([FILE], "saveOrder"),
    "usages.heirs": lambda reader: reader.usages.heirs([sid(1, CLASS)]),
    "callers.places": lambda reader: reader.callers.places([sid(1, SAVE)]),
    "callers.places_above": lambda reader: reader.callers.places_above([sid(1, SAVE)], named=0),
    "callers.places named": lambda reader: reader.callers.places([sid(1, SAVE)], named="saveOrder"),
    "callers.sites": lambda reader: reader.callers.sites(reader.callers.places([sid(1, SAVE)])),
    "facts.imports_of": lambda reader: reader.facts.imports_of(FILE),
    "facts.importers_of_file": lambda reader: reader.facts.importers_of_file(FILE),
    "facts.importers_of_symbol": lambda reader: reader.facts.importers_of_symbol(sid(1, CLASS)),
    "facts.importers_of_package": lambda reader: reader.facts.importers_of_package("os"),
    "facts.references_to": lambda reader: reader.facts.references_to(sid(1, CLASS)),
    "facts.references_in": lambda reader: reader.facts.references_in(sid(1, LOAD)),
    "facts.constants_of": lambda reader: reader.facts.constants_of(FILE),
    "facts.constants_equal_to": lambda reader: reader.facts.constants_equal_to("https://shop.example/api"),
    "facts.constants_named": lambda reader: reader.facts.constants_named("API_URL"),
    "facts.environment_reads": lambda reader: reader.facts.environment_reads("SHOP_TOKEN"),
    "facts.entry_points": lambda reader: reader.facts.entry_points("http"),
    "facts.setting_reads": lambda reader: reader.facts.setting_reads("shop.url"),
    "facts.members_of": lambda reader: reader.facts.members_of(sid(1, FUNCTION)),
    "facts.guards_of": lambda reader: reader.facts.guards_of(
        EntryPointRecord(reader.symbols.get(sid(1, SAVE)), "http", "", 9, sid(1, SAVE), 0)
    ),
    "facts.entry_points_at": lambda reader: reader.facts.entry_points_at(sid(1, SAVE)),
    "facts.handlings_of": lambda reader: reader.facts.handlings_of(FILE),
    "facts.constructs_of": lambda reader: reader.facts.constructs_of(FILE),
    "facts.fields_of": lambda reader: reader.facts.fields_of(sid(1, CLASS)),
    "facts.call_details_of": lambda reader: reader.facts.call_details_of(FILE),
    "markup.elements_of": lambda reader: reader.markup.elements_of(FILE),
    "markup.bindings_of": lambda reader: reader.markup.bindings_of(FILE),
    "generation": lambda reader: reader.generation(),
}
# These are about everything there is, so they read all of an index or of a small table.
ABOUT_ALL = {
    "files.stamps", "files.provides", "files.traces", "files.paths_with_packages",
    "symbols.count", "symbols.similar_names", "calls.outcome_counts", "calls.overrides", "facts.external_packages",
    "facts.entry_point_counts", "calls.is_called_elsewhere", "symbols.measured_alike",
    "flow.files", "flow.words", "flow.callers_of_words",
}  # fmt: skip


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    path = tmp_path_factory.mktemp("plans") / "drift.db"
    build(path, files=20)
    return path


def scans(connection: sqlite3.Connection, statement: str) -> list[str]:
    """The steps of the plan that read a whole table; what FTS5 does with its own tables is its affair."""
    if statement.startswith("--") or "main.search_" in statement or "'main'.'search_" in statement:
        return []
    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
    # Tables made of a value, and results of a part of the query, are as small as what is asked for.
    harmless = ("VIRTUAL TABLE", "SCAN CONSTANT ROW", "SCAN found", "SCAN frontier", "SCAN wanted")
    return [step for step in plan if step.startswith("SCAN") and not any(word in step for word in harmless)]


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_question_reads_a_whole_table(db, question):
    statements: list[str] = []
    with IndexReader(db) as reader:
        reader._connection.set_trace_callback(statements.append)
        answer = QUESTIONS[question](reader)
        reader._connection.set_trace_callback(None)

        assert answer, "a question without an answer shows nothing"
        assert statements
        assert [step for each in statements for step in scans(reader._connection, each)] == []


def test_every_question_is_checked_here(db):
    with IndexReader(db) as reader:
        subjects = {
            name: getattr(reader, name)
            for name in ("files", "symbols", "calls", "callers", "facts", "markup", "usages", "flow")
        }
    methods = {
        f"{subject}.{method}"
        for subject, queries in subjects.items()
        for method in dir(queries)
        if method[0] != "_"
    }

    assert methods == {question.split(" ")[0] for question in QUESTIONS if "." in question} | ABOUT_ALL


def test_replacing_a_file_reads_no_whole_table(db):
    statements: list[str] = []
    with closing(open_for_update(db)) as connection:
        connection.execute("BEGIN")
        transaction = IndexTransaction(connection, db, is_new=False)
        connection.set_trace_callback(statements.append)
        transaction.replace_file(sample_file(FILE))
        transaction.set_links(sample_links(FILE, 1))
        connection.set_trace_callback(None)

        assert len(statements) > 20
        assert [step for each in statements for step in scans(connection, each)] == []
