"""The parent's side of one worker process: what it is given, what comes back, and what became of it."""

import os
import pickle
import select
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from drift.dimensions import read_own_dimensions
from drift.index.ids import FileId
from drift.index.rows import FileRows
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.own_process import Start
from drift.project import StateDir
from drift.scan.describing import Task, describe_failure
from drift.scan.limits import Limits
from drift.scan.transfer import LENGTH, MOST_BYTES, UnfitRowsError, rows_from_bytes
from drift.scan.worker import OUT_OF_MEMORY, READY, Work

# Ctrl-C at a terminal reaches the scan alone, which ends its workers, also where they only start.
_OWN_GROUP: Final = 0
_SECONDS_TO_END: Final = 5.0
_MOST_STARTS: Final = 3
# With these a process is ended by somebody else, or by a system without memory: the file need not be why.
_FROM_OUTSIDE: Final = frozenset(-getattr(signal, name, 0) for name in ("SIGKILL", "SIGTERM", "SIGHUP"))


class _LostError(Exception):
    """The process gave no rows; the message says of the file what happened."""


class _StuckError(_LostError):
    """The process did nothing for too long: waiting once more would not make it."""


class _KilledError(_LostError):
    """The process was ended from outside: the file may be as good as any."""


class _RetiredError(Exception):
    """The process had ended by itself before it was given anything to do."""


class _NotStartedError(Exception):
    """The process ended before it could read anything: no file is to blame."""


class Reader:
    """One process, replaced when it crashes, hangs or retires."""

    def __init__(self, start: Start, limits: Limits) -> None:
        self.start = start
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._is_ready = False  # the process has said that it reads
        self._has_retired = False  # and its successor has not been heard of yet
        self._lock = threading.Lock()
        self._is_over = False

    def read(self, root: Path, tasks: Sequence[Task]) -> Iterator[FileRows]:
        """The rows of these files, one for each, also for those that brought the process down.

        Of such a file the beginning is tried, in another process, before it is given up. DriftError where no
        process can be started.
        """
        left = deque(tasks)
        own = read_own_dimensions(StateDir(root)).scanned
        failed_starts = 0
        killed: set[FileId] = set()
        while left:
            process = self._running()
            if process is None:
                return
            self._send(process, Work(str(root.absolute()), self._limits, list(left), own))
            try:
                while left:
                    yield self._receive(process, left[0])
                    left.popleft()
            except _RetiredError:
                self.close()
            except _NotStartedError as error:
                self.close()
                failed_starts += 1
                if failed_starts == _MOST_STARTS:
                    raise _no_process(error) from None
            except _LostError as error:
                self.close()
                task = left.popleft()
                if isinstance(error, _KilledError) and task.file_id not in killed:
                    killed.add(task.file_id)
                    left.appendleft(task)
                elif task.overrun or isinstance(error, _StuckError):
                    yield _given_up(task, error)
                else:
                    left.appendleft(task._replace(overrun=str(error)))

    def begin(self) -> None:
        """Start the process, unless it runs."""
        self._running()

    def interrupt(self) -> None:
        """End the process, if there is one; for another thread than the one that reads."""
        with self._lock:
            self._is_over = True
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()

    def _running(self) -> subprocess.Popen[bytes] | None:
        """The process, started where there is none; None once it was interrupted."""
        with self._lock:
            if self._process is None and not self._is_over:
                self._is_ready = False
                self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
                    self.start.command,
                    env=self.start.environ,
                    cwd=self.start.cwd,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    bufsize=0,
                    process_group=_OWN_GROUP,
                )
            return None if self._is_over else self._process

    def _send(self, process: subprocess.Popen[bytes], work: Work) -> None:
        assert process.stdin is not None
        data = pickle.dumps(tuple(work), pickle.HIGHEST_PROTOCOL)
        rest = memoryview(LENGTH.pack(len(data)) + data)
        try:
            while rest:
                rest = rest[process.stdin.write(rest) :]
        except BrokenPipeError:
            return  # the reading side finds out, and says so of the file

    def _receive(self, process: subprocess.Popen[bytes], task: Task) -> FileRows:
        """The rows of a file. Raises _LostError or _RetiredError for a process that does not send them."""
        assert process.stdout is not None
        deadline = time.monotonic() + self._limits.wall_seconds
        if not self._is_ready:
            self._is_ready = self._read_exactly(process, len(READY), deadline) == READY
        size = LENGTH.unpack(self._read_exactly(process, LENGTH.size, deadline))[0]
        if size > MOST_BYTES:
            raise _LostError(f"holds more than {MOST_BYTES:,} bytes of facts")
        body = self._read_exactly(process, size, deadline)
        self._has_retired = False
        try:
            return rows_from_bytes(body, task)
        except UnfitRowsError:
            raise _LostError("made the reading process say something else than what it read") from None

    def _read_exactly(self, process: subprocess.Popen[bytes], count: int, deadline: float) -> bytes:
        assert process.stdout is not None
        descriptor = process.stdout.fileno()
        parts: list[bytes] = []
        while count:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                raise _StuckError(f"took longer than {self._limits.wall_seconds:g} s")
            part = os.read(descriptor, min(count, 1 << 20))
            if not part:
                self._tell_end(process)
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def _tell_end(self, process: subprocess.Popen[bytes]) -> None:
        try:
            code = process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:  # it closed its output and goes on
            raise _LostError("brought the reading process down") from None
        if not self._is_ready:
            raise _NotStartedError(f"it ended with code {code}")
        if code == 0 and not self._has_retired:
            self._has_retired = True  # a file that makes one worker after the other end is found out
            raise _RetiredError
        if code == OUT_OF_MEMORY:
            raise _LostError(f"took more than {self._limits.memory_bytes // 1_000_000:,} MB of memory")
        if code == -getattr(signal, "SIGXCPU", 0):
            raise _LostError(f"took more than {self._limits.cpu_seconds:g} s of CPU time")
        raise (_KilledError if code in _FROM_OUTSIDE else _LostError)("brought the reading process down")


def _given_up(task: Task, error: _LostError) -> FileRows:
    return describe_failure(
        task, f"{task.overrun}, and its beginning alone, too" if task.overrun else str(error)
    )


def _no_process(error: Exception) -> DriftError:
    return DriftError(
        ErrorCode.ANALYSIS_FAILED,
        f"No process that reads files could be started: {error}.",
        Recovery(
            hint="Look whether memory, processes and files are left on this machine, and at what the log says, then scan again.",
            command="drift doctor",
        ),
    )
