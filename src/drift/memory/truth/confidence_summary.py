"""How much confidence is left in a whole store today."""

from statistics import fmean
from typing import Final

from drift.memory.decay import faded
from drift.memory.storage.damage import read_importance
from drift.memory.storage.rows import find_whole
from drift.memory.store import MemoryStore

_CURRENT: Final = """
SELECT number, type, importance, confidence,
       max(recorded_at_ms, updated_at_ms, coalesce(last_validated_ms, 0), coalesce(last_accessed_ms, 0))
FROM memories LEFT JOIN usage USING (number)
WHERE archived = 0 AND deleted_at_ms IS NULL AND superseded_by IS NULL
"""


def average_confidence(store: MemoryStore, *, now_ms: int) -> float | None:
    """The mean of what is left of every current memory's confidence; None where there is none."""
    with store.reading() as connection:
        rows = connection.execute(_CURRENT).fetchall()
        whole = find_whole(connection, [row[0] for row in rows])
        left = [
            faded(confidence, memory_type, importance, age_ms=now_ms - last_sign_ms)
            for number, memory_type, written, confidence, last_sign_ms in rows
            if number in whole and (importance := read_importance(connection, number, written))
        ]
    return fmean(left) if left else None
