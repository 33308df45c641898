"""Edges that a memory's own words give reason for. That two were made at about the same time is no reason.

An edge needs either the other memory named, by its id or by its title, or three things together: a cue ("because",
"led to", "fixed by"), a file or another thing of the code that both speak of, and the other memory spoken of on
one side of the cue.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from drift.kernel.connections import Connection
from drift.memory.causes.causality import Ends, edges_around, ends_of
from drift.memory.causes.cues import CuedSentence, read_cues
from drift.memory.causes.named_things import Reference, find_references, said_of, things_of, without
from drift.memory.overlap import telling_words, telling_words_of
from drift.memory.records import CausalEdge, Evidence, EvidenceKind, Memory, Relation
from drift.memory.search import WordCounts
from drift.memory.search.candidates import find_candidates
from drift.memory.search.questions import read_question
from drift.memory.storage.rows import read_by_number, read_titles
from drift.memory.store import MemoryStore

MOST_EDGES: Final = 10
LEAST_STRENGTH: Final = 0.5
# How much each kind of evidence is worth by itself; together they count as independent witnesses do.
_NAMED_BY_ID: Final = 0.6
_NAMED_BY_TITLE: Final = 0.5
_CUED: Final = 0.4
_THING_SHARED: Final = 0.25
_SPOKEN_OF: Final = 0.4  # at most: times the share of the words
_CLOSE_IN_TIME: Final = 0.05  # strengthens an edge that stands without it

_DAY_MS: Final = 86_400_000
_COMPARED: Final = 60
_BEGINNING: Final = 500  # characters of a memory that say what it is about
_LEAST_OF_TITLE: Final = 0.6
_LEAST_OF_CLAUSE: Final = 0.75  # a long note holds many words by chance
_FEWEST_SHARED: Final = 2
_FEWEST_OF_TITLE: Final = 3
_QUOTED_CHARS: Final = 160


class _Cover(NamedTuple):
    """The share of a memory that a clause speaks of, and in how many words."""

    share: float
    words: int


_NOT_COVERED: Final = _Cover(0.0, 0)


class _Likely(NamedTuple):
    """An edge with what speaks for it."""

    edge: CausalEdge
    other: Memory


def infer_edges(
    store: MemoryStore, memory: Memory, *, counts: WordCounts | None = None
) -> tuple[CausalEdge, ...]:
    """The edges a memory's words give reason for, strongest first, at most ten. Nothing is written.

    Edges that are there already, or would turn round one that is, are left out.
    """
    said = said_of(memory)
    cued = read_cues(said)
    with store.reading() as connection:
        references = [one for one in find_references(connection, said) if one.memory.id != memory.id]
        named = {one.memory.id for one in references}
        likely = [_named_edge(memory, one, cued) for one in references]
        likely += _spoken_of(connection, memory, cued, counts=counts or WordCounts())
    joined = _join(edges_around(store, [memory.id]))
    best: dict[str, CausalEdge] = {}
    for edge, other in sorted(likely, key=lambda one: -one.edge.strength):
        is_weak = edge.strength < LEAST_STRENGTH and other.id not in named
        if not is_weak and frozenset((edge.source, edge.target)) not in joined:
            best.setdefault(other.id, edge)
    return tuple(best.values())[:MOST_EDGES]


def _join(edges: Iterable[CausalEdge]) -> frozenset[frozenset[str]]:
    return frozenset(frozenset((edge.source, edge.target)) for edge in edges if ends_of(edge) is not None)


def _named_edge(memory: Memory, reference: Reference, cued: list[CuedSentence]) -> _Likely:
    """The edge to a memory that is named: as the cue beside the name says, else that this builds on that."""
    other = reference.memory
    how = "id" if reference.is_by_id else "title"
    evidence = [
        Evidence(
            EvidenceKind.EXPLICIT,
            f"names it by its {how}: {reference.named[:_QUOTED_CHARS]}",
            _NAMED_BY_ID if reference.is_by_id else _NAMED_BY_TITLE,
            other.id,
        )
    ]
    beside = next((one for one in cued if reference.named in one.sentence), None)
    if beside is None:
        return _Likely(
            _edge(Ends(other.id, memory.id), Relation.DERIVED_FROM, evidence, memory, other), other
        )
    evidence.append(_cue_evidence(beside))
    is_cause = reference.named in beside.of_cause
    ends = Ends(other.id, memory.id) if is_cause else Ends(memory.id, other.id)
    return _Likely(_edge(ends, beside.cue.relation, evidence, memory, other), other)


def _spoken_of(
    connection: Connection, memory: Memory, cued: list[CuedSentence], *, counts: WordCounts
) -> Iterator[_Likely]:
    open_cues = [one for one in cued if not one.cue.must_be_named]
    if not open_cues:
        return
    things = things_of(memory)
    # One search for all sentences: each costs as much as a recall, and saving must stay quick.
    question = read_question(" ".join(f"{one.of_cause} {one.of_effect}" for one in open_cues))
    rare = counts.roughly(connection, question).without_common()
    numbers = list(find_candidates(connection, question, rare, most=_COMPARED))
    clauses = telling_words_of([clause for one in open_cues for clause in (one.of_cause, one.of_effect)])
    # Without a thing in common only what has its whole title in a clause can be what that speaks of.
    likely = numbers if things else _titled_in(connection, numbers, clauses)
    for other in read_by_number(connection, likely).values():
        if other.id != memory.id and not other.is_purged:
            shared = things & things_of(other) if things else frozenset()
            for one in open_cues:
                yield from _cued_edge(memory, other, one, shared)


def _titled_in(connection: Connection, numbers: list[int], clauses: list[frozenset[str]]) -> list[int]:
    titles = read_titles(connection, numbers)
    said = zip(titles, telling_words_of(list(titles.values())), strict=True)
    return [
        number
        for number, title in said
        if len(title) >= _FEWEST_OF_TITLE and any(title <= clause for clause in clauses)
    ]


def _cued_edge(
    memory: Memory, other: Memory, cued: CuedSentence, shared: frozenset[str]
) -> Iterator[_Likely]:
    of_cause, of_effect = (
        _cover(clause, other, shared, has_thing=bool(shared)) for clause in (cued.of_cause, cued.of_effect)
    )
    if cued.cue.is_weak:
        of_effect = _NOT_COVERED
    covered = max(of_cause, of_effect).share
    if not covered:
        return
    is_older = other.recorded_at_ms <= memory.recorded_at_ms
    is_cause = of_cause > of_effect or (of_cause == of_effect and is_older)
    side = "cause" if is_cause else "effect"
    evidence = [
        _cue_evidence(cued),
        Evidence(EvidenceKind.SEMANTIC, f"{covered:.0%} of it is said of the {side}", _SPOKEN_OF * covered),
    ]
    if shared:
        named = ", ".join(sorted(shared)[:3])
        evidence.append(Evidence(EvidenceKind.ENTITY, f"both speak of {named}"[:900], _THING_SHARED))
    ends = Ends(other.id, memory.id) if is_cause else Ends(memory.id, other.id)
    yield _Likely(_edge(ends, cued.cue.relation, evidence, memory, other), other)


def _cover(clause: str, other: Memory, shared: frozenset[str], *, has_thing: bool) -> _Cover:
    """How far a clause speaks of a memory: the share of its title, or of the clause, that is in the other."""
    whole = telling_words(clause)
    title = telling_words(other.title)
    if title <= whole and len(title) >= (_FEWEST_SHARED if has_thing else _FEWEST_OF_TITLE):
        return _Cover(1.0, len(title))
    if not has_thing:
        return _NOT_COVERED
    # Without the names both hold: else every note about a file would speak of every other.
    words = telling_words(without(clause, shared))
    title = telling_words(without(other.title, shared))
    body = telling_words(without(f"{other.title}\n{other.text[:_BEGINNING]}", shared))
    common = len(words & body)
    if common < _FEWEST_SHARED:
        return _NOT_COVERED
    of_title, of_clause = len(words & title) / max(1, len(title)), common / len(words)
    is_meant = of_title >= _LEAST_OF_TITLE or of_clause >= _LEAST_OF_CLAUSE
    return _Cover(max(of_title, of_clause), common) if is_meant else _NOT_COVERED


def _cue_evidence(cued: CuedSentence) -> Evidence:
    sentence = cued.sentence[:_QUOTED_CHARS]
    return Evidence(EvidenceKind.EXPLICIT, f"says “{cued.words}”: {sentence}", _CUED)


def _edge(
    ends: Ends, relation: Relation, evidence: list[Evidence], memory: Memory, other: Memory
) -> CausalEdge:
    apart_ms = abs(memory.recorded_at_ms - other.recorded_at_ms)
    if apart_ms < _DAY_MS:
        hours = apart_ms / 3_600_000
        evidence.append(Evidence(EvidenceKind.TEMPORAL, f"recorded {hours:.1f} hours apart", _CLOSE_IN_TIME))
    doubt = 1.0
    for one in evidence:
        doubt *= 1 - one.confidence
    edge = CausalEdge(ends.cause, ends.effect, relation, round(1 - doubt, 2), tuple(evidence), inferred=True)
    as_read = ends_of(edge)
    if as_read is None or as_read == ends:
        return edge
    return CausalEdge(ends.effect, ends.cause, relation, edge.strength, edge.evidence, inferred=True)
