"""The texts of a store's memories that are compared by meaning."""

from typing import Final, NamedTuple

from drift.memory.embeddings.blending import text_to_compare
from drift.memory.store import MemoryStore

# Reading and hashing these takes about a tenth of a second.
MOST_READ: Final = 10_000
_NEWEST: Final = """
SELECT title, body FROM memories WHERE archived = 0 AND superseded_by IS NULL AND deleted_at_ms IS NULL
ORDER BY number DESC LIMIT ?
"""


class Texts(NamedTuple):
    """Texts of the newest current memories, each once; `is_cut` where there are more than were taken."""

    texts: tuple[str, ...]
    is_cut: bool


def read_texts(store: MemoryStore, *, most: int = MOST_READ) -> Texts:
    with store.reading() as connection:
        rows = connection.execute(_NEWEST, (most + 1,)).fetchall()
    said = (text_to_compare(title, body) for title, body in rows[:most])
    return Texts(tuple(dict.fromkeys(one for one in said if one.strip())), len(rows) > most)
