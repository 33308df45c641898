"""What the code says of two memories that cannot both hold: of each, its cited code and the packages it names."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from drift.manifests.reading import DeclaredAt, read_manifests
from drift.memory.records import Memory
from drift.memory.truth.contradictions import Contradiction
from drift.memory.truth.staleness import find_stale
from drift.memory.truth.statements import Claim, Stance

_NAME: Final = re.compile(r"[A-Za-z][\w.-]{1,60}")
_MOST_NAMED: Final = 2


def read_evidence(root: Path, found: Iterable[Contradiction]) -> dict[str, str]:
    """For each memory of the pairs, by its id, what the code says of it; nothing where it says nothing."""
    pairs = tuple(found)
    memories = {one.id: one for pair in pairs for one in (pair.a, pair.b)}
    stale = find_stale(root, memories.values())
    declared = _declared(root) if pairs else {}
    told: dict[str, str] = {}
    for pair in pairs:
        for memory, claim in ((pair.a, pair.claim_a), (pair.b, pair.claim_b)):
            said = "; ".join((*_of_citations(memory, stale), *_of_packages(claim, declared)))
            if said:
                told.setdefault(memory.id, said)
    return told


def _declared(root: Path) -> dict[str, DeclaredAt]:
    """The packages that the manifests of the project's own folder declare, in lower case."""
    return {one.dependency.name.lower(): one for one in read_manifests(root, {""}).declared}


def _of_citations(memory: Memory, stale: Mapping[str, str]) -> Iterator[str]:
    if memory.id in stale:
        yield stale[memory.id]
    elif any(link.content_hash is not None for link in memory.files):
        yield "the code it cites is as it was"


def _of_packages(claim: Claim, declared: Mapping[str, DeclaredAt]) -> Iterator[str]:
    named = dict.fromkeys(name.strip(".-").lower() for name in _NAME.findall(claim.sentence))
    known = [declared[name] for name in named if name in declared]
    for one in known[:_MOST_NAMED]:
        yield f"{one.file} declares {one.dependency.name} {one.dependency.version or ''}".rstrip()
    is_choice = claim.subject[0] == "uses" and claim.stance is Stance.HOLDS
    if is_choice and declared and claim.subject[1] not in declared:
        yield f"no manifest declares {claim.subject[1]}"
