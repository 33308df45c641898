"""A key that stands twice in one object of a file is found, wherever and however it is written."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.catalog.repeated_keys import find_repeated_key

VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=12) | st.sampled_from(['":', '\\":', '{"a":', '" :']),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
LAYOUTS = st.sampled_from([{}, {"indent": 2}, {"separators": (",", ":")}, {"separators": (" ,", " : ")}])


def write_pairs(pairs, layout):
    comma, colon = layout.get("separators", (", ", ": "))
    members = (f"{json.dumps(key)}{colon}{json.dumps(value, **layout)}" for key, value in pairs)
    return "{" + comma.join(members) + "}"


@given(VALUES, LAYOUTS)
def test_what_is_written_from_data_has_no_key_twice(value, layout):
    content = json.dumps(value, **layout).encode()

    assert find_repeated_key(content, json.loads(content)) is None


@given(st.dictionaries(st.text(max_size=6), VALUES, min_size=1, max_size=5), VALUES, LAYOUTS, st.data())
def test_a_key_written_twice_is_found_at_any_depth(members, value, layout, data):
    key = data.draw(st.sampled_from(sorted(members)))
    text = write_pairs([*members.items(), (key, value)], layout)
    content = f'{{"outer": [{text}]}}'.encode()

    assert find_repeated_key(content, json.loads(content)).key == key


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ('{"id": "alpha",\n "body": "One.",\n "body": "Two."}', 3, "'body'"),
        ('{"id": "alpha", "body": "One.",\n\n "b\\u006fdy" : "Two."}', 3, "'body'"),
        ('{"id": "alpha", "body": "One.",\n "changeLog": [{"version": "1.0.0", "version": "2.0.0"}]}', 2, "'version'"),
        ('{"id": "alpha", "body": "One.", "\\u001b[2J": 1, "\\u001b[2J": 2}', 1, "'\\x1b[2J'"),
    ],
)  # fmt: skip
def test_a_file_with_a_key_twice_is_broken_with_line_and_key(catalog, write, text, line, key):
    write("alpha.json", text)
    write("beta.json", {"id": "beta", "body": 'Says "body": twice, "body": yes.'})

    (problem,) = catalog.problems()

    assert (problem.name, problem.line) == ("alpha.json", line)
    assert problem.reason == f"has the key {key} twice in one object"
    assert catalog.get("alpha") is None
    assert catalog.get("beta") is not None
