"""How a tool leaves: first it warns, then it is no longer listed, then it only says where to go."""

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

GRACE_DAYS = 90


class Phase(StrEnum):
    """Where a tool stands on a given day."""

    ACTIVE = "active"
    DEPRECATED = "deprecated"
    HIDDEN = "hidden"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Deprecation:
    """Since when a tool is on its way out, and what to call instead."""

    since: date
    replaced_by: str
    reason: str = ""
    hidden_from: date | None = None
    removed_from: date | None = None

    def phase(self, today: date) -> Phase:
        """The tool's phase; by default each step takes 90 days."""
        hidden_from = self.hidden_from or self.since + timedelta(days=GRACE_DAYS)
        removed_from = self.removed_from or hidden_from + timedelta(days=GRACE_DAYS)
        if today >= removed_from:
            return Phase.REMOVED
        if today >= hidden_from:
            return Phase.HIDDEN
        return Phase.DEPRECATED if today >= self.since else Phase.ACTIVE

    def notice(self, name: str) -> str:
        """One sentence for the caller."""
        reason = f" ({self.reason})" if self.reason else ""
        return f"{name} is deprecated since {self.since.isoformat()}{reason}; use {self.replaced_by}."
