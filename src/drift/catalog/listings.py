"""What the catalog answers with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from drift.catalog.entry import Instruction
from drift.catalog.index import FileProblem
from drift.catalog.queries import Position
from drift.catalog.search import Hit

Scope = Literal["user", "workspace", "team", "all"]


@dataclass(frozen=True, slots=True)
class Listing:
    """Instructions, and how many there are in all."""

    hash: str
    count: int
    items: tuple[Instruction, ...]


@dataclass(frozen=True, slots=True)
class ScopedListing:
    """The instructions of one scope, and which it is."""

    hash: str
    count: int
    scope: Scope
    items: tuple[Instruction, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, and how much there is in all."""

    hash: str
    count: int
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class QueryPage:
    """A page, how much fits in all, and the position the next page starts after."""

    items: tuple[Instruction, ...]
    total: int
    next: Position | None


@dataclass(frozen=True, slots=True)
class Diff:
    """What a client has to take over to be as the catalog is."""

    hash: str
    is_up_to_date: bool
    added: tuple[Instruction, ...] = ()
    updated: tuple[Instruction, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GovernanceItem:
    """What of one instruction is governed, and the hash of that."""

    id: str
    governance: Mapping[str, Any]
    hash: str


@dataclass(frozen=True, slots=True)
class Governance:
    """The hash over all that is governed; `items` is what it is made of, None unless asked for."""

    count: int
    governance_hash: str
    algorithm: str
    items: tuple[GovernanceItem, ...] | None


@dataclass(frozen=True, slots=True)
class HashIssue:
    """A file that claims (`expected`) another hash than its body has (`actual`)."""

    id: str
    expected: str
    actual: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What is wrong with stored hashes."""

    hash: str
    count: int
    issues: tuple[HashIssue, ...]


@dataclass(frozen=True, slots=True)
class Visibility:
    """Whether an expected instruction is there, and what was tried to bring it to light."""

    id: str
    is_on_disk: bool
    is_in_catalog: bool
    repaired_visibility: bool
    late_materialized: bool
    attempted_reload: bool
    attempted_late: bool
    problem: FileProblem | None


@dataclass(frozen=True, slots=True)
class CatalogStats:
    """A catalog in numbers."""

    count: int
    categories: int
    last_modified: str | None
    total_bytes: int
    overdue: int  # instructions whose review was due
    problems: int  # files that are none
    hash: str


@dataclass(frozen=True, slots=True)
class Reloaded:
    """The catalog after every file was read again."""

    hash: str
    count: int
