"""The catalog of instructions for those who work on a project: kept in files, governed, counted, reviewed."""

from drift.catalog.audit import Audit, AuditLine
from drift.catalog.catalog import Catalog
from drift.catalog.drafts import Bump
from drift.catalog.entry import Change, Instruction
from drift.catalog.feedback import (
    Feedback,
    FeedbackEntry,
    FeedbackHealth,
    FeedbackPage,
    FeedbackStats,
    FeedbackStatus,
    FeedbackType,
)
from drift.catalog.freshness import Counters
from drift.catalog.gates import GateReport, GateResult, evaluate_gates
from drift.catalog.groom import Groomed
from drift.catalog.index import FileProblem
from drift.catalog.inspection import Inspection
from drift.catalog.listings import (
    CatalogStats,
    Diff,
    Found,
    Governance,
    GovernanceItem,
    HashIssue,
    Listing,
    QueryPage,
    Reloaded,
    ScopedListing,
    Verification,
    Visibility,
)
from drift.catalog.mutations import Added, EntryFailure, GovernanceUpdated, Imported, ImportMode, Removed
from drift.catalog.prompt_review import Issue, Review, review_prompt
from drift.catalog.queries import CategoryCount, Filters, Position, Sort
from drift.catalog.search import Hit
from drift.catalog.settings import VARIABLES, CatalogSettings, read_settings
from drift.catalog.store import Places
from drift.catalog.structure import schema
from drift.catalog.usage import Tracked, Usage, Used
from drift.kernel.grooming import GroomMode

__all__ = [
    "VARIABLES", "Added", "Audit", "AuditLine", "Bump", "Catalog", "CatalogSettings", "CatalogStats", "CategoryCount", "Change",
    "Counters", "Diff", "EntryFailure", "Feedback", "FeedbackEntry", "FeedbackHealth", "FeedbackPage", "FeedbackStats",
    "FeedbackStatus", "FeedbackType", "FileProblem", "Filters", "Found", "GateReport", "GateResult", "Governance",
    "GovernanceItem", "GovernanceUpdated", "GroomMode", "Groomed", "HashIssue", "Hit", "ImportMode", "Imported", "Inspection",
    "Instruction", "Issue", "Listing", "Places", "Position", "QueryPage", "Reloaded", "Removed", "Review", "ScopedListing",
    "Sort", "Tracked", "Usage", "Used", "Verification", "Visibility", "evaluate_gates", "read_settings", "review_prompt",
    "schema",
]  # fmt: skip
