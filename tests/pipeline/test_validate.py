import asyncio
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pipeline_samples import Rows, answer_ok, make_tool

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode
from drift.pipeline.limits import MAX_NESTED_CALLS, limit
from drift.pipeline.synonyms import SYNONYMS, rename_synonyms
from drift.pipeline.validate import Validator
from drift.registry import Call, Range


def drift_checked(
    call: Call,
    name: Annotated[str, "Who it is"],
    depth: Annotated[int, Range(1, 10)] = 1,
    mode: Literal["fast", "slow"] = "fast",
    tags: list[str] | None = None,
    extra: dict[str, Any] | None = None,
) -> Answer[Rows]:
    """Checked."""
    return Answer("", Rows(()))


TOOL = make_tool(drift_checked)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": 5}, "name: got 5; allowed: string"),
        ({"name": "a", "depth": 50}, "depth: got 50; allowed: 10 or less"),
        ({"name": "a", "depth": 0}, "depth: got 0; allowed: 1 or more"),
        ({"name": "a", "depth": True}, "depth: got True; allowed: integer"),
        ({"name": "a", "mode": "medium"}, "mode: got 'medium'; allowed: fast, slow"),
        ({"name": "a", "tags": ["x", 1]}, "tags.1: got 1; allowed: string"),
        ({"name": "a", "tags": ["x"] * 1_001}, "tags: got a list of 1001; allowed: at most 1,000 items"),
        ({"name": "a" * 10_241}, f"name: got '{'a' * 59}…'; allowed: at most 10,240 characters"),
        ({"name": "a", "maxTokens": 1}, "maxTokens: got 1; allowed: 100 or more"),
    ],
)
def test_one_message_names_the_field_what_came_and_what_is_allowed(arguments, message):
    with pytest.raises(DriftError) as caught:
        Validator().check(TOOL, arguments)

    assert caught.value.code is ErrorCode.INVALID_ARGUMENT
    assert caught.value.message == message


def test_a_missing_argument_is_named_with_its_description():
    with pytest.raises(DriftError) as caught:
        Validator().check(TOOL, {})

    assert caught.value.code is ErrorCode.MISSING_REQUIRED_PARAM
    assert caught.value.message == "name: required by drift_checked (Who it is)"


def test_an_unknown_argument_gets_its_neighbours():
    with pytest.raises(DriftError) as caught:
        Validator().check(TOOL, {"name": "a", "dept": 2})

    assert caught.value.recovery.similar[0] == "depth"


def test_an_unknown_argument_in_the_place_of_a_missing_one_gets_that_ones_name():
    with pytest.raises(DriftError) as caught:
        Validator().check(TOOL, {"target": "a"})

    assert caught.value.as_wire()["similar"][0] == "name"


def drift_named(
    call: Call,
    symbol: str,
    file: str | None = None,
    kind: Literal["all", "own"] = "all",
    paths: tuple[str, ...] = (),
    include_body: bool = False,
) -> Answer[Rows]:
    """Named."""
    return Answer("", Rows(()))


NAMED = make_tool(drift_named)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"function": "a"}, {"symbol": "a"}),
        ({"target": "a", "targetFile": "b.py"}, {"symbol": "a", "file": "b.py"}),
        ({"name": "a", "include_body": True}, {"symbol": "a", "includeBody": True}),
        ({"symbol": "a", "files": "b.py"}, {"symbol": "a", "paths": ["b.py"]}),
        ({"file": "b.py", "method": "a"}, {"symbol": "a", "file": "b.py"}),
    ],
)
def test_what_another_tool_calls_an_argument_is_taken_for_it(given, meant):
    assert Validator().check(NAMED, given) == meant


@pytest.mark.parametrize(
    ("given", "unknown"),
    [
        ({"symbol": "a", "function": "b"}, "function"),  # what it stands for is given already
        ({"symbol": "a", "colour": "b"}, "colour"),
        ({"symbol": "a", "path": "b"}, "path"),  # file or paths
        ({"function": "a", "target": "b"}, "target"),
    ],
)
def test_an_argument_is_never_taken_for_one_that_is_given(given, unknown):
    with pytest.raises(DriftError) as caught:
        Validator().check(NAMED, given)

    assert caught.value.message.startswith(f"{unknown}: drift_named takes no such argument")


def test_other_names_are_not_in_the_schema():
    assert "function" not in NAMED.listed_input_schema["properties"]


@given(st.dictionaries(st.sampled_from([*SYNONYMS, "max_tokens", "x"]), st.text(max_size=3), max_size=6))
def test_renaming_loses_no_value_and_keeps_every_name_of_the_tool(given_names):
    renamed = rename_synonyms(NAMED, given_names)

    values = [value[0] if isinstance(value, list) else value for value in renamed.values()]
    assert sorted(values) == sorted(given_names.values())
    own = given_names.keys() & NAMED.input_schema["properties"].keys()
    assert all(renamed[name] == given_names[name] for name in own)


def test_null_means_absent():
    assert Validator().check(TOOL, {"name": "a", "depth": None}) == {"name": "a"}


def test_the_budget_is_taken_out_of_the_arguments(request_for):
    request = request_for(TOOL, {"name": "a", "maxTokens": 500})

    asyncio.run(Validator()(request, answer_ok))

    assert request.max_tokens == 500
    assert request.arguments == {"name": "a"}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from(["name", "depth", "mode", "tags", "extra", "zzz"]), json_values))
def test_whatever_comes_is_accepted_or_refused_with_a_drift_error(arguments):
    try:
        checked = Validator().check(TOOL, arguments)
    except DriftError as error:
        assert error.message
    else:
        TOOL.code.bind(checked)


def nested(levels):
    value = []
    for _ in range(levels - 1):
        value = [value]
    return value


def test_arguments_too_deep_or_too_large_are_turned_away(request_for):
    for arguments, code in (
        ({"extra": {"a": nested(70)}}, ErrorCode.INVALID_ARGUMENT),
        ({"name": "x" * 1_100_000}, ErrorCode.TOO_LARGE),
        ({"name": "\ud800"}, ErrorCode.INVALID_ARGUMENT),
    ):
        with pytest.raises(DriftError) as caught:
            asyncio.run(limit(request_for(TOOL, arguments), answer_ok))
        assert caught.value.code is code


def test_calls_within_calls_within_calls_are_turned_away(request_for):
    request = request_for(TOOL, {"name": "x"})
    request.depth = MAX_NESTED_CALLS
    asyncio.run(limit(request, answer_ok))

    request.depth += 1
    with pytest.raises(DriftError, match="nested too deeply"):
        asyncio.run(limit(request, answer_ok))


def test_an_unknown_name_inside_an_argument_is_met_with_the_names_there():
    from drift.tools import all_tools

    with pytest.raises(DriftError) as caught:
        Validator().check(all_tools().get("drift_batch"), {"calls": [{"tool": "drift_status", "arg": 1}]})

    assert (
        caught.value.message == "calls.0.arg: calls.0 takes no such argument; it takes tool, args, id, after"
    )
