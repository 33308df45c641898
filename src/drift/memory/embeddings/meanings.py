"""How close the memories of one store are to a question, by their vectors; those that lack one get it afterwards."""

import logging
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.kernel.errors import DriftError
from drift.memory.embeddings.model import Model

if TYPE_CHECKING:
    from drift.memory.embeddings.encoder import Encoder
    from drift.memory.embeddings.vectors import VectorFile
    from drift.memory.embeddings.weights import Matrix

logger = logging.getLogger(__name__)

VECTORS: Final = "vectors.db"
# After an answer, so long at most; what is left waits for the next question or for drift_memory_embed.
_AFTERWARDS_SECONDS: Final = 1.0
# Where vectors cannot be kept, as in a folder that is read-only, encoding at every question would be for nothing.
_PAUSE_SECONDS: Final = 60.0
_BATCH: Final = 16
_LONGEST_QUESTION: Final = 2_000


class State(NamedTuple):
    """Whether meanings are compared: with which model, for how many of the texts; else why not."""

    model: str | None
    dimensions: int | None
    known: int
    reason: str | None


class Filled(NamedTuple):
    """What an encoding did: texts encoded now, and those that still have no vector."""

    encoded: int
    missing: int


class Closeness:
    """How close texts are to one question. `missing` are those it was asked about that have no vector yet."""

    def __init__(self, encoder: "Encoder", vectors: "VectorFile", question: "Matrix") -> None:
        self._encoder = encoder
        self._vectors = vectors
        self._question = question
        self.missing: list[str] = []

    def of(self, texts: Mapping[int, str]) -> dict[int, float]:
        """The cosine with the question of each text that has a vector, by the text's key."""
        from drift.memory.embeddings.vectors import digest  # brings numpy, loaded by now

        digests = {key: digest(text) for key, text in texts.items()}
        try:
            found, rows = self._vectors.read(
                self._encoder.name, list(set(digests.values())), width=self._encoder.width
            )
        except DriftError as error:
            logger.warning("memories are found by words only: %s", error.message)
            return {}
        cosines = dict(zip(found, (rows @ self._question).tolist(), strict=True))
        self.missing += [texts[key] for key, one in digests.items() if one not in cosines]
        return {key: cosines[one] for key, one in digests.items() if one in cosines}


class Meanings:
    """The vectors of one store's memories under one model."""

    def __init__(self, store_path: Path, model: Model) -> None:
        self._model = model
        self._path = store_path.with_name(VECTORS)
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._paused_until = 0.0

    @contextmanager
    def asking(self, text: str) -> Iterator[Closeness | None]:
        """How close texts are to a question; None, with the reason in the log, where the model is no use.

        What lacks a vector is encoded when the block has ended, in a thread and not for long.
        """
        try:
            encoder = self._model.encoder()
            closeness = Closeness(encoder, self._vectors(), encoder.encode([text[:_LONGEST_QUESTION]])[0])
        except DriftError as error:
            logger.debug("memories are found by words only: %s", error.message)
            yield None
            return
        yield closeness
        if closeness.missing:
            self._fill_afterwards(closeness.missing)

    def fill(self, texts: Iterable[str], *, seconds: float) -> Filled:
        """Encode the texts that have no vector, until the time is over. Raises CORTEX_UNAVAILABLE."""
        deadline = time.monotonic() + seconds
        encoder, vectors = self._model.encoder(), self._vectors()
        from drift.memory.embeddings.vectors import digest  # brings numpy, loaded by now

        by_digest = {digest(text): text for text in texts}
        known = vectors.known(encoder.name, list(by_digest), width=encoder.width)
        # The short first: a batch of like length holds little padding, and most are done early.
        wanted = sorted((one for one in by_digest if one not in known), key=lambda one: len(by_digest[one]))
        encoded = 0
        while encoded < len(wanted) and time.monotonic() < deadline and not self._stopped.is_set():
            batch = wanted[encoded : encoded + _BATCH]
            rows = encoder.encode([by_digest[one] for one in batch])
            vectors.write(encoder.name, dict(zip(batch, rows, strict=True)))
            encoded += len(batch)
        return Filled(encoded, len(wanted) - encoded)

    def state(self, texts: Sequence[str]) -> State:
        """Whether the model works, and how many of the texts have a vector."""
        try:
            encoder = self._model.encoder()
            from drift.memory.embeddings.vectors import digest  # as above

            known = self._vectors().known(encoder.name, [digest(text) for text in texts], width=encoder.width)
        except DriftError as error:
            return State(None, None, 0, error.message)
        return State(str(self._model.folder), encoder.width, len(known), None)

    def wait(self) -> None:
        """Until nothing is being encoded."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def close(self) -> None:
        """Stop encoding after the batch at hand."""
        self._stopped.set()
        self.wait()

    def _vectors(self) -> "VectorFile":
        from drift.memory.embeddings.vectors import VectorFile  # as above

        return VectorFile(self._path)

    def _fill_afterwards(self, texts: Sequence[str]) -> None:
        with self._lock:
            is_busy = self._thread is not None and self._thread.is_alive()
            if is_busy or time.monotonic() < self._paused_until:
                return
            # A daemon: `close` waits for it, and a process that ends otherwise need not.
            self._thread = threading.Thread(
                target=self._try_fill, args=(texts,), name="drift-embeddings", daemon=True
            )
            self._thread.start()

    def _try_fill(self, texts: Sequence[str]) -> None:
        try:
            self.fill(texts, seconds=_AFTERWARDS_SECONDS)
        except DriftError as error:
            self._paused_until = time.monotonic() + _PAUSE_SECONDS
            logger.warning("vectors of memories were not kept: %s", error.message)
