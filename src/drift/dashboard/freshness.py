"""Whether the index still says what the files say: a look that never scans."""

import asyncio
from collections.abc import Mapping
from typing import Final

from drift.index import IndexState, IndexWatch
from drift.kernel.errors import DriftError
from drift.kernel.text import plural
from drift.pipeline import Refreshed, Request
from drift.project import Project
from drift.scan.detection import Detector

# It needs no index, and yet says how the index stands.
_TELLS_OF_INDEX: Final = "drift_status"


class LookingFreshener:
    """A freshener for who only watches: it compares files and index, and leaves both as they are."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._watches: dict[str, IndexWatch] = {}
        self._detectors: dict[str, Detector] = {}
        self._looking = asyncio.Lock()

    async def refresh(self, request: Request, project: Project) -> Refreshed:
        """The index as it is, and for those whose answer depends on it, whether the files have moved on."""
        state = self._state(project)
        depends = request.tool.needs is not None or request.tool.name == _TELLS_OF_INDEX
        if not state.is_usable or not depends:
            return Refreshed(state, "unknown")
        # A detector remembers what it saw, so two looks must not run into each other.
        async with self._looking:
            return await asyncio.to_thread(self._look, project, state)

    def _look(self, project: Project, state: IndexState) -> Refreshed:
        if project.id not in self._detectors:
            self._detectors[project.id] = Detector(project.root, self._environ)
        try:
            found = self._detectors[project.id].detect()
        except (DriftError, OSError) as error:
            reason = error.message if isinstance(error, DriftError) else str(error)
            return Refreshed(state, "unknown", (f"Files and index could not be compared: {reason}",))
        if found.is_current:
            return Refreshed(state, "fresh")
        differing = found.differing or found.touched
        return Refreshed(state, "stale", (f"{plural(differing, 'file')} changed since the last scan",))

    def _state(self, project: Project) -> IndexState:
        if project.id not in self._watches:
            self._watches[project.id] = IndexWatch(project.state.index_db)
        return self._watches[project.id].state()

    def release(self, project: Project) -> None:
        """Let go of what was seen of a project."""
        self._watches.pop(project.id, None)
        self._detectors.pop(project.id, None)

    def close(self) -> None:
        """Nothing is held."""
