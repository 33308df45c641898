"""Which of several files with one name is meant: the one with the most folders in common."""

from __future__ import annotations

from collections.abc import Sequence


def nearest(path: str, candidates: Sequence[str]) -> str:
    """The candidate nearest to a file; sources before stubs and the first by name among equals."""
    return min(
        candidates,
        key=lambda candidate: (-_shared_folders(path, candidate), candidate.endswith(".pyi"), candidate),
    )


def _shared_folders(path: str, other: str) -> int:
    shared = 0
    for mine, theirs in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if mine != theirs:
            break
        shared += 1
    return shared
