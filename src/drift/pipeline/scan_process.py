"""A scan in a process of its own: its memory goes with it, and the server only hears how far it is."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.own_process import CLI, isolated
from drift.kernel.text import shorten
from drift.project.home import with_settled_home
from drift.scan.report import PHASE_WORDS

_MOST_LINE_BYTES: Final = 1_000_000


class Stand(NamedTuple):
    """How far a scan is."""

    phase: str = "starting"
    done: int = 0
    total: int | None = None

    def __str__(self) -> str:
        if not self.total:
            return self.phase
        return f"{self.phase} {self.done:,}/{self.total:,} ({100 * self.done // self.total} %)"


class ScanProcess:
    """A running `drift scan`, with the options of the last scan. Its life ends with `kill`, or by itself.

    If this process dies first, the scan ends at its next line of progress, which nobody reads.
    """

    def __init__(self, root: Path, environ: Mapping[str, str]) -> None:
        words = ("scan", str(root), "--as-before", "--events")
        start = isolated(CLI, words, environ=with_settled_home(environ), project=root)
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and command, no shell
            start.command,
            env=start.environ,
            cwd=start.cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.stand = Stand()
        self.error: DriftError | None = None
        self._has_report = False
        self._last_words = ""
        self._reader = threading.Thread(target=self._read, name="drift-scan-progress", daemon=True)
        self._reader.start()

    @property
    def is_running(self) -> bool:
        """Whether the scan goes on. Once it does not, `error` says what went wrong, if anything did."""
        return self._reader.is_alive()

    def kill(self) -> None:
        """End the scan and the processes it started. The index stays as it was."""
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # it ended by itself in this moment
                _kill_group(self._process)
        self._reader.join()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            while line := lines.readline(_MOST_LINE_BYTES):
                self._hear(line)
        self._process.wait()
        if not self._has_report and self.error is None:
            self.error = DriftError(
                ErrorCode.ANALYSIS_FAILED,
                f"The scan ended early: {shorten(self._last_words, 200) or 'without a word'}",
                Recovery(command="drift scan"),
            )

    def _hear(self, line: bytes) -> None:
        try:
            event = orjson.loads(line)
        except orjson.JSONDecodeError:
            event = None
        if not isinstance(event, dict):
            self._last_words = line.decode("utf-8", "replace").strip() or self._last_words
        elif "phase" in event:
            self.stand = Stand(PHASE_WORDS.get(event["phase"], "scanning"), event["done"], event["total"])
        elif "report" in event:
            self._has_report = True
        elif "error" in event:
            self.error = _error_of(event["error"])


def _error_of(wire: Mapping[str, str]) -> DriftError:
    recovery = Recovery(hint=wire.get("hint"), command=wire.get("command"))
    return DriftError(ErrorCode(wire["code"]), wire["message"], recovery)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
