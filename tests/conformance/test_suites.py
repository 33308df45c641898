"""How the suites' results are read and judged; a mistake here would hide failures."""

import json

import pytest
from suites import SUITES, Tally, _read_checks, find_stale, find_unexplained, read_not_applicable

PASSED = Tally(2, 0, ())
FAILED = Tally(2, 1, ("FAILURE x: no",))
EMPTY = Tally(0, 0, ("WARNING x: nothing to see",))


def test_only_a_scenario_with_passed_checks_and_no_failed_one_has_passed():
    assert PASSED.has_passed
    assert not FAILED.has_passed
    assert not EMPTY.has_passed


def test_checks_are_counted_by_how_they_ended(tmp_path):
    statuses = ["SUCCESS", "SUCCESS", "FAILURE", "WARNING", "INFO", "SKIPPED"]
    path = tmp_path / "checks.json"
    path.write_text(json.dumps([{"id": f"check-{status}", "status": status} for status in statuses]))

    tally = _read_checks(path)

    assert (tally.passed, tally.failed) == (2, 1)
    assert [message.split()[0] for message in tally.messages] == ["FAILURE", "WARNING", "SKIPPED"]


def test_what_fails_or_checks_nothing_needs_a_reason():
    results = {"good": PASSED, "bad": FAILED, "hollow": EMPTY, "excused": FAILED}

    assert set(find_unexplained(results, {"excused": "because"})) == {"bad", "hollow"}


def test_a_reason_for_a_scenario_that_passes_or_is_gone_is_stale():
    results = {"good": PASSED, "bad": FAILED}

    assert find_stale(results, {"good": "old", "bad": "still", "gone": "old"}) == ["good", "gone"]


def test_every_suite_has_its_section_in_the_list_of_what_cannot_apply():
    assert set(read_not_applicable()) == {suite.name for suite in SUITES}


def test_a_list_without_reasons_is_refused(tmp_path):
    listed = tmp_path / "not_applicable.yml"
    listed.write_text('"suite":\n  scenario:\n')

    with pytest.raises(AssertionError, match="reason"):
        read_not_applicable(listed)
