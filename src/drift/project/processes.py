"""Runs another program within bounds of time and output, and leaves nothing of it behind."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_MAX_STDERR_BYTES = 10_000
_CHUNK_BYTES = 65_536
_STDERR_GRACE_SECONDS = 0.2  # an ended program's last words are in the pipe already


@dataclass(frozen=True, slots=True)
class Completed:
    """How a program ended. `is_cut`: it said more than allowed and was stopped."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    is_cut: bool = False
    has_timed_out: bool = False


class _Reader(threading.Thread):
    """Reads one pipe, so that a full pipe never stops the program nor a silent one us."""

    def __init__(self, pipe: IO[bytes], keep_bytes: int, *, drains: bool) -> None:
        super().__init__(daemon=True)
        self.kept = b""
        self._pipe = pipe
        self._keep_bytes = keep_bytes
        self._drains = drains
        self.start()

    def run(self) -> None:
        self.kept = self._pipe.read(self._keep_bytes)
        while self._drains and self._pipe.read(_CHUNK_BYTES):
            pass


def run_bounded(
    command: Sequence[str],
    *,
    cwd: Path,
    environ: Mapping[str, str],
    timeout_seconds: float,
    max_bytes: int,
) -> Completed:
    """How `command` ended and what it said. Raises OSError when it cannot be started.

    It gets no standard input (ours may carry a protocol) and its own process group, which is killed as
    a whole when time or output run out.
    """
    deadline = time.monotonic() + timeout_seconds
    process = subprocess.Popen(  # noqa: S603  # no shell; the caller chose the program and checked the arguments
        command,
        cwd=cwd,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        # One byte more than allowed tells "exactly the limit" from "over it".
        output = _Reader(process.stdout, max_bytes + 1, drains=False)
        errors = _Reader(process.stderr, _MAX_STDERR_BYTES, drains=True)
        try:
            is_in_time = _wait(process, output, max_bytes=max_bytes, deadline=deadline)
        finally:
            _stop(process, output, errors)
    return Completed(
        exit_code=process.returncode,
        stdout=output.kept[:max_bytes],
        stderr=errors.kept,
        is_cut=len(output.kept) > max_bytes,
        has_timed_out=not is_in_time,
    )


def _wait(process: subprocess.Popen[bytes], output: _Reader, *, max_bytes: int, deadline: float) -> bool:
    """Whether the program ended, or said too much, before the deadline."""
    output.join(max(deadline - time.monotonic(), 0))
    if output.is_alive():
        return False
    if len(output.kept) > max_bytes:
        return True
    try:
        process.wait(max(deadline - time.monotonic(), 0))
    except subprocess.TimeoutExpired:
        return False
    return True


def _stop(process: subprocess.Popen[bytes], output: _Reader, errors: _Reader) -> None:
    errors.join(_STDERR_GRACE_SECONDS if process.returncode is not None else 0)
    # The group's number is ours only while someone is in it: the program itself, or a child of it that
    # still holds a pipe. Afterwards the system may give the number to a stranger.
    if process.returncode is None or output.is_alive() or errors.is_alive():
        _kill_group(process)
    process.wait()
    output.join()
    errors.join()


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError):  # it ended by itself in this moment
        os.killpg(process.pid, signal.SIGKILL)
