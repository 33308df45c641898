"""Whether memories still hold: checked against the files they cite, against time, and against each other."""

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Annotated, Literal

from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import DriftError
from drift.kernel.text import plural, shorten
from drift.memory import LinkKind, Memory
from drift.memory.truth.sweep import sweep
from drift.memory.truth.validation import LinkLookup
from drift.memory.truth.validation_run import Examined, Scope, Treatment, examine, is_in_scope
from drift.registry import Call, Effect, Length, Page, Range, page_info, page_position, tool
from drift.tools.memories.access import MEMORY, actor_of, now_ms, store_of
from drift.tools.memories.lookups import require_memories
from drift.tools.targets import opened_index

_EXAMINED_AT_ONCE = 500
_MOST_EVIDENCE = 4
_EVIDENCE_CHARS = 160
_TITLE_CHARS = 70


@dataclass(frozen=True, slots=True)
class ValidationRow:
    """A memory that is not wholly sound, or to which something was done.

    `score` is the mean of what could be checked, `confidence` what is left of it today.
    """

    id: str
    type: str
    title: str
    verdict: str
    score: float
    confidence: float
    evidence: tuple[str, ...]
    actions: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ValidateData:
    """How many memories have which verdict, and those that are not sound.

    `stale` are half faded or more, `removed` archived; contradictions were looked for among `compared`.
    """

    examined: int = 0
    valid: int = 0
    flagged: int = 0
    adjust: int = 0
    review: int = 0
    archive: int = 0
    stale: int = 0
    healed: int = 0
    removed: int = 0
    compared: int = 0
    rows: tuple[ValidationRow, ...] = ()


@tool(
    category="memory",
    title="Validate memories",
    tokens=(150, 1500),
    effect=Effect.WRITES,
    scopes=MEMORY,
    examples=({}, {"scope": "stale", "autoHeal": True}),
)
def drift_memory_validate(
    call: Call,
    scope: Literal["all", "stale", "recent", "high_importance"] = "all",
    ids: Annotated[tuple[str, ...], Length(100), "Only these"] = (),
    auto_heal: Annotated[bool, "Mend moved citations, lower what is contradicted"] = False,
    remove_invalid: Annotated[bool, "Archive what does not hold any more"] = False,
    min_confidence_threshold: Annotated[float, Range(0, 1)] = 0.2,
    page: Page = Page(limit=20),
) -> Answer[ValidateData]:
    """Whether memories still hold: cited files and lines, renames, age, contradictions, links; with evidence."""
    store = store_of(call)
    if ids:
        require_memories(call, ids)
    if not store.is_present:
        return Answer(
            "Nothing has been saved in this project yet, so there is nothing to check", ValidateData()
        )

    swept, at_ms = sweep(store), now_ms()
    chosen = [
        one
        for one in swept.memories
        if one.id in ids or (not ids and is_in_scope(one, Scope(scope), now_ms=at_ms))
    ]
    rest = _after(chosen, page_position(call, page))
    treatment = Treatment(actor_of(call), auto_heal, remove_invalid, min_confidence_threshold)
    seen: list[Examined] = []
    with ExitStack() as stack:
        for one in examine(
            store,
            rest[:_EXAMINED_AT_ONCE],
            among=swept.memories,
            root=call.project.root,
            look_up=_link_lookup(call, stack),
            treatment=treatment,
            now_ms=at_ms,
        ):
            call.check_cancelled()
            seen.append(one)
            if sum(each.is_remarkable for each in seen) == page.limit:
                break
    data = _count(seen, len(swept.memories))
    last = seen[-1].checked.memory if len(seen) < len(rest) else None
    return Answer(
        f"{plural(data.examined, 'memory', 'memories')} checked: {data.valid} valid, {data.flagged} flagged, "
        f"{data.adjust + data.review} doubtful, {data.archive} lost; {data.healed} healed, {data.removed} archived",
        data,
        pagination=page_info(
            call, page, total=len(chosen), last_key=[last.recorded_at_ms, last.id] if last else None
        ),
        next=_suggest(call, seen, data, scope=scope),
        warnings=(f"only the newest {len(swept.memories):,} memories were looked at",)
        if swept.is_cut
        else (),
    )


def _after(memories: list[Memory], position: list[int | str] | None) -> list[Memory]:
    if position is None:
        return memories
    recorded_at_ms, last_id = position
    ids = [one.id for one in memories]
    if last_id in ids:
        return memories[ids.index(str(last_id)) + 1 :]
    # It was archived since: those recorded at the same moment are looked at once more.
    return [one for one in memories if one.recorded_at_ms <= int(recorded_at_ms)]


def _link_lookup(call: Call, stack: ExitStack) -> LinkLookup:
    """Looks functions up in the index, where there is one; of patterns and constraints nothing can be said."""
    try:
        reader = stack.enter_context(opened_index(call))
    except DriftError:  # without an index nothing can be said of functions either
        return lambda _kind, _name: None

    def look_up(kind: LinkKind, name: str) -> bool | None:
        if kind is not LinkKind.FUNCTION:
            return None
        return bool(reader.symbols.named(name.replace("::", ".").rpartition(".")[2], limit=1))

    return look_up


def _count(seen: list[Examined], compared: int) -> ValidateData:
    def count(verdict: str) -> int:
        return sum(one.checked.verdict == verdict for one in seen)

    done = [one.done for one in seen if one.done and one.done.actions]
    removed = sum(one.is_archived for one in done)
    return ValidateData(
        examined=len(seen),
        valid=count("valid"),
        flagged=count("flagged"),
        adjust=count("adjust"),
        review=count("review"),
        archive=count("archive"),
        stale=sum(one.is_stale for one in seen),
        healed=len(done) - removed,
        removed=removed,
        compared=compared,
        rows=tuple(_row(one) for one in seen if one.is_remarkable),
    )


def _row(seen: Examined) -> ValidationRow:
    checked = seen.checked
    doubts = (one for one in checked.findings if one.score is not None and one.score < 1)
    moved = (one.evidence for one in checked.citations if one.now is not None)
    told = dict.fromkeys([text for one in doubts for text in one.evidence] + list(moved))
    return ValidationRow(
        checked.memory.id,
        checked.memory.type,
        shorten(checked.memory.title, _TITLE_CHARS),
        str(checked.verdict),
        round(checked.score, 2),
        round(checked.confidence, 2),
        tuple(shorten(one, _EVIDENCE_CHARS) for one in list(told)[:_MOST_EVIDENCE]),
        seen.done.actions if seen.done and seen.done.actions else None,
    )


def _suggest(call: Call, seen: list[Examined], data: ValidateData, *, scope: str) -> tuple[NextAction, ...]:
    suggested = []
    is_movable = any(each.now is not None for one in seen for each in one.checked.citations)
    if is_movable and not data.healed:
        suggested.append(
            call.suggest(
                "drift_memory_validate", "mend the citations that moved", scope=scope, auto_heal=True
            )
        )
    if any(one.checked.contradictions for one in seen):
        suggested.append(call.suggest("drift_memory_contradictions", "see which sentences are opposed"))
    return tuple(suggested)
