"""The stores a process has open, one for each file, so that all its tools share them."""

import atexit
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from drift.kernel.errors import DriftError
from drift.memory.embeddings import Meanings, Model
from drift.memory.search import WordCounts
from drift.memory.store import MemoryStore

logger = logging.getLogger(__name__)

_lock: Final = threading.Lock()
_stores: Final[dict[Path, MemoryStore]] = {}
_counts: Final[dict[Path, WordCounts]] = {}
_models: Final[dict[Path, Model]] = {}
_meanings: Final[dict[tuple[Path, Path], Meanings]] = {}


def memory_store(path: Path, *, before_writing: Callable[[], object] | None = None) -> MemoryStore:
    """The store at a path. Nothing is opened or made before it is used.

    `before_writing` is run before each change, by whoever makes it, from when it was given first.
    """
    with _lock:
        if not _stores:
            atexit.register(close_stores)
        store = _stores.setdefault(path, MemoryStore(path))
        if before_writing is not None:
            store.prepare_with(before_writing)
        return store


def word_counts(path: Path) -> WordCounts:
    """The counts of words of the store at a path, kept between questions."""
    with _lock:
        return _counts.setdefault(path, WordCounts())


def meanings(path: Path, model_folder: Path) -> Meanings:
    """What the memories of the store at a path mean to the model in a folder; stores share a model."""
    with _lock:
        model = _models.setdefault(model_folder, Model(model_folder))
        return _meanings.setdefault((path, model_folder), Meanings(path, model))


def close_stores() -> None:
    """Write what waits and let go of every file."""
    with _lock:
        stores = list(_stores.values())
        _stores.clear()
        _counts.clear()
        encoding = list(_meanings.values())
        _meanings.clear()
        _models.clear()
    for one in encoding:
        one.close()
    for store in stores:
        try:
            store.close()
        except DriftError as error:
            logger.warning("Counts of use were not written: %s", error)
