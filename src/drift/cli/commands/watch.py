"""`drift watch`: keep the index current while files change."""

import argparse
import json
import time
from collections.abc import Callable
from typing import Final

from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.shown import shown
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.text import plural
from drift.kernel.wire import to_wire
from drift.project import Project, find_root, open_project
from drift.scan import ScanOptions, ScanReport, scan
from drift.scan.detection import Detector
from drift.scan.record import kept_choices

_SHORTEST_PAUSE_SECONDS: Final = 0.5
_LONGEST_PAUSE_SECONDS: Final = 10.0
_PAUSE_PER_LOOK: Final = 10  # looking takes at most a tenth of the time, whatever the project's size


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", help="the project; default: the one around this directory")
    parser.add_argument("--json", action="store_true", help="print each update as a line of JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    project = open_project(
        find_root(arguments.path, cwd=console.cwd, environ=console.environ), console.environ
    )
    console.tell(f"Watching {shown(str(project.root))}; Ctrl-C ends it.")
    watch = _Watch(project, console, as_json=arguments.json)
    try:
        while True:
            time.sleep(watch.look())
    except KeyboardInterrupt:
        console.tell("Stopped watching.")
    return Exit.OK


class _Watch:
    """Looks at a project again and again. What fails is told once, and tried again later."""

    def __init__(
        self,
        project: Project,
        console: Console,
        *,
        as_json: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._root = project.root
        self._console = console
        self._as_json = as_json
        self._clock = clock
        self._detector = Detector(project.root, console.environ)
        self._trouble = ""

    def look(self) -> float:
        """Bring the index up to date if need be; how many seconds to wait before the next look."""
        began = self._clock()
        try:
            if not self._is_current():
                began_update = self._clock()
                self._tell(self._update(), self._clock() - began_update)
                began = self._clock() - (began_update - began)
        except BrokenPipeError:
            raise  # nobody reads the lines any more
        except (DriftError, OSError) as error:
            self._complain(error.message if isinstance(error, DriftError) else str(error))
            return _LONGEST_PAUSE_SECONDS / 5
        self._trouble = ""
        seconds = _PAUSE_PER_LOOK * (self._clock() - began)
        return min(max(seconds, _SHORTEST_PAUSE_SECONDS), _LONGEST_PAUSE_SECONDS)

    def _is_current(self) -> bool:
        if not self._root.is_dir():
            raise DriftError(
                ErrorCode.PROJECT_NOT_FOUND, f"{self._root} is gone; watching goes on when it comes back"
            )
        try:
            return self._detector.detect().is_current
        except DriftError as error:
            if error.code is ErrorCode.SCAN_REQUIRED:
                return False
            raise

    def _update(self) -> ScanReport:
        project = open_project(self._root, self._console.environ)
        options = ScanOptions.chosen(project.config.scan, kept_choices(project.state))
        return scan(project.root, options)

    def _tell(self, report: ScanReport, seconds: float) -> None:
        if self._as_json:
            self._console.say(json.dumps(to_wire(report)))
            self._console.stdout.flush()
        did = f"{plural(report.read, 'file')} read, {report.removed:,} gone"
        self._console.tell(
            f"{time.strftime('%H:%M:%S')}  {report.mode}: {did}, {seconds:.1f} s; "
            f"{plural(report.files, 'file')} and {plural(report.symbols, 'symbol')} in the index"
        )

    def _complain(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._console.tell(shown(trouble))
        self._trouble = trouble
