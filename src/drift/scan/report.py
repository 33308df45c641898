"""What a scan did and found, and how it tells of its progress."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

Phase = Literal["wait", "discover", "extract", "link"]
Mode = Literal["full", "update", "none"]
Progress = Callable[[Phase, int, int | None], None]
"""Called with the phase, how much of it is done, and how much there is (None: not known)."""

PHASE_WORDS: Final[Mapping[str, str]] = {
    "wait": "waiting for another scan",
    "discover": "finding files",
    "extract": "reading files",
    "link": "linking calls",
}


def tell_nobody(phase: Phase, done: int, total: int | None) -> None:
    """Progress nobody watches."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that gave nothing, or not all, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class ScanReport:
    """A finished scan: what was done, what the index holds now, and what went wrong.

    `cut` are files of which only a part was read, because they take too much; `unread` counts files in languages that
    Drift does not read, by their endings.
    """

    mode: Mode
    seconds: float
    read: int
    removed: int
    files: int
    languages: Mapping[str, int]
    skipped: Mapping[str, int]
    symbols: int
    calls: Mapping[str, int]
    failures: tuple[Failure, ...]
    cut: tuple[Failure, ...]
    unread: Mapping[str, int]
    generation: int
