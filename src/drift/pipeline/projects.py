"""Project: which project a call is about, and that every path in it stays inside."""

import shlex
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.paths import is_inside, resolve_inside
from drift.kernel.text import shorten
from drift.languages import DetectedLanguage, detect_languages
from drift.pipeline.request import Next, Request
from drift.project import Project, ProjectRegistry, open_project
from drift.project.home import expand_home
from drift.project.settings import settings_by_key
from drift.registry import Caller, Outcome, Parameter, Scope

_LANGUAGES_KEPT_SECONDS = 60.0
# What an open project holds (threads, what was seen of its files, connections) is worth its room only while calls
# go back and forth between a few.
_MOST_OPEN = 5
_IDLE_SECONDS = 30 * 60.0
_STATUS = "drift_memory_status"


class ProjectStep:
    """A call that names no project is about the server's own root, never about another window's."""

    def __init__(self, opened: "OpenProjects") -> None:
        self._opened = opened
        self._told: set[str] = set()

    async def __call__(self, request: Request, step: Next) -> Outcome:
        named = request.arguments.pop("project", None)
        request.project = request.default_project if named is None else self._named(request, named)
        for parameter in request.tool.file_parameters:
            if parameter.may_be_elsewhere and named is None and parameter.wire in request.arguments:
                request.project = self._holding(request, parameter)
        if Scope.MEMORY in request.tool.scopes and request.project.id != self._opened.own.id:
            # Memories of two projects read alike, and only their root says whose they are.
            request.warnings.append(f"of the project {request.project.name}, {request.project.root}")
        request.warnings.extend(self._notes(request, request.project))
        for parameter in request.tool.file_parameters:
            if parameter.wire in request.arguments:
                request.arguments[parameter.wire] = _inside(request, parameter)
        with self._opened.using(request.project):
            return await step(request)

    def _notes(self, request: Request, project: Project) -> tuple[str, ...]:
        """What is to be known of where the memories are: with the first call about them, and whenever their state is asked."""
        is_asked = request.tool.name == _STATUS
        if Scope.MEMORY not in request.tool.scopes or (project.id in self._told and not is_asked):
            return ()
        self._told.add(project.id)
        return project.stores.notes

    def _named(self, request: Request, named: str) -> Project:
        if request.default_project.goes_by(named):
            return request.default_project
        if not may_name_projects(request.caller):
            raise DriftError(
                ErrorCode.FORBIDDEN,
                f"This server answers for {request.default_project.name}; other projects need {Scope.ADMIN}",
                Recovery(details={"requiredScopes": [str(Scope.ADMIN)]}),
            )
        return self._opened.find(named)

    def _holding(self, request: Request, parameter: Parameter) -> Project:
        """The project that a path lies in: the server's own, else the innermost registered one around it."""
        own, given = request.default_project, request.arguments[parameter.wire]
        if not isinstance(given, str) or not Path(given).is_absolute() or is_inside(own.root, Path(given)):
            return own
        roots = self._opened.roots() if may_name_projects(request.caller) else ()
        around = [root for root in roots if is_inside(root, Path(given))]
        if not around:
            raise DriftError(
                ErrorCode.PATH_OUTSIDE_PROJECT,
                f"{parameter.wire}: {shorten(given, 200)!r} is in no project that is known here",
                Recovery(
                    hint="Register the project that it is part of, then call again.",
                    command=f"drift projects add {shlex.quote(shorten(given, 200))}",
                    alternative_tools=("drift_projects",),
                ),
            )
        return self._opened.find(str(max(around, key=lambda root: len(root.parts))))


def may_name_projects(caller: Caller) -> bool:
    """Whether a caller may go beyond the server's own project: whoever administers it, or sits before it."""
    return caller.scopes is None or Scope.ADMIN in caller.scopes


def _inside(request: Request, parameter: Parameter) -> str | list[str]:
    """The path or paths relative to the root, proved to lie in it."""
    root, given = request.settled_project.root, request.arguments[parameter.wire]
    if isinstance(given, list):
        return [resolve_inside(root, path, must_exist=parameter.must_exist) for path in given]
    return resolve_inside(root, given, must_exist=parameter.must_exist)


def _for_another(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment for a project that is not the server's own: two must not keep their memories in one place."""
    settings = settings_by_key()
    shared = {
        name
        for name in settings["cortex.db_path"].env_names
        if expand_home(environ.get(name, "").strip(), environ).is_absolute()  # else each has its own
    }
    shared.update(settings["team.project"].env_names)
    return {name: value for name, value in environ.items() if name not in shared}


class _SeenLanguages(NamedTuple):
    """Languages, when they were seen, and the state of the index then."""

    seen_at: float
    generation: int
    languages: tuple[DetectedLanguage, ...]


@dataclass(slots=True)
class _Opened:
    """A project beside the own one, when it was used last, and how many calls are about it."""

    project: Project
    used_at: float = 0.0
    calls: int = 0


class OpenProjects:
    """The server's own project, and a few registered ones that callers named last and not too long ago."""

    def __init__(
        self,
        root: Path,
        registry: ProjectRegistry,
        environ: Mapping[str, str],
        *,
        clock: Callable[[], float] = time.monotonic,
        on_close: Callable[[Project], None] = lambda _project: None,
    ) -> None:
        self._clock = clock
        self._on_close = on_close
        self._registry = registry
        self._environ = environ
        self.own = open_project(root, environ)
        self._opened: dict[str, _Opened] = {}
        """The one used last comes last."""
        self._languages: dict[str, _SeenLanguages] = {}

    def stand_at(self, root: Path) -> None:
        """Have the server's own project be another one from now on."""
        self.own = open_project(root, self._environ)

    def find(self, named: str) -> Project:
        """A project by name, id or path. Unregistered paths are refused: a caller may be anywhere."""
        if self.own.goes_by(named):
            return self.own
        entry = self._registry.get(named)
        held = self._opened.pop(entry.id, None)
        if held is None:
            held = _Opened(open_project(Path(entry.path), _for_another(self._environ)))
            self._registry.touch(entry.id)
        held.used_at = self._clock()
        self._opened[entry.id] = held
        self._close_others(but=held)
        return held.project

    def roots(self) -> tuple[Path, ...]:
        """Where registered projects lie."""
        return tuple(Path(entry.path) for entry in self._registry.list())

    @contextmanager
    def using(self, project: Project) -> Iterator[None]:
        """Keep a project open for as long as a call is about it; others that nobody used for long are closed."""
        self._close_others(but=None)
        held = next((each for each in self._opened.values() if each.project is project), None)
        if held is None:
            yield
            return
        held.calls += 1
        try:
            yield
        finally:
            held.calls -= 1
            held.used_at = self._clock()

    def _close_others(self, *, but: _Opened | None) -> None:
        """Close those that nobody has used for long, and the longest unused of too many."""
        oldest = self._clock() - _IDLE_SECONDS
        for key, held in list(self._opened.items()):
            is_over = len(self._opened) > _MOST_OPEN or held.used_at < oldest
            is_wanted = held is but or held.calls > 0
            if is_over and not is_wanted:
                del self._opened[key]
                self._languages.pop(held.project.id, None)
                self._on_close(held.project)

    def languages(self, project: Project, generation: int) -> tuple[DetectedLanguage, ...]:
        """The languages of a project, looked up at most once a minute for an index of one generation."""
        kept = self._languages.get(project.id)
        if (
            kept is None
            or kept.generation != generation
            or self._clock() - kept.seen_at > _LANGUAGES_KEPT_SECONDS
        ):
            kept = _SeenLanguages(self._clock(), generation, detect_languages(project.root))
            self._languages[project.id] = kept
        return kept.languages
