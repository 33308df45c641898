"""The memory of a project: records, and the store that keeps them."""

from drift.memory.records import (
    CausalEdge,
    Counts,
    Draft,
    Evidence,
    EvidenceKind,
    FileLink,
    Importance,
    LinkKind,
    LogEntry,
    Memory,
    Relation,
    Session,
)
from drift.memory.storage.bulk import AddedMany, OnConflict
from drift.memory.storage.edges import Direction
from drift.memory.storage.listing import Listing, MemoryPage
from drift.memory.store import MemoryStore
from drift.memory.types import MemoryType, memory_type, memory_types
from drift.memory.wire import edge_from_wire, edge_to_wire, memory_from_wire, memory_to_wire

__all__ = [
    "AddedMany",
    "CausalEdge",
    "Counts",
    "Direction",
    "Draft",
    "Evidence",
    "EvidenceKind",
    "FileLink",
    "Importance",
    "LinkKind",
    "Listing",
    "LogEntry",
    "Memory",
    "MemoryPage",
    "MemoryStore",
    "MemoryType",
    "OnConflict",
    "Relation",
    "Session",
    "edge_from_wire",
    "edge_to_wire",
    "memory_from_wire",
    "memory_to_wire",
    "memory_type",
    "memory_types",
]
