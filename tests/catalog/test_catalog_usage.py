"""Uses are counted once each, also by several processes, and are on disk when it matters."""

import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from contextlib import closing
from datetime import UTC, datetime

import pytest

from drift.catalog.damage import fill_digests
from drift.catalog.journal import Journal
from drift.catalog.usage import Usage
from drift.kernel.errors import DriftError, ErrorCode


@pytest.fixture
def make_usage(tmp_path, clock):
    journals = []

    def make(**options):
        journals.append(Journal(tmp_path / "catalog.db"))
        return Usage(journals[-1], clock, **{"is_unlimited": True, **options})

    yield make
    for journal in journals:
        journal.close()


def test_every_use_is_on_disk_when_it_is_told(make_usage):
    ours, theirs = make_usage(), make_usage()

    for count in (1, 2, 3):
        assert ours.track("a").used.usage_count == count
        assert theirs.counts(["a"])["a"].usage_count == count
    assert ours.flush() == 0


def test_the_first_and_the_last_time_are_kept(make_usage):
    usage = make_usage()
    first = usage.track("a").used
    last = usage.track("a").used

    assert last.first_seen_at == first.first_seen_at
    assert last.last_used_at > first.last_used_at


def test_threads_that_count_at_once_are_written_together_and_each_once(make_usage):
    usage, started = make_usage(), threading.Barrier(9)
    sizes = []
    write = usage._write
    usage._write = lambda: sizes.append(len(usage._waiting)) or write()

    def count_ten():
        started.wait()
        for _ in range(10):
            usage.track("a")

    threads = [threading.Thread(target=count_ten) for _ in range(8)]
    with usage._turn:  # so that all of them wait for one turn
        for thread in threads:
            thread.start()
        started.wait()
        while len(usage._waiting) < 8:
            threading.Event().wait(0.001)
    for thread in threads:
        thread.join(timeout=300)

    assert usage.counts(["a"])["a"].usage_count == 80
    assert sizes[0] == 8
    assert len(sizes) < 80


def test_a_use_that_could_not_be_written_is_told_and_never_counted_later(make_usage, tmp_path):
    usage = make_usage()
    usage.track("a")
    with closing(sqlite3.connect(tmp_path / "catalog.db")) as other:
        other.execute("DROP TABLE usage")
        with pytest.raises(DriftError):
            usage.track("a")
        other.execute(
            "CREATE TABLE usage (instruction TEXT PRIMARY KEY, count INTEGER NOT NULL,"
            " first_seen_at TEXT NOT NULL, last_used_at TEXT NOT NULL, digest BLOB)"
        )

    assert usage.track("b").used.usage_count == 1
    assert usage.counts(["a"]) == {}


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such signal")
def test_no_use_that_was_told_is_lost_to_a_kill(tmp_path, make_usage):
    program = textwrap.dedent("""
        import sys
        from datetime import UTC, datetime
        from pathlib import Path
        from drift.catalog.journal import Journal
        from drift.catalog.usage import Usage
        usage = Usage(Journal(Path(sys.argv[1])), lambda: datetime.now(UTC), is_unlimited=True)
        while True:
            print(usage.track("a").used.usage_count, flush=True)
    """)
    told = 0
    for lines in (1, 2, 5, 9, 14):
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / "catalog.db")], stdout=subprocess.PIPE, text=True
        )
        for _ in range(lines):
            told = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        rest = [line for line in process.communicate()[0].splitlines(keepends=True) if line.endswith("\n")]
        told = int(rest[-1]) if rest else told

        assert make_usage().counts(["a"])["a"].usage_count >= told


def test_the_hot_set_is_ordered_by_use_and_then_by_time(make_usage):
    usage = make_usage()
    for name in ("a", "b", "c", "c", "b"):
        usage.track(name)

    assert [(each.id, each.usage_count) for each in usage.hotset(2)] == [("b", 2), ("c", 2)]


def test_a_flood_of_uses_is_not_counted_unless_that_is_allowed(make_usage):
    moment = [0.0]
    usage = make_usage(is_unlimited=False, monotonic=lambda: moment[0])

    counted = [usage.track("a") for _ in range(15)]
    assert counted[-1].used.usage_count == 10
    assert [each.was_limited for each in counted].count(True) == 5
    moment[0] = 1.0
    assert not usage.track("a").was_limited


def test_uses_of_what_is_gone_are_pruned(make_usage):
    usage = make_usage()
    usage.track("a")
    usage.track("b")

    assert usage.prune({"a"}, dry_run=True) == 1
    assert usage.prune({"a"}) == 1
    assert usage.counts(["a", "b"]).keys() == {"a"}


def test_several_processes_count_together(tmp_path, make_usage):
    program = textwrap.dedent("""
        import sys
        from datetime import UTC, datetime
        from pathlib import Path
        from drift.catalog.journal import Journal
        from drift.catalog.usage import Usage
        usage = Usage(Journal(Path(sys.argv[1])), lambda: datetime.now(UTC), is_unlimited=True)
        for _ in range(200):
            usage.track("a")
    """)
    command = [sys.executable, "-c", program, str(tmp_path / "catalog.db")]
    running = [subprocess.Popen(command) for _ in range(3)]

    assert [process.wait(timeout=300) for process in running] == [0, 0, 0]
    assert make_usage().counts(["a"])["a"].usage_count == 600


def test_a_store_that_is_somebody_elses_is_left_alone(tmp_path):
    path = tmp_path / "catalog.db"
    path.write_bytes(b"not a database at all, but long enough to be looked at" * 100)
    usage = Usage(Journal(path), lambda: datetime.now(UTC), is_unlimited=True)

    with pytest.raises(DriftError) as caught:
        usage.track("a")
    assert caught.value.code is ErrorCode.STORE_UNAVAILABLE
    assert path.read_bytes().startswith(b"not a database")


@pytest.mark.parametrize("when", ["between", "while"])
def test_a_store_that_is_deleted_under_an_open_journal_is_put_back(make_usage, tmp_path, when):
    usage = make_usage()
    usage.track("a")
    if when == "between":
        for path in tmp_path.glob("catalog.db*"):
            path.unlink()
        usage.track("a")
    else:
        with usage._journal.writing() as connection:
            connection.execute("UPDATE usage SET count = 2")
            fill_digests(connection)
            for path in tmp_path.glob("catalog.db*"):
                path.unlink()

    assert make_usage().counts(["a"])["a"].usage_count == 2


def test_a_store_that_is_replaced_while_a_line_is_written_acknowledges_nothing(make_usage, tmp_path):
    usage = make_usage()
    usage.track("a")
    other = Journal(tmp_path / "other.db")
    with other.writing():
        pass
    other.close()

    def count_while_it_is_replaced():
        with usage._journal.writing() as connection:
            connection.execute("UPDATE usage SET count = 2")
            fill_digests(connection)
            (tmp_path / "other.db").replace(tmp_path / "catalog.db")
            for path in tmp_path.glob("catalog.db-*"):
                path.unlink()

    with pytest.raises(DriftError, match="nothing was saved"):
        count_while_it_is_replaced()
    assert usage.counts(["a"]) == {}
