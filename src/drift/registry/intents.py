"""What a person is about to do, and which tools that calls for."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files

import orjson

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.similar import similar_names
from drift.registry.consolidated import consolidated_tools


class Intent(StrEnum):
    """The tasks Drift shapes its answers to."""

    ADD_FEATURE = "add_feature"
    FIX_BUG = "fix_bug"
    REFACTOR = "refactor"
    SECURITY_AUDIT = "security_audit"
    UNDERSTAND_CODE = "understand_code"
    ADD_TEST = "add_test"
    REVIEW_PR = "review_pr"


def parse_intent(text: str) -> Intent | None:
    """The intent the setting names, None for an empty one; CONFIG_INVALID for any other word."""
    if not text:
        return None
    known = [str(intent) for intent in Intent]
    if text not in known:
        raise DriftError(
            ErrorCode.CONFIG_INVALID,
            f"mcp.intent is {text!r}; allowed: {', '.join(known)}.",
            Recovery(similar=similar_names(text, known), details={"key": "mcp.intent"}),
        )
    return Intent(text)


@cache
def _groups() -> Mapping[str, list[str]]:
    groups: dict[str, list[str]] = orjson.loads(
        files("drift.registry").joinpath("data/intents.json").read_bytes()
    )
    return groups


def consolidated_for(intent: Intent) -> frozenset[str]:
    """The action-style tools an intent calls for."""
    return frozenset(entry.partition(":")[0] for entry in _groups()[intent])


def tools_for(intent: Intent) -> frozenset[str]:
    """The plain tools an intent calls for; `group:option` narrows a group to one option."""
    found: set[str] = set()
    for entry in _groups()[intent]:
        group, _, only = entry.partition(":")
        options = consolidated_tools()[group].options
        found |= {option.tool for name, option in options.items() if not only or name == only}
    return frozenset(found)
