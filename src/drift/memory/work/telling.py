"""What a client has been told by the hooks, and whether it still has it.

A thing is told once as long as it stands in the client's context. That is not a matter of time: a client that is
compacted, cleared or taken up again in a new window has lost it, and says so by its hooks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from drift.memory.records import Session
from drift.memory.store import MemoryStore
from drift.memory.work.prompting import recall_for_prompt
from drift.memory.work.session_dedup import KEY as LEDGER

_TOLD: Final = "told"
_MOST_TOLD: Final = 500
_MOST_SESSIONS: Final = 200


@dataclass(frozen=True, slots=True)
class Heard:
    """What a hook has to say to the agent; empty if nothing."""

    context: str = ""


def lose_context(store: MemoryStore, session_id: str, *, now_ms: int) -> None:
    """Forget what a client was told, since it no longer has it: all of it may be told again.

    The servers a client started note what they told under sessions of their own, and hear nothing of a compaction;
    so their ledgers are emptied, too. Another client's is at worst told something twice.
    """
    if not store.is_present:
        return
    with store.transaction():
        for session in store.sessions.recent(_MOST_SESSIONS):
            if LEDGER in session.state:
                kept = {name: one for name, one in session.state.items() if name != LEDGER}
                store.sessions.put(replace(session, state=kept))
        session = known_session(store, session_id, now_ms=now_ms)
        store.sessions.put(replace(session, last_active_ms=now_ms, state={**session.state, _TOLD: []}))


def take_prompt(store: MemoryStore, session_id: str, prompt: str, *, root: Path, now_ms: int) -> Heard:
    """What a prompt brings to mind, each thing once as long as the client has it; nothing where nothing fits."""
    if not store.is_present:
        return Heard()
    told = told_to(store.sessions.get(session_id))
    found = recall_for_prompt(store, prompt, root=root, now_ms=now_ms, told=told)
    if found.ids:
        note_told(store, session_id, found.ids, now_ms=now_ms)
    return Heard(found.text)


def told_to(session: Session | None) -> frozenset[str]:
    """The ids of what a client has from the hooks."""
    return frozenset(map(str, session.state.get(_TOLD, ()))) if session else frozenset()


def note_told(store: MemoryStore, session_id: str, ids: Sequence[str], *, now_ms: int) -> None:
    with store.transaction():
        session = known_session(store, session_id, now_ms=now_ms)
        state = {**session.state, _TOLD: [*session.state.get(_TOLD, ()), *ids][-_MOST_TOLD:]}
        store.sessions.put(replace(session, last_active_ms=now_ms, state=state))


def known_session(store: MemoryStore, session_id: str, *, now_ms: int) -> Session:
    """The session as the store knows it, or a new one."""
    return store.sessions.get(session_id) or Session(session_id, now_ms, now_ms)
