"""Causal edges between memories."""

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, Final

import orjson

from drift.kernel.connections import Connection
from drift.kernel.errors import DriftError, ErrorCode
from drift.memory.checks import check_edge
from drift.memory.records import CausalEdge, Relation
from drift.memory.storage import rows
from drift.memory.storage.life import StoreLife
from drift.memory.storage.log import append
from drift.memory.wire import edge_to_wire, evidence_from_wire, evidence_to_wire

_NUMBER: Final = "SELECT number FROM memories WHERE id = ?"
_PUT: Final = """
INSERT INTO edges (source, target, relation, strength, evidence, inferred, validated_at_ms)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (source, target, relation) DO UPDATE SET strength = excluded.strength,
    evidence = excluded.evidence, inferred = excluded.inferred, validated_at_ms = excluded.validated_at_ms
"""
_DELETE: Final = "DELETE FROM edges WHERE source = ? AND target = ? AND relation = ?"
_SELECT: Final = """
SELECT source.id, target.id, relation, strength, evidence, inferred, validated_at_ms
FROM edges JOIN memories AS source ON source.number = edges.source
           JOIN memories AS target ON target.number = edges.target
"""
_ORDER: Final = "ORDER BY strength DESC, edges.source, edges.target, relation"


class Direction(StrEnum):
    """Which edges of a memory: those it is the source of, the target of, or either."""

    OUT = "out"
    IN = "in"
    BOTH = "both"


# By number on the edges themselves: asked of the joined ids, an OR of both would read every edge.
_AMONG: Final = "edges.{0} IN (SELECT number FROM memories WHERE id IN ({{0}}))"
_OUT, _IN = _AMONG.format("source"), _AMONG.format("target")
_CONDITIONS: Final = {Direction.OUT: _OUT, Direction.IN: _IN, Direction.BOTH: f"{_OUT} OR {_IN}"}


class EdgeTable:
    """The edges of a store. Each change is in the log."""

    def __init__(self, file: StoreLife, now_ms: Callable[[], int]) -> None:
        self._file = file
        self._now_ms = now_ms

    def put(self, edges: Iterable[CausalEdge], *, actor: str) -> int:
        """Add edges, all or none; how many were new or different.

        One takes the place of one with the same ends and relation. Raises INVALID_ARGUMENT, and RESOURCE_NOT_FOUND for an end that is no memory.
        """
        changed = 0
        with self._file.writing() as connection:
            for edge in edges:
                check_edge(edge)
                source, target = _number(connection, edge.source), _number(connection, edge.target)
                if _present(connection, edge) == edge:
                    continue
                connection.execute(_PUT, (source, target, *_values(edge)))
                self._log(connection, source, actor=actor, action="edge", patch=edge_to_wire(edge))
                changed += 1
        return changed

    def remove(self, source: str, target: str, relation: Relation, *, actor: str) -> bool:
        """Take an edge away; whether it was there."""
        with self._file.writing() as connection:
            number = _number(connection, source)
            ends = (number, _number(connection, target), str(relation))
            if connection.execute(_DELETE, ends).rowcount == 0:
                return False
            patch = {"source": source, "target": target, "relation": str(relation)}
            self._log(connection, number, actor=actor, action="unedge", patch=patch)
        return True

    def of(self, ids: Iterable[str], direction: Direction = Direction.BOTH) -> tuple[CausalEdge, ...]:
        """The edges of these memories, each once."""
        found: dict[CausalEdge, None] = {}
        with self._file.reading() as connection:
            for batch in rows.batches(ids, 400):
                condition = _CONDITIONS[direction].format(rows.marks(batch))
                values = batch * condition.count("id IN (")
                read = connection.execute(f"{_SELECT} WHERE {condition} {_ORDER}", values)
                found.update(dict.fromkeys(_edge(row) for row in read))
        return tuple(found)

    def all(self) -> tuple[CausalEdge, ...]:
        """Every edge, strongest first."""
        with self._file.reading() as connection:
            return tuple(_edge(row) for row in connection.execute(f"{_SELECT} {_ORDER}"))

    def _log(
        self, connection: Connection, number: int, *, actor: str, action: str, patch: dict[str, Any]
    ) -> None:
        append(connection, number, at_ms=self._now_ms(), actor=actor, action=action, patch=patch)


def _number(connection: Connection, memory_id: str) -> int:
    found = connection.execute(_NUMBER, (memory_id,)).fetchone()
    if found is None:
        raise DriftError(ErrorCode.RESOURCE_NOT_FOUND, f"There is no memory {memory_id[:100]}")
    return int(found[0])


def _present(connection: Connection, edge: CausalEdge) -> CausalEdge | None:
    statement = f"{_SELECT} WHERE source.id = ? AND target.id = ? AND relation = ?"
    row = connection.execute(statement, (edge.source, edge.target, str(edge.relation))).fetchone()
    return _edge(row) if row else None


def _values(edge: CausalEdge) -> tuple[Any, ...]:
    evidence = orjson.dumps([evidence_to_wire(one) for one in edge.evidence]).decode()
    return str(edge.relation), float(edge.strength), evidence, int(edge.inferred), edge.validated_at_ms


def _edge(row: tuple[Any, ...]) -> CausalEdge:
    source, target, relation, strength, evidence, inferred, validated_at_ms = row
    try:
        read = tuple(evidence_from_wire(one) for one in orjson.loads(evidence))
        known = Relation(relation)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DriftError(
            ErrorCode.CORTEX_UNAVAILABLE, f"The edge from {source} to {target} is damaged"
        ) from error
    return CausalEdge(source, target, known, strength, read, bool(inferred), validated_at_ms)
