"""The categories of tools: which server they belong to and how long their answers keep."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from drift.registry.scopes import Scope


class ServerName(StrEnum):
    """The three servers."""

    ANALYSIS = "analysis"
    MEMORY = "memory"
    CATALOG = "catalog"


@dataclass(frozen=True, slots=True)
class Category:
    """A group of tools that belong together in listings, caching and rights."""

    name: str
    server: ServerName
    purpose: str
    ttl_seconds: int
    scope: Scope = Scope.READ

    def scopes(self, *, writes: bool) -> frozenset[Scope]:
        """What a tool of the category needs unless it says otherwise: to change what others read is a right of its own."""
        return frozenset({Scope.WRITE if writes and self.scope is Scope.READ else self.scope})


def minutes(count: int) -> int:
    """Seconds in `count` minutes, for cache times that read aloud."""
    return count * 60


_ANALYSIS, _MEMORY, _CATALOG = ServerName.ANALYSIS, ServerName.MEMORY, ServerName.CATALOG

# Cache times follow how fast the underlying facts change: edits, scans, or hardly at all.
# A new index generation makes every cached answer unreachable at once, whatever its time.
CATEGORIES: Final[dict[str, Category]] = {
    category.name: category
    for category in (
        Category("orchestration", _ANALYSIS, "Context for a task in one call", minutes(5)),
        Category("discovery", _ANALYSIS, "What is here and what can be asked", minutes(1)),
        Category("surgical", _ANALYSIS, "One precise fact", minutes(5)),
        Category("exploration", _ANALYSIS, "Lists with filters", minutes(10)),
        Category("detail", _ANALYSIS, "Everything about one thing", minutes(15)),
        Category("analysis", _ANALYSIS, "Whole-project analyses", minutes(30)),
        Category("quality", _ANALYSIS, "Measures of quality, and gates over them", minutes(30)),
        Category("generation", _ANALYSIS, "Explanations and changes", minutes(5)),
        Category("setup", _ANALYSIS, "Prepare and maintain a project", 0, Scope.ADMIN),
        Category("curation", _ANALYSIS, "Review what was found", 0, Scope.WRITE),
        Category("memory", _MEMORY, "Remember and recall", 0, Scope.MEMORY),
        Category("catalog", _CATALOG, "Instructions, usage and feedback", 0, Scope.READ),
    )
}
