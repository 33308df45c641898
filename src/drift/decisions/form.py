"""What a decision is: what was chosen, when, by which commits, and what shows it."""

from dataclasses import dataclass, field
from typing import Final, Literal, get_args

DecisionCategory = Literal[
    "technology-adoption", "technology-removal", "technology-swap", "pattern-migration", "architecture-change",
    "api-change", "record",
]  # fmt: skip
DecisionStatus = Literal["draft", "confirmed", "superseded", "rejected"]
CATEGORIES: Final[tuple[DecisionCategory, ...]] = get_args(DecisionCategory)


@dataclass(frozen=True, slots=True)
class DecisionCommit:
    """A commit that a decision was carried out by."""

    commit: str
    date: str
    author: str
    subject: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What shows a decision: `source` is the commit, file or line it can be looked up at."""

    kind: str
    says: str
    source: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision. `confidence` is how sure it is one; a record that people wrote, or confirmed, is sure."""

    id: str
    title: str
    category: DecisionCategory
    confidence: float
    since: str
    until: str
    commits: tuple[DecisionCommit, ...]
    files: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    context: str
    decision: str
    consequences: tuple[str, ...] = ()
    status: DecisionStatus = "draft"
    keys: tuple[str, ...] = ()
    """What it is about, by which decisions are found to belong together: packages, folders."""
    related: tuple[str, ...] = field(default=())
    source: str | None = None
    by: str | None = None
    reason: str | None = None
