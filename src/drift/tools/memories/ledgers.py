"""The ledger of what a session was told, read from the store and written back to it."""

import logging
from collections.abc import Iterable

from drift.kernel.errors import DriftError
from drift.memory.work.disclosure import Level
from drift.memory.work.session_dedup import Ledger, note_sent, put_ledger, read_ledger
from drift.registry import Call
from drift.tools.memories.access import now_ms, store_of

logger = logging.getLogger(__name__)


def ledger_of(call: Call, session_id: str) -> Ledger:
    """What the session was told until now."""
    store = store_of(call)
    session = store.sessions.get(session_id) if store.is_present else None
    return read_ledger(session, now_ms=now_ms())


def note_told(
    call: Call, session_id: str, ledger: Ledger, told: Iterable[tuple[str, Level, int]]
) -> tuple[str, ...]:
    """Write down what was told now; a warning where that cannot be, since the answer itself is good."""
    store, at_ms = store_of(call), now_ms()
    noted = list(told)
    if not noted or not store.is_present:
        return ()
    try:
        with store.transaction():
            session = put_ledger(
                store.sessions.get(session_id), session_id, note_sent(ledger, noted, now_ms=at_ms)
            )
            store.sessions.put(session)
    except DriftError as error:
        logger.warning("what the session was told is not kept: %s", error.message)
        return ("what was sent could not be noted for this session, so it may be sent again",)
    return ()
