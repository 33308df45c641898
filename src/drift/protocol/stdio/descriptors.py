"""The process's standard descriptors, claimed for the protocol."""

import os
import stat
import sys
from typing import Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery

_STDIN: Final = 0
_STDOUT: Final = 1
_STDERR: Final = 2


def claim_standard_streams() -> tuple[int, int]:
    """Take descriptors 0 and 1 for the protocol; from then on they are the null device and stderr.

    So nothing a library or a child process prints can reach the client, nor can it eat a request.
    They are not given back: what the C library still holds in its buffers would follow them.
    """
    # Python's streams, not the descriptors: a number that was free at the start may be the event loop's now.
    if sys.__stdin__ is None or sys.__stdout__ is None:
        raise DriftError(
            ErrorCode.CONFIG_INVALID,
            "Standard input or output is closed",
            Recovery(hint="Start the server from an MCP client, or over HTTP with: drift serve"),
        )
    input_fd, output_fd = _duplicate(_STDIN), _duplicate(_STDOUT)
    _divert(_STDIN, os.open(os.devnull, os.O_RDONLY))
    _divert(_STDOUT, os.open(os.devnull, os.O_WRONLY) if sys.__stderr__ is None else os.dup(_STDERR))
    return input_fd, output_fd


def _duplicate(fd: int) -> int:
    duplicate = os.dup(fd)
    # A closed stderr's number may come first; it stays taken, so that stray errors do not go to the client.
    return duplicate if duplicate > _STDERR else os.dup(fd)


def _divert(standard_fd: int, replacement_fd: int) -> None:
    os.dup2(replacement_fd, standard_fd)
    os.close(replacement_fd)


def is_pollable(fd: int) -> bool:
    """Whether the event loop can watch the descriptor.

    Not so for files and the null device. A terminal could be watched, but to make it
    non-blocking would do the same to the shell that shares it.
    """
    mode = os.fstat(fd).st_mode
    return sys.platform != "win32" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))
