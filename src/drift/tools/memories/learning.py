"""Learning: from corrections, and from verdicts on what is kept."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from drift.kernel.answer import Answer
from drift.kernel.errors import invalid
from drift.kernel.text import plural, shorten
from drift.memory import CausalEdge
from drift.memory.causes.feedback import FeedbackData, Judged, Reasons, Verdict, confidence_row, judge
from drift.memory.causes.inference import infer_edges
from drift.memory.details import memory_row
from drift.memory.lessons.learning import Correction
from drift.memory.lessons.saving import (
    CalibrationRow,
    Learned,
    LearnedData,
    change_row,
    link_related,
    principle_row,
    save_lesson,
)
from drift.memory.links import causal_rows, cite_files
from drift.registry import Call, Effect, Length, tool
from drift.tools.memories.access import MEMORY, actor_of, counts_of, now_ms, store_of
from drift.tools.memories.lookups import require_memories

_MOST_CODE = 20_000

Ids = Annotated[tuple[str, ...], Length(20), "Ids of memories"]


@dataclass(frozen=True, slots=True)
class LearningContext:
    """Where a correction was made."""

    active_file: str | None = None
    intent: str | None = None
    related_memory_ids: tuple[str, ...] = ()


@tool(
    category="memory",
    title="Learn from a correction",
    tokens=(150, 700),
    scopes=MEMORY,
    is_bridge=True,
    effect=Effect.WRITES,
    is_idempotent=False,
    examples=(
        {
            "original": "requests.get(url)",
            "feedback": "Use httpx instead of requests because handlers are async.",
            "correctedCode": "await client.get(url)",
        },
    ),
)
def drift_memory_learn(
    call: Call,
    original: Annotated[str, Length(_MOST_CODE), "What was written"],
    feedback: Annotated[str, Length(10_240), "What was said of it"],
    corrected_code: Annotated[str | None, Length(_MOST_CODE)] = None,
    context: Annotated[LearningContext | None, "Where it was made"] = None,
) -> Answer[LearnedData]:
    """You were corrected: keep the rule in it. Its category and how sure it is are told; the same rule again is merged."""
    if not feedback.strip():
        raise invalid("feedback", "is empty; say what was wrong and what is right")
    where = context or LearningContext()
    if where.related_memory_ids:
        require_memories(call, where.related_memory_ids)
    cited = cite_files(call.project.root, (where.active_file,) if where.active_file else ())
    store, actor = store_of(call), actor_of(call)
    correction = Correction(original, feedback, corrected_code, next(iter(cited.links), None), where.intent)
    learned = save_lesson(store, correction, actor=actor, now_ms=now_ms(), counts=counts_of(call))
    edges = link_related(store, learned.memory, where.related_memory_ids, actor=actor)
    if learned.is_new:
        inferred = infer_edges(store, learned.memory, counts=counts_of(call))
        store.edges.put(inferred, actor=actor)
        edges = (*edges, *inferred)
    return _learned(call, learned, edges, cited.warnings)


def _learned(
    call: Call, learned: Learned, edges: tuple[CausalEdge, ...], warnings: tuple[str, ...]
) -> Answer[LearnedData]:
    lesson, memory = learned.lesson, learned.memory
    what = "kept" if learned.is_new else "known already, surer now"
    if lesson.principle is None:
        warnings = (
            *warnings,
            "no rule was found in the words or in the change; the feedback is kept as it stands",
        )
    return Answer(
        f"{lesson.category.name}: “{shorten(memory.title, 100)}” {what} as {memory.type}, "
        f"confidence {memory.confidence:.2f}",
        LearnedData(
            memory.id,
            learned.is_new,
            memory.type,
            lesson.category.name,
            lesson.category.reasons,
            CalibrationRow(*(round(one, 2) for one in learned.calibration)),
            memory_row(memory, now_ms=now_ms()),
            lesson.category.share,
            principle_row(learned),
            change_row(learned),
            causal_rows(edges) or None,
            tuple(
                memory_row(one.memory, now_ms=now_ms()) for one in learned.alike if one.memory.id != memory.id
            )
            or None,
            tuple(dict.fromkeys(one.what for one in learned.redacted)) or None,
        ),
        next=(
            call.suggest(
                drift_memory_feedback,
                "if the rule is right",
                memory_id=memory.id,
                action="confirm",
                priority="low",
            ),
        ),
        warnings=warnings,
    )


@tool(
    category="memory",
    title="Judge a memory",
    tokens=(80, 500),
    scopes=MEMORY,
    effect=Effect.WRITES,
    is_idempotent=False,
    examples=({"memoryId": "m_1hf3c8z0kq7w2x9", "action": "confirm"},),
)
def drift_memory_feedback(
    call: Call,
    memory_id: Annotated[str, Length(100)],
    action: Literal["confirm", "reject", "modify"],
    details: Annotated[str, Length(10_240), "Reason; kept as a memory"] = "",
    new_content: Annotated[str | None, Length(200_000), "For modify: the text as it should be"] = None,
    confirms: Ids = (),
    contradicts: Ids = (),
) -> Answer[FeedbackData]:
    """Say whether a memory is right: confirm +.1, reject -.3, modify -.1; half of it to what rests on it."""
    if new_content is not None and action != "modify":
        raise invalid("newContent", f"goes with action modify, not {action}")
    require_memories(call, (memory_id, *confirms, *contradicts))
    changes: dict[str, Any] | None = {"text": new_content} if new_content is not None else None
    judged = judge(
        store_of(call),
        memory_id,
        Verdict(action),
        reasons=Reasons(details, changes, confirms, contradicts),
        actor=actor_of(call),
        now_ms=now_ms(),
    )
    return _judged(call, judged, action)


def _judged(call: Call, judged: Judged, action: str) -> Answer[FeedbackData]:
    own = judged.change
    archived = "; archived, too little is left" if own.is_archived else ""
    return Answer(
        f"{action}: {own.before:.2f} to {own.after:.2f}{archived}; "
        f"{plural(len(judged.effects), 'memory', 'memories')} that rest on it shifted",
        FeedbackData(
            own.memory,
            action,
            round(own.before, 3),
            round(own.after, 3),
            own.is_archived,
            tuple(map(confidence_row, judged.effects)),
            judged.note.id if judged.note else None,
            causal_rows(judged.edges) or None,
        ),
        next=(call.suggest("drift_memory_get", "see it as it is now", id=own.memory, priority="low"),),
    )
