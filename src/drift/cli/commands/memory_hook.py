"""`drift memory hook EVENT`: what Claude Code and others call while they work. It reads the event from standard input.

It is started for each prompt and each use of a tool, so it imports the store and nothing of the servers. Whatever goes wrong is
written to a log in the project's state and never shown: a memory must not stand in the way of work.
"""

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from drift.cli.console import Console, open_console
from drift.cli.exits import Exit
from drift.cli.shown import shown
from drift.kernel.errors import DriftError
from drift.kernel.reading import read_beginning
from drift.project.home import USER_CONFIG_NAME, drift_home, personal_root
from drift.project.roots import find_root
from drift.project.state import StateDir
from drift.project.stores import Stores, find_stores, stores_in

if TYPE_CHECKING:
    import argparse

    from drift.memory.store import MemoryStore

EVENTS: Final[Mapping[str, str]] = {
    "session-start": "SessionStart",
    "user-prompt-submit": "UserPromptSubmit",
    "pre-tool-use": "PreToolUse",
    "post-tool-use": "PostToolUse",
    "pre-compact": "PreCompact",
    "stop": "Stop",
}
_BEGINNING: Final = "session-start"
_PATIENCE_SECONDS: Final = 2.0
_MOST_INPUT_CHARS: Final = 5_000_000
_MOST_SETTINGS_BYTES: Final = 100_000
_MOST_LOG_BYTES: Final = 200_000
_LONGEST_NAME: Final = 40
_LOG: Final = "hooks.log"

Message = dict[str, Any]


def configure(parser: "argparse.ArgumentParser") -> None:
    parser.add_argument("event", help=f"which event standard input tells of: {', '.join(EVENTS)}")


def run_words(words: Sequence[str], console: Console) -> Exit:
    """Answer one event. Always succeeds for the client; see the module."""
    if len(words) != 1 or words[0] not in EVENTS:
        # Not as wrong usage: its exit code would make the client block the tool it was about to use.
        given = shown(" ".join(words)) or "nothing"
        console.tell(f"{given} is no event; there are {', '.join(EVENTS)}")
        return Exit.FAILED
    answer_event(words[0], console)
    return Exit.OK


def main_hook(event: str) -> int:
    """Answer the event that a client's hook names, in a process that is for nothing else."""
    console = open_console()
    code = run_words([event], console)
    console.stdout.flush()
    return int(code)


def answer_event(event: str, console: Console) -> None:
    """Read the event's message, do what it asks for, and say what the agent should know, if anything.

    A client that does not end its message, or a store that is held by others too long, ends the process.
    """
    timer = threading.Timer(_PATIENCE_SECONDS, _give_up, (event, console))
    timer.daemon = True
    timer.start()
    state: StateDir | None = None
    try:
        message = _read_message(console)
        state = _find_state(console, _working_directory(message))
        # A project that was never set up gets no state from a hook that is installed for all projects.
        context = _answer(event, message, state, console) if state.path.is_dir() else ""
        timer.cancel()  # from here on an answer may be half written
        if context:
            console.say(_write_answer(event, message, context))
    except Exception as error:  # noqa: BLE001 - the border to somebody else's work: logged, never shown
        _log(state, event, error, console)
    finally:
        timer.cancel()


def _answer(event: str, message: Message, state: StateDir, console: Console) -> str:
    """The context for the agent."""
    try:
        opened = _open_store(state, console.environ)
    except DriftError as error:
        if event != _BEGINNING:
            raise
        _log(state, event, error, console)
        return (
            f"Drift reads no memories, as its settings are wrong: {error.message}. `drift doctor` tells more."
        )
    if opened is None:
        return ""
    with closing(opened) as store:
        if event == _BEGINNING:
            return _begin(store, message, state, console=console)
        return _ANSWERS[event](store, message, state.root)


def _open_store(state: StateDir, environ: Mapping[str, str]) -> "MemoryStore | None":
    """The memories; None where the settings switch them off."""
    from drift.memory.store import MemoryStore  # brings SQLite: not for a project without state

    if not _names_cortex(state.root, environ):
        stores = find_stores(state.root, environ)
        path = stores.memory_db
    else:
        from drift.project.project import open_project  # reads all settings, which cost as much as the store

        project = open_project(state.root, environ)
        if project.config.cortex.enabled is False:
            return None
        stores, path = project.stores, project.memory_db
    store = MemoryStore(path)
    store.prepare_with(partial(_prepare, stores))
    return store


def _prepare(stores: Stores) -> None:
    from drift.project.backups import back_up_soon  # brings SQLite, which whoever writes has loaded

    stores.settle()
    back_up_soon(stores)


def _names_cortex(root: Path, environ: Mapping[str, str]) -> bool:
    """Whether anything may be set about memories. Where settings cannot be read, reading them says why."""
    if any(name.startswith("DRIFT_CORTEX_") for name in environ):
        return True
    return _file_names_cortex(root, "drift.toml") or _file_names_cortex(drift_home(environ), USER_CONFIG_NAME)


def _file_names_cortex(folder: Path, name: str) -> bool:
    try:
        head = read_beginning(folder, name, _MOST_SETTINGS_BYTES)
    except OSError:
        return os.path.lexists(folder / name)
    return b"cortex" in head or b"\\" in head or len(head) == _MOST_SETTINGS_BYTES


def _find_state(console: Console, directory: str | None) -> StateDir:
    root = find_root(directory, cwd=console.cwd, environ=console.environ)
    return StateDir(find_root(None, cwd=root, environ=console.environ))


def _begin(store: "MemoryStore", message: Message, state: StateDir, *, console: Console) -> str:
    from drift.memory.branches import view_branches  # as above
    from drift.memory.work.capture import begin_session
    from drift.memory.work.capture_events import session_of

    personal = _find_personal(state, console)
    try:
        return begin_session(
            store,
            session_of(message),
            now_ms=_now_ms(),
            personal=personal,
            is_cleared=_has_lost_context(message),
            hidden=view_branches(store, state.root).hidden,
        ).context
    finally:
        if personal is not None:
            personal.close()


def _has_lost_context(message: Message) -> bool:
    """Whether a session goes on without what it was told: only one that starts anew never had anything."""
    return message.get("source") != "startup" and message.get("trigger") != "startup"


def _find_personal(state: StateDir, console: Console) -> "MemoryStore | None":
    """The memories of the person, where they are on and can be read; trouble with them is logged, and no more."""
    from drift.memory.store import MemoryStore  # as above

    try:
        store = MemoryStore(_personal_db(console.environ))
        if not store.is_present:
            return None
        from drift.project.config import load_config  # takes 20 ms, so not for who never kept anything there

        if load_config(state.root, console.environ).cortex.user_store:
            with store.reading():
                return store
    except DriftError as error:
        _log(state, _BEGINNING, error, console)
    return None


def _personal_db(environ: Mapping[str, str]) -> Path:
    root = personal_root(drift_home(environ))
    return stores_in(StateDir(root).path, root).memory_db


def _before(store: "MemoryStore", message: Message, root: Path) -> str:
    from drift.memory.branches import view_branches  # as above
    from drift.memory.work.capture import before_tool
    from drift.memory.work.capture_events import read_event

    hidden = view_branches(store, root).hidden
    return before_tool(store, read_event(message, root), now_ms=_now_ms(), hidden=hidden).context


def _after(store: "MemoryStore", message: Message, root: Path) -> str:
    from drift.memory.work.capture import after_tool  # as above
    from drift.memory.work.capture_events import read_event

    return after_tool(store, read_event(message, root), now_ms=_now_ms()).context


def _prompted(store: "MemoryStore", message: Message, root: Path) -> str:
    from drift.memory.work.capture_events import session_of  # as above
    from drift.memory.work.telling import take_prompt

    given = message.get("prompt")
    if not isinstance(given, str):
        return ""
    return take_prompt(store, session_of(message), given, root=root, now_ms=_now_ms()).context


def _compact(store: "MemoryStore", message: Message, root: Path) -> str:  # noqa: ARG001 - as every answer
    from drift.memory.work.capture_events import session_of  # as above
    from drift.memory.work.telling import lose_context

    lose_context(store, session_of(message), now_ms=_now_ms())
    return ""


def _end(store: "MemoryStore", message: Message, root: Path) -> str:  # noqa: ARG001 - as every answer
    from drift.memory.work.capture import end_session  # as above
    from drift.memory.work.capture_events import session_of

    end_session(store, session_of(message), now_ms=_now_ms())
    return ""


_ANSWERS: Final[Mapping[str, Callable[["MemoryStore", Message, Path], str]]] = {
    "user-prompt-submit": _prompted,
    "pre-tool-use": _before,
    "post-tool-use": _after,
    "pre-compact": _compact,
    "stop": _end,
}


def _read_message(console: Console) -> Message:
    text = console.stdin.read(_MOST_INPUT_CHARS + 1)
    if len(text) > _MOST_INPUT_CHARS:
        raise ValueError(f"the message has more than {_MOST_INPUT_CHARS:,} characters")
    message = orjson.loads(text)
    if not isinstance(message, dict):
        raise TypeError("the message is no JSON object")
    return message


def _working_directory(message: Message) -> str | None:
    given = message.get("cwd")
    return given if isinstance(given, str) and Path(given).is_dir() else None


def _write_answer(event: str, message: Message, context: str) -> str:
    # One command serves several events, PostToolUse and PostToolUseFailure among them, and other clients name theirs
    # otherwise; each wants its own name back.
    given = message.get("hook_event_name")
    is_name = isinstance(given, str) and given.isascii() and given.isalpha() and len(given) <= _LONGEST_NAME
    name = given if is_name else EVENTS[event]
    answer = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": context}}
    return orjson.dumps(answer).decode()


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _give_up(event: str, console: Console) -> None:
    problem = f"the message did not end, or the memories were not free, within {_PATIENCE_SECONDS:g} s"
    _log(None, event, TimeoutError(problem), console)
    # Nothing is half done: the store's transaction is kept whole or not at all.
    os._exit(Exit.OK)


def _log(state: StateDir | None, event: str, error: BaseException, console: Console) -> None:
    """One line for whoever wonders; the older half goes when there are many."""
    try:
        state = state or _find_state(console, None)
    except DriftError:
        return  # as at the end
    if not state.path.is_dir():
        return
    message = error.message if isinstance(error, DriftError) else f"{type(error).__name__}: {error}"
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {event}: {' '.join(message.split())[:500]}\n"
    path = state.path / _LOG
    try:
        state.check(path)
        is_full = path.is_file() and path.stat().st_size > _MOST_LOG_BYTES
        kept = path.read_bytes()[-_MOST_LOG_BYTES // 2 :] if is_full else b""
        with path.open("wb" if is_full else "ab") as file:
            file.write(kept + line.encode("utf-8", "replace"))
    except (OSError, DriftError):
        return  # there is nowhere left to say it
