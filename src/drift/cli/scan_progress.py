"""How far a scan is: one line that is rewritten on a terminal, a line for each phase elsewhere."""

import json
import time
from collections.abc import Callable
from typing import Final

from drift.cli.console import Console
from drift.cli.shown import cut
from drift.scan.report import PHASE_WORDS, Phase

_SECONDS_BETWEEN_REPORTS: Final = 0.1
_LEAST_SECONDS_FOR_ETA: Final = 1.0


class ScanProgress:
    """Told of every step of a scan; writes to standard error at most ten times a second."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console
        self._clock = clock
        self._is_terminal = console.stderr.isatty()
        self._phase: Phase | None = None
        self._began = clock()
        self._reported_at = float("-inf")

    def __call__(self, phase: Phase, done: int, total: int | None) -> None:
        now = self._clock()
        if phase != self._phase:
            self._phase, self._began, self._reported_at = phase, now, float("-inf")
            if not self._is_terminal:
                self._console.tell(PHASE_WORDS[phase] + (f" ({total:,})" if total else ""))
        if self._is_terminal and now - self._reported_at >= _SECONDS_BETWEEN_REPORTS:
            self._reported_at = now
            self._rewrite(_describe(phase, done, total, seconds=now - self._began))

    def finish(self) -> None:
        """Wipe the line, before anything else is written."""
        if self._is_terminal and self._phase is not None:
            self._rewrite("")

    def _rewrite(self, line: str) -> None:
        self._console.stderr.write(f"\r\x1b[K{cut(line, self._console.prose_width - 1)}")
        self._console.stderr.flush()


class ScanEvents:
    """The same for a program: lines of JSON on standard output. Raises BrokenPipeError when nobody reads on."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console
        self._clock = clock
        self._phase: Phase | None = None
        self._reported_at = float("-inf")

    def __call__(self, phase: Phase, done: int, total: int | None) -> None:
        now = self._clock()
        if phase != self._phase or now - self._reported_at >= _SECONDS_BETWEEN_REPORTS:
            self._phase, self._reported_at = phase, now
            self.write({"phase": phase, "done": done, "total": total})

    def write(self, event: dict[str, object]) -> None:
        """Write one event, at once."""
        self._console.say(json.dumps(event))
        self._console.stdout.flush()


def _describe(phase: Phase, done: int, total: int | None, *, seconds: float) -> str:
    counted = f"{done:,}/{total:,}" if total else f"{done:,}" if done else ""
    parts = [PHASE_WORDS[phase], counted]
    if total and done and seconds >= _LEAST_SECONDS_FOR_ETA:
        rate = done / seconds
        parts.append(f"{rate:,.0f}/s, {max(0.0, (total - done) / rate):.0f} s left")
    return "  ".join(part for part in parts if part)
