"""Memories that cannot both hold: the same said of, in opposed ways or with another value. Never words alone."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from drift.kernel.text import shorten
from drift.memory.content import texts_in
from drift.memory.records import Memory
from drift.memory.search.intents import is_passing
from drift.memory.truth.frames import framed_claims
from drift.memory.truth.quantities import is_same_quantity
from drift.memory.truth.statements import OPPOSED, Claim, Stance, read_claims

_SENTENCE_CHARS = 120
_DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class ContradictionRow:
    """Two memories that cannot both hold, the older as `a`, with the sentences and how many agree with each.

    `newerDays` is by how many days b is the newer. `codeA` and `codeB` are what the code says of each, if anything.
    """

    a: str
    b: str
    kind: str
    reason: str
    says_a: str
    says_b: str
    agree_with_a: int
    agree_with_b: int
    newer_days: int
    code_a: str | None = None
    code_b: str | None = None


CONSENSUS: Final = 3
_MOST_CHARS: Final = 20_000
_MOST_OF_A_SUBJECT: Final = 200
_NORMS: Final = frozenset({Stance.OBLIGES, Stance.PERMITS, Stance.FORBIDS, Stance.FREES})
# An exception to a rule does not contradict it.
_EXCEPTIONS: Final = frozenset({"constraint_override"})
# Fields of content that state what the memory holds; others quote, list what was turned down or give bad examples.
_STATING: Final = (
    "knowledge", "insight", "preference", "decisionSummary", "outcome", "rationale", "keyFacts", "warnings",
    "restrictions", "principles", "keyPoints", "extractedRule", "extractedFacts", "decisions",
)  # fmt: skip


class ContradictionKind(StrEnum):
    """Direct: the same kind of claim, opposed. Partial: a rule on one side, on the other what is done."""

    DIRECT = "direct"
    PARTIAL = "partial"


class Contradiction(NamedTuple):
    """Two memories and the sentences that oppose each other; `a` was recorded first."""

    a: Memory
    b: Memory
    kind: ContradictionKind
    claim_a: Claim
    claim_b: Claim
    supporters_a: int  # current memories that claim the same as a, itself among them
    supporters_b: int

    @property
    def reason(self) -> str:
        """What is opposed, in a line."""
        if self.claim_a.quantity and self.claim_b.quantity:
            return f"{self.claim_a.quantity.written} against {self.claim_b.quantity.written}"
        return f"{self.claim_a.stance} against {self.claim_b.stance}"

    def share_of(self, memory_id: str) -> float:
        """How much of what is said of this is on the side of one of the two, from 0 to 1."""
        own = self.supporters_a if memory_id == self.a.id else self.supporters_b
        return own / (self.supporters_a + self.supporters_b)


class _Said(NamedTuple):
    memory: Memory
    claim: Claim


def claims_of(memory: Memory) -> tuple[Claim, ...]:
    """What a memory claims to hold, from its title, text and the telling fields of its content."""
    if memory.type in _EXCEPTIONS:
        return ()
    telling = (memory.content[name] for name in _STATING if name in memory.content)
    # A title made of the text says what its first sentence says.
    title = "" if memory.text.startswith(memory.title.rstrip(" …")) else memory.title
    stated = "\n".join((title, memory.text, *(text for value in telling for text in texts_in(value))))[
        :_MOST_CHARS
    ]
    if is_passing(memory.type):
        return read_claims(stated)  # what was counted once may be another number the next time
    return (*read_claims(stated), *framed_claims(stated))


def find_contradictions(
    memories: Iterable[Memory], *, now_ms: int, about: frozenset[str] | None = None
) -> tuple[Contradiction, ...]:
    """Every pair of memories that cannot both hold now, the latest first; with `about`, those with one of these ids.

    Memories that are superseded, archived, purged or past their validity are left out.
    """
    by_subject: dict[tuple[str, ...], list[_Said]] = defaultdict(list)
    for memory in memories:
        if memory.is_current and is_valid_at(memory, now_ms):
            for claim in claims_of(memory):
                by_subject[claim.subject].append(_Said(memory, claim))
    found: dict[tuple[str, str], Contradiction] = {}
    for said in by_subject.values():
        if len(said) > 1:
            for one in _opposed_pairs(said[:_MOST_OF_A_SUBJECT], about):
                found.setdefault((one.a.id, one.b.id), one)
    return tuple(
        sorted(found.values(), key=lambda one: (one.b.recorded_at_ms, one.b.id, one.a.id), reverse=True)
    )


def is_valid_at(memory: Memory, at_ms: int) -> bool:
    """Whether the memory says of itself that it holds at a time."""
    begins, ends = memory.valid_from_ms, memory.valid_until_ms
    return (begins is None or begins <= at_ms) and (ends is None or at_ms <= ends)


def are_opposed(one: Claim, other: Claim) -> bool:
    """Whether two claims cannot both hold."""
    if one.subject != other.subject:
        return False
    if one.quantity is not None and other.quantity is not None:
        return not is_same_quantity(one.quantity, other.quantity)
    return other.stance in OPPOSED[one.stance]


def _opposed_pairs(said: Sequence[_Said], about: frozenset[str] | None) -> Iterable[Contradiction]:
    supporters = _count_supporters(said)
    for position, one in enumerate(said):
        for other in said[position + 1 :]:
            is_wanted = about is None or one.memory.id in about or other.memory.id in about
            if is_wanted and one.memory.id != other.memory.id and are_opposed(one.claim, other.claim):
                first, second = sorted(
                    (one, other), key=lambda each: (each.memory.recorded_at_ms, each.memory.id)
                )
                yield Contradiction(
                    first.memory,
                    second.memory,
                    _kind(first.claim, second.claim),
                    first.claim,
                    second.claim,
                    supporters[_side(first.claim)],
                    supporters[_side(second.claim)],
                )


def _count_supporters(said: Sequence[_Said]) -> Mapping[tuple[Stance, str], int]:
    """How many memories are on each side; a memory counts once."""
    sides: dict[tuple[Stance, str], set[str]] = defaultdict(set)
    for one in said:
        sides[_side(one.claim)].add(one.memory.id)
    return {side: len(ids) for side, ids in sides.items()}


def _side(claim: Claim) -> tuple[Stance, str]:
    if claim.quantity is None:
        return claim.stance, ""
    amount = claim.quantity.amount
    return claim.stance, claim.quantity.written if amount is None else f"{amount:.9g}"


def _kind(one: Claim, other: Claim) -> ContradictionKind:
    is_mixed = (one.stance in _NORMS) != (other.stance in _NORMS)
    return ContradictionKind.PARTIAL if is_mixed else ContradictionKind.DIRECT


def contradiction_row(one: Contradiction, code: Mapping[str, str]) -> ContradictionRow:
    """The pair as an answer shows it; `code` is what the code says of memories, by id."""
    return ContradictionRow(
        one.a.id,
        one.b.id,
        str(one.kind),
        one.reason,
        shorten(one.claim_a.sentence, _SENTENCE_CHARS),
        shorten(one.claim_b.sentence, _SENTENCE_CHARS),
        one.supporters_a,
        one.supporters_b,
        (one.b.recorded_at_ms - one.a.recorded_at_ms) // _DAY_MS,
        code.get(one.a.id),
        code.get(one.b.id),
    )
