"""Pairs of memories that contradict or repeat each other, found in a whole store or around one memory."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.memory.overlap import overlap, telling_words
from drift.memory.records import Memory, Relation
from drift.memory.saving import NEARLY_SAME, find_alike
from drift.memory.search import WordCounts
from drift.memory.search.candidates import find_candidates
from drift.memory.search.questions import read_question
from drift.memory.storage.edges import Direction
from drift.memory.storage.rows import read_by_number
from drift.memory.store import MemoryStore
from drift.memory.truth.contradictions import Contradiction, claims_of, find_contradictions
from drift.memory.truth.sweep import sweep


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """Two memories. `similarity` is the share of words they have in common."""

    a: str
    b: str
    type: str
    similarity: float
    reason: str
    suggestion: str


@dataclass(frozen=True, slots=True)
class ConflictsData:
    """Pairs that contradict each other, then those that say nearly the same."""

    conflicts: tuple[ConflictRow, ...]
    total: int
    examined: int


_NEAREST: Final = 200  # memories looked at around one
_COMPARED_FOR_REPETITION: Final = 300  # searched for one by one, at about a millisecond each


class Rivalry(NamedTuple):
    """Two memories in each other's way, the older as `a`; `opposed` where they contradict each other."""

    a: Memory
    b: Memory
    share: float  # of their words that both have
    opposed: Contradiction | None = None

    @property
    def is_duplicate(self) -> bool:
        return self.share >= NEARLY_SAME

    @property
    def reason(self) -> str:
        return self.opposed.reason if self.opposed else f"{self.share:.0%} of their words are the same"

    @property
    def suggestion(self) -> str:
        """What to do, from what is known of the two."""
        if self.opposed is not None and self.opposed.supporters_a != self.opposed.supporters_b:
            more, side = max((self.opposed.supporters_a, "a"), (self.opposed.supporters_b, "b"))
            return f"keep_{side}: {more} memories agree with it"
        if self.opposed is not None:
            return "one against one: see which holds, then keep_a or keep_b"
        return (
            "archive a: b is newer and says the same" if self.is_duplicate else "see whether both are needed"
        )


class Rivals(NamedTuple):
    """Contradictions first, then by the share of words; among how many, and whether there were more."""

    rivalries: tuple[Rivalry, ...]
    examined: int
    is_cut: bool


class Contradictions(NamedTuple):
    """The latest first; among how many, and whether there were more."""

    contradictions: tuple[Contradiction, ...]
    compared: int
    is_cut: bool


def find_all_contradictions(store: MemoryStore, *, now_ms: int, with_flagged: bool = True) -> Contradictions:
    """Every contradiction among the newest memories, without the flagged ones if these are not wanted."""
    swept = sweep(store)
    found = find_contradictions(swept.memories, now_ms=now_ms)
    if not with_flagged and found:
        known = store.edges.of({one.b.id for one in found}, Direction.OUT)
        flagged = {(one.target, one.source) for one in known if one.relation is Relation.CONTRADICTS}
        found = tuple(one for one in found if (one.a.id, one.b.id) not in flagged)
    return Contradictions(found, len(swept.memories), swept.is_cut)


def require_contradiction(
    store: MemoryStore, one: str, other: str, *, counts: WordCounts, now_ms: int
) -> tuple[Contradiction, int]:
    """The contradiction between two memories, and among how many agreement was counted. Raises INVALID_ARGUMENT."""
    pair = {one, other}
    among = {memory.id: memory for each in pair for memory in _near(store, store.get(each), counts)}
    found = find_contradictions(among.values(), now_ms=now_ms, about=frozenset({one}))
    wanted = next((each for each in found if {each.a.id, each.b.id} == pair), None)
    if wanted is None:
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"{one[:100]} and {other[:100]} do not contradict each other, as far as can be read",
            Recovery(
                hint="List the contradictions first. To archive or supersede a memory, update it instead."
            ),
        )
    return wanted, len(among)


def find_rivals(store: MemoryStore, memory_id: str | None, *, counts: WordCounts, now_ms: int) -> Rivals:
    """What is in the way of a memory, or of each other among the newest ones."""
    if memory_id is None:
        among, is_cut = sweep(store)
        wanted, about = among[:_COMPARED_FOR_REPETITION], None
    else:
        memory = store.get(memory_id)
        among, is_cut = _near(store, memory, counts), False
        wanted, about = (memory,), frozenset({memory_id})
    opposed = find_contradictions(among, now_ms=now_ms, about=about)
    found = {(one.a.id, one.b.id): Rivalry(one.a, one.b, _share(one.a, one.b), one) for one in opposed}
    with store.reading() as connection:
        for memory in wanted:
            for other, share in find_alike(connection, memory, counts=counts, without=[memory.id]):
                a, b = sorted((memory, other), key=lambda one: (one.recorded_at_ms, one.id))
                found.setdefault((a.id, b.id), Rivalry(a, b, share))
    ordered = sorted(found.values(), key=lambda one: (one.opposed is None, -one.share, one.a.id, one.b.id))
    return Rivals(tuple(ordered), len(among), is_cut)


def _near(store: MemoryStore, memory: Memory, counts: WordCounts) -> tuple[Memory, ...]:
    """The memory and those that share most words with its claims: who opposes or backs one uses its words."""
    said = " ".join(claim.sentence for claim in claims_of(memory)) or memory.title
    question = read_question(said)
    with store.reading() as connection:
        numbers = find_candidates(connection, question, counts.of(connection, question), most=_NEAREST)
        found = read_by_number(connection, numbers).values()
    return (memory, *(one for one in found if one.id != memory.id))


def _share(one: Memory, other: Memory) -> float:
    return overlap(telling_words(f"{one.title}\n{one.text}"), telling_words(f"{other.title}\n{other.text}"))


def conflict_row(one: Rivalry) -> ConflictRow:
    kind = (
        f"{one.opposed.kind} contradiction" if one.opposed else "duplicate" if one.is_duplicate else "related"
    )
    return ConflictRow(one.a.id, one.b.id, kind, round(one.share, 2), one.reason, one.suggestion)
