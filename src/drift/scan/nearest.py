"""Which index of this user a project can start from that has none: that of a work tree beside it, or of another clone."""

import logging
import os
from pathlib import Path
from typing import Final

from drift.index import IndexReader, Layer, read_index_state
from drift.index.path_text import text_to_path
from drift.index.places import known_roots
from drift.kernel.errors import DriftError
from drift.project import StateDir
from drift.scan.discovery import Discovery

logger = logging.getLogger(__name__)

_MOST_LOOKED_INTO: Final = 20
_MOST_UNLIKE: Final = 2  # so many times the files, or so many times fewer: little would be shared
_LEAST_SHARED: Final = 0.5  # of the bytes; with less of them building anew takes no longer


def find_nearest(discovery: Discovery, *, layers: frozenset[Layer], rules: str) -> Path | None:
    """The index that shares most with the files found; None where none shares half of them.

    Only indexes that this user made on this machine, with this engine and the same `rules`, are looked into. Files are
    compared by path and size: whoever takes the index compares their content.
    """
    sizes = {file.path: file.size for file in discovery.files}
    own, best, most = os.path.realpath(discovery.root), None, _LEAST_SHARED * sum(sizes.values())
    looked_into = 0
    for root in known_roots():
        index = StateDir(root).index_db
        if os.fspath(root) == own or not is_fit(index, len(sizes), layers=layers, rules=rules):
            continue
        looked_into += 1
        shared = count_shared(index, sizes)
        if shared > most:
            best, most = index, shared
        if looked_into == _MOST_LOOKED_INTO:
            break
    return best


def is_fit(index: Path, files: int, *, layers: frozenset[Layer], rules: str) -> bool:
    """Whether an index is complete, of this engine, and of about as many files."""
    state = read_index_state(index)
    return (
        state.is_usable
        and state.is_of_this_engine
        and state.layers >= layers
        and state.rules == rules
        and files <= _MOST_UNLIKE * (state.file_count or 0) <= _MOST_UNLIKE * _MOST_UNLIKE * files
    )


def count_shared(index: Path, sizes: dict[str, int]) -> int:
    """How many bytes of the files are in files of the index that have the same path and size."""
    try:
        with IndexReader(index) as reader:
            return sum(
                stamp.size
                for stamp in reader.files.stamps()
                if stamp.status != "skipped" and sizes.get(text_to_path(stamp.path)) == stamp.size
            )
    except DriftError as error:
        logger.info("%s is not looked into: %s", index, error)
        return 0
