"""What a change of links leaves behind: words once each, overrides, traces, and links that outlive an edit."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from index_samples import CLASS, FUNCTION, LAYERS, LOAD, SAVE, build, dump, sample_file, sample_links, sid

from drift.index import IndexReader, IndexWriter, Layer, read_index_state
from drift.index.ids import FileId
from drift.index.rows import CallRow, LinkRows
from drift.index.schema import has_our_schema
from drift.kernel.errors import DriftError, ErrorCode


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "drift.db"
    build(path)
    return path


def query(path, statement):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchall()


def without(file, number):
    return file._replace(
        symbols=tuple(row for row in file.symbols if row.id != sid(file.file.id, number)),
        search=tuple(row for row in file.search if row.rowid != sid(file.file.id, number)),
        decorators=(), entry_points=(),
    )  # fmt: skip


def test_a_word_stands_in_the_index_once(db):
    with IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
        transaction.set_links(sample_links(1, 2))

    words = [text for (text,) in query(db, "SELECT text FROM words")]
    assert sorted(words) == sorted(set(words))
    assert {"resolved", "os.getenv", "call"} <= set(words)


def test_a_text_that_utf_8_cannot_hold_is_a_word_with_a_question_mark(db):
    strange = CallRow(sample_links(1, 2).calls[0].id, sid(1, LOAD), 1, 0, "go\udc80()")

    with IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
        transaction.set_links(LinkRows(FileId(1), calls=(strange,)))

    with IndexReader(db) as reader:
        assert [call.text for call in reader.calls.calls_of(sid(1, LOAD))] == ["go?()"]


def test_links_set_after_a_first_build_are_those_set_during_it(db, tmp_path):
    other = tmp_path / "other.db"
    with IndexWriter(other) as writer:
        with writer.rebuild({Layer.FILES}) as transaction:
            for file in (1, 2, 3):
                transaction.add_file(sample_file(file))
        with writer.update(LAYERS) as transaction:
            for file in (1, 2, 3):
                transaction.set_links(sample_links(file, file - 1 or 3))

    assert dump(other) == dump(db)
    with closing(sqlite3.connect(other)) as connection:
        assert has_our_schema(connection)


def test_first_links_that_are_given_up_leave_the_index_whole(tmp_path):
    path = tmp_path / "drift.db"
    with IndexWriter(path) as writer:
        with writer.rebuild({Layer.FILES}) as transaction:
            transaction.add_file(sample_file(1))
        before = dump(path)
        # Two of the edges are one when the file leads to itself.
        with pytest.raises(DriftError, match="exclude each other"), writer.update(LAYERS) as transaction:
            transaction.set_links(sample_links(1, 1))

        assert writer.find_problem() is None
    assert dump(path) == before


def test_an_edited_file_keeps_what_leads_to_symbols_that_are_still_there(db):
    with IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
        transaction.replace_file(without(sample_file(1), FUNCTION))
        transaction.set_links(sample_links(1, 3))

    with IndexReader(db) as reader:
        assert [n.symbol.id for n in reader.calls.callers(sid(1, SAVE))][-2:] == [
            sid(2, LOAD),
            sid(2, FUNCTION),
        ]
        assert [each.id for each in reader.symbols.derived(sid(1, CLASS))] == [sid(2, CLASS)]
        assert reader.facts.imports_of(FileId(2))[0].target_file_id == 1


def test_what_leads_to_a_symbol_that_an_edit_took_away_is_gone_and_its_call_judged_again(db):
    with IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
        transaction.replace_file(without(sample_file(1), SAVE))

    with IndexReader(db) as reader:
        outcomes = [call.outcome for call in reader.calls.calls_of(sid(2, LOAD))]
        assert outcomes == ["unknown", "external"]
        assert [call.outcome for call in reader.calls.calls_of(sid(2, FUNCTION))] == ["resolved"]
        assert reader.calls.overridden(sid(2, SAVE)) == []
        assert [each.id for each in reader.symbols.derived(sid(1, CLASS))] == [sid(2, CLASS)]


def test_overrides_are_known_both_ways_and_go_with_the_overriders_file(db):
    with IndexReader(db) as reader:
        assert reader.calls.overriders(sid(1, SAVE)) == [sid(2, SAVE)]
        assert reader.calls.overridden(sid(2, SAVE)) == [sid(1, SAVE)]

    with IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
        transaction.set_links(LinkRows(FileId(2)))

    with IndexReader(db) as reader:
        assert reader.calls.overriders(sid(1, SAVE)) == []
        assert reader.calls.overriders(sid(2, SAVE)) == [sid(3, SAVE)]


def test_what_linking_keeps_of_files_comes_back(db):
    with IndexReader(db) as reader:
        assert list(reader.files.provides()) == [(n, b"provided by %d" % n) for n in (1, 2, 3)]
        assert list(reader.files.traces()) == [(n, b"%d leads to %d" % (n, n - 1 or 3)) for n in (1, 2, 3)]
        assert reader.files.paths_with_packages()[0] == ("shop/part_1.py", "python", None)


def test_the_symbols_of_a_file_are_told_by_number_kind_and_name(db):
    with IndexReader(db) as reader:
        assert reader.symbols.identities(FileId(2))[:3] == (
            (0, "module", "part_2"),
            (1, "class", "OrderStore"),
            (2, "method", "OrderStore.saveOrder"),
        )
        assert reader.symbols.identities(FileId(99)) == ()


def test_a_transaction_that_changes_nothing_writes_nothing(db):
    state, content = read_index_state(db), db.read_bytes()

    with IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
        transaction.restamp_file(FileId(1), size=120, mtime_ns=1_000, role="source")

    assert read_index_state(db) == state
    assert db.read_bytes() == content


def test_an_index_of_version_1_asks_for_a_new_scan(db):
    with closing(sqlite3.connect(db)) as connection:
        connection.execute("PRAGMA user_version = 1")

    with pytest.raises(DriftError, match="earlier version") as caught:
        IndexReader(db)

    assert caught.value.code == ErrorCode.SCAN_REQUIRED
    assert caught.value.recovery.command == "drift scan"
