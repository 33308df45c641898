"""Errors for a person: what went wrong, and every way out, on standard error."""

import re
from collections.abc import Mapping
from typing import Any, Final

from drift.cli.console import Console, Ink
from drift.cli.shown import shown

_TOLD_APART: Final = frozenset(
    {"code", "message", "hint", "similar", "alternativeTools", "command", "retryAfterMs", "meta", "argument"}
)


_TOOL: Final = re.compile(r"\bdrift_[a-z_]+[a-z]\b")


def say_failure(error: Mapping[str, Any], console: Console, *, as_json: bool) -> None:
    """Write an error: as the one JSON document of the command, or as lines on standard error."""
    if as_json:
        console.say_json(error)
        return
    for line in failure_lines(error):
        label, colon, rest = line.partition(":")
        ink = Ink.RED if label == "error" else Ink.DIM
        console.tell(console.paint_aside(label + colon, ink) + rest)


def failure_lines(error: Mapping[str, Any]) -> list[str]:
    """The lines of an error, each with a word that says what it is."""
    lines = [f"error: {shown(str(error['message']))} [{error['code']}]"]
    if similar := error.get("similar"):
        lines.append(f"did you mean: {', '.join(shown(str(name)) for name in similar)}")
    if hint := error.get("hint"):
        lines.append(f"hint: {shown(_with_commands(str(hint)))}")
    if tools := error.get("alternativeTools"):
        lines.append(f"instead: {', '.join(shown(_with_commands(str(name))) for name in tools)}")
    if command := error.get("command"):
        lines.append(f"run: {shown(str(command))}")
    if (retry_after_ms := error.get("retryAfterMs")) is not None:
        lines.append(f"try again in: {retry_after_ms} ms")
    details = ((key, str(value)) for key, value in error.items() if key not in _TOLD_APART)
    # Most messages name their details; what they left out follows.
    lines += [f"{key}: {shown(value)}" for key, value in details if value not in error["message"]]
    return lines


def _with_commands(text: str) -> str:
    """The text with tools named as they are called here: `drift dead-code` for `drift_dead_code`."""
    from drift.cli.slots import (
        command_name,
    )  # brings the registry

    return _TOOL.sub(lambda found: f"drift {command_name(found[0])}", text)
