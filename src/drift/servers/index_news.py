"""Tells clients of drift-analysis what a new index changed, and when tools come and go.

Calls bring the index up to date, other processes do, and a memory store may appear through another server: so the
files are looked at now and then, for as long as there is somebody to tell.
"""

import asyncio
from typing import Final

from drift.kernel.errors import DriftError
from drift.pipeline import ServerRuntime
from drift.project import Project
from drift.protocol.notices import Notices
from drift.registry import Caller, list_surface

# How long a change may wait to be told; a look is a few questions to the file system.
_PAUSE_SECONDS: Final = 1.0


class IndexNews:
    """Compares how things stand with how they stood. For one event loop."""

    def __init__(self, runtime: ServerRuntime, notices: Notices, *, tells_of_index: tuple[str, ...]) -> None:
        self._runtime = runtime
        self._notices = notices
        self._tells_of_index = tells_of_index
        """How the addresses of resources begin that are read from the index."""
        self._following: asyncio.Task[None] | None = None

    def listen(self) -> None:
        """Begin to compare with the first client that may be told."""
        self._notices.on_listener(self._begin)

    def _begin(self) -> None:
        if self._following is None or self._following.done():
            self._following = asyncio.get_running_loop().create_task(self._follow())

    async def _follow(self) -> None:
        generation, standing = self._generation(), self._standing()
        names = await asyncio.to_thread(self._tool_names)
        # Whoever is about to listen is counted after the first pause.
        await asyncio.sleep(_PAUSE_SECONDS)
        while self._notices.has_listeners:
            found = self._generation()
            if found != generation:
                generation = found
                await self._tell_of_index()
            if (now := self._standing()) != standing:
                # What is listed takes longer to find out than whether it can have changed.
                standing, before = now, names
                names = await asyncio.to_thread(self._tool_names)
                if names != before:
                    await self._notices.list_changed("tools")
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _tell_of_index(self) -> None:
        for uri in sorted(self._notices.watched):
            if uri.startswith(self._tells_of_index):
                await self._notices.resource_updated(uri)

    def _generation(self) -> int:
        return self._runtime.index_state(self._runtime.project).generation

    def _standing(self) -> tuple[object, ...]:
        """Another for every change of what decides which tools there are."""
        state = self._runtime.index_state(self._runtime.project)
        project = self._runtime.project
        return state.generation, state.is_usable, state.layers, project.has_memory, _changed_at(project)

    def _tool_names(self) -> tuple[str, ...]:
        runtime = self._runtime
        view = runtime.view(runtime.project, Caller())
        packs = runtime.packs(runtime.project)
        shown = list_surface(runtime.surface, runtime.toolbox, packs, server=runtime.server, view=view)
        return tuple(tool.name for tool in shown)


def _changed_at(project: Project) -> int | None:
    """When a pack came or went; None where there are none of the project's own."""
    try:
        return project.path_of("mcp.packs.custom_dir").stat().st_mtime_ns
    except (DriftError, OSError):
        return None
