"""What a client's hooks tell, taken in strictly: little is worth keeping, nothing secret, nothing twice.

One memory for each file changed in a session, one for each commit, and debug paths. Reading and looking around
is kept in the session alone, until a change shows what it was for.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any, Final

from drift.kernel.redaction import redact
from drift.kernel.text import plural, shorten
from drift.memory.overlap import telling_words
from drift.memory.records import Draft, FileLink, Session
from drift.memory.saving import find_alike, save
from drift.memory.search import WordCounts
from drift.memory.store import MemoryStore
from drift.memory.work.brief import MOST_CHARS, make_brief, recall_for_file, say_memory, say_path
from drift.memory.work.capture_events import ToolEvent
from drift.memory.work.debug_paths import (
    MOST_WAYPOINTS,
    Waypoint,
    add_waypoint,
    normalise_error,
    require_path,
    resolve_path,
    similar_paths,
    start_path,
)
from drift.memory.work.debug_paths import OPEN as OPEN_PATH
from drift.memory.work.framing import framed
from drift.memory.work.telling import Heard, known_session, lose_context, note_told, told_to

ACTOR: Final = "hook"
_LEAST_WORDS: Final = 4
_LEAST_ERROR_WORDS: Final = 2  # one word names no fault
_MOST_KEPT: Final = 1_200
_MOST_RECALLED: Final = 1_500
_MOST_PATH: Final = 200
_NEARLY_SAME: Final = 0.85
_ERRORS_TO_START: Final = 3
_ERROR_WINDOW_MS: Final = 5 * 60_000
_MOST_READ: Final = 10
_MOST_FILES: Final = 200
# Files whose content nobody wants to meet again, or must not be kept.
_EXCLUDED: Final = (
    ".env", ".env.*", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "id_rsa*", "id_ed25519*", "*.lock", "*.min.*",
    "package-lock.json", "pnpm-lock.yaml", "*.map", "*.snap", "*.svg", "*.ipynb", "*secret*", "*credential*",
    ".npmrc", ".pypirc", ".netrc",
)  # fmt: skip
_EXCLUDED_FOLDERS: Final = frozenset(
    {".git", ".drift", ".claude", "node_modules", "dist", "build", "vendor", "target", "__pycache__", ".venv"}
)
_COMMIT: Final = re.compile(
    r"""git commit\b[^\n]{0,500}?\s-\w{0,20}m\s{0,9}(?P<quote>["'])(?P<message>.{15,500}?)(?P=quote)""",
    re.DOTALL,
)
_HEREDOC: Final = re.compile(
    r"git commit\b.{0,500}?<<-?\s{0,9}'?\"?(?P<mark>\w{1,60})'?\"?\n(?P<message>.{15,1000}?)\n\s{0,80}(?P=mark)",
    re.DOTALL,
)


def begin_session(
    store: MemoryStore,
    session_id: str,
    *,
    now_ms: int,
    most_chars: int = MOST_CHARS,
    personal: MemoryStore | None = None,
    is_cleared: bool = False,
    hidden: frozenset[str] = frozenset(),
) -> Heard:
    """The brief of a session that begins, and the session noted where the project has memories.

    `is_cleared` says that the client has lost what it was told before: after a compaction, in a session taken up again.
    """
    brief = make_brief(
        store, now_ms=now_ms, session=session_id, most_chars=most_chars, personal=personal, hidden=hidden
    )
    if store.is_present:
        with store.transaction():
            if is_cleared:
                lose_context(store, session_id, now_ms=now_ms)
            session = known_session(store, session_id, now_ms=now_ms)
            _put(store, session, {**session.state, "told": list(brief.ids)}, now_ms=now_ms)
    if not brief.text:
        return Heard()
    return Heard(
        f"What Drift remembers of this project (ids in brackets; drift_memory_get shows one):\n\n{brief.text}"
    )


def before_tool(
    store: MemoryStore, event: ToolEvent, *, now_ms: int, hidden: frozenset[str] = frozenset()
) -> Heard:
    """What was learned about the file about to be changed, each thing once a session."""
    if event.file is None or not event.is_edit or not store.is_present:
        return Heard()
    recall = recall_for_file(store, event.file, now_ms=now_ms, hidden=hidden)
    session = known_session(store, event.session, now_ms=now_ms)
    told = told_to(session)
    own = {str(one) for one in session.state.get("changes", {}).values()}
    lines = [(one.id, f"- {say_memory(one)}") for one in recall.learned if one.id not in told | own]
    lines += [(one.id, f"- error met here: {say_path(one)}") for one in recall.paths if one.id not in told]
    shown = _fitting(lines, _MOST_RECALLED)
    if not shown:
        return Heard()
    ids = [memory_id for memory_id, _line in shown]
    note_told(store, event.session, ids, now_ms=now_ms)
    store.touch(ids)
    about = framed(event.file, chars=_MOST_PATH)
    return Heard("\n".join([f"Drift remembers about {about}:", *(line for _id, line in shown)]))


def after_tool(store: MemoryStore, event: ToolEvent, *, now_ms: int) -> Heard:
    """Keep what the use of a tool taught; what earlier sessions knew of an error comes back."""
    if event.is_own:
        return Heard()
    if event.error:
        return _take_error(store, event, now_ms=now_ms)
    if event.is_edit:
        _take_change(store, event, now_ms=now_ms)
    elif event.is_reading and event.file is not None:
        _take_reading(store, event, now_ms=now_ms)
    elif event.command:
        _take_command(store, event, now_ms=now_ms)
    return Heard()


def end_session(store: MemoryStore, session_id: str, *, now_ms: int) -> str | None:
    """The summary of a session, computed from what was captured in it; None if that is nothing."""
    if not store.is_present:
        return None
    with store.transaction():
        session = known_session(store, session_id, now_ms=now_ms)
        summary = _summarise(session.state)
        if summary is None:
            return None
        ended = replace(session, ended_at_ms=now_ms, summary=summary)
        _put(store, ended, session.state, now_ms=now_ms)
    return summary


def is_excluded(path: str) -> bool:
    """Whether nothing of a file is captured: secrets, locks, what is generated or belongs to others."""
    *folders, name = path.casefold().split("/")
    return bool(_EXCLUDED_FOLDERS & set(folders)) or any(fnmatchcase(name, pattern) for pattern in _EXCLUDED)


def _take_change(store: MemoryStore, event: ToolEvent, *, now_ms: int) -> None:
    if event.file is None or is_excluded(event.file):
        return
    said = shorten(redact(event.change.replace("\0", "")).text.strip(), _MOST_KEPT)
    with store.transaction():
        session = known_session(store, event.session, now_ms=now_ms)
        state = dict(session.state)
        changes = dict(state.get("changes", {}))
        if len(telling_words(said)) >= _LEAST_WORDS and len(changes) < _MOST_FILES:
            kept = _keep_change(store, event, said, state, known=changes.get(event.file))
            changes |= {event.file: kept} if kept else {}
        edits = dict(state.get("edits", {}))
        if event.file in edits or len(edits) < _MOST_FILES:
            edits[event.file] = int(edits.get(event.file, 0)) + 1
        path_id = state.get("path")
        if path_id and _is_open(store, str(path_id)):
            attempt = f"changed {event.file}: {shorten(' '.join(said.split()), 150)}"
            _try_waypoint(store, str(path_id), Waypoint.ATTEMPT, attempt, files=(event.file,))
        _put(store, session, {**state, "changes": changes, "edits": edits, "read": []}, now_ms=now_ms)


def _keep_change(
    store: MemoryStore, event: ToolEvent, said: str, state: Mapping[str, Any], *, known: str | None
) -> str | None:
    """The id of the memory of this session's changes of a file; None where it says nothing new."""
    if known is not None:
        memory = store.get(known)
        if said in memory.text:
            return known
        text = shorten(f"{said}\n…\n{memory.text}", _MOST_KEPT)
        store.update(known, {"text": text}, actor=ACTOR)
        return known
    looked_at = [str(one) for one in state.get("read", ()) if one != event.file]
    draft = Draft(
        type="episodic",
        kind="change",
        title=f"Changed {event.file}",
        text=said,
        content={"context": {"lookedAt": looked_at}} if looked_at else {},
        files=(FileLink(event.file or ""),),
        confidence=0.6,  # seen, not said by anybody
        source=f"hook:{event.tool}",
        session=event.session,
    )
    with store.reading() as connection:
        alike = find_alike(connection, draft, counts=WordCounts())
    if any(one.share >= _NEARLY_SAME for one in alike):
        return None
    return save(store, draft, actor=ACTOR).memory.id


def _take_reading(store: MemoryStore, event: ToolEvent, *, now_ms: int) -> None:
    # Only a note in the session: it costs a write, so nothing is written where nothing was ever kept.
    if not store.is_present or event.file is None or is_excluded(event.file):
        return
    with store.transaction():
        session = known_session(store, event.session, now_ms=now_ms)
        read = [one for one in session.state.get("read", ()) if one != event.file]
        _put(store, session, {**session.state, "read": [*read, event.file][-_MOST_READ:]}, now_ms=now_ms)


def _take_command(store: MemoryStore, event: ToolEvent, *, now_ms: int) -> None:
    message = _commit_message(redact(event.command).text) if "git commit" in event.command else None
    session = store.sessions.get(event.session) if store.is_present else None
    failing = session.state.get("failing") if session else None
    if message is None and failing != event.command_key:
        return
    with store.transaction():
        session = known_session(store, event.session, now_ms=now_ms)
        state = dict(session.state)
        if message is not None:
            draft = Draft(
                type="episodic",
                kind="change",
                title=shorten(f"Committed: {message.splitlines()[0]}", 200),
                text=message,
                files=tuple(FileLink(path) for path in list(state.get("edits", {}))[:20]),
                confidence=0.8,
                source="hook:commit",
                session=event.session,
            )
            save(store, draft, actor=ACTOR)
            state["commits"] = int(state.get("commits", 0)) + 1
        if failing == event.command_key:
            state = _pass_again(store, event, state)
        _put(store, session, state, now_ms=now_ms)


def _pass_again(store: MemoryStore, event: ToolEvent, state: dict[str, Any]) -> dict[str, Any]:
    """The command that failed passes: that is what solved means."""
    path_id = str(state.get("path") or "")
    if path_id and _is_open(store, path_id):
        _try_waypoint(store, path_id, Waypoint.SUCCESS, f"{event.command} passes")
        memory = require_path(store, path_id)
        attempts = [
            str(step["action"]).partition(": ")[2]
            for step in memory.content.get("steps", ())
            if str(step.get("action", "")).startswith(f"{Waypoint.ATTEMPT}: ")
        ]
        done = attempts[-1] if attempts else "no change was seen here"
        command = " ".join(
            redact(event.command).text.split()
        )  # first: what is cut in half is not known any more
        resolution = f"{done}; then {shorten(command, 80)} passed"
        resolve_path(store, path_id, resolution=resolution, actor=ACTOR)
        state["solved"] = int(state.get("solved", 0)) + 1
    return {**state, "failing": None, "path": None, "errors": []}


def _take_error(store: MemoryStore, event: ToolEvent, *, now_ms: int) -> Heard:
    clean = redact(event.error.replace("\0", "")).text
    if len(telling_words(normalise_error(clean))) < _LEAST_ERROR_WORDS:
        return Heard()
    known = similar_paths(store, WordCounts(), clean, now_ms=now_ms)
    with store.transaction():
        session = known_session(store, event.session, now_ms=now_ms)
        state = dict(session.state)
        times = [one for one in state.get("errors", ()) if now_ms - int(one) < _ERROR_WINDOW_MS]
        failing = event.command_key if event.command else None
        state |= {"errors": [*times, now_ms][-_ERRORS_TO_START:], "failing": failing}
        path_id = str(state.get("path") or "")
        if path_id and _is_open(store, path_id):
            _fail_again(store, path_id, clean)
        elif len(state["errors"]) >= _ERRORS_TO_START:
            edited = tuple(state.get("edits", {}))[-5:]
            path = start_path(store, clean, actor=ACTOR, files=edited, session=event.session)
            state["path"] = path.id
        _put(store, session, state, now_ms=now_ms)
        told = told_to(session)
    solved = [one.path for one in known if one.path.resolution and one.path.id not in told]
    if not solved:
        return Heard()
    shown = _fitting([(one.id, f"- {say_path(one)}") for one in solved], _MOST_RECALLED)
    note_told(store, event.session, [memory_id for memory_id, _line in shown], now_ms=now_ms)
    return Heard("\n".join(["Drift has seen an error like this before:", *(line for _id, line in shown)]))


def _fail_again(store: MemoryStore, path_id: str, error: str) -> None:
    memory = require_path(store, path_id)
    steps = memory.content.get("steps", ())
    last = str(steps[-1].get("action", "")) if steps else ""
    if last.startswith(f"{Waypoint.ATTEMPT}: "):
        _try_waypoint(store, path_id, Waypoint.FAILURE, last.partition(": ")[2])
    phrase = normalise_error(error)
    if phrase not in memory.content.get("triggerPhrases", ()):
        _try_waypoint(store, path_id, Waypoint.ERROR, phrase)


def _try_waypoint(
    store: MemoryStore, path_id: str, waypoint: Waypoint, text: str, *, files: tuple[str, ...] = ()
) -> None:
    memory = require_path(store, path_id)
    # A full path keeps its first steps.
    if len(memory.content.get("steps", ())) < MOST_WAYPOINTS:
        add_waypoint(store, path_id, waypoint=waypoint, text=text, actor=ACTOR, files=files)


def _is_open(store: MemoryStore, path_id: str) -> bool:
    found = store.get_many([path_id]).get(path_id)
    return found is not None and OPEN_PATH in found.tags


def _commit_message(command: str) -> str | None:
    found = _HEREDOC.search(command[:4_000]) or _COMMIT.search(command[:4_000])
    return found["message"].strip() if found else None


def _put(store: MemoryStore, session: Session, state: Mapping[str, Any], *, now_ms: int) -> None:
    store.sessions.put(replace(session, last_active_ms=now_ms, state=dict(state)))


def _summarise(state: Mapping[str, Any]) -> str | None:
    edits = dict(state.get("edits", {}))
    parts = []
    if edits:
        most = sorted(edits, key=lambda path: -int(edits[path]))[:5]
        parts.append(f"{plural(len(edits), 'file')} changed, most: {', '.join(most)}")
    commits, solved = int(state.get("commits", 0)), int(state.get("solved", 0))
    parts += [plural(commits, "commit")] * bool(commits) + [f"{plural(solved, 'error')} solved"] * bool(
        solved
    )
    parts += ["one error left open"] * bool(state.get("path"))
    return "; ".join(parts) or None


def _fitting(lines: list[tuple[str, str]], most_chars: int) -> list[tuple[str, str]]:
    shown: list[tuple[str, str]] = []
    used = 0
    for memory_id, line in lines:
        used += len(line) + 1
        if used > most_chars:
            break
        shown.append((memory_id, line))
    return shown
