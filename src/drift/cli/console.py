"""Where a command runs and whom it talks to: streams, width, colours, environment."""

import io
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TextIO

_WIDEST_PROSE: Final = 100
_USUAL_WIDTH: Final = 80
_UNBOUNDED_WIDTH: Final = 10_000  # what is piped into another program is not cut


class Ink(StrEnum):
    """The few colours there are, as ANSI parameters.

    Red is an error, yellow a warning, green is well, magenta a place in the code, cyan what can be typed,
    dim what is secondary.
    """

    BOLD = "1"
    DIM = "2"
    RED = "31"
    GREEN = "32"
    YELLOW = "33"
    MAGENTA = "35"
    CYAN = "36"


@dataclass(frozen=True, slots=True)
class Console:
    """Everything a command may know of the outside."""

    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    environ: Mapping[str, str]
    cwd: Path
    width: int = _USUAL_WIDTH

    @property
    def prose_width(self) -> int:
        """The width of running text, which is hard to read in long lines."""
        return min(self.width, _WIDEST_PROSE)

    @property
    def is_interactive(self) -> bool:
        """Whether a person can be asked: keyboard in, screen for the questions."""
        return self.stdin.isatty() and self.stderr.isatty()

    def say(self, text: str = "") -> None:
        """Write a line of the result."""
        self.stdout.write(f"{text}\n")

    def tell(self, text: str) -> None:
        """Write a line beside the result: errors, questions, progress."""
        self.stderr.write(f"{text}\n")
        self.stderr.flush()

    def say_json(self, document: Any) -> None:
        """Write the result as one JSON document."""
        encoding = (self.stdout.encoding or "").replace("-", "").casefold()
        self.say(json.dumps(document, indent=2, ensure_ascii=encoding != "utf8"))

    def paint(self, text: str, ink: Ink) -> str:
        """The text in a colour, if results are shown on a screen that has them."""
        return _paint(text, ink) if _has_colours(self.stdout, self.environ) else text

    def paint_aside(self, text: str, ink: Ink) -> str:
        """The same for what is told beside the result."""
        return _paint(text, ink) if _has_colours(self.stderr, self.environ) else text


def open_console() -> Console:
    """The console of this process."""
    # Names of files may hold what the terminal's encoding has not, and people may type what is no text.
    stdin, stdout, stderr = (
        _open(stream, errors)
        for stream, errors in (
            (sys.stdin, "replace"),
            (sys.stdout, "backslashreplace"),
            (sys.stderr, "backslashreplace"),
        )
    )
    return Console(stdin, stdout, stderr, os.environ, _working_directory(), _find_width(stdout))


def _open(stream: TextIO | None, errors: str) -> TextIO:
    # A process may be started with streams closed; Python has None for them.
    if stream is None:
        return io.TextIOWrapper(io.BytesIO())
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=errors)
    return stream


def _working_directory() -> Path:
    try:
        return Path.cwd()
    except OSError:
        # It was removed under us; commands that need a project say so.
        return Path(os.environ.get("PWD") or os.sep)


def _find_width(stream: TextIO) -> int:
    # shutil has this, too, but brings three compression libraries along.
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given) > 0:
        return min(int(given), _UNBOUNDED_WIDTH)
    try:
        return os.get_terminal_size(stream.fileno()).columns or _USUAL_WIDTH
    except (OSError, ValueError):
        return _UNBOUNDED_WIDTH


def _has_colours(stream: TextIO, environ: Mapping[str, str]) -> bool:
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return environ["FORCE_COLOR"] != "0"
    return stream.isatty() and environ.get("TERM") != "dumb"


def _paint(text: str, ink: Ink) -> str:
    return f"\x1b[{ink}m{text}\x1b[0m"
