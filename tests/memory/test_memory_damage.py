"""A store with flipped bytes answers as it was filled, or says that it is damaged; one bad row leaves the others alone."""

import random
import sqlite3
from contextlib import closing

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.memory import FileLink, Memory, MemoryStore
from drift.memory.salvage import salvage
from drift.memory.search import Setting, WordCounts, search
from drift.memory.truth.confidence_summary import average_confidence

NOW = 1_700_000_000_000
FLIPS = 300


def memory(number):
    return Memory(
        id=f"m_{number:03}",
        type="tribal",
        title=f"Zebra {number}",
        text=f"The zebra number {number} sleeps in the barn of the river.",
        content={"topic": f"animals {number}"},
        tags=(f"t{number}",),
        files=(FileLink(f"src/zebra_{number}.py", 1, 9, "abc"),),
        recorded_at_ms=NOW + number,
        updated_at_ms=NOW + number,
    )


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A store with forty memories, as bytes, and what it answers."""
    path = tmp_path_factory.mktemp("damage") / "cortex.db"
    with closing(MemoryStore(path, now_ms=lambda: NOW)) as store:
        store.add_many((memory(number) for number in range(40)), actor="test")
    return path.read_bytes(), {f"m_{number:03}": memory(number) for number in range(40)}


def put(path, raw):
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    path.write_bytes(raw)


def change(path, statement, *values):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(statement, values)


def test_every_answer_of_a_store_with_a_flipped_byte_is_right_or_says_damage(filled, tmp_path):
    raw, expected = filled
    chance, path = random.Random(11), tmp_path / "cortex.db"
    silent = []
    for _ in range(FLIPS):
        place, bit = chance.randrange(len(raw)), 1 << chance.randrange(8)
        put(path, raw[:place] + bytes([raw[place] ^ bit]) + raw[place + 1 :])
        with closing(MemoryStore(path, now_ms=lambda: NOW)) as store:
            try:
                found = store.get_many(expected)
                page = store.list(limit=50).memories
            except DriftError as error:
                assert error.code is ErrorCode.CORTEX_UNAVAILABLE, error.message
                continue
            told = {one.id: one for one in page} | found
            wrong = {each for each, one in told.items() if one != expected.get(each)}
            missing = expected.keys() - found.keys()
            if wrong or (missing and not store.damaged):
                silent.append((place, bit, wrong, missing))

    assert silent == []


@pytest.mark.parametrize(
    ("column", "value"),
    [("importance", "widget"), ("text", "Run curl."), ("content", "[]"), ("title", "Other")],
)
def test_a_row_that_is_not_what_was_written_is_set_aside_and_named(filled, tmp_path, column, value):
    path = tmp_path / "cortex.db"
    put(path, filled[0])
    change(path, f"UPDATE memories SET {column} = ? WHERE id = 'm_007'", value)

    with closing(MemoryStore(path, now_ms=lambda: NOW)) as store:
        ids = [one.id for one in store.list(limit=50).memories]
        with store.reading() as connection:
            hits = search(connection, WordCounts(), "zebra barn", setting=Setting(NOW), limit=50).hits

        assert len(ids) == 39
        assert "m_007" not in ids
        assert "m_007" not in {hit.row.id for hit in hits}
        assert average_confidence(store, now_ms=NOW) is not None
        assert store.damaged == ("m_007",)
        assert store.check() == ("m_007",)
        with pytest.raises(DriftError, match="m_007 is damaged"):
            store.get("m_007")


def test_salvage_restores_from_the_log_what_was_changed_behind_its_back(filled, tmp_path):
    path = tmp_path / "cortex.db"
    put(path, filled[0])
    change(path, "UPDATE memories SET confidence = 1.0, text = 'Run curl.' WHERE id = 'm_007'")

    report = salvage(path)

    with closing(MemoryStore(path)) as store:
        assert (report.memories, report.from_log) == (39, 1)
        assert store.get("m_007").text == filled[1]["m_007"].text
        assert store.check() == ()


def test_links_belong_to_what_was_written(filled, tmp_path):
    path = tmp_path / "cortex.db"
    put(path, filled[0])
    change(path, "UPDATE links SET target = 'src/other.py' WHERE target = 'src/zebra_7.py'")

    with closing(MemoryStore(path)) as store:
        assert store.check() == ("m_007",)


def test_changes_of_our_own_are_whole(tmp_path):
    with closing(MemoryStore(tmp_path / "cortex.db", now_ms=lambda: NOW)) as store:
        store.add_many((memory(number) for number in range(3)), actor="test")
        store.update("m_001", {"text": "Another.", "tags": ("x",)}, actor="test")
        store.archive(["m_002"], reason="old", actor="test")

        assert store.check() == ()


def test_an_importance_that_no_version_writes_leaves_its_memory_out_even_if_it_was_whole_before(
    tmp_path, filled
):
    path = tmp_path / "cortex.db"
    put(path, filled[0])
    with closing(MemoryStore(path, now_ms=lambda: NOW)) as store:
        store.list(limit=50)
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("PRAGMA ignore_check_constraints = ON")
            other.execute("UPDATE memories SET importance = 'nprmal' WHERE id = 'm_007'")

        with store.reading() as connection:
            hits = search(connection, WordCounts(), "zebra barn", setting=Setting(NOW), limit=50).hits
        average = average_confidence(store, now_ms=NOW)

        assert len(hits) == 39
        assert average is not None
        assert store.damaged


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("DELETE FROM memory_words_docsize WHERE id = 3", ("the word index",)),
        ("UPDATE memory_words_data SET block = zeroblob(length(block)) WHERE id > 10", ()),
    ],
)
def test_a_word_index_that_lost_a_memory_is_noticed_and_made_anew(tmp_path, filled, change, named):
    path = tmp_path / "cortex.db"
    put(path, filled[0])
    with closing(sqlite3.connect(path)) as other, other:
        other.execute(change)

    with closing(MemoryStore(path, now_ms=lambda: NOW)) as store:
        noticed = store.find_short()
        mended, again = store.mend_indexes(), store.mend_indexes()
        with store.reading() as connection:
            hits = search(connection, WordCounts(), "zebra barn", setting=Setting(NOW), limit=50).hits

    assert (noticed, mended, again, len(hits)) == (named, True, False, 40)
