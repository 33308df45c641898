"""Imports are checked as a whole, written in parts, and can be taken up again."""

import io
import os
import signal
import subprocess
import sys
import time

import pytest

from drift.kernel.errors import DriftError
from drift.memory import Draft, MemoryStore
from drift.memory.transfer.import_writing import PART
from drift.memory.transfer.json_records import read_json, write_json
from drift.memory.transfer.transfer import edges_among, export_memories, import_records

NOW = 1_700_000_000_000
SECRET = "AKIAIOSFODNN7EXAMPLF"


def record(number, **fields):
    return {"id": f"r{number}", "type": "tribal", "text": f"note {number} on thing{number}", **fields}


def take(store, records, **options):
    return import_records(store, records, actor="test", now_ms=NOW, **options)


def refused(store, records, **options):
    with pytest.raises(DriftError) as caught:
        take(store, records, **options)
    return caught.value


def test_an_import_of_many_parts_lets_another_process_save_between_them(tmp_path):
    store, other = (MemoryStore(tmp_path / "cortex.db") for _ in range(2))
    seen = []

    def must_stop():
        if store.is_present:
            seen.append(other.add(Draft(type="core", text="meanwhile"), actor="other").id)
        return False

    taken = take(store, (record(number) for number in range(3 * PART)), must_stop=must_stop)

    assert taken.added == 3 * PART
    assert len(seen) >= 2
    assert store.counts().total == 3 * PART + len(seen)


def test_what_took_a_place_is_written_before_what_it_took_it_from_in_every_part(tmp_path):
    store = MemoryStore(tmp_path / "cortex.db")
    chain = [record(number, supersededBy=f"r{number + 1}") for number in range(2 * PART)]
    parts = []

    def must_stop():
        parts.append(store.counts().total if store.is_present else 0)
        return len(parts) > 3

    taken = take(store, [*chain, record(2 * PART)], must_stop=must_stop)

    assert taken.is_partial
    assert store.counts().total == PART
    rest = take(store, [*chain, record(2 * PART)])
    assert (rest.added, rest.skipped, rest.is_partial) == (PART + 1, PART, False)


@pytest.mark.parametrize(
    ("records", "wrong"),
    [
        ([record(1, supersededBy="r2"), record(2, supersededBy="r1")], [0, 1]),
        ([record(1, supersededBy="nowhere"), record(2, supersededBy="r1"), record(3)], [0, 1]),
        ([record(1), {"source": "r1", "target": "gone", "relation": "caused"}], [1]),
        ([record(1), {"source": "r1", "target": "r1", "relation": "caused"}], [1]),
    ],
)
def test_what_would_point_nowhere_is_named_and_can_be_left_out(tmp_path, records, wrong):
    store = MemoryStore(tmp_path / "cortex.db")

    error = refused(store, records)

    assert [one["index"] for one in error.recovery.details["errors"]] == wrong
    assert not store.is_present
    taken = take(store, records, skip_invalid=True)
    assert taken.added == sum("id" in one for index, one in enumerate(records) if index not in wrong)


def test_an_import_cannot_close_a_circle_with_what_is_there(tmp_path):
    store = MemoryStore(tmp_path / "cortex.db")
    take(store, [record(1, supersededBy="r2"), record(2)])

    error = refused(store, [record(2, supersededBy="r1")], may_overwrite=True)

    assert "take its own place" in error.message
    # Without overwriting, the record is not taken at all, so there is no circle either.
    assert take(store, [record(2, supersededBy="r1")]).skipped == 1


def test_of_two_records_with_one_id_the_first_holds_and_with_overwrite_the_last(tmp_path):
    for may_overwrite, kept in ((False, "note one"), (True, "note two")):
        store = MemoryStore(tmp_path / f"{may_overwrite}.db")
        records = [record(1, text="note one"), record(1, text="note two", supersededBy="r2"), record(2)]

        take(store, records, may_overwrite=may_overwrite)

        assert store.get("r1").text == kept
        assert store.get("r1").superseded_by == ("r2" if may_overwrite else None)


def test_an_export_taken_into_an_empty_store_is_exported_to_the_same_bytes(tmp_path):
    store, other = MemoryStore(tmp_path / "one.db"), MemoryStore(tmp_path / "other.db")
    # All of one moment: their order must not hang on the order they came in.
    take(store, [record(number, recordedAtMs=NOW, tags=["a", "b"]) for number in (3, 1, 2)])
    take(store, [record(9, supersededBy="r1"), record(8, archived=True, accessCount=3, lastAccessedMs=NOW)])
    pairs = [("r1", "r3"), ("r2", "r1"), ("r8", "r2")]
    take(store, [{"source": one, "target": two, "relation": "supports"} for one, two in pairs])

    first = _export(store)
    take(other, read_json(io.StringIO(first)))

    assert _export(other) == first


def test_secrets_come_in_by_no_field_of_a_record(tmp_path):
    store = MemoryStore(tmp_path / "cortex.db")
    evidence = [{"kind": "explicit", "description": f"key {SECRET}", "reference": SECRET}]
    records = [
        record(1, tags=[SECRET], functions=[SECRET], patterns=[SECRET], constraints=[SECRET], source=SECRET),
        record(2, archived=True, archiveReason=f"had {SECRET}", createdBy=SECRET, kind=SECRET),
        {"id": "r3", "type": "environment", "content": {"name": "prod", "config": {SECRET: "x"}}},
        {"source": "r1", "target": "r2", "relation": "caused", "evidence": evidence},
    ]

    taken = take(store, records)

    assert taken.redacted == 11
    store.close()
    assert all(SECRET.encode() not in path.read_bytes() for path in tmp_path.iterdir())


def test_a_store_that_fails_on_the_way_says_what_is_kept_and_how_to_go_on(tmp_path):
    store = MemoryStore(tmp_path / "cortex.db")

    def break_the_store_after_one_part():
        if store.is_present and store.counts().total:
            for path in tmp_path.iterdir():
                path.unlink()
            store.path.write_bytes(b"no database" * 1_000)
        return False

    error = refused(
        store, (record(number) for number in range(2 * PART)), must_stop=break_the_store_after_one_part
    )

    assert f"{PART} memories of the import are kept" in error.message
    assert "import the same again" in error.recovery.hint
    assert error.recovery.details["imported"] == PART


_CHILD = """
import sys, time
from pathlib import Path
from drift.memory import MemoryStore
from drift.memory.transfer.transfer import import_records
store = MemoryStore(Path(sys.argv[1]))
def must_stop():
    print(store.counts().total if store.is_present else 0, flush=True)
    return False
records = ({"id": f"r{number}", "type": "tribal", "text": f"note {number}",
            **({"supersededBy": f"r{number + 1}"} if number % 2 else {})} for number in range(6001))
import_records(store, records, actor="test", now_ms=1_700_000_000_000, must_stop=must_stop)
"""


def test_an_import_that_is_killed_leaves_whole_parts_and_is_taken_up_again(tmp_path):
    path = tmp_path / "cortex.db"
    child = subprocess.Popen([sys.executable, "-c", _CHILD, str(path)], stdout=subprocess.PIPE, text=True)
    acknowledged = 0
    while acknowledged < 2 * PART:
        acknowledged = int(child.stdout.readline())
    time.sleep(0.02)  # into the middle of a part; wherever it hits, what follows must hold
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()

    store = MemoryStore(path)
    kept = store.counts().total
    records = [
        {
            "id": f"r{number}",
            "type": "tribal",
            "text": f"note {number}",
            **({"supersededBy": f"r{number + 1}"} if number % 2 else {}),
        }
        for number in range(6001)
    ]
    taken = take(store, records)

    assert kept >= acknowledged
    assert kept % PART == 0 or kept == 6001
    assert (taken.skipped, taken.added) == (kept, 6001 - kept)
    with store.transaction() as connection:
        connection.execute("INSERT INTO memory_words (memory_words, rank) VALUES ('integrity-check', 1)")
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def _export(store):
    memories = list(export_memories(store, is_whole=True))
    return "".join(write_json(memories, edges_among(store, (one.id for one in memories))))
