"""Answers for people."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.cli.answer_lines import value_lines
from drift.cli.answer_rows import Page
from drift.cli.answers import field_names, say_answer
from drift.cli.wording import say_name, say_value
from drift.tools import all_tools

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=25,
)
single_lines = st.text(st.characters(exclude_characters="\n"), max_size=40)


def lines_of(value, width=80, **how):
    return list(value_lines(value, Page(width, NOW, **how)))


def mark(text, ink):
    return f"<{ink.name.lower()}>{text}</>"


def test_a_list_of_flat_objects_is_a_table():
    rows = [
        {"name": "load", "at": {"file": "a.py", "line": 3}},
        {"name": "save", "at": {"file": "b.py", "line": 12}},
    ]

    assert lines_of({"callers": rows}) == [
        "callers:",
        "  at       name",
        "  a.py:3   load",
        "  b.py:12  save",
    ]


def test_objects_under_different_keys_are_a_table_with_the_key_first():
    value = {"drift_status": {"calls": 1}, "drift_batch": {"calls": 2}}

    assert lines_of(value, fields=frozenset()) == [
        "              calls",
        "drift_status      1",
        "drift_batch       2",
    ]


def test_members_that_only_single_rows_have_stand_in_one_column_with_their_names():
    rows = [
        {"part": "cycles", "inputs": {"files": 10.0, "inCycles": 2.0}},
        {"part": "tests", "inputs": {"functions": 7.0, "runByTests": 5.0}},
        {"part": "errors", "inputs": {"handlers": 3.0, "silent": 0.0}},
    ]

    assert lines_of({"parts": rows}) == [
        "parts:",
        "  part    inputs",
        "  cycles  files 10, in cycles 2",
        "  tests   functions 7, run by tests 5",
        "  errors  handlers 3, silent 0",
    ]


def test_members_are_aligned_and_what_is_empty_is_left_out():
    assert lines_of({"files": None, "isReady": True, "layers": [], "symbols": 12}) == [
        "ready    yes",
        "symbols  12",
    ]


def test_names_of_a_tool_are_said_in_words_and_those_of_a_project_are_kept():
    answer = {"callersOutsideTests": 7, "names": {"getUser": {"x": [1, [2]]}}}

    lines = lines_of(answer, fields=frozenset({"callersOutsideTests", "names"}))

    assert lines[0] == "callers outside tests  7"
    assert any("getUser" in line for line in lines)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("durationMs", 1234.5678, "duration 1.2 s"),
        ("p95Ms", 0.4, "p95 0 ms"),
        ("uptimeSeconds", 185, "uptime 3 minutes"),
        ("sizeBytes", 3_400_000, "size 3.4 MB"),
        ("scannedAt", "2026-05-04T11:57:00.123456+00:00", "scanned 2 minutes ago"),
        ("scannedAt", "2025-01-02T03:04:05Z", "scanned 2025-01-02"),
        ("scannedAt", "2026-99-99T99:99:99Z", "scanned 2026-99-99T99:99:99Z"),
        ("score", 0.123456, "score 0.123"),
        ("isTest", True, "test yes"),
        ("seconds", 3, "seconds 3"),
    ],
)
def test_times_and_sizes_are_said_as_people_say_them(key, value, said):
    assert f"{say_name(key)} {say_value(key, value, now=NOW)}" == said


def test_a_place_is_whole_at_any_width():
    place = "packages/some service/src/with/a/very/long/way/to/it/module.py"
    rows = [{"symbol": f"load{n}", "file": place, "line": n, "why": "some words " * 9} for n in (7, 8)]

    lines = lines_of({"callers": rows, "target": rows[0]}, width=40)

    assert all(any(f"{place}:{n}" in line for line in lines) for n in (7, 8))


def test_rows_of_one_file_are_told_apart_from_those_of_the_next_by_colour():
    rows = [
        {"file": file, "line": n, "symbol": f"s{n}"} for n, file in enumerate(("a.py", "a.py", "b.py"), 1)
    ]

    _heading, *lines = lines_of(rows, paint=mark)

    assert [line.split(">")[0] for line in lines] == ["<magenta", "<dim", "<magenta"]


def test_what_all_rows_share_is_said_once():
    rows = [{"symbol": f"s{n}", "reason": "import", "confidence": 1.0} for n in range(3)]

    assert lines_of(rows) == ["symbol", "s0", "s1", "s2", "all: reason import, confidence 1"]


def test_a_risk_is_coloured_by_how_bad_it_is_and_a_confidence_is_not():
    lines = lines_of({"risk": "high", "severity": "warning", "confidence": "high"}, paint=mark)

    assert [line.split("  ")[-1] for line in lines] == ["<red>high</>", "<yellow>warning</>", "high"]


def test_several_lines_of_text_stand_below_their_name():
    assert lines_of({"snippet": "def f():\n    pass"}) == ["snippet:", "  def f():", "      pass"]


def test_a_list_of_objects_that_hold_lists_of_objects_is_written_item_by_item():
    value = [{"name": "a", "parts": [{"x": 1}, {"x": 2}]}]

    assert lines_of(value) == ["- name  a", "  parts:", "    x", "    1", "    2"]


def test_a_small_object_is_one_line():
    assert lines_of({"counts": {"places": 5, "callersOutsideTests": 2}}) == [
        "counts  places 5, callers outside tests 2"
    ]


@given(json_values)
def test_any_answer_can_be_shown_and_nothing_in_it_is_obeyed(value):
    assert all(line.isprintable() for line in lines_of(value))


@given(st.lists(st.dictionaries(st.sampled_from("abcdef"), single_lines, min_size=1), min_size=1, max_size=4))
def test_a_table_of_an_answer_has_every_row(rows):
    assert all(line.isprintable() for line in lines_of(rows, width=40))


def test_nesting_without_end_is_written_as_json():
    value = {"a": 1}
    for _ in range(50):
        value = {"inner": value}

    lines = lines_of(value)

    assert len(lines) < 20
    assert json.loads(lines[-1].strip())


def test_warnings_pages_cuts_and_next_commands_are_told(place):
    console = place.console()
    answer = {
        "summary": "2 of 9 callers",
        "data": {"callers": [{"name": "a"}, {"name": "b"}]},
        "warnings": ["one file\x1b[2J could not be parsed"],
        "pagination": {"total": 900, "hasMore": True, "nextCursor": "AVx0", "pageSize": 2},
        "nextActions": [
            {"tool": "drift_projects", "args": {"action": "add", "path": "/a b"}, "reason": "keep it"},
        ],
        "meta": {"truncated": True, "totalAvailable": 9, "freshness": "stale", "dataAge": "2026-01-01"},
    }

    say_answer(answer, console, all_tools())

    out = console.stdout.getvalue()
    assert "! one file\\x1b[2J could not be parsed" in out
    assert "--cursor AVx0" in out
    assert "--max-tokens" in out
    assert "older than the files" in out
    assert "drift projects add --path '/a b'  # keep it" in out


def test_a_few_entries_more_are_had_with_a_longer_page(place):
    console = place.console()
    pagination = {"total": 50, "hasMore": True, "nextCursor": "AVx0", "pageSize": 20}

    say_answer({"summary": "", "data": None, "pagination": pagination}, console, all_tools())

    assert "50 in all; for more add: --limit 50" in console.stdout.getvalue()


def test_the_names_of_a_tool_are_those_of_its_answer():
    names = field_names(all_tools().get("drift_callers").output_schema)

    assert {"callersOutsideTests", "isTest", "where"} - names == {"where"}


def test_context_is_grouped_and_short_for_a_person(place):
    console = place.console(width=80)
    files = [{"file": f"src/f{n}.py", "score": 0.5, "why": "mentions cart", "symbols": []} for n in range(12)]
    files[0]["symbols"] = [{"name": "Cart.add", "line": 7, "signature": "def add(self)" * 20}]
    remark = {"about": "Cart.add", "says": "called by checkout", "at": "src/shop.py:40", "confidence": 1.0}
    data = {
        "files": files,
        "symbols": [{"symbol": "Cart.add", "kind": "method", "at": "src/f0.py:7", "score": 1.0}],
        "sections": {"callers": [remark], "tests": []},
    }

    say_answer(
        {"summary": "12 files", "data": data}, console, all_tools(), tool=all_tools().get("drift_context")
    )

    out = console.stdout.getvalue()
    assert "  src/f0.py\n    mentions cart\n    :7  Cart.add\n" in out
    assert "  and 4 more files" in out
    assert "Callers\n  Cart.add: called by checkout\n    src/shop.py:40\n" in out
    assert "Tests" not in out
    assert "score" not in out
    assert len(out.splitlines()) < 30
