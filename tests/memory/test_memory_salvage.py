"""A damaged store is kept aside, and what can be read of it is put into a new one."""

import random
import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.kernel.errors import DriftError, ErrorCode
from drift.memory import CausalEdge, Draft, Memory, MemoryStore, Relation
from drift.memory.salvage import salvage

PAGE = 4096


def fill(path, count=400):
    store = MemoryStore.open(path)
    store.add_many(
        (
            Memory(
                id=f"r{number:04}",
                type="core",
                title=f"note {number}",
                text=f"{number} " * 100,
                tags=("t",),
                recorded_at_ms=number,
                updated_at_ms=number,
            )
            for number in range(count)
        ),
        actor="test",
    )
    store.edges.put([CausalEdge("r0001", "r0002", Relation.CAUSED)], actor="test")
    store.close()
    return {f"r{number:04}" for number in range(count)}


def pages_of(path, table):
    with sqlite3.connect(path) as connection:
        pages = [page for (page,) in connection.execute("SELECT pageno FROM dbstat WHERE name = ?", (table,))]
    connection.close()
    return pages


def spoil(path, pages, seed=1):
    noise = random.Random(seed)
    raw = bytearray(path.read_bytes())
    for page in pages:
        raw[(page - 1) * PAGE : page * PAGE] = noise.randbytes(PAGE)
    path.write_bytes(raw)
    return bytes(raw)


def test_memories_whose_pages_are_gone_come_back_from_the_log(tmp_path):
    path = tmp_path / "cortex.db"
    ids = fill(path)
    damaged = spoil(path, pages_of(path, "memories")[1::3])
    with pytest.raises(DriftError):
        MemoryStore(path).get_many(ids)

    report = salvage(path)
    store = MemoryStore.open(path)

    assert report.memories + report.from_log == len(ids)
    assert report.from_log > 0
    assert (report.edges, report.unreadable) == (1, 0)
    assert report.kept_aside.read_bytes() == damaged
    assert store.get_many(ids).keys() == ids
    assert store.get("r0007").text == "7 " * 100
    assert store.add(Draft(type="core", text="goes on"), actor="test")


def test_without_its_log_a_store_is_read_from_its_rows(tmp_path):
    path = tmp_path / "cortex.db"
    ids = fill(path)
    spoil(path, pages_of(path, "log"))

    report = salvage(path)

    assert (report.memories, report.from_log) == (len(ids), 0)
    assert MemoryStore.open(path).counts().total == len(ids)


def test_what_neither_rows_nor_log_tell_is_counted_as_lost(tmp_path):
    path = tmp_path / "cortex.db"
    ids = fill(path)
    spoil(path, [*pages_of(path, "memories")[2::2], *pages_of(path, "log")[1:]])

    report = salvage(path)

    assert report.unreadable > 0
    assert report.memories + report.from_log + report.unreadable == len(ids)


def forge(path, pages):
    """Make pages read as leaves full of rows that nobody wrote."""
    noise = random.Random(2)
    raw = bytearray(path.read_bytes())
    for page in pages:
        start = (page - 1) * PAGE
        raw[start : start + PAGE] = noise.randbytes(PAGE)
        raw[start : start + 8] = bytes([13, 0, 0, 0, 12, 8, 0, 0])
        cells = b"".join(noise.randrange(2100, 4000).to_bytes(2, "big") for _ in range(12))
        raw[start + 8 : start + 8 + len(cells)] = cells
    path.write_bytes(raw)


@pytest.mark.parametrize("with_log", [True, False])
def test_rows_that_noise_makes_up_are_not_counted_as_lost_memories(tmp_path, with_log):
    path = tmp_path / "cortex.db"
    ids = fill(path)
    forge(path, pages_of(path, "memories")[1::3] + ([] if with_log else pages_of(path, "log")[1:]))

    report = salvage(path)

    assert report.memories + report.from_log + report.unreadable == len(ids)
    assert (report.unreadable == 0) is with_log


def test_a_file_that_is_no_database_gives_an_empty_store_and_is_kept(tmp_path):
    path = tmp_path / "cortex.db"
    path.write_bytes(b"garbage" * 1000)

    report = salvage(path)

    assert (report.memories, report.from_log, report.edges) == (0, 0, 0)
    assert report.kept_aside.read_bytes() == b"garbage" * 1000
    assert MemoryStore.open(path).counts().total == 0


def test_two_salvages_keep_both_files(tmp_path):
    path = tmp_path / "cortex.db"
    kept = set()
    for _ in range(2):
        path.write_bytes(b"garbage" * 1000)
        kept.add(salvage(path).kept_aside)

    assert len(kept) == 2
    assert all(one.is_file() for one in kept)


def test_a_sound_store_is_not_salvaged(tmp_path):
    path = tmp_path / "cortex.db"
    fill(path, 3)
    before = path.read_bytes()

    with pytest.raises(DriftError) as caught:
        salvage(path)

    assert caught.value.code is ErrorCode.INVALID_ARGUMENT
    assert path.read_bytes() == before


def test_somebody_elses_database_is_not_salvaged(tmp_path):
    path = tmp_path / "cortex.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()

    with pytest.raises(DriftError) as caught:
        salvage(path)

    assert caught.value.code is ErrorCode.CORTEX_UNAVAILABLE
    assert path.is_file()


def test_where_there_is_nothing_there_is_nothing_to_salvage(tmp_path):
    with pytest.raises(DriftError):
        salvage(tmp_path / "cortex.db")

    assert not (tmp_path / "cortex.db").exists()


@settings(max_examples=15)
@given(
    st.lists(st.tuples(st.integers(0, 10**6), st.binary(min_size=1, max_size=300)), min_size=1, max_size=8)
)
def test_whatever_is_broken_the_file_is_kept_and_a_store_is_there(tmp_path_factory, spots):
    path = tmp_path_factory.mktemp("broken") / "cortex.db"
    fill(path, 60)
    raw = bytearray(path.read_bytes())
    for at, junk in spots:
        place = at % (len(raw) - len(junk))
        raw[place : place + len(junk)] = junk
    path.write_bytes(raw)

    try:
        report = salvage(path)
    except DriftError:
        assert (
            path.read_bytes() == raw
        )  # a byte that no check looks at, or one that makes it look like another's
    else:
        assert report.kept_aside.read_bytes() == raw
        assert MemoryStore.open(path).counts().total == report.memories + report.from_log
