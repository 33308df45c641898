"""Words as the values a schema asks for."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.cli.coercion import coerce, coerce_all, read_json
from drift.cli.parser import UsageError

STRINGS = {"type": "array", "items": {"type": "string"}}


@pytest.mark.parametrize(
    ("schema", "word", "value"),
    [
        ({"type": "string"}, "12", "12"),
        ({"type": "integer"}, "12", 12),
        ({"type": "integer"}, "-3", -3),
        ({"type": "number"}, "1.5", 1.5),
        ({"type": "number"}, "2", 2),
        ({"type": "boolean"}, "Yes", True),
        ({"type": "boolean"}, "off", False),
        ({"type": "object"}, '{"a": [1]}', {"a": [1]}),
        (STRINGS, "a, b", ["a", "b"]),
        (STRINGS, '["a, b"]', ["a, b"]),
        (STRINGS, "[not json", None),
        ({"type": "array", "items": {"type": "integer"}}, "1,2", [1, 2]),
        ({"type": "array", "items": {"type": "object"}}, '{"tool": "x"}', [{"tool": "x"}]),
        ({"type": "string", "enum": ["a", "b"]}, "a", "a"),
        ({"enum": [1, "auto"]}, "1", 1),
        ({"type": ["string", "integer"]}, "7", 7),
        ({"type": ["string", "integer"]}, "seven", "seven"),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, "x", "x"),
        ({}, "[1]", [1]),
        ({}, "plain", "plain"),
    ],
)
def test_a_word_becomes_the_type_the_schema_names(schema, word, value):
    if value is None:
        with pytest.raises(UsageError):
            coerce(schema, word, "x")
    else:
        coerced = coerce(schema, word, "x")
        assert coerced == value
        assert type(coerced) is type(value)


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        ("integer", "1.5"),
        ("integer", "1_000"),
        ("integer", "٣"),
        ("integer", "9" * 5000),
        ("number", "nan"),
        ("number", "1e9999"),
        ("boolean", "maybe"),
        ("object", "[1]"),
        ("object", "{"),
    ],
)
def test_a_word_of_another_type_is_refused_by_name(kind, word):
    with pytest.raises(UsageError, match=r"^depth: "):
        coerce({"type": kind}, word, "depth")


def test_a_choice_that_is_not_there_is_left_to_the_pipeline_to_explain():
    assert coerce({"type": "string", "enum": ["a"]}, "z", "x") == "z"


def test_repeated_words_and_commas_make_one_list():
    assert coerce_all(STRINGS, ["a,b", "c"], "x") == ["a", "b", "c"]


@pytest.mark.parametrize("text", ["", "NaN", "{'a': 1}", "[" * 100_000])
def test_text_that_is_no_json_is_refused_whatever_it_is(text):
    with pytest.raises(UsageError):
        read_json(text, "args")


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=10,
    )
)
def test_objects_come_through_as_they_were(value):
    document = {"value": value}

    assert coerce({"type": "object"}, json.dumps(document), "x") == document


@given(st.text())
def test_text_is_never_changed(text):
    assert coerce({"type": "string"}, text, "x") == text
