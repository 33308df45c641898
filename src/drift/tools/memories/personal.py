"""The person's own memories, beside those of the project: off until they are asked for, and a store of their own.

They are kept like a project's, in the folder `user` of Drift's home, so a call about them is the same call about
another root: whatever works on the memories of a project works on them, and nothing is written twice.
"""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, Literal

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.project import Project, StateDir
from drift.project.home import USER_CONFIG_NAME, personal_root
from drift.project.identity import project_id
from drift.project.settings import Source, settings_by_key
from drift.project.stores import stores_in
from drift.registry import Call, Effect

USER: Final = "user"
MemoryScope = Annotated[Literal["project", "user"], "user: your own, for all projects"]
SavingScope = Annotated[
    Literal["project", "user", "branch"], "user: your own, for all projects; branch: this git branch only"
]

_SETTING: Final = "cortex.user_store"
_PATH: Final = "cortex.db_path"


def calls_of(call: Call) -> tuple[Call, ...]:
    """The same call about each store it reads: the project's, then the person's where it is on."""
    if not call.project.config.cortex.user_store or is_personal(call):
        return (call,)
    personal = _about_person(call)
    return (call, personal) if personal.project.root.is_dir() else (call,)


def scoped(call: Call, scope: Literal["project", "user", "branch"]) -> Call:
    """The call about the one store that is named. CORTEX_UNAVAILABLE for the person's where it is off."""
    if scope != USER:
        return call
    personal = _about_person(call)
    refuse_if_off(personal)
    if call.tool.effect is not Effect.READS:
        _make_folder(personal.project.root)
    return personal


def scope_of(call: Call) -> Literal["user"] | None:
    """What an answer says of where its memories are from; nothing of the project's, which is the usual case."""
    return "user" if is_personal(call) else None


def is_personal(call: Call) -> bool:
    """Whether the call is about the person's memories."""
    return call.project.root == _root(call)


def refuse_if_off(call: Call) -> None:
    """Raise CORTEX_UNAVAILABLE for a call about the person's memories where they are not on."""
    if call.project.config.cortex.user_store or not is_personal(call):
        return
    variable = settings_by_key()[_SETTING].env_names[0]
    raise DriftError(
        ErrorCode.CORTEX_UNAVAILABLE,
        "Memories of your own, for all projects, are off",
        Recovery(
            hint=f"Set {variable}=true where Drift starts, or {_SETTING} = true in {USER_CONFIG_NAME} of Drift's home. "
            "They are never served over HTTP. scope=project keeps it with this project.",
        ),
    )


def refuse_links(*links: object) -> None:
    """Raise for a memory of the person that points into a project: elsewhere, the same name is another thing."""
    if any(links):
        raise invalid(
            "scope",
            "a memory of your own has no links into a project",
            hint="Leave the links out, or keep it with scope=project.",
        )


def _root(call: Call) -> Path:
    return personal_root(call.runtime.projects.home)


def _about_person(call: Call) -> Call:
    root, config = _root(call), call.project.config
    # A path that was set is the project's; two must not share a file.
    cortex = replace(config.cortex, db_path=str(settings_by_key()[_PATH].default))
    sources = {**config.sources, _PATH: Source("default")}
    state = StateDir(root)
    settled = replace(config, cortex=cortex, sources=sources)
    project = Project(project_id(root), USER, root, settled, state, stores_in(state.path, root))
    return replace(call, project=project)


def _make_folder(root: Path) -> None:
    try:
        root.mkdir(
            mode=0o700, parents=True, exist_ok=True
        )  # the person's, not every account's on the machine
    except OSError as error:
        raise DriftError(
            ErrorCode.CORTEX_UNAVAILABLE,
            f"The folder of your own memories, {root}, cannot be made: {error.strerror or type(error).__name__}",
            Recovery(hint="Make it writable, or set DRIFT_HOME to another directory."),
        ) from error
