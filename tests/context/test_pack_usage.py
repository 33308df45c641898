from datetime import date, timedelta
from threading import Thread

import pytest

from drift.context.pack_usage import KEPT_DAYS, count_run, read_runs
from drift.kernel.errors import DriftError, ErrorCode
from drift.project import StateDir

TODAY = date(2026, 6, 30)


def test_runs_are_added_up_over_the_kept_days_and_older_ones_are_forgotten(tmp_path):
    state = StateDir(tmp_path)
    for days_ago in (0, 0, KEPT_DAYS - 1, KEPT_DAYS):
        count_run(state, "bug-fix", TODAY - timedelta(days=days_ago))
    count_run(state, "mine", TODAY)

    assert read_runs(state, TODAY) == {"bug-fix": 3, "mine": 1}


def test_a_project_without_runs_has_none_and_is_not_written_to(tmp_path):
    assert read_runs(StateDir(tmp_path), TODAY) == {}
    assert list(tmp_path.iterdir()) == []


def test_runs_at_the_same_time_are_all_counted(tmp_path):
    state = StateDir(tmp_path)
    threads = [Thread(target=count_run, args=(state, "mine", TODAY)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert read_runs(state, TODAY) == {"mine": 8}


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b'{"today": {}}', b'{"2026-06-30": 1}', b'{"2026-06-30": {"mine": "x"}}',
                b'{"2026-06-30": {"mine": true}}', b" " * 1_000_001],
)  # fmt: skip
def test_a_file_that_is_not_ours_is_refused_with_the_way_out(tmp_path, content):
    state = StateDir(tmp_path).ensure()
    (state.path / "pack-runs.json").write_bytes(content)

    with pytest.raises(DriftError, match="cannot be used") as refused:
        read_runs(state, TODAY)

    assert refused.value.code is ErrorCode.STORE_UNAVAILABLE
    assert "Delete the file" in refused.value.recovery.hint


def test_a_link_out_of_the_project_is_not_followed(tmp_path):
    state = StateDir(tmp_path / "shop")
    state.root.mkdir()
    state.ensure()
    (tmp_path / "theirs.json").write_text("{}")
    (state.path / "pack-runs.json").symlink_to(tmp_path / "theirs.json")

    with pytest.raises(DriftError) as refused:
        count_run(state, "mine", TODAY)

    assert refused.value.code is ErrorCode.PATH_OUTSIDE_PROJECT
    assert (tmp_path / "theirs.json").read_text() == "{}"
