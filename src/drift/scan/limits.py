"""What reading one file may take, held by the system where it can and by the parent process everywhere."""

import math
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple

from drift.languages.overruns import OverrunError

if sys.platform != "win32":
    import resource

_PAGE_BYTES: Final = resource.getpagesize() if sys.platform != "win32" else 0
# From the limit that breaks a walk off to the one that ends the process, which may be inside a grammar by then.
_GRACE_SECONDS: Final = 2
_MAPPED, _RESIDENT = 0, 1  # columns of /proc/self/statm


class Limits(NamedTuple):
    """The most that one file may take.

    Honest files of a megabyte were seen to take 2 s of CPU time and 110 MB of memory, one of six megabytes 3 s
    and 360 MB. Files made to hurt take minutes and gigabytes with less than 100 KB. CPU time, as on a busy machine
    seconds on the clock say nothing of a file; those are only for what waits without working.
    """

    cpu_seconds: float = 10.0
    cpu_seconds_per_mb: float = 5.0
    memory_bytes: int = 1_000_000_000
    memory_per_byte: int = 100
    wall_seconds: float = 180.0

    def for_size(self, size: int) -> "Limits":
        """The same for a file of so many bytes: who lets larger files be read wants them read."""
        return self._replace(
            cpu_seconds=self.cpu_seconds + self.cpu_seconds_per_mb * size / 1_000_000,
            memory_bytes=self.memory_bytes + self.memory_per_byte * size,
        )

    def for_beginning(self) -> "Limits":
        """The same for a second try, with the beginning of a file that took too much."""
        return self._replace(cpu_seconds=self.cpu_seconds / 2)


class Guard:
    """Holds this process to the limits of each file it reads. There is one, in the main thread of a worker."""

    def __init__(self) -> None:
        self._is_armed = False
        self._said = ""
        self._base_bytes = _counted_pages(_MAPPED)  # to which the limit of memory is added
        if sys.platform != "win32":
            signal.signal(signal.SIGPROF, self._break_off)
            resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))

    @contextmanager
    def hold(self, limits: Limits) -> Iterator[None]:
        """OverrunError where what is done inside takes more CPU time; MemoryError, or the end, for more memory."""
        self._said = f"took more than {limits.cpu_seconds:g} s of CPU time"
        self._arm(limits)
        try:
            yield
        finally:
            self._is_armed = False
            if sys.platform != "win32":
                signal.setitimer(signal.ITIMER_PROF, 0)

    def _arm(self, limits: Limits) -> None:
        self._is_armed = True
        if sys.platform == "win32":
            return
        # The limit counts from the start of the process; at its end the system ends that, whatever it is in.
        spent = time.process_time() + limits.cpu_seconds + _GRACE_SECONDS
        _lower(resource.RLIMIT_CPU, math.ceil(spent))
        if self._base_bytes is not None:
            _lower(resource.RLIMIT_AS, self._base_bytes + limits.memory_bytes)
        signal.setitimer(signal.ITIMER_PROF, limits.cpu_seconds)

    def _break_off(self, _signal: int, _frame: FrameType | None) -> None:
        if self._is_armed:
            self._is_armed = False
            raise OverrunError(self._said)


if sys.platform != "win32":

    def _lower(kind: int, limit: int) -> None:
        """Set the limit that can be raised again for the next file."""
        hard = resource.getrlimit(kind)[1]
        soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with suppress(ValueError, OSError):  # macOS knows the limit of memory by name only
            resource.setrlimit(kind, (soft, hard))


def resident_bytes() -> int:
    """The memory this process has; 0 where nobody knows.

    Its peak, which is easier to be had, will not do: on Linux it begins with that of the process it was forked from.
    """
    counted = _counted_pages(_RESIDENT)
    if counted is not None or sys.platform == "win32":
        return counted or 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _counted_pages(column: int) -> int | None:
    """A column of what Linux counts of this process's memory, in bytes; None where nobody counts."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[column]) * _PAGE_BYTES
    except (OSError, ValueError, IndexError):
        return None
