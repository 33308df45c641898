"""`drift check`: a gate for people and for CI."""

import json

import pytest

from drift.cli.exits import Exit

BRANCHES = "".join(f"    if value == {number}:\n        return {number}\n" for number in range(12))


@pytest.fixture
def shop(place):
    for number in range(60):
        (place.project / f"part_{number}.py").write_text(
            f"def choose_{number}(value):\n{BRANCHES}    return None\n"
        )
    return place


def test_a_gate_that_is_not_kept_ends_with_an_error_and_shows_what_to_mend(shop):
    done = shop.run("check", "--duplication-threshold", "100")

    assert done.code == Exit.FAILED
    assert "60 findings" in done.out
    assert "part_0.py:1" in done.out


def test_a_gate_that_is_kept_is_no_error(shop):
    assert shop.run("check", "--duplication-threshold", "100", "--complexity-threshold", "20").code == Exit.OK


def test_a_report_for_a_file_is_whole_and_alone_on_standard_output(shop):
    done = shop.run("check", "--duplication-threshold", "100", "--format", "sarif")

    assert done.code == Exit.FAILED
    assert len(json.loads(done.out)["runs"][0]["results"]) == 60
    assert done.err.startswith("Quality gate failed")


def test_what_a_model_gets_of_the_same_report_is_bounded(shop):
    asked = ("duplication_threshold=100", "format=sarif", "--json")
    whole = json.loads(shop.run("call", "quality_gate", *asked).out)
    cut = json.loads(shop.run("call", "quality_gate", *asked, "maxTokens=2000").out)

    assert len(cut["data"]["document"]) < len(whole["data"]["document"]) / 3
