import asyncio
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pipeline_samples import Rows, answer_ok, make_tool

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode
from drift.pipeline.limits import limit
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
        TOOL.bind(checked)


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
