"""What a scan leaves beside the index: its record, its choices and the day's snapshot."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.kernel.errors import DriftError
from drift.project import StateDir
from drift.project.settings import ScanSettings
from drift.scan import ScanOptions, scan
from drift.scan.choices import NO_CHOICES, Choices, choices_from_json, choices_to_json, choose_files
from drift.scan.detection import Detector
from drift.scan.record import kept_choices, read_record
from drift.scan.snapshots import KEPT_SNAPSHOTS, Snapshot, keep_snapshot, read_snapshots

ONE_PROCESS = ScanOptions(jobs=0)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*Choices._fields, "x"]), inner),
)


@pytest.fixture
def state(tmp_path):
    (tmp_path / "a.py").write_text("def first(x):\n    return x or first(1)\n")
    (tmp_path / "b.py").write_text("# why\nclass B: pass\n")
    return StateDir(tmp_path)


def empty_snapshot(day):
    return Snapshot(day, 1, 0, 0, {}, {}, {}, {})


def test_the_record_counts_what_the_index_holds(state):
    report = scan(state.root, ONE_PROCESS)

    record = read_record(state)

    assert record is not None
    assert (record.generation, record.symbols) == (report.generation, report.symbols)
    assert (record.calls, record.languages) == (report.calls, {"python": 2})


def test_a_scan_with_nothing_to_do_reports_the_same_counts(state):
    first = scan(state.root, ONE_PROCESS)

    second = scan(state.root, ONE_PROCESS)

    assert second.mode == "none"
    assert (second.symbols, second.calls, second.languages) == (first.symbols, first.calls, first.languages)


def test_a_record_that_was_lost_or_damaged_is_counted_anew(state):
    first = scan(state.root, ONE_PROCESS)
    state.scan_record.write_bytes(b'{"generation": "all"}')

    second = scan(state.root, ONE_PROCESS)

    assert (second.symbols, second.calls) == (first.symbols, first.calls)
    assert read_record(state) is not None


def test_choices_hold_until_a_scan_makes_others(state):
    choices = Choices(exclude=("b.py",))
    scan(state.root, ScanOptions(choose_files(ScanSettings(), choices), choices, jobs=0))
    kept = kept_choices(state)

    scan(state.root, ONE_PROCESS)

    assert kept == choices
    assert kept_choices(state) == NO_CHOICES


def test_choices_do_not_outlive_the_index(state):
    choices = Choices(languages=("go",))
    scan(state.root, ScanOptions(choose_files(ScanSettings(), choices), choices, jobs=0))
    state.index_db.unlink()

    assert kept_choices(state) == NO_CHOICES


@given(json_values)
def test_no_document_makes_choices_that_cannot_be_made_again(document):
    choices = choices_from_json(document)

    if choices is not None:
        written = {
            name: list(v) if isinstance(v, tuple) else v for name, v in choices_to_json(choices).items()
        }
        assert choices_from_json(written) == choices


@pytest.mark.parametrize(
    "settings",
    [
        ScanSettings(exclude=("a*b*c*d*e",)),
        ScanSettings(include=tuple(f"f{n}.py" for n in range(1001))),
        ScanSettings(languages=("klingon",)),
    ],
)
def test_settings_that_would_take_forever_or_make_no_sense_are_refused(settings):
    with pytest.raises(DriftError, match="allowed"):
        choose_files(settings)


def test_detection_counts_what_differs_and_what_is_only_touched(state):
    scan(state.root, ONE_PROCESS)
    detector = Detector(state.root, {})
    before = detector.detect()
    (state.root / "a.py").write_text("def other(): pass\n")
    (state.root / "b.py").touch()
    (state.root / "c.py").write_text("x = 1\n")

    after = detector.detect()

    assert before.is_current
    assert (after.differing, after.touched) == (2, 1)


def test_a_scan_that_changed_something_leaves_the_days_snapshot(state):
    report = scan(state.root, ONE_PROCESS)

    (snapshot,) = read_snapshots(state)

    assert (snapshot.files, snapshot.failures, snapshot.generation) == (2, 0, report.generation)
    assert snapshot.lines_by_language["python"].files == 2
    assert snapshot.lines_by_language["python"].comment == 1
    assert snapshot.symbols_by_kind["class"] == 1
    assert sum(snapshot.calls_by_outcome.values()) == sum(report.calls.values())
    assert snapshot.functions_by_complexity == {2: 1}


def test_the_last_snapshot_of_a_day_wins_and_old_ones_go(state):
    state.ensure()
    first_day = date(2026, 1, 1)
    for number in range(KEPT_SNAPSHOTS + 5):
        keep_snapshot(state, empty_snapshot(first_day + timedelta(number)))
    last = first_day + timedelta(KEPT_SNAPSHOTS + 4)
    keep_snapshot(state, empty_snapshot(last)._replace(files=7))

    kept = read_snapshots(state)

    assert len(kept) == KEPT_SNAPSHOTS
    assert (kept[0].day, kept[-1].day, kept[-1].files) == (first_day + timedelta(5), last, 7)


@given(
    content=st.binary(max_size=200)
    | st.sampled_from([b"[]", b'{"version": 1}', b'{"version": 1, "files": -1}'])
)
def test_a_file_that_is_no_snapshot_is_passed_over(tmp_path_factory, content):
    state = StateDir(tmp_path_factory.mktemp("p"))
    state.snapshots.mkdir(parents=True)
    (state.snapshots / "2026-01-01.json").write_bytes(content)
    (state.snapshots / "2026-99-99.json").write_bytes(content)

    assert read_snapshots(state) == []


def test_snapshots_behind_a_link_out_of_the_project_are_not_written(state, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    state.ensure()
    (state.path / "history").symlink_to(outside)

    scan(state.root, ONE_PROCESS)

    assert list(outside.iterdir()) == []
