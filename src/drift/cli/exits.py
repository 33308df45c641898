"""How a command ends: the one table of exit codes."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

from drift.kernel.errors import ErrorCode


class Exit(IntEnum):
    """What a command tells the shell."""

    OK = 0
    FAILED = 1
    USAGE = 2
    ENVIRONMENT = 3
    INTERRUPTED = 130


MEANINGS: Final[Mapping[Exit, str]] = {
    Exit.OK: "done",
    Exit.FAILED: "the answer is an error, or a check failed",
    Exit.USAGE: "wrong usage",
    Exit.ENVIRONMENT: "the surroundings need mending: wrong settings, a store that cannot be opened",
    Exit.INTERRUPTED: "interrupted",
}

_SURROUNDINGS: Final = frozenset(
    {ErrorCode.CONFIG_INVALID, ErrorCode.STORE_UNAVAILABLE, ErrorCode.CORTEX_UNAVAILABLE}
)


def exit_for(code: str | None) -> Exit:
    """The exit code of an answer, by its error code; None is an answer without an error."""
    if code is None:
        return Exit.OK
    return Exit.ENVIRONMENT if code in _SURROUNDINGS else Exit.FAILED
