"""What carries work from one session to the next: the brief, debug paths, threads laid aside, documents."""

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural, shorten
from drift.kernel.tokens import count_tokens
from drift.memory import MemoryStore
from drift.memory.branches import view_branches
from drift.memory.details import MemoryRow, memory_row
from drift.memory.transfer.ingest import MOST_FILES, IngestData, SkippedRow, ingest_documents
from drift.memory.work import debug_paths, stash
from drift.memory.work.brief import make_brief, recall_for_file
from drift.memory.work.debug_paths import PathData, PathRow, path_row, say_state
from drift.memory.work.prompting import recall_for_prompt
from drift.memory.work.stash import StashData, thread_row
from drift.registry import Call, Effect, Length, ProjectFile, Range, tool
from drift.tools.memories.access import MEMORY, actor_of, counts_of, now_ms, session_of, store_of
from drift.tools.memories.lookups import readable_calls

_MOST_SKIPPED_TOLD: Final = 10


@dataclass(frozen=True, slots=True)
class BriefData:
    """What would be told: at a start or for a prompt as text, of a file as rows."""

    text: str | None = None
    memories: tuple[MemoryRow, ...] = ()
    paths: tuple[PathRow, ...] = ()


@tool(
    category="memory",
    title="Debug paths",
    tokens=(60, 1200),
    effect=Effect.WRITES,
    is_idempotent=False,
    scopes=MEMORY,
    examples=(
        {"action": "recall", "text": "KeyError: 'discount' in cart.total"},
        {"action": "note", "id": "m_1hf3c8z0kq7w2x9", "waypoint": "failure", "text": "raised the timeout"},
    ),
)
def drift_memory_path(
    call: Call,
    action: Literal["start", "note", "resolve", "show", "list", "recall"] = "list",
    text: Annotated[str | None, "The error; what was tried; what solved it"] = None,
    *,
    id: Annotated[str | None, Length(100)] = None,  # noqa: A002 - the word on the wire
    waypoint: Literal["error", "attempt", "failure", "success", "discovery"] = "attempt",
    files: Annotated[tuple[ProjectFile, ...], Length(20)] = (),
) -> Answer[PathData]:
    """Was this error solved before, and how. recall tells; start, note and resolve follow a new one."""
    store = store_of(call)
    if action != "start" and not store.is_present:
        return Answer("No memories yet, so no error was followed before", PathData())
    match action:
        case "start":
            return _start_path(call, _needed(text, "text"), files)
        case "note":
            step = debug_paths.Waypoint(waypoint)
            path = debug_paths.add_waypoint(
                store,
                _needed(id, "id"),
                waypoint=step,
                text=_needed(text, "text"),
                actor=actor_of(call),
                files=files,
            )
            return Answer(f"Noted as step {len(path.steps)}", PathData(path_row(path)))
        case "resolve":
            path = debug_paths.resolve_path(
                store, _needed(id, "id"), resolution=_needed(text, "text"), actor=actor_of(call)
            )
            return Answer(f"Resolved after {plural(len(path.steps), 'step')}", PathData(path_row(path)))
        case "show":
            path = debug_paths.read_path(debug_paths.require_path(store, _needed(id, "id")))
            store.touch([path.id])
            return Answer(say_state(path), PathData(path_row(path, with_steps=True)))
        case "recall":
            return _recall_paths(call, _needed(text, "text"))
        case "list":
            rows = tuple(path_row(path) for path in debug_paths.list_paths(store))
            still = sum(row.open for row in rows)
            return Answer(f"{plural(len(rows), 'debug path')}, {still} open", PathData(paths=rows))


@tool(
    category="memory",
    title="Preview of what hooks tell",
    tokens=(60, 1600),
    scopes=MEMORY,
    ttl=0,
    examples=({}, {"file": "shop/cart.py"}, {"prompt": "retry payments that timed out"}),
)
def drift_memory_brief(
    call: Call,
    file: Annotated[ProjectFile | None, "About to be edited: what was learned and what failed there"] = None,
    prompt: Annotated[str | None, "What a hook would add to it; mostly nothing"] = None,
    *,
    max_chars: Annotated[int, Range(200, 6000)] = 6000,
) -> Answer[BriefData]:
    """What hooks would tell now: of the last session, warnings, open errors, decisions; or of a file or a prompt."""
    if prompt is not None:
        return _for_prompt(call, prompt)
    return _for_start(call, max_chars) if file is None else _for_file(call, file)


def _for_prompt(call: Call, prompt: str) -> Answer[BriefData]:
    found = recall_for_prompt(store_of(call), prompt, root=call.project.root, now_ms=now_ms())
    if not found.ids:
        return Answer("Nothing would be added to this prompt", BriefData())
    told, cost = plural(len(found.ids), "memory", "memories"), plural(count_tokens(found.text), "token")
    return Answer(f"{told} would be added to this prompt, {cost}", BriefData(found.text))


def _for_file(call: Call, file: str) -> Answer[BriefData]:
    """What was learned of a file; nothing of the person, since a file is the project's."""
    store, now = store_of(call), now_ms()
    if not store.is_present:
        return Answer("No memories yet", BriefData())
    recall = recall_for_file(store, file, now_ms=now, hidden=view_branches(store, call.project.root).hidden)
    store.touch(one.id for one in recall.learned)
    rows = tuple(memory_row(one, now_ms=now) for one in recall.learned)
    paths = tuple(path_row(path) for path in recall.paths)
    said = f"{plural(len(rows), 'memory', 'memories')} and {plural(len(paths), 'debug path')} for {file}"
    return Answer(said, BriefData(memories=rows, paths=paths))


def _for_start(call: Call, max_chars: int) -> Answer[BriefData]:
    store = store_of(call)
    personal, troubles = _personal_store(call)
    if not store.is_present and personal is None:
        return Answer("No memories yet", BriefData(), warnings=troubles)
    hidden = view_branches(store, call.project.root).hidden
    brief = make_brief(store, now_ms=now_ms(), most_chars=max_chars, personal=personal, hidden=hidden)
    if not brief.text:
        return Answer("Nothing is worth a brief yet", BriefData(), warnings=troubles)
    left = f"; {brief.left_out} more did not fit" if brief.left_out else ""
    said = f"Brief with {plural(len(brief.ids), 'memory', 'memories')}{left}"
    return Answer(said, BriefData(brief.text), warnings=troubles)


def _personal_store(call: Call) -> tuple[MemoryStore | None, tuple[str, ...]]:
    readable, troubles = readable_calls(call)
    personal = next((one for one in readable if one.project.root != call.project.root), None)
    return store_of(personal) if personal else None, troubles


@tool(
    category="memory",
    title="Lay work aside and take it up",
    tokens=(60, 1200),
    effect=Effect.WRITES,
    is_idempotent=False,
    scopes=MEMORY,
    examples=(
        {
            "action": "stash",
            "topic": "Retry of payments",
            "summary": "Key is kept; tests missing",
            "next": ["tests"],
        },
        {"action": "resume", "topic": "Retry of payments"},
    ),
)
def drift_memory_stash(
    call: Call,
    action: Literal["stash", "resume", "list"] = "list",
    topic: Annotated[str | None, Length(300), "resume: or an id; the newest if left out"] = None,
    *,
    summary: Annotated[str | None, "Where it stands"] = None,
    next: Annotated[tuple[str, ...], Length(20), "What comes next"] = (),  # noqa: A002 - the word on the wire
    files: Annotated[tuple[ProjectFile, ...], Length(50)] = (),
    session_id: Annotated[str | None, Length(100)] = None,
) -> Answer[StashData]:
    """Lay a thread of work aside with where it stands and what was learned in it; take it up again later."""
    store = store_of(call)
    if action == "stash":
        thread = stash.stash_thread(
            store,
            topic=_needed(topic, "topic"),
            summary=_needed(summary, "summary"),
            actor=actor_of(call),
            next_steps=next,
            files=files,
            session=session_of(call, session_id),
        )
        resume = call.suggest(drift_memory_stash, "take it up again", action="resume", topic=thread.id)
        return Answer(f"Laid aside as {thread.id}", StashData((thread_row(thread),)), next=(resume,))
    if not store.is_present:
        return Answer("No memories yet, so nothing is laid aside", StashData(()))
    if action == "resume":
        thread = stash.resume_thread(store, topic, actor=actor_of(call))
        shown = tuple(
            NextAction("drift_memory_get", {"id": one}, "learned in it", "low") for one in thread.learned[:2]
        )
        return Answer(
            f"Taken up: {thread.topic}", StashData((thread_row(thread, is_whole=True),)), next=shown
        )
    rows = tuple(thread_row(thread) for thread in stash.list_threads(store))
    return Answer(f"{plural(len(rows), 'thread')} laid aside", StashData(rows))


@tool(
    category="memory",
    title="Ingest Markdown",
    tokens=(60, 500),
    effect=Effect.WRITES,
    scopes=MEMORY,
    is_long=True,
    examples=({}, {"paths": ["docs/adr/0001-sqlite.md"]}),
)
def drift_memory_ingest(
    call: Call,
    paths: Annotated[
        tuple[ProjectFile, ...], Length(500), "Default: README, CLAUDE, AGENTS, ADRs, docs/**"
    ] = (),
) -> Answer[IngestData]:
    """Keep Markdown section by section; again, only what changed: superseded, added, archived where it is gone."""
    done = ingest_documents(
        store_of(call), call.project.root, actor=actor_of(call), paths=paths, report=call.progress
    )
    if paths and done.skipped and not done.files and not done.archived:
        raise DriftError(
            ErrorCode.FILE_NOT_FOUND,
            f"Nothing was kept: {done.skipped[0][1]}",
            Recovery(hint="Name Markdown files of the project, or none to take its README, ADRs and docs."),
        )
    skipped = tuple(SkippedRow(path, reason) for path, reason in done.skipped[:_MOST_SKIPPED_TOLD])
    data = IngestData(
        done.files, done.added, done.superseded, done.unchanged, done.archived, done.redacted, skipped
    )
    warnings = [f"{plural(done.cut, 'section')} too long to be kept whole"] if done.cut else []
    if not paths and done.files + len(done.skipped) >= MOST_FILES:
        warnings.append(f"only the first {MOST_FILES} documents were looked at; `paths` chooses others")
    warnings += [f"{plural(len(done.skipped), 'file')} could not be read"] if done.skipped else []
    said = f"{done.added} added, {done.superseded} superseded, {done.unchanged} unchanged, {done.archived} archived"
    return Answer(f"{plural(done.files, 'document')}: sections {said}", data, warnings=tuple(warnings))


def _start_path(call: Call, text: str, files: tuple[ProjectFile, ...]) -> Answer[PathData]:
    store = store_of(call)
    alike = debug_paths.similar_paths(store, counts_of(call), text, now_ms=now_ms())
    path = debug_paths.start_path(store, text, actor=actor_of(call), files=files, counts=counts_of(call))
    others = tuple(path_row(one.path, likeness=one.share) for one in alike if one.path.id != path.id)
    note = call.suggest(
        drift_memory_path, "note what is tried", action="note", id=path.id, waypoint="attempt"
    )
    said = f"Following {path.id}" if not path.steps else f"Followed already as {path.id}"
    return Answer(
        f"{said}; {plural(len(others), 'similar path')} before",
        PathData(path_row(path), others),
        next=(note,),
    )


def _recall_paths(call: Call, text: str) -> Answer[PathData]:
    store = store_of(call)
    alike = debug_paths.similar_paths(store, counts_of(call), text, now_ms=now_ms())
    store.touch(one.path.id for one in alike)
    rows = tuple(path_row(one.path, likeness=one.share) for one in alike)
    solved = sum(row.solution is not None for row in rows)
    start = call.suggest(drift_memory_path, "follow it", action="start", text=shorten(text, 500))
    return Answer(
        f"{plural(len(rows), 'similar path')}, {solved} solved",
        PathData(paths=rows),
        next=() if rows else (start,),
    )


def _needed(given: str | None, name: str) -> str:
    if given is None or not given.strip():
        raise DriftError(ErrorCode.MISSING_REQUIRED_PARAM, f"{name}: this action needs it")
    return given
