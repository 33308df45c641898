"""Nine types of memory with actions of their own: agents, entities, goals, workflows, incidents and others."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from drift.kernel.answer import Answer
from drift.memory.typed.finding import TypedData
from drift.registry import Call, Effect, Length, Page, tool
from drift.tools.memories.access import MEMORY
from drift.tools.memories.typed_answers import SORTS, run_action

MemoryId = Annotated[str | None, Length(100)]
Words = Annotated[str | None, "Words to find, or the task at hand"]
Fields = Annotated[dict[str, Any] | None, "Content to set; a wrong name is answered with the right ones"]


def _typed_tool(title: str, *examples: Mapping[str, Any]) -> Callable[[Any], Any]:
    return tool(
        category="memory",
        title=title,
        tokens=(60, 1500),
        effect=Effect.WRITES,
        is_idempotent=False,
        scopes=MEMORY,
        examples=examples,
    )


@_typed_tool("Agents to start again", {"action": "suggest", "query": "review the payment code"})
def drift_memory_agent_spawn(
    call: Call,
    action: Literal[
        "create", "get", "list", "search", "relevant", "update", "suggest", "update_stats"
    ] = "list",
    id: MemoryId = None,  # noqa: A002 - the word on the wire
    *,
    query: Words = None,
    fields: Fields = None,
    page: Page = Page(limit=20, sorts=SORTS),
) -> Answer[TypedData]:
    """Agents worth starting again: prompt, tools, triggers; update_stats {success, durationMs}."""
    return run_action(call, "agent_spawn", action, memory_id=id, query=query, fields=fields, page=page)


@_typed_tool("Entities", {"action": "create", "fields": {"name": "Billing", "entityType": "service"}})
def drift_memory_entity(
    call: Call,
    action: Literal["create", "get", "list", "search", "relevant", "update", "link"] = "list",
    id: MemoryId = None,  # noqa: A002 - the word on the wire
    *,
    query: Words = None,
    fields: Fields = None,
    page: Page = Page(limit=20, sorts=SORTS),
) -> Answer[TypedData]:
    """Services, teams, products and how they relate; link {targetEntityId, relationshipType}."""
    return run_action(call, "entity", action, memory_id=id, query=query, fields=fields, page=page)


@_typed_tool(
    "Goals", {"action": "create", "fields": {"title": "Drop Python 3.10", "targetDate": "2026-09-01"}}
)
def drift_memory_goal(
    call: Call,
    action: Literal[
        "create", "get", "list", "search", "relevant", "update", "complete", "block", "unblock", "tree"
    ] = "list",
    id: MemoryId = None,  # noqa: A002 - the word on the wire
    *,
    query: Words = None,
    fields: Fields = None,
    page: Page = Page(limit=20, sorts=SORTS),
) -> Answer[TypedData]:
    """Goals and how far they are; block {description, severity}, unblock {index, resolution}, complete {lessonsLearned}."""
    return run_action(call, "goal", action, memory_id=id, query=query, fields=fields, page=page)


@_typed_tool("Workflows", {"action": "search", "query": "cut a release"})
def drift_memory_workflow(
    call: Call,
    action: Literal["create", "get", "list", "search", "relevant", "update", "execute", "complete"] = "list",
    id: MemoryId = None,  # noqa: A002 - the word on the wire
    *,
    query: Words = None,
    fields: Fields = None,
    page: Page = Page(limit=20, sorts=SORTS),
) -> Answer[TypedData]:
    """Steps done again and again; execute gives them in order, complete {success, durationMs} counts how it went."""
    return run_action(call, "workflow", action, memory_id=id, query=query, fields=fields, page=page)


@_typed_tool("Incidents", {"action": "warnings", "query": "change the retry of payments"})
def drift_memory_incident(
    call: Call,
    action: Literal[
        "record", "get", "list", "search", "relevant", "update", "warnings", "resolve", "add_lesson"
    ] = "list",
    id: MemoryId = None,  # noqa: A002 - the word on the wire
    *,
    query: Words = None,
    fields: Fields = None,
    page: Page = Page(limit=20, sorts=SORTS),
) -> Answer[TypedData]:
    """What went wrong before, critical first; warnings for a task, resolve {resolution, rootCause}, add_lesson {lesson}."""
    return run_action(call, "incident", action, memory_id=id, query=query, fields=fields, page=page)


@_typed_tool("Meetings", {"action": "record", "fields": {"title": "Planning", "decisions": ["Ship weekly"]}})
def drift_memory_meeting(
    call: Call,
    action: Literal["record", "get", "list", "search", "relevant", "update", "update_action"] = "list",
    id: MemoryId = None,  # noqa: A002 - the word on the wire
    *,
    query: Words = None,
    fields: Fields = None,
    page: Page = Page(limit=20, sorts=SORTS),
) -> Answer[TypedData]:
    """What meetings decided and gave to whom; update_action {index, status}."""
    return run_action(call, "meeting", action, memory_id=id, query=query, fields=fields, page=page)


@_typed_tool("Skills", {"action": "relevant", "query": "tune a SQLite query"})
def drift_memory_skill(
    call: Call,
    action: Literal["create", "get", "list", "search", "relevant", "update", "add_resource"] = "list",
    id: MemoryId = None,  # noqa: A002 - the word on the wire
    *,
    query: Words = None,
    fields: Fields = None,
    page: Page = Page(limit=20, sorts=SORTS),
) -> Answer[TypedData]:
    """Skills with principles, gotchas and what to learn next; add_resource {title, url, kind}."""
    return run_action(call, "skill", action, memory_id=id, query=query, fields=fields, page=page)


@_typed_tool("Conversations", {"action": "search", "query": "pricing"})
def drift_memory_conversation(
    call: Call,
    action: Literal["record", "get", "list", "search", "relevant", "update", "update_action"] = "list",
    id: MemoryId = None,  # noqa: A002 - the word on the wire
    *,
    query: Words = None,
    fields: Fields = None,
    page: Page = Page(limit=20, sorts=SORTS),
) -> Answer[TypedData]:
    """What conversations were about and left open; update_action {index, status}."""
    return run_action(call, "conversation", action, memory_id=id, query=query, fields=fields, page=page)


@_typed_tool("Environments", {"action": "check_health", "id": "m_1hf3c8z0kq7e5v1"})
def drift_memory_environment(
    call: Call,
    action: Literal["create", "get", "list", "search", "relevant", "update", "check_health"] = "list",
    id: MemoryId = None,  # noqa: A002 - the word on the wire
    *,
    query: Words = None,
    fields: Fields = None,
    page: Page = Page(limit=20, sorts=SORTS),
) -> Answer[TypedData]:
    """Where the software runs and how to get there; credentials by location only; check_health asks loopback endpoints."""
    return run_action(call, "environment", action, memory_id=id, query=query, fields=fields, page=page)
