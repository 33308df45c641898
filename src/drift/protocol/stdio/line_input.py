"""Lines from a descriptor, without a thread where the event loop can watch it."""

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Final

from drift.protocol.framing import LineFramer, OverlongLine
from drift.protocol.stdio.descriptors import is_pollable

_READ_BYTES: Final = 65_536


class LineInput:
    """Lines read from a descriptor, at most a chunk ahead of the one who takes them."""

    def __init__(self, fd: int, *, max_line_bytes: int, on_change: Callable[[], None]) -> None:
        self._fd = fd
        self._framer = LineFramer(max_line_bytes)
        self._on_change = on_change
        self._lines: deque[bytes | OverlongLine] = deque()
        self._has_ended = False
        self._is_paused = True
        self._wanted = threading.Semaphore(0)
        self._loop = asyncio.get_running_loop()
        self._is_pollable = is_pollable(fd)
        if self._is_pollable:
            os.set_blocking(fd, False)
        else:
            # A daemon, for it may sit in a read that never returns when the process wants to end.
            threading.Thread(target=self._read_in_thread, name="stdin", daemon=True).start()

    @property
    def is_exhausted(self) -> bool:
        """Whether the stream has ended and every line of it was taken."""
        return self._has_ended and not self._lines

    def peek(self) -> bytes | OverlongLine | None:
        """The next line, or None when there is none yet; `on_change` is called when that changes."""
        if self._lines:
            return self._lines[0]
        if self._is_paused and not self._has_ended:
            self._resume()
        return None

    def discard(self) -> None:
        """Drop the line `peek` showed."""
        self._lines.popleft()

    def close(self) -> None:
        """Read no more."""
        if self._is_pollable:
            self._pause()
            os.set_blocking(self._fd, True)
        self._has_ended = True

    def _resume(self) -> None:
        self._is_paused = False
        if self._is_pollable:
            self._loop.add_reader(self._fd, self._read_when_readable)
        else:
            self._wanted.release()

    def _pause(self) -> None:
        self._is_paused = True
        if self._is_pollable:
            self._loop.remove_reader(self._fd)

    def _read_when_readable(self) -> None:
        if self._lines:
            # Taken up again by `peek`: what the server has not looked at stays in the pipe.
            self._pause()
            return
        try:
            chunk = os.read(self._fd, _READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            chunk = b""  # a reset socket or a gone terminal: the client has left
        if not chunk:
            self._pause()
        self._accept(chunk)

    def _read_in_thread(self) -> None:
        chunk = b"-"
        while chunk:
            self._wanted.acquire()
            try:
                chunk = os.read(self._fd, _READ_BYTES)
            except OSError:
                chunk = b""  # a gone terminal: the client has left
            try:
                self._loop.call_soon_threadsafe(self._accept_from_thread, chunk)
            except RuntimeError:
                return  # the loop has closed: nobody is left to read for

    def _accept_from_thread(self, chunk: bytes) -> None:
        self._is_paused = True
        self._accept(chunk)

    def _accept(self, chunk: bytes) -> None:
        if self._has_ended:
            return
        self._lines.extend(self._framer.feed(chunk) if chunk else self._framer.close())
        self._has_ended = not chunk
        if not self._lines and self._is_paused and not self._has_ended:
            self._resume()
        self._on_change()
