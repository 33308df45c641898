"""A scan by a call: as long as it takes, and ended when nobody waits for it."""

import pytest

from drift.index import IndexWriter
from drift.kernel.errors import DriftError, ErrorCode
from drift.project import StateDir
from drift.registry import definition_of
from drift.scan import ScanOptions, scan
from drift.tools.scanning import drift_scan


def test_a_scan_has_no_limit_of_time():
    assert definition_of(drift_scan).is_long
    assert not definition_of(drift_scan).is_timed


@pytest.mark.parametrize("phase", ["discover", "extract", "link"])
def test_a_scan_that_nobody_waits_for_ends_at_its_next_step_and_can_be_made_again(tmp_path, phase):
    for number in range(40):
        (tmp_path / f"m{number}.py").write_text("def work():\n    pass\n")

    def give_up(now, _done, _total):
        if now == phase:
            raise DriftError(ErrorCode.CANCELLED, "drift_scan was cancelled")

    with pytest.raises(DriftError):
        scan(tmp_path, ScanOptions(jobs=2), progress=give_up)
    again = scan(tmp_path, ScanOptions(jobs=2))

    assert again.symbols == 80
    assert StateDir(tmp_path).index_db.exists()


def test_a_scan_that_waits_for_another_says_so_and_ends_when_nobody_waits_for_it(tmp_path):
    told = []

    def give_up(phase, _done, _total):
        told.append(phase)
        if len(told) == 3:
            raise DriftError(ErrorCode.CANCELLED, "drift_scan was cancelled")

    with (
        IndexWriter(StateDir(tmp_path).ensure().index_db),
        pytest.raises(DriftError) as ended,
    ):
        scan(tmp_path, ScanOptions(jobs=0, wait_seconds=300), progress=give_up)

    assert ended.value.code == ErrorCode.CANCELLED
    assert told == ["wait"] * 3
    assert scan(tmp_path, ScanOptions(jobs=0)).mode == "full"
