"""Change what a memory says. Nothing is lost by it: the history keeps how it was."""

from dataclasses import replace
from typing import Annotated, Any, NamedTuple

from drift.kernel.answer import Answer
from drift.kernel.errors import invalid
from drift.kernel.redaction import redact
from drift.memory.dates import read_time
from drift.memory.details import UpdatedData, memory_row, redacted_rows, saving_warnings
from drift.memory.links import cite_files
from drift.memory.saving import clean_draft, retitle
from drift.registry import Call, Effect, Length, Range, tool
from drift.tools.memories.access import MEMORY, actor_of, now_ms, store_of
from drift.tools.memories.core import MOST_TEXT, Files, ImportanceName, Names
from drift.tools.memories.lookups import call_holding, require_memories
from drift.tools.memories.personal import refuse_links, scope_of


@tool(
    category="memory",
    title="Change a memory",
    tokens=(60, 300),
    scopes=MEMORY,
    effect=Effect.WRITES,
    examples=({"id": "m_1hf3c8z0kq7w2x9", "importance": "high", "tags": ["payments"]},),
)
def drift_memory_update(
    call: Call,
    id: Annotated[str, Length(100)],  # noqa: A002 - the word agents use
    *,
    title: Annotated[str | None, Length(300)] = None,
    text: Annotated[str | None, Length(MOST_TEXT)] = None,
    content: Annotated[dict[str, Any] | None, "Takes the place of the whole content"] = None,
    importance: ImportanceName | None = None,
    confidence: Annotated[float | None, Range(0, 1)] = None,
    tags: Names | None = None,
    linked_files: Files | None = None,
    linked_functions: Names | None = None,
    linked_patterns: Names | None = None,
    linked_constraints: Names | None = None,
    valid_from: str | None = None,
    valid_until: str | None = None,
    archived: Annotated[bool | None, "Take out of what is recalled, or put back"] = None,
    reason: Annotated[str, Length(1000), "Why it is archived"] = "archived by request",
    unchanged_since: Annotated[
        str | None, "`updated`, else `recorded`, as read: refused if changed since"
    ] = None,
) -> Answer[UpdatedData]:
    """Set fields of a memory; lists take the place of the old ones. The change stays in its history."""
    home = call_holding(call, id)
    require_memories(home, [id])
    if scope_of(home):
        refuse_links(linked_files, linked_functions, linked_patterns, linked_constraints)
    cited = cite_files(call.project.root, linked_files or ())
    given = {
        "title": title,
        "text": text,
        "content": content,
        "importance": importance,
        "confidence": confidence,
        "tags": tags,
        "files": cited.links if linked_files is not None else None,
        "functions": linked_functions,
        "patterns": linked_patterns,
        "constraints": linked_constraints,
        "valid_from_ms": read_time(valid_from, "validFrom"),
        "valid_until_ms": read_time(valid_until, "validUntil", is_end=True),
    }
    changes = {name: value for name, value in given.items() if value is not None}
    if not changes and archived is None:
        raise invalid("updates", "there is nothing to set; name at least one field")
    return _change(home, id, changes, _Terms(archived, reason, unchanged_since), warnings=cited.warnings)


class _Terms(NamedTuple):
    """Whether a memory is archived as well, and up to when its caller knows it."""

    archived: bool | None
    reason: str
    unchanged_since: str | None

    @property
    def unchanged_since_ms(self) -> int | None:
        # Times are told to the second, and mean all of it.
        known = read_time(self.unchanged_since, "unchangedSince")
        return None if known is None else known // 1000 * 1000 + 999


def _change(
    call: Call, memory_id: str, changes: dict[str, Any], terms: _Terms, *, warnings: tuple[str, ...]
) -> Answer[UpdatedData]:
    store, actor = store_of(call), actor_of(call)
    known_ms, archived = terms.unchanged_since_ms, terms.archived
    with store.transaction():
        before = memory = store.get(memory_id)
        changes = retitle(before, changes)
        clean, findings = clean_draft(replace(before, **changes))
        if changes:
            cleaned = {name: getattr(clean, name) for name in changes}
            memory = store.update(memory_id, cleaned, actor=actor, unchanged_since_ms=known_ms)
        if archived is not None:
            (memory,) = (
                store.archive([memory_id], reason=redact(terms.reason).text, actor=actor)
                if archived
                else store.unarchive([memory_id], actor=actor)
            )
    changed = [name for name in changes if getattr(before, name) != getattr(memory, name)]
    if before.archived != memory.archived:
        changed.append("archived")
    redacted = redacted_rows(findings)
    return Answer(
        f"{memory_id}: {', '.join(changed)} set" if changed else f"{memory_id} was so already",
        UpdatedData(memory_id, tuple(changed), memory_row(memory, now_ms=now_ms()), redacted),
        warnings=(*warnings, *saving_warnings(redacted, None)),
    )
