"""Context: the places that matter for a task, in one call."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from drift import fleet
from drift.context.answers import Context, Depth
from drift.context.compose import compose_context
from drift.context.instructions import Instructions
from drift.context.localize import Question
from drift.conventions.picture import conventions_stamp, look_if_quick
from drift.index import Layer
from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import DriftError
from drift.kernel.text import plural
from drift.project import Project, StateDir
from drift.project.home import drift_home, personal_root
from drift.project.stores import stores_in
from drift.registry import Call, Intent, Length, ProjectFile, Scope, tool
from drift.registry.indexes import opened_index
from drift.tools.catalogs.joining import find_catalog, stamp_instructions
from drift.tools.memories.access import store_path
from drift.tools.memories.personal import calls_of

if TYPE_CHECKING:
    from drift.catalog import Catalog

# Depth decides how much is told; this is the end of the deepest.
_MOST_TOKENS = 13_000
_ONE = {"memories": "memory"}
_A_LINE = "dna"  # of which there is one always


def _stamp(project: Project, environ: Mapping[str, str]) -> str:
    """Another text for every change of the instructions and of the project's and the person's memories."""
    stores = [project.memory_db]
    if project.config.cortex.user_store:
        # Without a home there are no memories of a person.
        with suppress(DriftError):
            root = personal_root(drift_home(environ))
            stores.append(stores_in(StateDir(root).path, root).memory_db)
    told = [stamp_instructions(project, environ), conventions_stamp(project, environ)]
    told += [fleet.shared_stamp(project)] if project.config.fleet.file else []
    return " ".join([*told, *map(_stamp_store, stores)])


def _stamp_store(database: Path) -> str:
    return f"{_stamp_file(database)} {_stamp_file(Path(f'{database}-wal'))}"


def _stamp_file(path: Path) -> str:
    try:
        found = path.stat()
    except OSError:
        return "-"
    return f"{found.st_mtime_ns}:{found.st_size}"


@tool(
    category="orchestration",
    title="Context for a task",
    tokens=(700, 12_000),
    needs=Layer.CALLS,
    max_tokens=_MOST_TOKENS,
    stamp=_stamp,
    examples=(
        {"intent": "fix_bug", "focus": "Cart total is wrong when an item has a discount"},
        {"intent": "refactor", "focus": "Cart.add", "depth": "overview"},
    ),
)
def drift_context(
    call: Call,
    intent: Intent,
    focus: Annotated[str, "Bug report, feature, trace, symbol or path"],
    question: Annotated[str | None, Length(2000)] = None,
    active_file: Annotated[ProjectFile | None, "Where you are"] = None,
    depth: Depth = "brief",
) -> Answer[Context]:
    """Where to act for a task: files and symbols ranked, with reasons, callers, tests, risks. Start here."""
    instructions, problems = _open_instructions(call)
    asked = Question(f"{focus}\n{question}" if question else focus, active_file)
    with opened_index(call) as reader:
        composed = compose_context(
            reader,
            call.project.state,
            asked,
            intent=intent.value,
            depth=depth,
            max_tokens=call.max_tokens,
            memory_stores=_memory_stores(call),
            instructions=instructions,
            conventions=lambda: look_if_quick(reader, call.project, call.runtime.today()),
        )
    warnings = (*composed.warnings, *problems)
    found = composed.context
    return Answer(_summarize(found), found, next=_next_actions(call, intent, found), warnings=warnings)


def _open_instructions(call: Call) -> tuple[Instructions | None, tuple[str, ...]]:
    """The project's instructions, or why those there are cannot be told."""
    try:
        catalog = find_catalog(call.project, call.runtime.environ)
    except DriftError as error:
        return None, (f"The instructions were not read: {error.message}",)
    shared, problems = _open_shared(call)
    if catalog is None and shared is None:
        return None, problems

    # What is restricted is for the person at this machine; others ask for it themselves.
    return Instructions(catalog, includes_restricted=call.caller.scopes is None, shared=shared), problems


def _open_shared(call: Call) -> "tuple[Catalog | None, tuple[str, ...]]":
    """The instructions of the fleet that the user's settings name."""
    if not call.project.config.fleet.file:
        return None, ()
    try:
        return fleet.find_shared_catalog(call.project), ()
    except DriftError as error:
        return None, (f"The fleet's instructions were not read: {error.message}",)


def _memory_stores(call: Call) -> tuple[Path, ...]:
    """The project's memories and the person's, where they are kept and the caller has the right to see them."""
    scopes = call.caller.scopes
    if call.project.config.mcp.memory_enabled is False or (scopes is not None and Scope.MEMORY not in scopes):
        return ()
    return tuple(store_path(one) for one in calls_of(call) if one.project.has_memory)


def _summarize(found: Context) -> str:
    if not found.files:
        return "No file fits the focus"
    best = found.files[0]
    symbols = ", ".join(each.name for each in best.symbols[:2])
    about = f" ({symbols})" if symbols else ""
    told = ", ".join(
        plural(len(rows), _ONE.get(name, name.removesuffix("s")), name)
        for name, rows in found.sections.items()
        if name != _A_LINE
    )
    return f"{plural(len(found.files), 'file')}, best {best.file}{about}{f'; {told}' if told else ''}"


def _next_actions(call: Call, intent: Intent, found: Context) -> tuple[NextAction, ...]:
    """What to call next, of what this server has."""
    if not found.files:
        actions = [NextAction("drift_files_list", {}, "see what is in the index")]
    elif not found.symbols:
        explained = {"target": found.files[0].file}
        actions = [NextAction("drift_explain", explained, "see what is in the file", "high")]
    else:
        at = found.symbols[0].at
        read = NextAction("drift_signature", {"symbol": at, "includeBody": True}, "read the code", "high")
        actions = [read, _second_action(intent, at)]
    return tuple(each for each in actions if each.tool in call.runtime.toolbox)


def _second_action(intent: Intent, at: str) -> NextAction:
    file, _, _ = at.rpartition(":")
    match intent:
        case Intent.REFACTOR | Intent.REVIEW_PR | Intent.FIX_BUG:
            return NextAction("drift_impact_analysis", {"target": at}, "see what a change reaches")
        case Intent.ADD_TEST:
            return NextAction(
                "drift_test_template", {"targetFile": file}, "begin the test as others here are"
            )
        case _:
            return NextAction("drift_explain", {"target": file}, "see its place in the project")
