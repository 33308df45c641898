import json
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import Enum, StrEnum
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.kernel.answer import Meta, NextAction, Pagination
from drift.kernel.wire import camel, snake, to_wire

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=15,
)
NAMES = st.from_regex(r"[a-z]+(_[a-z]+)*", fullmatch=True)


class Colour(StrEnum):
    RED = "red"


class Level(Enum):
    HIGH = 3


class Place(NamedTuple):
    file_name: str
    line: int


@dataclass(frozen=True, slots=True)
class Caller:
    full_name: str
    place: Place
    from_: str = ""
    tags: tuple[str, ...] = ()
    colours: frozenset[Colour] = frozenset()
    by_level: dict[Level, int] = field(default_factory=dict)


@given(JSON)
def test_json_stays_what_it_is(value):
    assert to_wire(value) == value


@given(JSON)
def test_the_wire_form_can_be_written_as_json(value):
    assert json.loads(json.dumps(to_wire(OrderedDict(a=(value,))))) == {"a": [value]}


@dataclass(frozen=True, slots=True)
class Lone:
    only_field: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Bare:
    pass


def test_objects_of_one_field_and_of_none_are_objects_too():
    assert to_wire([Lone((1, 2)), Lone(), Bare()]) == [{"onlyField": [1, 2]}, {}, {}]


def test_a_dataclass_becomes_an_object_with_camel_case_names():
    caller = Caller("app.main", Place("app.py", 3), "x", ("a", "b"), frozenset({Colour.RED}))

    assert to_wire(caller) == {
        "fullName": "app.main",
        "place": {"fileName": "app.py", "line": 3},
        "from": "x",
        "tags": ["a", "b"],
        "colours": ["red"],
        "byLevel": {},
    }


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Colour.RED, "red"),
        (Level.HIGH, 3),
        (date(2026, 7, 28), "2026-07-28"),
        (datetime(2026, 7, 28, 9, tzinfo=UTC), "2026-07-28T09:00:00+00:00"),
        (PurePosixPath("src/a.py"), "src/a.py"),
        (PureWindowsPath("src\\a.py"), "src/a.py"),
        ({3, 1, 2}, [1, 2, 3]),
        ({1: "a"}, {"1": "a"}),
    ],
)
def test_values_json_does_not_have_become_ones_it_has(value, expected):
    wire = to_wire(value)

    assert wire == expected
    assert type(wire) is type(expected)


@pytest.mark.parametrize("value", [b"bytes", object(), Caller, lambda: None, 1j, [object()], {"a": b""}])
def test_what_is_no_data_is_refused(value: Any):
    with pytest.raises(TypeError, match="is not data an answer can carry"):
        to_wire(value)


@given(NAMES)
def test_names_survive_the_way_to_the_wire_and_back(name):
    assert snake(camel(name)) == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [("token_estimate", "tokenEstimate"), ("total", "total"), ("class_", "class"), ("a_b_c", "aBC")],
)
def test_names_on_the_wire_are_camel_case(name, expected):
    assert camel(name) == expected


def test_the_parts_of_an_answer_have_their_documented_names():
    assert to_wire(Pagination(total=9, has_more=True, next_cursor="c", page_size=3)) == {
        "total": 9,
        "hasMore": True,
        "nextCursor": "c",
        "pageSize": 3,
    }
    assert to_wire(NextAction("drift_impact", {"target": "a"}, "why")) == {
        "tool": "drift_impact",
        "args": {"target": "a"},
        "reason": "why",
        "priority": "medium",
    }
    assert {"requestId", "durationMs", "tokenEstimate", "cached", "freshness", "truncated"} <= set(
        to_wire(Meta("r", 1.5, 10, cached=False, freshness="fresh"))
    )


def test_names_may_stay_as_they_are_all_the_way_down():
    caller = Caller("a.b", Place("a.py", 3), from_="x", by_level={Level.HIGH: 1})

    assert to_wire([caller], is_snake=True) == [
        {
            "full_name": "a.b",
            "place": {"file_name": "a.py", "line": 3},
            "from": "x",
            "tags": [],
            "colours": [],
            "by_level": {"Level.HIGH": 1},
        }
    ]
    assert to_wire(caller)["fullName"] == "a.b"
