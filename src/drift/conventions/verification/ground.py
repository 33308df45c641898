"""What checking a claim gives, and what it is checked against."""

from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from drift.conventions.verification.texts import Texts, list_files
from drift.conventions.verification.tokens import Claim
from drift.index import IndexReader
from drift.index.listing_queries import PathFilter
from drift.manifests.reading import Manifests, read_manifests
from drift.memory.truth.citation_checks import Renames

NO_INDEX = "there is no index to look it up in; run drift_scan"


class ClaimVerdict(StrEnum):
    """What became of a claim."""

    FOUND = "found"
    MOVED = "moved"
    CHANGED = "changed"
    MISSING = "missing"
    UNCLEAR = "unclear"


class CheckedClaim(NamedTuple):
    """A claim, its verdict, the place or the reason, and names that may be meant."""

    claim: Claim
    verdict: ClaimVerdict
    evidence: str
    similar: tuple[str, ...] = ()


class Ground:
    """A project as claims meet it: files, git, manifests, and the index where there is one."""

    def __init__(self, root: Path, reader: IndexReader | None) -> None:
        self.root = root
        self.reader = reader
        self.renames = Renames(root)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Every file of the project."""
        return list_files(self.root)

    @cached_property
    def texts(self) -> Texts:
        stamps = self.reader.files.stamps() if self.reader is not None else ()
        return Texts(self.root, self.paths, {one.path: one.role for one in stamps})

    @cached_property
    def manifests(self) -> Manifests:
        configs = self.reader.listings.paths(PathFilter(role="config")) if self.reader is not None else ()
        return read_manifests(self.root, {path.rpartition("/")[0] for path in configs})

    @cached_property
    def packages(self) -> frozenset[str]:
        """The names of packages, in lower case, that a manifest or a lock file has."""
        declared = (one.dependency.name.lower() for one in self.manifests.declared)
        return frozenset((*declared, *(one.package.name.lower() for one in self.manifests.locked)))

    @cached_property
    def outside_packages(self) -> frozenset[str]:
        """The packages that code of the project imports and does not contain."""
        return frozenset(self.reader.facts.external_packages()) if self.reader is not None else frozenset()


def absent(claim: Claim, evidence: str, similar: tuple[str, ...] = ()) -> CheckedClaim | None:
    """The verdict on what was found nowhere; None where the claim may have meant something else."""
    if not claim.is_sure:
        return None
    if claim.excuse is not None:
        return CheckedClaim(claim, ClaimVerdict.UNCLEAR, f"{evidence}, but {claim.excuse}")
    return CheckedClaim(claim, ClaimVerdict.MISSING, evidence, similar)


def unclear(claim: Claim, reason: str) -> CheckedClaim | None:
    """The verdict where nothing can be said; None for what was perhaps no claim at all."""
    return CheckedClaim(claim, ClaimVerdict.UNCLEAR, reason) if claim.is_sure else None
