"""An update of a few files: a worker reads them, and this process links and writes what they hold."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from drift.kernel.errors import DriftError, ErrorCode
from drift.project import StateDir, load_config

if TYPE_CHECKING:
    from drift.scan.discovery import Discovery

_LOCK_SECONDS: Final = 5.0


def update_project(
    root: Path,
    environ: Mapping[str, str],
    *,
    discovery: "Discovery",
    is_over: Callable[[], bool],
    report: Callable[[float, float | None, str | None], None],
) -> None:
    """Bring the index up to date with the files found, as the last scan was asked to; or not, once `is_over`."""
    # Here: a server whose projects stay as they are never loads a parser.
    from drift.scan import ScanOptions, update
    from drift.scan.choices import choose_files
    from drift.scan.record import kept_choices

    def go_on(phase: str, done: int, total: int | None) -> None:
        if is_over():
            raise DriftError(ErrorCode.CANCELLED, "The server is ending")
        report(done, total, phase)

    choices = kept_choices(StateDir(root))
    wanted = choose_files(load_config(root, environ).scan, choices)
    options = ScanOptions(
        wanted=wanted, choices=choices, jobs=0, wait_seconds=_LOCK_SECONDS, discovery=discovery
    )
    update(root, options, progress=go_on)
