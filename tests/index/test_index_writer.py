import multiprocessing
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from index_samples import (
    CLASS,
    FUNCTION,
    LAYERS,
    LOAD,
    SAVE,
    build,
    dump,
    sample_file,
    sample_links,
    searched,
    sid,
)

from drift.index import IndexReader, IndexWriter, Layer, read_index_state
from drift.index.ids import FileId
from drift.index.meta import next_generation
from drift.index.rows import ConstantRow
from drift.index.schema import SCHEMA_VERSION
from drift.kernel.errors import DriftError, ErrorCode


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "drift.db"
    build(path)
    return path


def integrity(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO search (search) VALUES ('integrity-check')")
        return connection.execute("PRAGMA integrity_check").fetchone()[0]


def test_a_built_index_describes_itself(db):
    state = read_index_state(db)

    assert state.is_usable
    assert (state.schema_version, state.file_count, state.layers) == (SCHEMA_VERSION, 3, LAYERS)
    assert state.generation > 1_600_000_000_000
    assert integrity(db) == "ok"
    assert sorted(path.name for path in db.parent.iterdir()) == ["drift.db", "drift.db.lock"]


def test_the_index_is_in_wal_mode_after_a_build_and_after_a_rebuild(db):
    build(db)

    with closing(sqlite3.connect(db)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_building_twice_gives_the_same_rows(db):
    before = dump(db)

    build(db)

    assert dump(db) == before


def test_a_changed_file_put_back_gives_the_same_index(db):
    before = dump(db)

    with IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
        transaction.replace_file(sample_file(2))
        for file in (2, 3):
            transaction.set_links(sample_links(file, file - 1 or 3))

    assert dump(db) == before
    assert integrity(db) == "ok"


def test_a_removed_file_leaves_nothing_and_nothing_that_points_at_it(db):
    with IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
        transaction.remove_file(FileId(2))

    after = dump(db)
    low, high = sid(2, 0), sid(2, 65_535)
    assert not [row for rows in after.values() for row in rows if row[0] == 2]
    assert not [row for row in after["edges"] if low <= row[0] <= high or low <= row[1] <= high]
    assert [row[4] for row in after["bases"] if row[0] == sid(3, CLASS)] == [None]
    assert [row[8:10] for row in after["imports"] if row[0] == sid(3, 0)] == [(None, None), (None, None)]
    assert "helper_2" not in searched(db, "helper 2")
    assert integrity(db) == "ok"


def test_calls_are_judged_again_when_a_candidate_goes(db):
    with IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
        transaction.remove_file(FileId(2))

    with IndexReader(db) as reader:
        (load, _), (helper,) = reader.calls.calls_of(sid(3, LOAD)), reader.calls.calls_of(sid(3, FUNCTION))
    assert (load.outcome, helper.outcome) == ("unknown", "resolved")


def test_removing_a_file_that_is_not_there_changes_nothing(db):
    before = dump(db)

    with IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
        transaction.remove_file(FileId(99))

    assert dump(db) == before


def test_an_error_in_an_update_leaves_the_old_state_and_generation(db):
    before, generation = dump(db), read_index_state(db).generation

    def fail_halfway() -> None:
        with IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
            transaction.remove_file(FileId(1))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_halfway()

    assert dump(db) == before
    assert read_index_state(db).generation == generation


def test_an_error_in_a_rebuild_leaves_the_old_index_and_no_litter(db):
    before = dump(db)

    def fail_halfway() -> None:
        with IndexWriter(db) as writer, writer.rebuild(LAYERS) as transaction:
            transaction.add_file(sample_file(9))
            raise FileNotFoundError("a source file that went away is not the index's failure")

    with pytest.raises(FileNotFoundError):
        fail_halfway()

    assert dump(db) == before
    assert sorted(path.name for path in db.parent.iterdir()) == ["drift.db", "drift.db.lock"]


def test_two_files_with_one_path_are_an_error_of_ours(db):
    with (
        pytest.raises(DriftError, match="UNIQUE"),
        IndexWriter(db) as writer,
        writer.update(LAYERS) as transaction,
    ):
        transaction.add_file(sample_file(7, path="shop/part_1.py"))


def test_the_generation_grows_though_the_clock_stands_still(tmp_path):
    path = tmp_path / "drift.db"
    generations = []

    with IndexWriter(path, now_ns=lambda: 5_000_000_000_000_000) as writer:
        with writer.rebuild(LAYERS):
            pass
        generations.append(read_index_state(path).generation)
        with writer.update({Layer.FILES}):
            pass
        generations.append(read_index_state(path).generation)
        with writer.rebuild(LAYERS):
            pass
        generations.append(read_index_state(path).generation)

    assert generations == [5_000_000_000, 5_000_000_001, 5_000_000_002]


@given(st.integers(0, 10**18 - 1), st.integers(10**18, 4 * 10**18))
def test_a_generation_is_always_one_the_state_can_read(previous, now_ns):
    generation = next_generation(previous, now_ns)

    assert len(str(generation)) <= 18
    assert generation > previous or previous >= 10**17


def test_the_index_is_as_old_as_the_look_at_the_files(db):
    with (
        IndexWriter(db) as writer,
        writer.update(LAYERS, scanned_at_ns=1_700_000_000_000_000_000) as transaction,
    ):
        transaction.add_file(sample_file(4))

    assert read_index_state(db).scanned_at == "2023-11-14T22:13:20+00:00"


def test_layers_are_what_the_last_change_says(db):
    with IndexWriter(db) as writer, writer.update({Layer.FILES}):
        pass

    assert read_index_state(db).layers == {Layer.FILES}


def test_a_new_file_gets_an_id_that_is_free(db):
    with IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
        assert transaction.next_file_id() == 4


def test_a_touched_file_keeps_its_facts_and_gets_its_new_stamp(db):
    before = dump(db)

    with IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
        transaction.restamp_file(FileId(2), size=121, mtime_ns=2_000, role="test")

    after = dump(db)
    with IndexReader(db) as reader:
        stamp = next(each for each in reader.files.stamps() if each.id == 2)
    assert (stamp.size, stamp.mtime_ns, stamp.role) == (121, 2_000, "test")
    assert {table: rows for table, rows in after.items() if table != "files"} == {
        table: rows for table, rows in before.items() if table != "files"
    }


def test_updating_without_an_index_asks_for_a_scan(tmp_path):
    with IndexWriter(tmp_path / "drift.db") as writer:
        problem = writer.find_problem()
        with pytest.raises(DriftError) as caught, writer.update(LAYERS):
            pass

    assert caught.value.code == ErrorCode.SCAN_REQUIRED
    assert problem is not None
    assert problem.code == ErrorCode.SCAN_REQUIRED


def test_a_good_index_has_no_problem(db):
    with IndexWriter(db) as writer:
        assert writer.find_problem() is None


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\x00" + b"\xff" * 4096])
def test_a_broken_file_cannot_be_updated_and_is_replaced_by_a_rebuild(tmp_path, content):
    path = tmp_path / "drift.db"
    path.write_bytes(content)

    with IndexWriter(path) as writer:
        assert writer.find_problem() is not None
        with writer.rebuild(LAYERS) as transaction:
            transaction.add_file(sample_file(1))

    assert read_index_state(path).is_usable
    assert integrity(path) == "ok"


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_a_sound_database_of_another_kind_is_replaced_by_a_rebuild(tmp_path, mode):
    path = tmp_path / "drift.db"
    with closing(sqlite3.connect(path)) as stranger:
        stranger.execute("PRAGMA page_size = 1024")
        stranger.execute(f"PRAGMA journal_mode = {mode}")
        stranger.execute("CREATE TABLE other (x)")

    build(path)

    assert read_index_state(path).file_count == 3
    assert integrity(path) == "ok"


def test_a_rebuild_gives_up_on_an_index_that_another_program_holds(db):
    with closing(sqlite3.connect(db, isolation_level=None)) as stranger:
        stranger.execute("BEGIN IMMEDIATE")

        with pytest.raises(DriftError) as caught:
            build(db)

    assert caught.value.code == ErrorCode.SERVER_BUSY
    assert read_index_state(db).is_usable


def test_a_log_left_by_a_deleted_index_is_not_taken_for_the_new_ones(db):
    with closing(sqlite3.connect(db)) as stranger:
        stranger.execute("UPDATE files SET path = 'old/' || path")
        stranger.commit()
        wal = db.with_name("drift.db-wal").read_bytes()
    db.unlink()
    db.with_name("drift.db-wal").write_bytes(wal)

    build(db)

    assert [row[1] for row in dump(db)["files"]] == [f"shop/part_{n}.py" for n in (1, 2, 3)]
    assert integrity(db) == "ok"


def test_an_index_with_a_trigger_of_a_stranger_is_not_updated(db):
    with closing(sqlite3.connect(db)) as stranger, stranger:
        stranger.execute("CREATE TRIGGER evil AFTER INSERT ON files BEGIN DELETE FROM symbols; END")

    with IndexWriter(db) as writer:
        problem = writer.find_problem()

    assert problem is not None
    assert "not those of a Drift index" in problem.message


def test_a_link_in_the_place_of_the_index_is_replaced_not_followed(tmp_path):
    precious = tmp_path / "precious.db"
    build(precious, files=3)
    before = precious.read_bytes()
    path = tmp_path / "drift.db"
    path.symlink_to(precious)
    path.with_name("drift.db.building").symlink_to(precious)

    build(path, files=2)

    assert not path.is_symlink()
    assert precious.read_bytes() == before
    assert read_index_state(path).file_count == 2


def test_a_reader_sees_the_last_complete_state_during_an_update_and_a_rebuild(db):
    with IndexReader(db) as reader, IndexWriter(db) as writer:
        for change in (writer.update, writer.rebuild):
            before = reader.generation()
            with change(LAYERS) as transaction:
                if change == writer.update:
                    transaction.remove_file(FileId(1))
                assert reader.generation() == before
                assert reader.files.at("shop/part_1.py" if change == writer.update else "shop/part_2.py")
            assert reader.generation() > before

        assert reader.files.page() == []


def test_a_snapshot_stays_the_same_while_the_index_is_rebuilt(db):
    with IndexReader(db) as reader:
        with reader.snapshot():
            before = reader.generation()
            build(db, files=2)
            assert reader.generation() == before
            assert len(reader.files.page()) == 3
        assert reader.generation() > before
        assert len(reader.files.page()) == 2


def test_a_second_writer_in_this_process_gives_up_after_its_wait(db):
    with IndexWriter(db), pytest.raises(DriftError) as caught, IndexWriter(db, wait_seconds=0.05):
        pass

    assert caught.value.code == ErrorCode.STORE_UNAVAILABLE


def _add_files(path: str, first: int) -> None:
    for file in range(first, first + 5):
        with IndexWriter(Path(path)) as writer, writer.update(LAYERS) as transaction:
            transaction.add_file(sample_file(file))


def test_two_writers_take_turns_and_lose_nothing(db):
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_add_files, args=(str(db), first)) for first in (10, 20)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)

    assert [process.exitcode for process in processes] == [0, 0]
    assert read_index_state(db).file_count == 13
    assert integrity(db) == "ok"


def test_texts_that_no_utf_8_can_hold_are_kept_as_well_as_they_can_be(db):
    odd = sample_file(8, path=os.fsdecode(b"shop/caf\xe9.py"))
    odd = odd._replace(constants=(ConstantRow(sid(8, 0), 0, 1, "string", "a\ud800b"),))
    links = sample_links(8, 1)
    links = links._replace(calls=(links.calls[0]._replace(text="x\udfff"), *links.calls[1:]))

    with IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
        transaction.add_file(odd)
        transaction.set_links(links)

    with IndexReader(db) as reader:
        file = reader.files.at(os.fsdecode(b"shop/caf\xe9.py"))
        assert file is not None
        assert [each.value for each in reader.facts.constants_of(file.id)] == ["a?b"]
        assert [each.text for each in reader.calls.calls_of(sid(8, LOAD))] == ["x?", "os.getenv"]
    assert integrity(db) == "ok"


def test_a_value_too_large_to_be_read_again_is_refused(db):
    with pytest.raises(DriftError) as caught, IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
        transaction.add_file(sample_file(8)._replace(packed=bytes(10_000_001)))

    assert caught.value.code == ErrorCode.TOO_LARGE


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(name=st.text(max_size=40), doc=st.text(max_size=80))
def test_any_symbol_can_come_and_go_without_harm_to_the_search(db, name, doc):
    rows = sample_file(50)
    named = rows.symbols[SAVE]._replace(name=name, qualname=f"OrderStore.{name}", doc=doc)

    with IndexWriter(db) as writer, writer.update(LAYERS) as transaction:
        transaction.add_file(rows._replace(symbols=(*rows.symbols[:SAVE], named, *rows.symbols[LOAD:])))
        transaction.remove_file(FileId(50))

    assert "helper_50" not in searched(db, "helper 50")
    assert integrity(db) == "ok"
