"""How far a scan is: one line that is rewritten on a terminal, a line for each phase elsewhere."""

import json
import time
from collections.abc import Callable
from typing import Final

from drift.cli.console import Console
from drift.cli.progress_line import ProgressLine
from drift.scan.report import PHASE_WORDS, Phase

_SECONDS_BETWEEN_REPORTS: Final = 0.1


class ScanProgress:
    """Told of every step of a scan; writes to standard error."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console
        self._line = ProgressLine(console, clock=clock)
        self._is_terminal = console.stderr.isatty()
        self._phase: Phase | None = None

    def __call__(self, phase: Phase, done: int, total: int | None) -> None:
        if phase != self._phase and not self._is_terminal:
            self._console.tell(PHASE_WORDS[phase] + (f" ({total:,})" if total else ""))
        self._phase = phase
        self._line.tell(PHASE_WORDS[phase], done, total)

    def finish(self) -> None:
        """Wipe the line, before anything else is written."""
        self._line.end()


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
