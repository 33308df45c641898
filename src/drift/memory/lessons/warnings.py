"""What to beware of before touching something: tribal knowledge, incidents and smells that bear on it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

from drift.kernel.text import shorten
from drift.memory.content import texts_in
from drift.memory.decay import current_confidence
from drift.memory.records import Importance, Memory
from drift.memory.search import Setting, Wanted, WordCounts, search
from drift.memory.storage.listing import MOST_LISTED, Listing
from drift.memory.store import MemoryStore
from drift.memory.truth.staleness import SHARE_LEFT


@dataclass(frozen=True, slots=True)
class WarningRow:
    """A memory to heed. `because` says what makes it bear on the question.

    `stale` says what changed of the code it cites.
    """

    id: str
    severity: str
    type: str
    title: str
    says: str
    because: tuple[str, ...]
    confidence: float
    stale: str | None = None


@dataclass(frozen=True, slots=True)
class WarningsData:
    """The gravest first."""

    warnings: tuple[WarningRow, ...]
    total: int


TYPES: Final = ("tribal", "incident", "code_smell")
_MOST_SEARCHED: Final = 50
_LEAST_WORDS: Final = 2
_LONGEST_FOCUS: Final = 10_240


class Severity(IntEnum):
    """How grave a warning is; the gravest is the smallest, so that sorting puts it first."""

    CRITICAL = 0
    HIGH = 1
    WARNING = 2
    INFO = 3


_SAID: Final = {
    "critical": Severity.CRITICAL,
    "high": Severity.HIGH,
    "warning": Severity.WARNING,
    "medium": Severity.WARNING,
    "info": Severity.INFO,
    "low": Severity.INFO,
}
_BY_IMPORTANCE: Final = {
    Importance.CRITICAL: Severity.CRITICAL,
    Importance.HIGH: Severity.HIGH,
    Importance.NORMAL: Severity.WARNING,
    Importance.LOW: Severity.INFO,
}


class Warned(NamedTuple):
    """A memory to heed, how grave it is, why it bears on the question, and what it says."""

    memory: Memory
    severity: Severity
    because: tuple[str, ...]
    says: str


class Warnings(NamedTuple):
    """The warnings, gravest first; `is_cut` where there were too many memories to look at all."""

    found: tuple[Warned, ...]
    is_cut: bool


def severity_of(memory: Memory) -> Severity:
    """How grave a memory is: as it says itself, else by its importance."""
    said = memory.content.get("severity")
    return _SAID.get(str(said), _BY_IMPORTANCE[memory.importance])


def find_warnings(
    store: MemoryStore,
    *,
    focus: str = "",
    files: Sequence[str] = (),
    now_ms: int,
    counts: WordCounts | None = None,
) -> Warnings:
    """The warnings that bear on a task or on files; without either, all there are."""
    if not focus.strip() and not files:
        page = store.list(Listing(types=TYPES), limit=MOST_LISTED)
        return Warnings(_order(_all(page.memories)), page.next_after is not None)
    because: dict[str, list[str]] = {}
    known: dict[str, Memory] = {}
    for memory, reason in (*_of_files(store, files), *_of_focus(store, focus, files, now_ms, counts)):
        known[memory.id] = memory
        because.setdefault(memory.id, []).append(reason)
    found = (
        Warned(known[one], severity_of(known[one]), tuple(dict.fromkeys(reasons)), _says(known[one]))
        for one, reasons in because.items()
    )
    return Warnings(_order(found), is_cut=False)


def _all(memories: Iterable[Memory]) -> Iterable[Warned]:
    return (Warned(one, severity_of(one), ("no focus given",), _says(one)) for one in memories)


def _order(found: Iterable[Warned]) -> tuple[Warned, ...]:
    return tuple(sorted(found, key=lambda one: (one.severity, -one.memory.recorded_at_ms, one.memory.id)))


def _of_files(store: MemoryStore, files: Sequence[str]) -> list[tuple[Memory, str]]:
    return [
        (memory, f"is about {path}")
        for path in dict.fromkeys(files)
        for memory in store.list(Listing(types=TYPES, file=path), limit=_MOST_SEARCHED).memories
    ]


def _of_focus(
    store: MemoryStore, focus: str, files: Sequence[str], now_ms: int, counts: WordCounts | None
) -> list[tuple[Memory, str]]:
    if not focus.strip():
        return []
    setting = Setting(now_ms, files=tuple(files))
    with store.reading() as connection:
        found = search(
            connection,
            counts or WordCounts(),
            focus,
            setting=setting,
            wanted=Wanted(types=TYPES),
            limit=_MOST_SEARCHED,
        )
    memories = store.get_many(hit.row.id for hit in found.hits)
    lowered = focus[:_LONGEST_FOCUS].lower()
    asked = len({word for hit in found.hits for word in hit.words})
    rows: list[tuple[Memory, str]] = []
    for hit in found.hits:
        memory = memories[hit.row.id]
        rows += [
            (memory, f"its trigger “{one}” is in the focus")
            for one in _triggers(memory)
            if one.lower() in lowered
        ]
        # One word of many is chance.
        if len(hit.words) >= min(_LEAST_WORDS, asked):
            rows.append((memory, f"shares {', '.join(hit.words[:4])}"))
    return rows


def _triggers(memory: Memory) -> list[str]:
    return [one for one in texts_in(memory.content.get("warningTriggers", ())) if one.strip()]


def _says(memory: Memory) -> str:
    """The line that warns: what is said to beware of, else what was learned, else what it is about."""
    for name in ("warnings", "lessonsLearned", "knowledge", "suggestion", "rootCause"):
        said = next((one for one in texts_in(memory.content.get(name, ())) if one.strip()), None)
        if said:
            return said
    return memory.text or memory.title


def warning_row(one: Warned, *, now_ms: int, stale: str | None = None) -> WarningRow:
    """A warning as an answer shows it; `stale` is what changed of its code."""
    left = current_confidence(one.memory, now_ms=now_ms) * (1.0 if stale is None else SHARE_LEFT)
    return WarningRow(
        one.memory.id,
        one.severity.name.lower(),
        one.memory.type,
        shorten(one.memory.title, 100),
        shorten(" ".join(one.says.split()), 200),
        one.because[:3],
        round(left, 2),
        stale,
    )
