"""Entries in a JSON file: ours come and go, everything else stays."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.cli.clients.json_text import drop_entries, put_entries, read_entries

KEY = "mcpServers"
SECTION = (KEY,)
ENTRY = {"command": "/bin/drift", "args": ["mcp", "analysis", "/p"]}
OURS = {"drift-analysis": ENTRY}
names = st.text(max_size=8).filter(lambda name: name not in ("drift-analysis", KEY))
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=12,
)
configs = st.one_of(
    st.dictionaries(names, values, max_size=4),
    st.builds(
        lambda others, servers, at_end: {**others, KEY: servers} if at_end else {KEY: servers, **others},
        st.dictionaries(names, values, max_size=3),
        st.dictionaries(names, values, max_size=3),
        st.booleans(),
    ),
)
styles = st.sampled_from(
    [
        {"indent": 2},
        {"indent": 4},
        {"indent": "\t"},
        {"indent": 0},
        {},
        {"separators": (",", ":")},
        {"indent": 2, "ensure_ascii": False},
    ]
)
endings = st.sampled_from(["", "\n", "\r\n", "  \n\n"])


def write(config, style, ending):
    text = json.dumps(config, **style)
    return (text.replace("\n", "\r\n") if ending == "\r\n" else text) + ending


@given(configs, styles, endings)
def test_installing_and_uninstalling_gives_the_original_back(config, style, ending):
    text = write(config, style, ending)

    installed = put_entries(text, SECTION, OURS)
    restored = drop_entries(installed, SECTION, OURS)

    assert restored is not None
    assert json.loads(restored) == config
    if config and config.get(KEY) != {}:
        assert restored == text


@given(configs, styles, endings)
def test_other_keys_and_their_order_are_never_changed(config, style, ending):
    installed = json.loads(put_entries(write(config, style, ending), SECTION, OURS))

    assert installed[KEY].pop("drift-analysis") == ENTRY
    if KEY not in config:
        assert installed.pop(KEY) == {}
    assert installed == config
    assert list(installed) == list(config)
    assert list(installed.get(KEY, {})) == list(config.get(KEY, {}))


@given(configs, styles)
def test_the_text_before_ours_stays_byte_for_byte(config, style):
    text = json.dumps(config, **style)
    installed = put_entries(text, SECTION, OURS)

    kept = [line for line in text.splitlines() if len(line.strip()) > 3]
    if "indent" in style and config and config.get(KEY) != {}:
        assert all(line.rstrip(",") in installed for line in kept)


@pytest.mark.parametrize("text", ["", "\n", "  "])
def test_an_empty_file_gets_a_whole_document(text):
    assert json.loads(put_entries(text, SECTION, OURS)) == {KEY: OURS}


def test_nothing_is_left_of_a_file_that_was_made_for_us():
    assert drop_entries(put_entries("", SECTION, OURS), SECTION, OURS) is None


def test_several_entries_come_and_go_together():
    entries = {f"drift-{name}": ENTRY for name in ("analysis", "memory", "catalog")}
    text = '{\n  "mcpServers": {\n    "other": {}\n  }\n}\n'

    installed = put_entries(text, SECTION, entries)

    assert list(json.loads(installed)[KEY]) == ["other", *entries]
    assert drop_entries(installed, SECTION, entries) == text


def test_the_indentation_of_the_file_is_kept():
    text = '{\n\t"theme": "dark",\n\t"mcpServers": {}\n}'

    installed = put_entries(text, SECTION, OURS)

    assert '\n\t\t"drift-analysis": {\n\t\t\t"command": "/bin/drift",' in installed
    assert installed.startswith('{\n\t"theme": "dark",\n')


def test_a_file_on_one_line_stays_on_one_line():
    assert "\n" not in put_entries('{"a": 1}', SECTION, OURS)


def test_a_replaced_entry_keeps_the_keys_that_are_not_ours():
    text = json.dumps({KEY: {"drift-analysis": {"command": "old", "env": {"A": "1"}}}}, indent=2)

    assert json.loads(put_entries(text, SECTION, OURS))[KEY]["drift-analysis"] == {
        **ENTRY,
        "env": {"A": "1"},
    }


def test_an_entry_that_is_no_object_is_replaced_whole():
    text = json.dumps({KEY: {"drift-analysis": 7}})

    assert read_entries(put_entries(text, SECTION, OURS), SECTION) == OURS


def test_an_entry_that_is_there_twice_goes_twice():
    text = '{"mcpServers": {"drift-analysis": 1, "b": 2, "drift-analysis": 3}}'

    assert drop_entries(text, SECTION, OURS) == '{"mcpServers": {"b": 2}}'


def test_a_path_that_is_no_text_is_written_as_an_escape():
    text = put_entries("", SECTION, {"drift-analysis": {"command": "/caf\udce9"}})

    assert json.loads(text.encode())[KEY]["drift-analysis"]["command"] == "/caf\udce9"


@pytest.mark.parametrize(
    "text",
    [
        "// a comment\n{}",
        '{"a": 1,}',
        "{'a': 1}",
        '{"a": NaN}',
        '{"a": 1',
        "[]",
        "null",
        '{"mcpServers": []}',
        '{"mcpServers": "x"}',
        '{"a": ' * 100_000,
        '{"a": 1} {"b": 2}',
    ],
)
def test_what_is_not_strict_json_with_an_object_in_its_place_is_refused(text):
    with pytest.raises(ValueError, match=r".+"):
        put_entries(text, SECTION, OURS)


def test_a_section_may_lie_deeper_and_what_was_made_for_it_goes_with_it():
    text = '{\n  "projects": {\n    "/a": {\n      "history": []\n    }\n  }\n}\n'
    deep = ("projects", "/b", "mcpServers")

    installed = put_entries(text, deep, OURS)

    assert json.loads(installed)["projects"]["/b"] == {"mcpServers": OURS}
    assert read_entries(installed, deep) == OURS
    assert drop_entries(installed, deep, OURS) == text


@pytest.mark.parametrize(
    "text", ['{"projects": 3}', '{"projects": {"/b": []}}', '{"projects": {"/b": {"mcpServers": 1}}}']
)
def test_a_way_that_is_blocked_is_refused(text):
    with pytest.raises(ValueError, match="is not an object"):
        read_entries(text, ("projects", "/b", "mcpServers"))
