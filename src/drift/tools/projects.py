"""Projects: the ones this person has told Drift about."""

from dataclasses import dataclass
from typing import Annotated, Literal

from drift.kernel.answer import Answer
from drift.kernel.errors import needed
from drift.kernel.text import plural
from drift.project import ProjectEntry
from drift.registry import Call, Effect, Length, Range, Scope, tool

Action = Literal["list", "info", "add", "remove", "switch", "recent", "rename"]


@dataclass(frozen=True, slots=True)
class ProjectsData:
    """The projects an action was about. `serving` is the one this server answers for by default."""

    serving: str
    active: str | None
    projects: tuple[ProjectEntry, ...]


@tool(
    category="discovery",
    title="Known projects",
    tokens=(100, 500),
    effect=Effect.WRITES,
    scopes=frozenset({Scope.ADMIN}),
    # A folder on the list can be read by every later call: a model must not choose what that is.
    person_actions={"add": "drift projects add PATH"},
    examples=({"action": "list"}, {"action": "info", "name": "shop"}),
)
def drift_projects(
    call: Call,
    action: Action = "list",
    name: Annotated[str | None, Length(4096), "Name, id or path; for add: the new name"] = None,
    path: Annotated[str | None, Length(4096), "Folder to add"] = None,
    new_name: Annotated[str | None, Length(100)] = None,
    limit: Annotated[int, Range(1, 100)] = 10,
) -> Answer[ProjectsData]:
    """List, inspect, remove, switch or rename registered projects; a person adds them. Removing never touches files."""
    registry = call.runtime.projects
    match action:
        case "list":
            found = registry.list()
            return _answer(call, f"{plural(len(found), 'registered project')}", found)
        case "recent":
            return _answer(call, "Recently used projects", registry.recent(limit))
        case "add":
            entry = registry.add(needed("path", path, when=f"action={action}"), name)
            return _answer(call, f"Added {entry.name}", (entry,))
        case "rename":
            entry = registry.rename(
                needed("name", name, when=f"action={action}"),
                needed("newName", new_name, when=f"action={action}"),
            )
            return _answer(call, f"Renamed to {entry.name}", (entry,))
        case "remove":
            entry = registry.remove(needed("name", name, when=f"action={action}"))
            return _answer(call, f"Removed {entry.name} from the list; its files are untouched", (entry,))
        case "switch":
            entry = registry.switch(needed("name", name, when=f"action={action}"))
            return _answer(call, f"{entry.name} is active for commands run outside a project", (entry,))
        case "info":
            entry = registry.get(name or str(call.project.root))
            return _answer(call, f"{entry.name} at {entry.path}", (entry,))


def _answer(call: Call, summary: str, found: tuple[ProjectEntry, ...]) -> Answer[ProjectsData]:
    registry = call.runtime.projects
    warnings = tuple(f"{entry.name}: {entry.path} is gone" for entry in found if not entry.is_valid)
    return Answer(summary, ProjectsData(call.project.name, registry.active_id(), found), warnings=warnings)
