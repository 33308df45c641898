"""A model that is loaded when it is first needed, and the reason when it cannot be."""

import logging
import os
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery

if TYPE_CHECKING:
    from drift.memory.embeddings.encoder import Encoder

logger = logging.getLogger(__name__)

# What was missing may have been put there since: it is looked for again, though not at every question.
_RETRY_SECONDS: Final = 30.0
_PROBE: Final = "What was decided, and why?"


class Model:
    """The model in a folder, or what is wrong with it. Making one touches no disk. Threads may share it."""

    def __init__(self, folder: Path, *, refused: DriftError | None = None) -> None:
        self.folder = folder
        self._refused = refused
        self._lock = threading.Lock()
        self._encoder: Encoder | None = None
        self._failed: DriftError | None = None
        self._failed_at = 0.0

    def encoder(self) -> "Encoder":
        """The model, loaded. Raises CORTEX_UNAVAILABLE with the reason it cannot be."""
        if self._refused is not None:
            raise self._refused
        with self._lock:
            if self._encoder is not None:
                return self._encoder
            if self._failed is not None and time.monotonic() < self._failed_at + _RETRY_SECONDS:
                raise self._failed.with_traceback(None)  # which would grow with every raise
            try:
                self._encoder = _load(self.folder)
            except DriftError as error:
                if self._failed is None or self._failed.message != error.message:
                    logger.warning("memories are found by words only: %s", error.message)
                self._failed, self._failed_at = error, time.monotonic()
                raise
            return self._encoder


def _load(folder: Path) -> "Encoder":
    if "numpy" not in sys.modules:
        # Threads of OpenBLAS wait by spinning: for texts this short they take three times the CPU of one.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from drift.memory.embeddings.encoder import load_encoder  # brings numpy, which is an extra
    except ImportError as error:
        raise DriftError(
            ErrorCode.CORTEX_UNAVAILABLE,
            f"The embedding model in {folder} cannot be used: numpy cannot be imported ({error.name or 'broken'})",
            Recovery(hint="Install the extra.", command="pip install 'drift-mcp[embeddings]'"),
        ) from error
    try:
        encoder = load_encoder(folder)
        encoder.encode([_PROBE])  # weights that give no numbers are found now, and told by the status
    except (OSError, MemoryError) as error:
        raise DriftError(
            ErrorCode.CORTEX_UNAVAILABLE,
            f"The embedding model in {folder} cannot be read: {str(error) or 'not enough memory'}",
            Recovery(hint="Check the folder and the memory left; until then memories are found by words."),
        ) from error
    return encoder
