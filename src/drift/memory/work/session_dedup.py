"""What a session was told already, so that it is not told again. Pure: the store keeps it, the clock comes in.

A ledger lives in the state of a session under one key and leaves the other keys alone. It holds as long as the reader
has what was said: a client with hooks says when it has lost it (`telling.lose_context`). For others it begins anew when
it counts half a million tokens, which is more than any of them keeps, or is a day old. A rest changes nothing. A memory
that changed since it was sent counts as not sent.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from drift.memory.records import Memory, Session
from drift.memory.work.disclosure import Level

KEY: Final = "sent"
LONGEST_MS: Final = 24 * 3_600_000
MOST_TOKENS: Final = 500_000
_MOST_IDS: Final = 1_000  # the state of a session is bounded; the oldest are forgotten first


class Sent(NamedTuple):
    """One memory that was told: how much of it, at the cost of how many tokens, and when."""

    level: Level
    tokens: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """All that was told since it began."""

    since_ms: int
    last_ms: int
    tokens: int = 0
    sent: Mapping[str, Sent] = field(default_factory=dict)

    def holds(self, memory: Memory, level: Level) -> bool:
        """Whether the memory as it is now was told at this level or a higher one."""
        found = self.sent.get(memory.id)
        return found is not None and found.level >= level and found.at_ms >= memory.updated_at_ms

    def level_of(self, memory: Memory) -> Level | None:
        """How much of the memory as it is now was told; None if nothing."""
        found = self.sent.get(memory.id)
        return found.level if found is not None and found.at_ms >= memory.updated_at_ms else None


def read_ledger(session: Session | None, *, now_ms: int) -> Ledger:
    """The ledger of a session; a new one where it has none, its time is over, or what is there is no ledger."""
    fresh = Ledger(now_ms, now_ms)
    kept = session.state.get(KEY) if session is not None else None
    if not isinstance(kept, dict):
        return fresh
    try:
        ledger = Ledger(
            int(kept["sinceMs"]), int(kept["lastMs"]), int(kept["tokens"]), _read_sent(kept["ids"])
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return fresh
    return fresh if _is_over(ledger, now_ms) else ledger


def note_sent(ledger: Ledger, told: Iterable[tuple[str, Level, int]], *, now_ms: int) -> Ledger:
    """The ledger with memories told now: id, level and tokens of each."""
    sent = dict(ledger.sent)
    tokens = ledger.tokens
    for memory_id, level, cost in told:
        before = sent.pop(memory_id, None)  # taken out first: the order is that of the last telling
        sent[memory_id] = Sent(max(level, before.level) if before else level, cost, now_ms)
        tokens += cost
    latest = dict(list(sent.items())[-_MOST_IDS:])
    return replace(ledger, last_ms=now_ms, tokens=tokens, sent=latest)


def put_ledger(session: Session | None, session_id: str, ledger: Ledger) -> Session:
    """The session with the ledger in its state."""
    kept: dict[str, Any] = {
        "sinceMs": ledger.since_ms,
        "lastMs": ledger.last_ms,
        "tokens": ledger.tokens,
        "ids": "\n".join(
            f"{one} {int(sent.level)} {sent.tokens} {sent.at_ms}" for one, sent in ledger.sent.items()
        ),
    }
    if session is None:
        return Session(session_id, ledger.last_ms, ledger.last_ms, state={KEY: kept})
    return replace(session, last_active_ms=ledger.last_ms, state={**session.state, KEY: kept})


def _read_sent(kept: str) -> dict[str, Sent]:
    # One text with a line for each: the store looks at every single value of a state, and ids have no spaces.
    rows = (line.split(" ") for line in kept.split("\n") if line)
    return {
        memory_id: Sent(Level(int(level)), int(tokens), int(at_ms))
        for memory_id, level, tokens, at_ms in rows
    }


def _is_over(ledger: Ledger, now_ms: int) -> bool:
    return now_ms - ledger.since_ms > LONGEST_MS or ledger.tokens > MOST_TOKENS
