import re

import pytest

from drift.kernel import errors
from drift.kernel.errors import ERRORS, DriftError, ErrorCode, Recovery, invalid


def test_every_code_has_a_meaning_and_a_way_out():
    assert set(ERRORS) == set(ErrorCode)
    assert all(kind.meaning and kind.hint for kind in ERRORS.values())


def test_the_overview_at_the_top_of_the_module_names_every_code_once():
    named = re.findall(
        r"\b[A-Z]+(?:_[A-Z]+)+\b|\bTIMEOUT\b|\bFORBIDDEN\b|\bUNAUTHORIZED\b|\bCANCELLED\b|\bCONFLICT\b",
        errors.__doc__,
    )

    assert sorted(named) == sorted(ErrorCode)


@pytest.mark.parametrize("code", ErrorCode)
def test_an_error_without_advice_of_its_own_carries_its_codes_hint(code):
    assert DriftError(code, "It failed").as_wire() == {
        "code": code.value,
        "message": "It failed",
        "hint": ERRORS[code].hint,
    }


def test_an_error_carries_every_way_out_it_was_given():
    recovery = Recovery(
        hint="Do this",
        similar=("a",),
        alternative_tools=("b",),
        command="drift scan",
        retry_after_ms=0,
        details={"argument": "depth", "given": False},
    )

    assert DriftError(ErrorCode.INVALID_ARGUMENT, "m", recovery).as_wire() == {
        "code": "INVALID_ARGUMENT",
        "message": "m",
        "hint": "Do this",
        "similar": ["a"],
        "alternativeTools": ["b"],
        "command": "drift scan",
        "retryAfterMs": 0,
        "argument": "depth",
        "given": False,
    }


def test_an_error_is_an_exception_with_its_message():
    error = DriftError(ErrorCode.TIMEOUT, "Took too long")

    assert str(error) == "Took too long"
    assert error.recovery == Recovery()


def test_details_cannot_replace_the_code_message_or_hint():
    recovery = Recovery(details={"code": "x", "message": "x", "hint": "x", "file": "a.py"})

    wire = DriftError(ErrorCode.TIMEOUT, "Took too long", recovery).as_wire()

    assert wire["code"] == "TIMEOUT"
    assert wire["message"] == "Took too long"
    assert wire["hint"] == ERRORS[ErrorCode.TIMEOUT].hint
    assert wire["file"] == "a.py"


def test_an_invalid_argument_is_named():
    error = invalid("depth", "is above 10", hint="Give 1 to 10.", similar=("5",))

    assert error.as_wire() == {
        "code": "INVALID_ARGUMENT",
        "message": "depth: is above 10",
        "hint": "Give 1 to 10.",
        "similar": ["5"],
        "argument": "depth",
    }
