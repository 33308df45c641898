"""Memories written to a file or an answer, and taken in again with their ids."""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Final, Literal, TextIO

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.files import write_atomically
from drift.kernel.reading import ProjectFiles
from drift.kernel.text import plural
from drift.kernel.tokens import count_tokens
from drift.memory import CausalEdge, Memory
from drift.memory.transfer.import_report import ImportData, ImportProblem, Taken, say_unread, stopped_midway
from drift.memory.transfer.json_records import read_json, write_json
from drift.memory.transfer.markdown import read_markdown, write_markdown
from drift.memory.transfer.transfer import ExportData, edges_among, export_memories, import_records
from drift.memory.types import memory_type
from drift.registry import Call, Effect, MustExist, ProjectFile, tool
from drift.tools.memories.access import MEMORY, actor_of, now_ms, store_of
from drift.tools.memories.personal import USER, MemoryScope, calls_of, refuse_links, scope_of, scoped

_MOST_INLINE: Final = 20_000  # characters of an export that is answered instead of written
_AROUND_TOKENS: Final = 150  # the rest of such an answer
_SUFFIXES: Final = {"json": ".json", "markdown": ".md"}
_LINKS: Final = tuple(  # as our exports and others write them
    name
    for one in ("files", "functions", "patterns", "constraints")
    for name in (one, f"linked{one.title()}", f"linked_{one}")
)


@tool(
    category="memory",
    title="Export memories",
    tokens=(60, 6000),
    effect=Effect.WRITES,
    scopes=MEMORY,
    examples=({"path": "memories.json"}, {"format": "markdown", "types": ["decision"]}),
)
def drift_memory_export(
    call: Call,
    format: Literal["json", "markdown"] = "json",  # noqa: A002 - the word agents use
    path: Annotated[ProjectFile | None, "Name of a file in .drift/exports; a person may name any"] = None,
    *,
    types: tuple[str, ...] = (),
    include_archived: Annotated[bool, "Archived, superseded and purged, too"] = False,
    overwrite: bool = False,
    scope: MemoryScope = "project",
) -> Answer[ExportData]:
    """Write memories to a file in .drift/exports, or answer them if few; drift_memory_import takes it back unchanged."""
    store = store_of(scoped(call, scope))
    _check_types(types)
    if not store.is_present:
        return Answer("No memories yet: nothing to export", ExportData(scope, 0, 0))
    target = None if path is None else _writable(call, path, format, may_replace=overwrite)
    memories = list(export_memories(store, types=types, is_whole=include_archived))
    edges = edges_among(store, (memory.id for memory in memories))
    text = "".join(_write_memories(format, memories, edges))
    if target is None and not _fits(call, text):
        target = _default_target(call, format, scope)
    own = " of your own" if scope == USER else ""
    summary = f"{plural(len(memories), 'memory', 'memories')}{own} and {plural(len(edges), 'edge')}"
    if target is None:
        return Answer(f"{summary} as {format}", ExportData(scope, len(memories), len(edges), text=text))
    write_atomically(target, text)
    shown = target.relative_to(call.project.root).as_posix()
    # One's own memories must not land in a project because the next step left the word out.
    whose = {"scope": USER} if scope == USER else {}
    again = call.suggest(drift_memory_import, "take them in elsewhere", path=shown, **whose, priority="low")
    return Answer(
        f"{summary} in {shown}", ExportData(scope, len(memories), len(edges), path=shown), next=(again,)
    )


@tool(
    category="memory",
    title="Import memories",
    tokens=(80, 1500),
    effect=Effect.WRITES,
    scopes=MEMORY,
    is_long=True,
    examples=(
        {"memories": [{"id": "n1", "type": "tribal", "text": "Retries are capped at two"}]},
        {"path": "memories.json"},
    ),
)
def drift_memory_import(
    call: Call,
    path: Annotated[
        ProjectFile | None, MustExist(), "File of records: JSON list, JSON lines, or an export"
    ] = None,
    memories: Annotated[
        tuple[dict[str, Any], ...], "Records: {id, type, title, text, content, tags, …}"
    ] = (),
    *,
    overwrite: Annotated[bool, "Replace ids that are there; else left alone"] = False,
    skip_invalid: Annotated[bool, "Take the good records although some are not"] = False,
    scope: MemoryScope = "project",
) -> Answer[ImportData]:
    """Take in memories with the ids they bring; a file may hold 100,000. One bad record and none is taken: it is named by index."""
    if (path is None) == (not memories):
        raise invalid("path", "give either `path` or `memories`")

    target = scoped(call, scope)
    with _records(call, path, memories) as records:
        taken = import_records(
            store_of(target),
            _admit(call, target, records),
            actor=actor_of(call),
            now_ms=now_ms(),
            may_overwrite=overwrite,
            skip_invalid=skip_invalid,
            report=lambda done, total: call.client.report(done, total, _say_progress(done, total)),
            must_stop=call.cancelled.is_set,
        )
    if taken.is_partial:
        raise stopped_midway(taken)
    return _answer_import(taken, scope)


def _say_progress(done: int, total: int | None) -> str:
    if total is None:
        return f"{done:,} records checked"
    return f"{done - total // 2:,} of {total // 2:,} records written"


def _answer_import(taken: Taken, scope: str) -> Answer[ImportData]:
    problems = tuple(ImportProblem(one.index, one.problem, one.id) for one in taken.problems)
    data = ImportData(
        scope,
        taken.added,
        taken.replaced,
        taken.skipped,
        taken.edges,
        taken.redacted,
        problems,
    )
    parts = [f"{taken.added:,} imported", f"{taken.replaced:,} replaced", f"{taken.skipped:,} there already"]
    parts += [f"{taken.invalid:,} not taken"] * bool(taken.invalid)
    return Answer(", ".join(parts), data, warnings=say_unread(taken.unread_fields))


def _admit(call: Call, target: Call, records: Iterable[object]) -> Iterator[object]:
    """The records that may go into one of two stores: an id names one memory of both, and the person's has no links."""
    others = [store_of(one) for one in calls_of(call) if one.project.root != target.project.root]
    present = [store for store in others if store.is_present]
    for record in records:
        if present and isinstance(record, dict):
            given = record.get("id")
            if isinstance(given, str) and any(store.get_many([given]) for store in present):
                where = "of this project" if scope_of(target) else "of your own"
                raise invalid(
                    "memories",
                    f"{given[:100]} is a memory {where} already",
                    hint="Purging does not free an id: leave the record out, or give it another id.",
                )
        if scope_of(target) and isinstance(record, dict):
            refuse_links(*(record.get(name) for name in _LINKS))
        yield record


def _fits(call: Call, text: str) -> bool:
    """Whether an export can be answered whole: what is cut to the budget could not be taken in again."""
    budget = call.max_tokens or call.tool.max_tokens or call.project.config.mcp.max_tokens
    # In the answer it is a text in quotes, with its own quotes escaped.
    return len(text) <= _MOST_INLINE and count_tokens(json.dumps(text)) + _AROUND_TOKENS <= budget


def _check_types(types: tuple[str, ...]) -> None:
    for name in types:
        memory_type(name)


def _write_memories(form: str, memories: Iterable[Memory], edges: Iterable[CausalEdge]) -> Iterator[str]:
    if form == "markdown":
        return write_markdown(memories, edges)
    return write_json(memories, edges)


@contextmanager
def _records(call: Call, path: str | None, given: tuple[dict[str, Any], ...]) -> Iterator[Any]:
    if path is None:
        yield given
        return
    with _open_unlinked(call.project.root, path) as file:
        yield read_markdown(file) if path.lower().endswith((".md", ".markdown")) else read_json(file)


def _open_unlinked(root: Path, path: str) -> TextIO:
    """The file, if no part of its path is a symbolic link: what a link names may change under us."""
    _refuse_links(root, path)
    try:
        with ProjectFiles(root) as files:
            descriptor = files.open(path, follow_links=False)
    except OSError as error:
        raise DriftError(
            ErrorCode.FILE_NOT_FOUND, f"{path} cannot be read: {error.strerror or type(error).__name__}"
        ) from error
    return os.fdopen(descriptor, encoding="utf-8", newline="\n")


def _refuse_links(root: Path, path: str) -> None:
    if os.path.realpath(root / path) != str(Path(os.path.realpath(root), path)):
        raise invalid(
            "path", f"{path} leads through a symbolic link", hint="Give the path of the file itself."
        )


def _writable(call: Call, path: str, form: str, *, may_replace: bool) -> Path:
    if not call.caller.is_person:
        path = _among_exports(call, path)
    _refuse_links(call.project.root, path)
    target: Path = call.project.root / path
    if target.suffix.lower() not in {*_SUFFIXES.values(), ".jsonl"}:
        raise invalid("path", f"must end with {_SUFFIXES[form]}")
    if target.exists() and not may_replace:
        raise invalid("path", f"{path} is there already", hint="Name another file, or set overwrite.")
    if not target.parent.is_dir():
        raise DriftError(
            ErrorCode.FILE_NOT_FOUND,
            f"The folder of {path} does not exist",
            Recovery(hint="Make it, or name a file in a folder that is there."),
        )
    return target


def _among_exports(call: Call, path: str) -> str:
    """Where a model's export goes: to files of its own, never over those of the project."""
    folder = call.project.state.exports.relative_to(call.project.root)
    if PurePosixPath(path).parent not in {PurePosixPath(), PurePosixPath(folder)}:
        raise invalid(
            "path",
            f"tools write exports to {folder.as_posix()}, and {path} is elsewhere",
            hint=f"Give a name alone, or ask the person to run: drift memory export {path}",
        )
    return (_exports_of(call).relative_to(call.project.root) / PurePosixPath(path).name).as_posix()


def _default_target(call: Call, form: str, scope: str) -> Path:
    name = "export-user" if scope == USER else "export"
    return _exports_of(call) / f"{name}{_SUFFIXES[form]}"


def _exports_of(call: Call) -> Path:
    state = call.project.state.ensure()
    folder = state.check(state.exports)
    folder.mkdir(exist_ok=True)
    return folder
