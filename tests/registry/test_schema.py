from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.kernel.wire import to_wire
from drift.registry import Length, Range
from drift.registry.schema import decode, input_schema_of, listed, output_schema_of


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Point:
    x_axis: int
    y_axis: int = 0
    label: str | None = None


@dataclass(frozen=True)
class Loop:
    inner: "Loop | None"


def test_scalars_have_their_json_types():
    assert output_schema_of(str) == {"type": "string"}
    assert output_schema_of(int) == {"type": "integer"}
    assert output_schema_of(bool) == {"type": "boolean"}
    assert output_schema_of(float | None) == {"type": ["number", "null"]}


def test_inputs_are_bounded_even_where_the_definition_names_no_bound():
    assert input_schema_of(str) == {"type": "string", "maxLength": 10_240}
    assert input_schema_of(list[int]) == {"type": "array", "items": {"type": "integer"}, "maxItems": 1_000}


def test_annotations_add_range_length_and_description():
    assert input_schema_of(Annotated[int, Range(1, 10), "How deep"]) == {
        "type": "integer",
        "minimum": 1,
        "maximum": 10,
        "description": "How deep",
    }
    assert input_schema_of(Annotated[str, Length(5)])["maxLength"] == 5


def test_closed_sets_become_enums():
    assert input_schema_of(Colour) == {"type": "string", "enum": ["red", "blue"]}
    assert input_schema_of(Literal["a", "b"]) == {"type": "string", "enum": ["a", "b"]}


def test_a_dataclass_asks_for_what_has_no_default_and_promises_what_is_always_there():
    assert input_schema_of(Point)["required"] == ["xAxis"]
    assert output_schema_of(Point)["required"] == ["xAxis", "yAxis"]
    assert input_schema_of(Point)["additionalProperties"] is False


def test_what_has_no_json_form_is_refused_at_definition_time():
    with pytest.raises(TypeError, match="no JSON form"):
        output_schema_of(object)
    with pytest.raises(TypeError, match="contains itself"):
        output_schema_of(Loop)


def test_the_listed_form_leaves_out_the_bounds_every_argument_has():
    shown = listed(input_schema_of(dict[str, Any]) | {"properties": {"a": input_schema_of(list[str])}})

    assert shown["properties"]["a"] == {"type": "array", "items": {"type": "string"}}
    assert listed(input_schema_of(Annotated[str, Length(5)])) == {"type": "string", "maxLength": 5}


@given(
    st.builds(
        Point, st.integers(-(2**53), 2**53), st.integers(-(2**53), 2**53), st.none() | st.text(max_size=20)
    )
)
def test_what_is_encoded_fits_the_output_schema_and_decodes_to_the_same(point):
    wire = to_wire(point)

    assert jsonschema_rs.is_valid(output_schema_of(Point), wire)
    assert decode(Point, wire) == point


def test_decoding_restores_enums_tuples_nested_objects_and_whole_floats():
    assert decode(Colour, "red") is Colour.RED
    assert decode(tuple[Point, ...], [{"xAxis": 1}]) == (Point(1),)
    assert decode(int | None, 3.0) == 3
    assert isinstance(decode(int, 3.0), int)
