"""The log: on standard error, in a file on request, each room at a level of its own.

`DRIFT_LOG` is a level, or levels of rooms before it: `pipeline=debug,protocol=warning,info`.
`DRIFT_LOG_FILE` names a file that is written beside standard error and kept small.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from drift.cli.console import Console
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.similar import similar_names

_LEVELS: Final = ("debug", "info", "warning", "error")
_FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_MOST_BYTES: Final = 5_000_000
_KEPT_FILES: Final = 3


@dataclass(frozen=True, slots=True)
class LogLevels:
    """The level of everything, and of the rooms that have their own."""

    overall: str
    by_room: Mapping[str, str] = field(default_factory=dict)


def parse_levels(text: str, *, named_by: str = "log.level") -> LogLevels:
    """The levels a text names. Raises CONFIG_INVALID for a word that is no level."""
    overall, by_room = "info", {}
    for part in (part.strip() for part in text.split(",")):
        room, is_pair, level = part.rpartition("=")
        if not part:
            continue
        if level.casefold() not in _LEVELS or (is_pair and not room.replace(".", "_").isidentifier()):
            raise _unknown_level(part, named_by)
        if is_pair:
            by_room[room] = level.casefold()
        else:
            overall = level.casefold()
    return LogLevels(overall, by_room)


def follow_log(console: Console, wanted: LogLevels, *, file: Path | None = None) -> None:
    """Send the log of this process to standard error, and to the file if there is one."""
    handlers: list[logging.Handler] = [logging.StreamHandler(console.stderr)]
    if file is not None:
        handlers.append(_open_file(file))
    # Other packages are heard when something is wrong, or when everything is wanted.
    others = "debug" if wanted.overall == "debug" else "warning"
    logging.basicConfig(level=others.upper(), format=_FORMAT, handlers=handlers, force=True)
    logging.getLogger("drift").setLevel(wanted.overall.upper())
    for room, level in wanted.by_room.items():
        logging.getLogger(f"drift.{room}").setLevel(level.upper())


def _open_file(path: Path) -> logging.Handler:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return RotatingFileHandler(path, maxBytes=_MOST_BYTES, backupCount=_KEPT_FILES, encoding="utf-8")
    except OSError as error:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"The log file {path} cannot be written: {error.strerror}",
            Recovery(hint="Set DRIFT_LOG_FILE to a file you may write, or unset it."),
        ) from error


def _unknown_level(part: str, named_by: str) -> DriftError:
    shown = part[:60]
    return DriftError(
        ErrorCode.CONFIG_INVALID,
        f"{named_by}: {shown!r} is no level; allowed: {', '.join(_LEVELS)}, or room=level before it",
        Recovery(
            hint="For example: pipeline=debug,info",
            similar=similar_names(shown.rpartition("=")[2], _LEVELS),
        ),
    )
