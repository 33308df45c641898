"""Entries in a TOML file: ours come and go, comments and everything else stay."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.cli.clients.toml_text import drop_entries, put_entries, read_entries

SECTION = ("mcp_servers",)
ENTRY = {"command": "/bin/drift", "args": ["mcp", "analysis", "/p"]}
OURS = {"drift-analysis": ENTRY}
EXISTING = """\
# my settings
model = "large"  # the good one

[mcp_servers.other]
command = "npx"
args = [
  "-y", # yes
  "[mcp_servers.drift-analysis]",
]

# the profile
[profiles.fast]
model = "small"
"""
blocks = st.lists(
    st.sampled_from(
        [
            "# a comment\n",
            "\n",
            "[profiles.{n}]\nmodel = 'x'\n",
            "[mcp_servers.s{n}]\ncommand = 'npx'\n# [mcp_servers.drift-analysis]\n",
            '[mcp_servers.s{n}.env]\nTEXT = """\n[not.a.table]\n"""\n',
            "[[things]]\nid = {n}\n",
            "[mcp_servers.drift-memory]\ncommand = 'mine'\n",
        ]
    ),
    max_size=6,
).map(lambda parts: "top = 1\n" + "".join(part.replace("{n}", str(at)) for at, part in enumerate(parts)))
documents = blocks.filter(lambda text: text.count("[mcp_servers.drift-memory]") <= 1)


@given(documents)
def test_installing_and_uninstalling_gives_the_original_back(text):
    installed = put_entries(text, SECTION, OURS)

    assert read_entries(installed, SECTION)["drift-analysis"] == ENTRY
    assert drop_entries(installed, SECTION, OURS) == text


@given(documents)
def test_what_was_there_stays_at_the_beginning(text):
    assert put_entries(text, SECTION, OURS).startswith(text)


def test_comments_and_hostile_strings_survive():
    installed = put_entries(EXISTING, SECTION, OURS)

    assert installed.startswith(EXISTING)
    assert drop_entries(installed, SECTION, OURS) == EXISTING


def test_a_file_without_a_last_line_end_means_the_same_afterwards():
    installed = put_entries("a = 1", SECTION, OURS)
    restored = drop_entries(installed, SECTION, OURS)

    assert tomllib.loads(installed) == {"a": 1, SECTION[0]: OURS}
    assert tomllib.loads(restored) == {"a": 1}


def test_windows_line_ends_are_kept():
    assert "\n" not in put_entries("a = 1\r\n", SECTION, OURS).replace("\r\n", "")


def test_nothing_is_left_of_a_file_that_was_made_for_us():
    assert drop_entries(put_entries("", SECTION, OURS), SECTION, OURS) is None


def test_a_replaced_entry_keeps_its_other_keys_and_its_place():
    text = """\
[mcp_servers.drift-analysis]
command = "old" # comment of the old command
startup_timeout_sec = 30 # slow disk
args = [
  "a",
  "b",
]

[mcp_servers.drift-analysis.env]
LEVEL = "debug"

[next]
x = 1
"""

    replaced = put_entries(text, SECTION, OURS)

    assert read_entries(replaced, SECTION)["drift-analysis"] == {
        **ENTRY,
        "startup_timeout_sec": 30,
        "env": {"LEVEL": "debug"},
    }
    assert "# slow disk" in replaced
    assert replaced.endswith("\n[next]\nx = 1\n")


def test_inner_tables_go_with_their_entry_and_the_next_comment_stays():
    text = """\
[mcp_servers.drift-analysis]
command = "x"
[mcp_servers.drift-analysis.env]
A = "1"

# about the next
[next]
x = 1

[mcp_servers."drift-analysis".more]
y = 2
"""

    left = drop_entries(text, SECTION, OURS)

    assert tomllib.loads(left) == {"next": {"x": 1}}
    assert "# about the next" in left


@pytest.mark.parametrize(
    "text",
    [
        "a = ",
        "mcp_servers = 3",
        "mcp_servers = { other = { command = 'x' } }",
        "[mcp_servers]\ndrift-analysis = { command = 'old' }",
        "[mcp_servers]\ndrift-analysis.command = 'old'",
        "[[mcp_servers]]\nname = 'x'",
        "a = " + "[" * 100_000,
    ],
)
def test_a_form_that_cannot_be_changed_safely_is_refused(text):
    with pytest.raises(ValueError, match=r".+"):
        put_entries(text, SECTION, OURS)


def test_an_entry_in_another_form_is_not_taken_out():
    with pytest.raises(ValueError, match="safely"):
        drop_entries("[mcp_servers]\ndrift-analysis = { command = 'old' }", SECTION, OURS)
