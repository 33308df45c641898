"""What a new or changed memory points at: files with the hash of what stands there, and other memories."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from drift.kernel.errors import DriftError, ErrorCode
from drift.memory.citations import cite, cite_named
from drift.memory.records import CausalEdge, Evidence, EvidenceKind, FileLink, Memory, Relation
from drift.memory.store import MemoryStore

_PLACE: Final = re.compile(r"(?P<path>.+?):(?P<start>\d{1,9})(?:-(?P<end>\d{1,9}))?", re.DOTALL)
_EXPLICIT_STRENGTH: Final = 1.0  # said by whoever saved it, not concluded
_RELATED_STRENGTH: Final = 0.5  # "related" says that, not how


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A file, and the lines of it that are meant."""

    path: str
    start_line: int | None = None
    end_line: int | None = None


@dataclass(frozen=True, slots=True)
class Citations:
    """Links to files, and what is to be said of those that are not there."""

    links: tuple[FileLink, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CausalRow:
    """An edge of the new memory, from source to target."""

    source: str
    target: str
    relation: str
    strength: float
    inferred: bool


def cite_files(root: Path, given: Sequence[Any], *, said: str = "") -> Citations:
    """Links to files of the project, each `path`, `path:12-20` or an object. Raises for one outside of it.

    Of a file alone, what is `said` of it may name the lines that are meant.
    """
    links: list[FileLink] = []
    missing: list[str] = []
    for one in given:
        place = read_place(one)
        try:
            if place.start_line is None:
                links += cite_named(root, place.path, said)
            else:
                links.append(cite(root, place.path, start_line=place.start_line, end_line=place.end_line))
        except DriftError as error:
            if error.code is not ErrorCode.FILE_NOT_FOUND:
                raise
            links.append(FileLink(place.path, place.start_line, place.end_line))
            missing.append(place.path)
    told = (f"not there, so linked without a hash: {', '.join(missing[:5])}",) if missing else ()
    return Citations(tuple(links), told)


def read_place(given: Any) -> FilePlace:
    """The file and lines that an argument names, as text or as the object the schema allows."""
    if isinstance(given, dict):
        return FilePlace(given["path"], given.get("startLine"), given.get("endLine"))
    text = str(given)
    found = _PLACE.fullmatch(text)
    if found is None:
        return FilePlace(text)
    return FilePlace(found["path"], int(found["start"]), int(found["end"] or found["start"]))


def explicit_edges(
    memory_id: str, *, caused_by: Sequence[str], related: Sequence[str], supersedes: str | None
) -> tuple[CausalEdge, ...]:
    """The edges that whoever saved a memory named, with that as their evidence."""
    said = (Evidence(EvidenceKind.EXPLICIT, "named when it was saved"),)
    edges = [
        CausalEdge(one, memory_id, Relation.CAUSED, _EXPLICIT_STRENGTH, said)
        for one in caused_by
        if one != memory_id
    ]
    edges += [
        CausalEdge(memory_id, one, Relation.SUPPORTS, _RELATED_STRENGTH, said)
        for one in related
        if one != memory_id
    ]
    if supersedes is not None and supersedes != memory_id:
        edges.append(CausalEdge(memory_id, supersedes, Relation.SUPERSEDES, _EXPLICIT_STRENGTH, said))
    return tuple(edges)


def put_edges(
    store: MemoryStore,
    memory: Memory,
    edges: Sequence[CausalEdge],
    *,
    supersedes: str | None,
    actor: str,
) -> None:
    """Keep the edges of a memory and what it takes the place of, all or none."""
    if not edges:
        return
    with store.transaction():
        store.edges.put(edges, actor=actor)
        if supersedes is not None and supersedes != memory.id:
            store.supersede(supersedes, memory.id, actor=actor)


def causal_rows(edges: Sequence[CausalEdge]) -> tuple[CausalRow, ...]:
    return tuple(
        CausalRow(one.source, one.target, str(one.relation), round(one.strength, 2), one.inferred)
        for one in edges
    )
