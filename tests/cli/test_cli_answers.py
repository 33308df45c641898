"""Answers for people."""

import json

from hypothesis import given
from hypothesis import strategies as st

from drift.cli.answers import say_answer, value_lines
from drift.cli.shown import measure
from drift.tools import all_tools

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=25,
)
single_lines = st.text(st.characters(exclude_characters="\n"), max_size=40)


def lines_of(value, width=80):
    return list(value_lines(value, width=width))


def test_a_list_of_flat_objects_is_a_table():
    rows = [
        {"name": "load", "at": {"file": "a.py", "line": 3}},
        {"name": "save", "at": {"file": "b.py", "line": 12}},
    ]

    assert lines_of({"callers": rows}) == [
        "callers:",
        "  name  at.file  at.line",
        "  load  a.py           3",
        "  save  b.py          12",
    ]


def test_objects_under_different_keys_are_a_table_with_the_key_first():
    value = {"drift_status": {"calls": 1}, "drift_batch": {"calls": 2}}

    assert lines_of(value) == ["              calls", "drift_status      1", "drift_batch       2"]


def test_members_are_aligned_and_what_is_not_known_is_a_dash():
    assert lines_of({"files": None, "isReady": True, "layers": []}) == [
        "files    -",
        "isReady  yes",
        "layers   none",
    ]


def test_several_lines_of_text_stand_below_their_name():
    assert lines_of({"snippet": "def f():\n    pass"}) == ["snippet:", "  def f():", "      pass"]


def test_a_list_of_objects_that_hold_lists_of_objects_is_written_item_by_item():
    value = [{"name": "a", "parts": [{"x": 1}, {"x": 2}]}]

    assert lines_of(value) == ["- name  a", "  parts:", "    x", "    1", "    2"]


@given(json_values)
def test_any_answer_can_be_shown_and_nothing_in_it_is_obeyed(value):
    assert all(line.isprintable() for line in lines_of(value))


@given(st.lists(st.dictionaries(st.sampled_from("abcdef"), single_lines, min_size=1), min_size=1, max_size=4))
def test_tables_of_an_answer_fit_the_terminal(rows):
    assert all(measure(line) <= 40 for line in lines_of(rows, width=40))


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
        "pagination": {"total": 9, "hasMore": True, "nextCursor": "AVx0", "pageSize": 2},
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
