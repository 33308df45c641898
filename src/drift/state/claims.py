"""How often what clients claimed of the code was so."""

from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from drift.state.store import StateStore

_DAYS: Final = 90


@dataclass(frozen=True, slots=True)
class PassRate:
    """How often the claims of a client held, of those that could be decided."""

    client: str
    kind: str
    verified: int
    decided: int
    rate: float


def claim_rates(state_db: Path, now: datetime) -> tuple[PassRate, ...]:
    """How often claims held in 90 days, by client and kind."""
    with closing(StateStore(state_db)) as store:
        counts = store.verifications(since=now - timedelta(days=_DAYS))
    return tuple(
        PassRate(each.client, each.kind, each.passed, decided, round(each.passed / decided, 3))
        for each in counts
        if (decided := each.passed + each.failed)
    )
