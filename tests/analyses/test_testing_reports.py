"""Reports of test runs, also those that somebody made to do harm."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.analyses.testing.commands import _forms
from drift.analyses.testing.frameworks import known_frameworks
from drift.analyses.testing.report_files import (
    UnreadableReportError,
    find_reports,
    parse_cobertura,
    parse_coverage_json,
    parse_go_cover,
    parse_jacoco,
    parse_junit,
    parse_lcov,
)
from drift.analyses.testing.signs import load_signs

PARSERS = (parse_cobertura, parse_jacoco, parse_lcov, parse_go_cover, parse_coverage_json, parse_junit)


@pytest.mark.parametrize(
    ("parser", "data"),
    [
        (parse_cobertura, b'<coverage><class filename="a.py"><line number="1" hits="2"/><line number="2" hits="0"/></class></coverage>'),
        (parse_jacoco, b'<report><package name=""><sourcefile name="a.py"><line nr="1" ci="2"/><line nr="2" ci="0"/></sourcefile></package></report>'),
        (parse_lcov, b"SF:a.py\nDA:1,2\nDA:2,0\nend_of_record\n"),
        (parse_go_cover, b"mode: set\na.py:1.1,1.9 1 1\na.py:2.1,2.9 1 0\n"),
        (parse_coverage_json, b'{"files": {"a.py": {"executed_lines": [1], "missing_lines": [2]}}}'),
    ],
)  # fmt: skip
def test_every_format_says_which_lines_ran(parser, data):
    (lines,) = parser(data).values()

    assert (lines.hit, lines.known) == ({1}, {1, 2})


def test_entities_are_refused():
    bomb = b'<!DOCTYPE coverage [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><coverage>&b;</coverage>'

    with pytest.raises(UnreadableReportError, match="entities"):
        parse_cobertura(bomb)


@given(st.binary(max_size=400), st.sampled_from(PARSERS))
def test_no_bytes_do_more_than_be_refused(data, parser):
    try:
        found = parser(data)
    except UnreadableReportError:
        return
    assert isinstance(found, dict)


def test_a_report_that_leads_out_of_the_project_is_not_read(tmp_path):
    (tmp_path / "outside.xml").write_text(
        '<coverage><class filename="a.py"><line number="1" hits="1"/></class></coverage>'
    )
    root = tmp_path / "project"
    root.mkdir()
    (root / "coverage.xml").symlink_to(tmp_path / "outside.xml")

    found = find_reports(root)

    assert found.coverage is None
    assert len(found.problems) == 1


def test_thirty_eight_frameworks_are_known_and_those_that_run_tests_have_a_command():
    known = known_frameworks()

    assert len({one.name for one in known}) == 38
    assert {one.runner or one.name for one in known} <= _forms().keys()


@pytest.mark.parametrize(
    ("language", "text", "is_assertion"),
    [
        ("python", "self.assertEqual", True),
        ("typescript", "expect", True),
        ("typescript", "expect(…).toBe", False),
        ("java", "assertThat", True),
        ("go", "require.NoError", True),
        ("go", "t.Fatalf", True),
        ("rust", "assert_eq!", True),
        ("cpp", "EXPECT_EQ", True),
        ("csharp", "Assert.Equal", True),
        ("php", "$this->assertSame", True),
        ("python", "total", False),
    ],
)
def test_assertions_are_known_by_how_they_are_written(language, text, is_assertion):
    assert load_signs().is_assertion(language, text) is is_assertion
