"""The nine types with a tool of their own: what each is called, and what can be done with one.

The table below is all that differs between them; the actions are functions over any of them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.redaction import Finding, redact
from drift.kernel.similar import similar_names
from drift.memory.records import Draft, Memory
from drift.memory.saving import Saved, clean_draft, save
from drift.memory.search import WordCounts
from drift.memory.store import MemoryStore
from drift.memory.types import memory_type

FINDING: Final = ("get", "list", "search", "relevant")


@dataclass(frozen=True, slots=True)
class TypedKind:
    """One of the nine: the field that names it, its first action, and those it has beside the common ones."""

    type: str
    named_by: str
    making: str
    own_actions: tuple[str, ...] = ()
    triggers: str | None = None
    """The field with phrases that call for it."""
    refuses_secrets: bool = False

    @property
    def actions(self) -> tuple[str, ...]:
        return (self.making, *FINDING, "update", *self.own_actions)


KINDS: Final[Mapping[str, TypedKind]] = {
    kind.type: kind
    for kind in (
        TypedKind("agent_spawn", "name", "create", ("suggest", "update_stats"), triggers="triggerPatterns"),
        TypedKind("entity", "name", "create", ("link",)),
        TypedKind("goal", "title", "create", ("complete", "block", "unblock", "tree")),
        TypedKind("workflow", "name", "create", ("execute", "complete"), triggers="triggerPhrases"),
        TypedKind(
            "incident", "title", "record", ("warnings", "resolve", "add_lesson"), triggers="warningTriggers"
        ),
        TypedKind("meeting", "title", "record", ("update_action",)),
        TypedKind("skill", "name", "create", ("add_resource",)),
        TypedKind("conversation", "title", "record", ("update_action",)),
        TypedKind("environment", "name", "create", ("check_health",), refuses_secrets=True),
    )
}


def make_typed(
    store: MemoryStore,
    kind: TypedKind,
    fields: Mapping[str, Any],
    *,
    actor: str,
    counts: WordCounts | None = None,
) -> Saved:
    """Keep a new one. Its naming field must be there. Raises INVALID_ARGUMENT naming what is wrong."""
    name = fields.get(kind.named_by)
    if not isinstance(name, str) or not name.strip():
        raise invalid(
            f"fields.{kind.named_by}",
            "is missing",
            hint=f"Fields: {', '.join(memory_type(kind.type).fields)}.",
        )
    draft = Draft(type=kind.type, title=redact(name).text.strip()[:300], content=dict(fields), source="typed")
    _refuse_secrets(kind, draft)
    return save(store, draft, actor=actor, counts=counts)


def set_fields(
    store: MemoryStore, kind: TypedKind, memory: Memory, fields: Mapping[str, Any], *, actor: str
) -> Memory:
    """The memory with some fields set; None empties one. Secrets are taken out, or refused where the type says so."""
    content = {name: value for name, value in {**memory.content, **fields}.items() if value is not None}
    name = content.get(kind.named_by)
    title = redact(name).text.strip()[:300] if isinstance(name, str) and name.strip() else memory.title
    draft = Draft(type=kind.type, title=title, content=content)
    _refuse_secrets(kind, draft)
    clean, _findings = clean_draft(draft)
    return store.update(memory.id, {"content": dict(clean.content), "title": clean.title}, actor=actor)


def require_typed(store: MemoryStore, kind: TypedKind, memory_id: str | None) -> Memory:
    """The memory of this id and type. Raises MISSING_REQUIRED_PARAM or RESOURCE_NOT_FOUND."""
    if not memory_id:
        raise DriftError(
            ErrorCode.MISSING_REQUIRED_PARAM,
            "id: this action needs one",
            Recovery(hint="action=list shows the ids."),
        )
    memory = store.get(memory_id)
    if memory.type != kind.type:
        raise DriftError(
            ErrorCode.RESOURCE_NOT_FOUND,
            f"{memory_id} is a memory of type {memory.type}, not {kind.type}",
            Recovery(hint=f"drift_memory_{memory.type} with action=get shows it.")
            if memory.type in KINDS
            else Recovery(hint="drift_memory_get shows it."),
        )
    return memory


def check_action(kind: TypedKind, action: str) -> None:
    """Raise INVALID_ARGUMENT with the actions of the type unless it has this one."""
    if action not in kind.actions:
        raise invalid(
            "action",
            f"{kind.type} has no {action[:40]!r}",
            hint=f"Actions: {', '.join(kind.actions)}.",
            similar=similar_names(action, kind.actions),
        )


def _refuse_secrets(kind: TypedKind, draft: Draft) -> None:
    if not kind.refuses_secrets:
        return
    found = [*clean_draft(draft)[1], *_named_values(dict(draft.content))]
    secrets = sorted({finding.what for finding in found if finding.kind == "secret"})
    if secrets:
        raise invalid(
            "fields",
            f"holds what looks like a secret ({', '.join(secrets)}); nothing was kept",
            hint="Say where the credential lies, such as credentials=[{type, location: 'vault: db/prod'}].",
        )


def _named_values(value: Any) -> Iterator[Finding]:
    """What is a secret by the name of its field, such as a password that is a plain word."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from redact(f'{name}="{one}"').findings if isinstance(one, str) else _named_values(one)
    elif isinstance(value, list):
        for one in value:
            yield from _named_values(one)
