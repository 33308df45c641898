"""Lines to a descriptor, those of one turn of the event loop in one write, with back-pressure."""

import asyncio
import os
from collections.abc import Callable
from typing import Final

import anyio

from drift.protocol.stdio.descriptors import is_pollable

# Above this much unread output, handlers wait with their answers and no further request is read.
_CONGESTED_BYTES: Final = 1_048_576


class LineOutput:
    """The lines on their way to the client."""

    def __init__(self, fd: int, *, on_change: Callable[[], None]) -> None:
        self._fd = fd
        self._on_change = on_change
        self._loop = asyncio.get_running_loop()
        self._buffer = bytearray()
        self._is_scheduled = False
        self._is_watching = False
        self._watchers: list[asyncio.Future[None]] = []
        self.is_broken = False
        self._is_pollable = is_pollable(fd)
        if self._is_pollable:
            os.set_blocking(fd, False)

    @property
    def is_congested(self) -> bool:
        """Whether the client lags so far behind that writers should wait."""
        return len(self._buffer) > _CONGESTED_BYTES

    def write_line(self, line: bytes) -> None:
        """Put one line behind the others; it never waits, and is dropped when nobody listens any more."""
        if self.is_broken:
            return
        self._buffer += line
        self._buffer += b"\n"
        if not self._is_scheduled and not self._is_watching:
            self._is_scheduled = True
            self._loop.call_soon(self._flush)

    async def drain(self) -> None:
        """Return once the output is no longer congested. Raises BrokenResourceError when nobody reads it."""
        while self.is_congested and not self.is_broken:
            await self._next_progress()
        if self.is_broken:
            raise anyio.BrokenResourceError

    async def finish(self) -> None:
        """Return once everything is written, or can no longer be."""
        while self._buffer and not self.is_broken:
            await self._next_progress()

    def close(self) -> None:
        """Write no more."""
        self._stop_watching()
        if self._is_pollable:
            os.set_blocking(self._fd, True)

    async def _next_progress(self) -> None:
        progress: asyncio.Future[None] = self._loop.create_future()
        self._watchers.append(progress)
        await progress

    def abandon(self) -> None:
        """Give up what is not written, and tell all who wait for it."""
        self.is_broken = True
        self._buffer.clear()
        self._stop_watching()
        self._report_progress()
        self._on_change()

    def _flush(self) -> None:
        self._is_scheduled = False
        was_congested = self.is_congested
        try:
            self._write_buffer()
        except (BlockingIOError, InterruptedError):
            self._start_watching()
        except OSError:
            self.abandon()  # a broken pipe: the client has left
            return
        else:
            self._stop_watching()
        self._report_progress()
        if was_congested and not self.is_congested:
            self._on_change()

    def _write_buffer(self) -> None:
        while self._buffer:
            with memoryview(self._buffer) as unwritten:
                written = os.write(self._fd, unwritten)
            del self._buffer[:written]

    def _report_progress(self) -> None:
        watchers, self._watchers = self._watchers, []
        for watcher in watchers:
            if not watcher.done():
                watcher.set_result(None)

    def _start_watching(self) -> None:
        if not self._is_watching:
            self._is_watching = True
            self._loop.add_writer(self._fd, self._flush)

    def _stop_watching(self) -> None:
        if self._is_watching:
            self._is_watching = False
            self._loop.remove_writer(self._fd)
