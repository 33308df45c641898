"""Tells clients which instructions have changed, by a call or by hand, as long as any of them listens."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Final

from drift.kernel.errors import DriftError
from drift.pipeline import ServerRuntime
from drift.protocol.notices import Notices
from drift.tools.catalogs.access import open_catalog

logger = logging.getLogger(__name__)

# How long a change by hand may wait to be told. Where the system tells of changes a look costs microseconds.
_PAUSE_SECONDS: Final = 1.0
# A larger change is told of as far as this; its clients hear of the listing, too.
_MOST_TOLD: Final = 1_000


class CatalogNews:
    """Compares the files with how they were when a client began to listen. For one event loop."""

    def __init__(self, runtime: ServerRuntime, notices: Notices, *, listing: str, template: str) -> None:
        self._runtime = runtime
        self._notices = notices
        self._listing = listing
        self._before, _, self._after = template.partition("{id}")
        self._known: Mapping[str, str] | None = None
        self._following: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()

    def listen(self) -> None:
        """Begin to compare with the first client that listens, and look at once after every call that writes."""
        self._notices.before_watching(self._begin)
        self._runtime.on_write(self._tell)

    async def _begin(self) -> None:
        async with self._turn:
            if self._known is None:
                self._known = await self._look()
        if self._following is None or self._following.done():
            self._following = asyncio.get_running_loop().create_task(self._follow())

    async def _follow(self) -> None:
        # Whoever is about to listen is counted after the first pause.
        await asyncio.sleep(_PAUSE_SECONDS)
        while self._notices.has_watchers:
            await self._tell()
            await asyncio.sleep(_PAUSE_SECONDS)
        self._known = None

    async def _tell(self) -> None:
        async with self._turn:
            if self._known is None:  # nobody listens, or they could not be read when somebody began to
                self._known = await self._look() if self._notices.has_watchers else None
                return
            known, found = self._known, await self._look()
            if found is None or found == known:
                return
            self._known = found
        changed = [each for each in {**known, **found} if known.get(each) != found.get(each)]
        for instruction_id in sorted(changed)[:_MOST_TOLD]:
            await self._notices.resource_updated(f"{self._before}{instruction_id}{self._after}")
        await self._notices.resource_updated(self._listing)
        if known.keys() != found.keys():
            await self._notices.list_changed("resources")

    async def _look(self) -> Mapping[str, str] | None:
        """A digest of each instruction's file by its id; None while they cannot be read."""
        try:
            return await asyncio.to_thread(_read_digests, self._runtime)
        except DriftError as error:
            logger.debug("clients are not told of changes: %s", error.message)
            return None


def _read_digests(runtime: ServerRuntime) -> Mapping[str, str]:
    return open_catalog(runtime.project, runtime.environ).file_digests()
