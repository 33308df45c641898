"""What may stand in an address, and what it becomes."""

import io
import json
import re
import shlex
from datetime import UTC, datetime
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.cli.console import Console
from drift.cli.entry import run
from drift.cli.exits import Exit
from drift.context.code_map import map_measures
from drift.dashboard.question_list import QUESTIONS
from drift.dashboard.questions import read_address
from drift.kernel.errors import DriftError, ErrorCode
from drift.registry import Effect
from drift.tools import all_tools

COMMAND = re.compile(r'(?:command\("|= `|: `|command\(`|=> `)(drift [a-z](?:[^"`\\]|\\")*)["`]')
FILLED = re.compile(r"\$\{(?:[^{}]|\{[^{}]*\})*\}")
NOW = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
SEARCH = QUESTIONS["memory/search"]
QUERY = QUESTIONS["catalog/query"]


def arguments_of(question, *pairs):
    return question.arguments(read_address(question, pairs, now=NOW))


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_is_a_tool_that_only_reads(name):
    question = QUESTIONS[name]
    tool = all_tools().of_server(question.server).get(question.tool)

    assert tool.effect is Effect.READS


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_arguments_of_every_question_are_ones_its_tool_takes(name):
    question = QUESTIONS[name]
    pairs = [(word, "x" if word != "overdue" else "1") for word in question.takes if word != "limit"]
    taken = all_tools().get(question.tool).input_schema["properties"]

    assert set(arguments_of(question, *pairs)) <= set(taken)


def test_words_become_the_arguments_of_a_search():
    found = arguments_of(SEARCH, ("q", "  why retry "), ("type", "tribal"), ("limit", "7"))

    assert found["query"] == "why retry"
    assert found["types"] == ["tribal"]
    assert found["limit"] == 7


def test_filters_of_the_catalog_are_left_out_unless_chosen():
    assert arguments_of(QUERY)["filters"] == {}
    assert arguments_of(QUERY, ("q", ""), ("status", ""))["filters"] == {}


def test_overdue_means_due_before_now():
    found = arguments_of(QUERY, ("overdue", "1"), ("status", "draft"), ("tier", "P1"), ("q", "uv"))

    assert found["filters"] == {
        "reviewDueBefore": "2026-05-04T03:02:01.000+00:00",
        "requirements": ["mandatory", "critical", "recommended", "optional"],
        "status": ["draft"],
        "priorityTiers": ["P1"],
        "text": "uv",
    }


def test_a_memory_is_read_as_of_now_so_that_looking_is_not_using():
    assert arguments_of(QUESTIONS["memory/get"], ("id", "m_1"))["asOf"] == "2026-05-04T03:02:01.000+00:00"


@pytest.mark.parametrize(
    ("pairs", "argument"),
    [
        ([("project", "/etc")], "project"),
        ([("q", "a"), ("q", "b")], "q"),
        ([("q", "a" * 501)], "q"),
        ([("q", "a"), ("limit", "0")], "limit"),
        ([("q", "a"), ("limit", "101")], "limit"),
        ([("q", "a"), ("limit", "-1")], "limit"),
        ([("q", "a"), ("limit", "٣")], "limit"),
        ([("q", "a"), ("limit", "9" * 5000)], "limit"),
        ([("q", "a"), ("limit", "")], "limit"),
    ],
)
def test_what_a_question_does_not_take_is_refused_by_name(pairs, argument):
    with pytest.raises(DriftError) as refused:
        read_address(SEARCH, pairs, now=NOW)

    assert refused.value.code is ErrorCode.INVALID_ARGUMENT
    assert refused.value.message.startswith(f"{argument}:")


@pytest.mark.parametrize("pairs", [[], [("q", "   ")]])
def test_a_search_without_words_is_refused(pairs):
    with pytest.raises(DriftError) as refused:
        read_address(SEARCH, pairs, now=NOW)

    assert refused.value.code is ErrorCode.MISSING_REQUIRED_PARAM


@given(
    st.sampled_from(sorted(QUESTIONS)),
    st.lists(
        st.tuples(st.sampled_from(["q", "id", "limit", "overdue", "type", "cursor"]) | st.text(), st.text())
    ),
)
def test_any_address_is_either_refused_or_within_bounds(name, pairs):
    question = QUESTIONS[name]
    try:
        asked = read_address(question, pairs, now=NOW)
    except DriftError as error:
        assert error.code in {ErrorCode.INVALID_ARGUMENT, ErrorCode.MISSING_REQUIRED_PARAM}
        return

    assert asked.numbers.get("limit", 1) in range(1, 101)
    assert all(word and word == word.strip() for word in asked.words.values())
    assert {*asked.words, *asked.numbers} <= set(question.takes)


def shown_commands():
    """Every command that stands in the page's scripts, with a word in the place of what it is filled with."""
    for one in files("drift.dashboard").joinpath("page").iterdir():
        if one.name.endswith(".js"):
            for found in COMMAND.finditer(one.read_text("utf-8")):
                yield FILLED.sub("x", found[1].replace('\\"', '"'))
    yield from (row.command for row in map_measures() if row.command.startswith("drift "))


def test_every_command_that_the_page_shows_is_one_and_takes_these_options(tmp_path):
    shown = sorted(set(shown_commands()))
    assert len(shown) > 15
    for line in shown:
        words = shlex.split(line)
        if words[1] == "call":
            taken = all_tools().get(words[2]).input_schema["properties"]
            assert set(json.loads(words[4]) if len(words) > 4 else ()) <= set(taken), line
            continue
        out = io.StringIO()
        console = Console(io.StringIO(), out, out, {"HOME": str(tmp_path)}, tmp_path)
        assert run([words[1], "--help"], console) == Exit.OK, line
        missing = [word for word in words if word.startswith("--") and word not in out.getvalue()]
        assert missing == [], line


def test_a_call_is_shown_as_the_command_that_a_person_would_type(place, serve):
    place.scan()
    served = serve()

    assert served.ask("explain", at="shop.py:1").json["command"].startswith("drift call drift_explain")
    assert "maxTokens" not in served.ask("explain", at="shop.py:1").json["command"]
