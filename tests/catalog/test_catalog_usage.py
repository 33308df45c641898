"""Uses are counted once each, also by several processes, and are on disk when it matters."""

import subprocess
import sys
import textwrap
from datetime import UTC, datetime

import pytest

from drift.catalog.journal import Journal
from drift.catalog.usage import Usage
from drift.kernel.errors import DriftError, ErrorCode


@pytest.fixture
def make_usage(tmp_path, clock):
    made = []

    def make(**options):
        usage = Usage(
            Journal(tmp_path / "catalog.db"),
            clock,
            **{"flush_ms": 3_600_000, "is_unlimited": True, **options},
        )
        made.append(usage)
        return usage

    yield make
    for usage in made:
        usage.close()


def test_the_first_use_is_on_disk_at_once_and_later_ones_after_a_flush(make_usage):
    ours, theirs = make_usage(), make_usage()

    assert ours.track("a").used.usage_count == 1
    assert theirs.counts(["a"])["a"].usage_count == 1
    assert ours.track("a").used.usage_count == 2
    assert theirs.counts(["a"])["a"].usage_count == 1
    assert ours.flush() == 1
    assert theirs.counts(["a"])["a"].usage_count == 2
    assert ours.flush() == 0


def test_the_first_and_the_last_time_are_kept(make_usage):
    usage = make_usage()
    first = usage.track("a").used
    last = usage.track("a").used

    assert last.first_seen_at == first.first_seen_at
    assert last.last_used_at > first.last_used_at


def test_closing_writes_what_waits(make_usage):
    usage = make_usage()
    for _ in range(5):
        usage.track("a")
    usage.close()

    assert make_usage().counts(["a"])["a"].usage_count == 5


def test_what_waits_is_written_by_itself(make_usage, tmp_path):
    usage = make_usage(flush_ms=1)
    usage.track("a")
    usage.track("a")
    timer = usage._timer

    timer.join(timeout=30)

    assert make_usage().counts(["a"])["a"].usage_count == 2


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
        usage = Usage(Journal(Path(sys.argv[1])), lambda: datetime.now(UTC), flush_ms=5, is_unlimited=True)
        for _ in range(200):
            usage.track("a")
        usage.close()
    """)
    command = [sys.executable, "-c", program, str(tmp_path / "catalog.db")]
    running = [subprocess.Popen(command) for _ in range(3)]

    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    assert make_usage().counts(["a"])["a"].usage_count == 600


def test_a_store_that_is_somebody_elses_is_left_alone(tmp_path):
    path = tmp_path / "catalog.db"
    path.write_bytes(b"not a database at all, but long enough to be looked at" * 100)
    usage = Usage(Journal(path), lambda: datetime.now(UTC), flush_ms=75, is_unlimited=True)

    with pytest.raises(DriftError) as caught:
        usage.track("a")
    assert caught.value.code is ErrorCode.STORE_UNAVAILABLE
    assert path.read_bytes().startswith(b"not a database")
