"""A tool's definition as a command, and command lines that say what a call says."""

import shlex
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.cli.command_lines import command_line, command_words
from drift.cli.commands import COMMANDS
from drift.cli.parser import Parser, UsageError
from drift.cli.questions import QUESTIONS
from drift.cli.slots import OPERANDS, command_name, kebab, slots_of
from drift.cli.tool_parser import build_tool_parser, read_call
from drift.kernel.answer import Answer
from drift.registry import Call, Page, Range, Toolbox, definition_of, tool
from drift.tools import all_tools


@dataclass(frozen=True)
class Step:
    name: str
    depth: int = 1


@tool(category="surgical", title="Everything", tokens=(1, 2))
def drift_every_kind(
    call: Call,
    target: Annotated[str, "What to look at, 100% of it"],
    level: int,
    *,
    names: list[str] | None = None,
    numbers: list[int] | None = None,
    ratio: float = 0.5,
    deep: bool = False,
    mode: Literal["fast", "slow"] = "fast",
    options: dict[str, Any] | None = None,
    steps: tuple[Step, ...] = (),
    count: Annotated[int, Range(1, 10)] = 3,
    page: Page = Page(limit=20),
) -> Answer[Step]:
    """Take every kind of argument."""
    return Answer(str(call), Step(target))


EVERY_KIND = definition_of(drift_every_kind)


def texts(max_size):
    # No word of a command line can hold a NUL.
    return st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=max_size)


anything = st.recursive(
    st.booleans() | st.integers(-9, 9) | texts(max_size=5),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)
calls = st.fixed_dictionaries(
    {"target": texts(max_size=8), "level": st.integers(-99, 99)},
    optional={
        "names": st.lists(texts(max_size=6), max_size=3),
        "numbers": st.lists(st.integers(-9, 9), max_size=3),
        "ratio": st.floats(-1e6, 1e6).map(lambda number: round(number, 3)),
        "deep": st.booleans(),
        "mode": st.sampled_from(["fast", "slow"]),
        "options": st.dictionaries(texts(max_size=4), anything, max_size=3),
        "steps": st.lists(st.fixed_dictionaries({"name": texts(max_size=4)}), max_size=2),
        "count": st.integers(1, 10),
        "limit": st.integers(1, 100),
        "cursor": texts(max_size=8),
        "project": texts(max_size=8),
        "maxTokens": st.integers(100, 1000),
    },
)


def read(definition, words):
    return read_call(definition, words, parser=build_tool_parser(definition))


@given(calls)
def test_the_command_line_of_a_call_is_read_back_as_the_same_call(call):
    words = command_words(EVERY_KIND, call)

    assert read(EVERY_KIND, words) == (call, False)


@given(calls)
def test_a_shell_splits_the_written_line_into_the_same_words(call):
    line = command_line("drift_every_kind", call, Toolbox([EVERY_KIND]))

    assert shlex.split(line) == ["drift", "every-kind", *command_words(EVERY_KIND, call)]


def test_required_arguments_are_words_and_the_rest_are_flags():
    arguments, as_json = read(EVERY_KIND, ["--names", "a,b", "main", "--deep", "2", "--names", "c", "--json"])

    assert arguments == {"target": "main", "level": 2, "names": ["a", "b", "c"], "deep": True}
    assert as_json


def test_a_boolean_can_be_switched_off():
    assert read(EVERY_KIND, ["main", "1", "--no-deep"])[0]["deep"] is False


def test_help_tells_of_every_argument_its_bounds_and_its_default():
    page = build_tool_parser(EVERY_KIND).format_help()

    assert "100% of it" in page
    assert "one of fast, slow; default: fast" in page
    assert "1 to 10; default: 3" in page
    assert "--limit" in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "required"),
        (["main"], "required"),
        (["main", "two"], "level: got 'two'"),
        (["main", "2", "extra"], "unrecognized"),
        (["main", "2", "--mode"], "expected one argument"),
        (["main", "2", "--options", "{"], "options: is no JSON"),
    ],
)
def test_a_wrong_command_line_is_refused_with_the_reason(words, message):
    with pytest.raises(UsageError, match=message):
        read(EVERY_KIND, words)


def test_a_misspelt_flag_is_answered_with_the_right_one():
    with pytest.raises(UsageError) as refusal:
        read(EVERY_KIND, ["main", "1", "--raito", "2"])

    assert "--ratio" in refusal.value.recovery.similar


def test_an_abbreviated_flag_is_refused():
    with pytest.raises(UsageError):
        read(EVERY_KIND, ["main", "1", "--opt", "{}"])


@pytest.mark.parametrize("name", [each.name for each in all_tools()])
def test_every_registered_tool_has_a_command_that_reads_its_examples(name):
    definition = all_tools().get(name)

    build_tool_parser(definition).format_help()
    for example in definition.examples:
        assert read(definition, command_words(definition, example))[0] == example


# A command of ours that does what the tool of its name does, with a progress line and more options.
STANDS_FOR_ITS_TOOL = {"fleet", "scan"}


def test_no_tool_takes_the_name_of_a_command():
    own = {command.name for command in COMMANDS if command.module}

    assert own & {command_name(definition.name) for definition in all_tools()} == STANDS_FOR_ITS_TOOL


def test_every_tool_that_help_names_is_registered():
    promised = {command.name for command in COMMANDS if command.module is None} - set(QUESTIONS)

    assert promised <= {command_name(definition.name) for definition in all_tools()}


def test_operands_are_arguments_of_real_actions():
    for name, operands in OPERANDS.items():
        slots = {slot.wire: slot for slot in slots_of(all_tools().get(name))}
        for action, arguments in operands.items():
            assert action in slots["action"].choices
            assert set(arguments) <= set(slots)


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        ([], {}),
        (["list"], {"action": "list"}),
        (["add", "/x", "--name", "y"], {"action": "add", "path": "/x", "name": "y"}),
        (["--name", "y", "add", "/x"], {"action": "add", "path": "/x", "name": "y"}),
        (["rename", "old", "new"], {"action": "rename", "name": "old", "newName": "new"}),
        (["add", "--path", "/x"], {"action": "add", "path": "/x"}),
    ],
)
def test_an_action_is_the_first_word_and_its_operands_follow(words, arguments):
    assert read(all_tools().get("drift_projects"), words)[0] == arguments


@pytest.mark.parametrize("words", [["add", "/x", "/y"], ["list", "what"], ["add", "/x", "--path", "/y"]])
def test_operands_that_have_no_place_are_refused(words):
    with pytest.raises(UsageError):
        read(all_tools().get("drift_projects"), words)


def test_a_misspelt_action_is_answered_with_the_right_one():
    with pytest.raises(UsageError) as refusal:
        read(all_tools().get("drift_projects"), ["renmae"])

    assert refusal.value.recovery.similar[0] == "rename"


def test_a_call_passed_on_by_another_tool_is_written_as_itself():
    line = command_line("drift_tool", {"name": "drift_status", "args": {"metrics": True}}, all_tools())

    assert line == "drift status --metrics"


def test_a_call_of_an_unknown_tool_is_written_as_a_plain_call():
    assert (
        command_line("drift_later", {"a": 1}, all_tools()) == """drift call drift_later --args '{"a": 1}'"""
    )


@pytest.mark.parametrize(
    ("wire", "flag"), [("maxTokens", "max-tokens"), ("path", "path"), ("newName", "new-name")]
)
def test_flags_are_the_wire_names_in_kebab_case(wire, flag):
    assert kebab(wire) == flag


def test_everything_behind_the_separator_is_a_value():
    parser = Parser("drift try", "")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--name")

    given_words = parser.read(["--name=--", "a", "--", "-x", "--name"])

    assert given_words.words == ["a", "-x", "--name"]
    assert given_words.name == "--"
