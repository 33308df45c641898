"""Why code is as it is, in rows and sentences: what is remembered of it and what led to that."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, Literal, NamedTuple

from drift.analyses.history import CommitRow
from drift.context.code_facts import CodeRow
from drift.kernel.text import shorten
from drift.memory import Memory

Part = Literal[
    "tribal", "decisions", "patterns", "procedures", "incidents", "smells", "other", "causal", "code"
]


Verbosity = Literal["brief", "normal", "detailed"]


PARTS: Final[dict[str, Part]] = {
    "tribal": "tribal",
    "decision": "decisions",
    "decision_context": "decisions",
    "pattern_rationale": "patterns",
    "constraint_override": "patterns",
    "procedural": "procedures",
    "workflow": "procedures",
    "incident": "incidents",
    "code_smell": "smells",
}


ROWS: Final[dict[Verbosity, int]] = {"brief": 5, "normal": 10, "detailed": 20}


SAYS_CHARS: Final = 240


_ALIKE: Final = frozenset({"__init__", "__main__", "index", "main", "mod", "lib"})


@dataclass(frozen=True, slots=True)
class WhyRow:
    """A memory that bears on the focus: what it says, how far it is believed today, and how it was found."""

    id: str
    type: str
    says: str
    confidence: float
    found_by: str
    stale: str | None = None


@dataclass(frozen=True, slots=True)
class StepRow:
    """One step of a causal chain, from the memory that `of` names."""

    of: str
    id: str
    side: str
    depth: int
    relation: str
    strength: float


@dataclass(frozen=True, slots=True)
class WhyData:
    """What is known of why. Absent fields are not known, or not asked for; `unknown` says which and why."""

    focus: str
    sources: tuple[str, ...]
    narrative: tuple[str, ...] | None = None
    narrative_confidence: float | None = None
    causal_chain: tuple[StepRow, ...] | None = None
    chain_confidence: float | None = None
    tribal_knowledge: tuple[WhyRow, ...] | None = None
    decisions: tuple[WhyRow, ...] | None = None
    pattern_rationales: tuple[WhyRow, ...] | None = None
    procedures: tuple[WhyRow, ...] | None = None
    incidents: tuple[WhyRow, ...] | None = None
    code_smells: tuple[WhyRow, ...] | None = None
    other: tuple[WhyRow, ...] | None = None
    code: CodeRow | None = None
    commits: tuple[CommitRow, ...] | None = None
    unknown: tuple[str, ...] | None = None


class FoundMemory(NamedTuple):
    """A memory that bears on the question, and how it was found."""

    memory: Memory
    by: str


def name_of(file: str) -> str:
    """What people call a file: its name without the ending, or its folder's where all such files are named alike."""
    path = PurePosixPath(file)
    name = path.name.partition(".")[0] or path.name
    return (path.parent.name if name in _ALIKE else name).casefold()


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def says(memory: Memory) -> str:
    """What a memory says in its own words: the field its type is kept for, else its text, else its title."""
    fields = (
        "knowledge",
        "decisionSummary",
        "outcome",
        "rationale",
        "rootCause",
        "context",
        "reason",
        "insight",
    )
    said = next((str(memory.content[name]) for name in fields if memory.content.get(name)), "")
    return " ".join((said or memory.text or memory.title).split())


def sentence(found: FoundMemory) -> str:
    """One memory as a sentence: its title, what it says beyond that, and what it was chosen over."""
    memory = found.memory
    title, said = memory.title.rstrip("."), says(memory)
    beyond = "" if said.casefold().startswith(title.casefold()[:60]) else f": {shorten(said, SAYS_CHARS)}"
    others = [str(one) for one in memory.content.get("alternatives", ())][:3]
    chosen = f" (instead of {', '.join(others)})" if others else ""
    return f"{memory.type} {memory.id}: {title}{beyond.rstrip('.')}{chosen}."
