"""The freshener of servers and commands: looks for changes before a read, and has them scanned."""

from __future__ import annotations  # some of the types are loaded late

import asyncio
import logging
import math
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from drift.index import IndexState, Layer
from drift.index.layers import SYMBOL_LAYERS
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural
from drift.pipeline.fresh import IndexReader, Refreshed
from drift.pipeline.project_update import update_project
from drift.pipeline.request import Request
from drift.project import Project

if TYPE_CHECKING:
    # Loaded with the first call that needs an index: most commands and some servers have none.
    from drift.pipeline.first_links import LinkedFirst
    from drift.pipeline.scan_process import ScanProcess
    from drift.scan.detection import Detection

T = TypeVar("T")
log = logging.getLogger(__name__)

_COMPLETE: Final = frozenset({Layer.FILES, Layer.SYMBOLS, Layer.IMPORTS, Layer.CALLS, Layer.REFERENCES})
_FEW_FILES: Final = 40  # are read at once; starting a process would take longer
# Most looks are a glance of some milliseconds, so that a call right after an edit sees it. Only where looking
# is slow (a huge project, a network drive) calls that follow each other closely share what was seen.
_CHEAP_LOOK_SECONDS: Final = 0.25
_SECONDS_BETWEEN_LOOKS: Final = 2.0
_SECONDS_AFTER_FAILURE: Final = 5.0
_SECONDS_FOR_ALL: Final = 3.0
"""So long a call waits for all links before it asks for its own: about as long as those take."""
_OF_ANOTHER_ENGINE: Final = (
    "The index was built by another version of Drift, which may have found other facts"
)
_POLL_SECONDS: Final = 0.05
_ASK_AGAIN_MS: Final = 5_000


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a call waits for a scan. Clients of servers give up after about a minute."""

    first_scan_seconds: float = 45.0
    rescan_seconds: float = 0.0
    """For many changes at once: meanwhile the last complete index answers."""
    update_seconds: float = 10.0
    """For a look, and for a few changes; what takes longer goes on beside, and the index as it is answers."""


FOREGROUND: Final = Patience(math.inf, math.inf, math.inf)
"""For a command, whose process ends with its answer."""


class AutoFreshener:
    """Keeps the indexes of all projects a server answers for up to date, as `scan.auto` wants it."""

    def __init__(
        self,
        environ: Mapping[str, str],
        patience: Patience = Patience(),  # noqa: B008 - frozen, the same for all
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._environ = environ
        self._patience = patience
        self._clock = clock
        self._index = IndexReader()
        self._kept: dict[str, _KeptIndex] = {}

    async def refresh(self, request: Request, project: Project) -> Refreshed:
        """The index as it is after what can be done about it in the time there is."""
        if request.tool.needs is None:
            return Refreshed(self._index.state(project), "unknown")
        if not project.config.scan.auto:
            return _as_it_is(self._index.state(project))
        if project.id not in self._kept:
            self._kept[project.id] = _KeptIndex(
                project, self._environ, lambda: self._index.state(project), self._clock
            )
        return await self._kept[project.id].refresh(request, self._patience)

    def release(self, project: Project) -> None:
        """Let go of a project: its thread, its scan, and what was seen of its files."""
        if (kept := self._kept.pop(project.id, None)) is not None:
            kept.close()
        self._index.release(project)

    def close(self) -> None:
        """End the scans that are under way."""
        for each in self._kept.values():
            each.close()


class _KeptIndex:
    """One project's index and what is being done about it."""

    def __init__(
        self,
        project: Project,
        environ: Mapping[str, str],
        state: Callable[[], IndexState],
        clock: Callable[[], float],
    ) -> None:
        self._project = project
        self._environ = environ
        self._state = state
        self._clock = clock
        from drift.scan.detection import Detector  # see above

        self._detector = Detector(project.root, environ)
        # One thread: looks and updates of a project follow each other.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="drift-fresh")
        self._process: ScanProcess | None = None
        self._failed_at = -math.inf
        self._look: asyncio.Task[Detection] | None = None
        self._looked_at = -math.inf
        self._look_seconds = 0.0
        self._is_closed = False
        self._renewal: ScanProcess | None = None
        self._update_task: asyncio.Task[None] | None = None

    async def refresh(self, request: Request, patience: Patience) -> Refreshed:
        state = self._state()
        if not (state.is_usable and state.layers >= _COMPLETE):
            return await self._scan_first(request, patience.first_scan_seconds)
        if not state.is_of_this_engine and not self._was_renewed:
            return await self._renew(request, patience.rescan_seconds)
        if self._update_task is not None and not self._update_task.done():
            # A call has waited for it already; each further one would wait as long.
            return Refreshed(state, "stale", ("Files changed since the last scan are still being read",))
        try:
            async with asyncio.timeout(_finite(patience.update_seconds)):
                detection = await self._detect()
        except TimeoutError:
            return Refreshed(
                state, "unknown", ("Whether files have changed is not known yet: looking takes long",)
            )
        except (DriftError, OSError) as error:
            reason = error.message if isinstance(error, DriftError) else str(error)
            return Refreshed(state, "unknown", (f"Whether files have changed is not known: {reason}",))
        if detection.differing <= _FEW_FILES and not self._is_scanning:
            return await self._update_few(request, detection, patience.update_seconds)
        return await self._update_many(request, detection, patience.rescan_seconds)

    def close(self) -> None:
        """End what is under way."""
        self._is_closed = True
        if self._process is not None:
            self._process.kill()
        self._thread.shutdown(wait=False, cancel_futures=True)

    @property
    def _is_scanning(self) -> bool:
        return self._process is not None and self._process.is_running

    @property
    def _was_renewed(self) -> bool:
        """Whether the index was built anew. Once is enough: another version on disk than runs here would do it for ever."""
        return self._renewal is not None and not self._renewal.is_running and self._renewal.error is None

    async def _scan_first(self, request: Request, wait_seconds: float) -> Refreshed:
        """Wait for the first scan as far as the call needs it; SCAN_REQUIRED when that takes too long."""
        needed = request.tool.needs
        process = self._ensure_process()
        # A command that waits as long as it takes is answered in full.
        links_first = request.tool.first_links is not None and math.isfinite(wait_seconds)
        is_enough = self._is_read if links_first else lambda: self._is_partly_there(needed)
        await self._wait(request, process, wait_seconds, is_enough)
        stand_in = await self._link_first(request, process) if links_first else None
        if not process.is_running and process.error is not None:
            raise process.error
        state = self._state()
        if not process.is_running or state.layers >= _COMPLETE:
            if stand_in is not None:
                stand_in.close()
            return Refreshed(state, "fresh")
        if stand_in is not None:
            return Refreshed(state, "fresh", (stand_in.notice(str(process.stand)),), stand_in)
        if needed in state.layers:
            notice = (
                f"The first scan is still under way ({process.stand}), and what rests on links is missing"
            )
            return Refreshed(state, "fresh", (notice,))
        raise DriftError(
            ErrorCode.SCAN_REQUIRED,
            f"The first scan of {self._project.name} is under way: {process.stand}",
            Recovery(hint="It goes on by itself: ask again.", retry_after_ms=_ASK_AGAIN_MS),
        )

    def _is_partly_there(self, needed: Layer | None) -> bool:
        """Whether a call can be answered while the rest goes on; what is complete ends in a moment."""
        layers = self._state().layers
        return needed in layers and not layers >= _COMPLETE

    def _is_read(self) -> bool:
        """Whether all files are read and not yet linked."""
        return SYMBOL_LAYERS <= self._state().layers < _COMPLETE

    async def _link_first(self, request: Request, process: ScanProcess) -> LinkedFirst | None:
        """The index with the links that a call needs; None where all are there soon, or these cannot be had."""
        if not self._is_read():
            return None
        await self._wait(request, process, _SECONDS_FOR_ALL, lambda: False)
        if not process.is_running:
            return None
        from drift.pipeline.first_links import link_first  # see above

        wanted = str(request.arguments.get(request.tool.first_links or "", ""))
        root, index = self._project.root, self._state().path
        return await self._in_thread(lambda: link_first(root, index, wanted, self._environ))

    async def _update_few(self, request: Request, detection: Detection, wait_seconds: float) -> Refreshed:
        if not detection.is_current:
            files = plural(detection.differing, "file")
            task = asyncio.get_running_loop().create_task(
                self._in_thread(lambda: self._update(detection, request.client.report))
            )
            self._update_task = task
            try:
                async with asyncio.timeout(_finite(wait_seconds)):
                    await asyncio.shield(task)
            except TimeoutError:
                task.add_done_callback(_tell_failure)
                notice = f"{files} changed since the last scan; reading them takes long and goes on"
                return Refreshed(self._state(), "stale", (notice,))
            except DriftError as error:
                notice = f"{files} changed since the last scan and could not be read yet: {error.message}"
                return Refreshed(self._state(), "stale" if detection.differing else "fresh", (notice,))
            self._looked_at = -math.inf
        return Refreshed(self._state(), "fresh")

    async def _renew(self, request: Request, wait_seconds: float) -> Refreshed:
        """Have an index of another engine built anew; meanwhile it answers."""
        refreshed = await self._rescan(request, _OF_ANOTHER_ENGINE, wait_seconds)
        self._renewal = self._process
        return refreshed

    async def _update_many(self, request: Request, detection: Detection, wait_seconds: float) -> Refreshed:
        differing = f"{plural(detection.differing, 'file')} changed since the last scan"
        return await self._rescan(request, differing, wait_seconds)

    async def _rescan(self, request: Request, differing: str, wait_seconds: float) -> Refreshed:
        """Wait for a scan as long as may be; until it is done the index as it is answers, and says how it differs."""
        try:
            process = self._ensure_process()
            await self._wait(request, process, wait_seconds, lambda: False)
        except DriftError as error:
            return Refreshed(self._state(), "stale", (f"{differing}, and scanning failed: {error.message}",))
        if process.is_running:
            notice = f"{differing}; a scan is under way: {process.stand}"
            return Refreshed(self._state(), "stale", (notice,))
        if process.error is not None:
            notice = f"{differing}, and scanning failed: {process.error.message}"
            return Refreshed(self._state(), "stale", (notice,))
        self._looked_at = -math.inf
        return Refreshed(self._state(), "fresh")

    async def _wait(
        self, request: Request, process: ScanProcess, seconds: float, is_enough: Callable[[], bool]
    ) -> None:
        deadline = self._clock() + seconds
        while process.is_running and self._clock() < deadline and not is_enough():
            stand = process.stand
            request.client.report(stand.done, stand.total, stand.phase)
            await asyncio.sleep(_POLL_SECONDS)

    def _ensure_process(self) -> ScanProcess:
        """The scan under way, or a new one; one that has just failed is not tried again at once."""
        last = self._process
        if last is not None and not last.is_running:
            if last.error is not None and self._failed_at == -math.inf:
                self._failed_at = self._clock()
            if last.error is not None and self._clock() - self._failed_at < _SECONDS_AFTER_FAILURE:
                return last
            last = None
        if last is None:
            from drift.pipeline.scan_process import ScanProcess  # see above

            self._failed_at = -math.inf
            last = self._process = ScanProcess(self._project.root, self._environ)
        return last

    async def _detect(self) -> Detection:
        """How the files differ, looked up anew unless that is costly and was done just now."""
        if self._look is None or not self._may_share(self._look):
            # Without the way through a thread where that takes longer than the answer.
            if (held := self._detector.recall()) is not None:
                return held
            self._look = asyncio.get_running_loop().create_task(self._detect_now())
        # Calls that come together share one look, and none of them may end it for the others.
        return await asyncio.shield(self._look)

    def _may_share(self, look: asyncio.Task[Detection]) -> bool:
        if not look.done():
            return True
        is_recent = self._clock() - self._looked_at < _SECONDS_BETWEEN_LOOKS
        if not is_recent or self._look_seconds < _CHEAP_LOOK_SECONDS or look.cancelled():
            return False
        if self._detector.is_listening:
            return False  # it knows whether there is something to see
        # What was found about another index says nothing of this one.
        return look.exception() is not None or look.result().generation == self._state().generation

    async def _detect_now(self) -> Detection:
        began = self._clock()
        try:
            return await self._in_thread(self._detector.detect)
        finally:
            self._looked_at = self._clock()
            self._look_seconds = self._looked_at - began

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _update(
        self, detection: Detection, report: Callable[[float, float | None, str | None], None]
    ) -> None:
        update_project(
            self._project.root,
            self._environ,
            discovery=detection.discovery,
            is_over=lambda: self._is_closed,
            report=report,
        )


def _as_it_is(state: IndexState) -> Refreshed:
    """An index that nobody is to bring up to date; whether files have changed is not looked for."""
    if state.is_usable and not state.is_of_this_engine:
        return Refreshed(state, "stale", (f"{_OF_ANOTHER_ENGINE}; drift scan builds it anew",))
    return Refreshed(state, "unknown")


def _finite(seconds: float) -> float | None:
    """As asyncio wants it: None for no limit."""
    return None if math.isinf(seconds) else seconds


def _tell_failure(update: asyncio.Task[None]) -> None:
    """Say in the log how an update ended that no call waited for."""
    if not update.cancelled() and (error := update.exception()) is not None:
        log.warning("an update of the index failed: %s", error)
