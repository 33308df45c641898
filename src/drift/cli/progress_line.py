"""One line on a terminal that says what is being done, how fast, and how long it may take."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from drift.cli.console import Console
from drift.cli.shown import cut, shown

_SECONDS_BETWEEN_LINES: Final = 0.1
_LEAST_SECONDS: Final = 1.0  # what is done sooner needs no line, and its rate would be chance
_TICK_SECONDS: Final = 0.5
_TELLING_SHARE: Final = 0.05  # of less nothing follows for the rest


class ProgressLine:
    """Rewritten when told of a step, and by itself while nothing is told; nothing where there is no terminal."""

    def __init__(
        self, console: Console, doing: str = "working", clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._console = console
        self._clock = clock
        self._is_shown = console.stderr.isatty()
        self._began = self._step_began = clock()
        self._doing = doing
        self._done = 0.0
        self._total: float | None = None
        self._written_at = float("-inf")
        self._has_line = False
        self._lock = threading.Lock()
        self._ended = threading.Event()
        if self._is_shown:
            threading.Thread(target=self._tick, daemon=True).start()

    def tell(self, doing: str | None, done: float, total: float | None) -> None:
        """Say how far a step is; another step begins its own time."""
        if not self._is_shown:
            return
        with self._lock:
            now = self._clock()
            if (doing or self._doing, total) != (self._doing, self._total):
                self._step_began = now
            self._doing, self._done, self._total = doing or self._doing, done, total
            if now - self._written_at >= _SECONDS_BETWEEN_LINES:
                self._write(now)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Take the line away while something else is written, such as a question."""
        with self._lock:
            self._wipe()
            yield

    def end(self) -> None:
        """Take the line away for good."""
        self._ended.set()
        with self._lock:
            self._wipe()

    def _wipe(self) -> None:
        if self._has_line:
            self._rewrite("")
            self._has_line = False

    def _tick(self) -> None:
        while not self._ended.wait(_TICK_SECONDS):
            with self._lock:
                if self._clock() - self._began >= _LEAST_SECONDS and not self._ended.is_set():
                    self._write(self._clock())

    def _write(self, now: float) -> None:
        self._written_at = now
        self._has_line = True
        self._rewrite(describe(self._doing, self._done, self._total, seconds=now - self._step_began))

    def _rewrite(self, line: str) -> None:
        self._console.stderr.write(f"\r\x1b[K{cut(shown(line), self._console.prose_width - 1)}")
        self._console.stderr.flush()


def describe(doing: str, done: float, total: float | None, *, seconds: float) -> str:
    """What is done, how far and how fast; where nothing is counted, for how long."""
    counted = f"{done:,.0f}/{total:,.0f}" if total else f"{done:,.0f}" if done else ""
    parts = [doing, counted]
    if seconds >= _LEAST_SECONDS:
        parts.append(
            _say_speed(done, total, seconds) if total and 0 < done < total else _say_seconds(seconds)
        )
    return "  ".join(part for part in parts if part)


def _say_speed(done: float, total: float, seconds: float) -> str:
    rate = done / seconds
    left = (total - done) / rate
    is_guess = done < total * _TELLING_SHARE or left < _LEAST_SECONDS
    said = [f"{rate:,.0f}/s" if rate >= 1 else "", "" if is_guess else f"{_say_seconds(left)} left"]
    return ", ".join(part for part in said if part) or _say_seconds(seconds)


def _say_seconds(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
