"""Cache: the same question about the same index gets the same answer without the work.

The key holds the project, the index generation, the tool and its normalised arguments, so a new
index never serves an old answer as its own. Identical calls that arrive together share one computation.

Where computing took long, a call after a change of the index gets the answer from before it at once, told as stale with
the age of its facts, while a new one is made for the next call: for tools that allow it, and not after a call that
wrote, for whoever writes wants to see it. Such answers that are asked for often are also made anew shortly before they
expire. The least recently used go first: see docs/decisions for why not the least frequently used.
"""

import asyncio
import hashlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import orjson
from cachetools import LRUCache, TLRUCache

from drift.kernel.sharing import store_exists
from drift.pipeline.cache_store import CacheStore
from drift.pipeline.request import Next, Request
from drift.pipeline.shared_state import SharedState
from drift.project import Project
from drift.registry import Effect, Outcome, SilentClient

logger = logging.getLogger(__name__)

# An L1 of 200 entries stays under about 20 MB.
_MAX_ENTRY_CHARS = 100_000


class Event(StrEnum):
    """What happened in a project that makes answers old."""

    SCANNED = "scanned"
    CURATED = "curated"
    PROJECT_SWITCHED = "project_switched"
    CLEARED = "cleared"


# Which categories an event makes old; None means all.
INVALIDATED_BY: Final[dict[Event, frozenset[str] | None]] = {
    Event.SCANNED: None,
    Event.CURATED: frozenset({"exploration", "detail", "orchestration", "discovery"}),
    Event.PROJECT_SWITCHED: None,
    Event.CLEARED: None,
}


# Shorter waits are not worth an old answer, or making one that nobody may ask for.
_LONG_SECONDS = 1.0
_OFTEN = 2
_LAST_SHARE = 0.2  # of its time, in which an answer that is asked for often is made anew
_NOTICE = "From before the last changes were read; a new answer is being made: ask again for it"


@dataclass(slots=True)
class Entry:
    """A kept answer and what it was about, what it cost, and how often it was asked for since."""

    outcome: Outcome
    project_id: str
    category: str
    ttl_seconds: int
    kept_at: float
    seconds: float = 0.0
    data_age: str | None = None
    asked: int = 0

    @property
    def took_long(self) -> bool:
        return self.seconds >= _LONG_SECONDS


class Cache:
    """Answers in memory, and optionally in SQLite so that they survive a restart."""

    def __init__(
        self,
        size: int,
        clock: Callable[[], float] = time.monotonic,
        store: Callable[[Project], CacheStore | None] | None = None,
        environ: Mapping[str, str] | None = None,
        shared: SharedState | None = None,
    ) -> None:
        self._entries: TLRUCache[str, Entry] = TLRUCache(
            maxsize=max(size, 1), ttu=lambda _key, entry, now: now + entry.ttl_seconds, timer=clock
        )
        self._clock = clock
        self._latest: LRUCache[str, tuple[str, str]] = LRUCache(maxsize=max(size, 1))
        """By question the project and the key of the last answer, whatever index that was made from."""
        self._running: dict[str, asyncio.Future[Outcome | None]] = {}
        self._renewals: dict[str, asyncio.Task[Outcome]] = {}
        self._environ = {} if environ is None else environ
        self._open_store = store or (lambda _project: None)
        self._stores: dict[str, CacheStore | None] = {}
        self._epoch = 0
        self._shared = shared
        self._heard: str | None = None
        """How often the servers that share the state had changed anything; None while that is not known."""
        self.hits = 0
        self.misses = 0
        self.forgotten = 0

    def __len__(self) -> int:
        return len(self._entries)

    async def __call__(self, request: Request, step: Next) -> Outcome:
        if not request.tool.ttl_seconds:
            return await self._pass(request, step)
        if self._shared is not None and self._heard is None:
            return await step(request)  # another server may have changed what a kept answer says
        key = cache_key(request, await self._stamp(request))
        found = self._find(key, request)
        if found is not None:
            self._renew_early(key, request, step)
            return self._hit(request, found)
        old = self._find_old(key, request)
        if old is not None:
            self._renew(key, request, step)
            request.freshness, request.data_age = "stale", old.data_age
            request.notices.append(_NOTICE)
            return self._hit(request, old.outcome)
        if key in self._running:
            shared = await asyncio.shield(self._running[key])
            if shared is not None:
                return self._hit(request, shared)
        self.misses += 1
        return await self._compute(key, request, step)

    async def _pass(self, request: Request, step: Next) -> Outcome:
        try:
            return await step(request)
        finally:
            if request.tool.effect is not Effect.READS:
                self._forget_old(request.settled_project)
                if self._shared is not None:
                    await self._shared.tell_change()

    def heed(self, epoch: str | None) -> None:
        """Forget all that was kept before another server changed something, or may have."""
        if epoch != self._heard:
            self.forget()
        self._heard = epoch

    def _find_old(self, key: str, request: Request) -> Entry | None:
        """The answer to the same question from an earlier index, where it may be given instead of a long wait."""
        _, latest = self._latest.get(_question(key), ("", ""))
        entry = self._entries.get(latest)
        if entry is None or not entry.took_long:
            return None
        # The tool is asked last: where it has answered, its module is loaded.
        serves_old = request.tool.code.serves_old
        return entry if serves_old is not None and serves_old(request.arguments) else None

    def _forget_old(self, project: Project) -> None:
        for question, (project_id, _) in list(self._latest.items()):
            if project_id == project.id:
                self._latest.pop(question, None)

    def _renew_early(self, key: str, request: Request, step: Next) -> None:
        """Make an answer anew that is asked for often and about to expire, so that nobody has to wait for it."""
        entry = self._entries.get(key)
        if entry is None or not entry.took_long:
            return
        entry.asked += 1
        left = entry.kept_at + entry.ttl_seconds - self._clock()
        if entry.asked >= _OFTEN and left < entry.ttl_seconds * _LAST_SHARE:
            self._renew(key, request, step)

    def _renew(self, key: str, request: Request, step: Next) -> None:
        """Make an answer beside the call; whoever asks before it is there does not wait for it."""
        if key in self._running or key in self._renewals:
            return
        # A request of its own: this one may be cancelled, and its client hears nothing of this work.
        own = replace(
            request,
            client=SilentClient(),
            may_ask=False,
            started=time.perf_counter(),
            warnings=list(request.warnings),
            notices=[],
            relayed=[],
            cancelled=threading.Event(),
        )
        task = asyncio.get_running_loop().create_task(self._compute(key, own, step))
        self._renewals[key] = task
        task.add_done_callback(lambda done: self._end_renewal(key, done))

    def _end_renewal(self, key: str, task: asyncio.Task[Outcome]) -> None:
        self._renewals.pop(key, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.warning("an answer could not be made anew: %s", error)

    def invalidate(self, event: Event, project: Project | None = None) -> int:
        """Forget what an event made old; the count of forgotten answers."""
        return self.forget(project, INVALIDATED_BY[event])

    def forget(self, project: Project | None = None, categories: frozenset[str] | None = None) -> int:
        """Forget answers of one project (or all) in some categories (or all)."""
        self._epoch += 1  # computations under way finish for their callers but are not kept
        doomed = [
            key
            for key, entry in list(self._entries.items())
            if (project is None or entry.project_id == project.id)
            and (categories is None or entry.category in categories)
        ]
        for key in doomed:
            self._entries.pop(key, None)
        self.forgotten += len(doomed)
        for store in [self._store(project)] if project else list(self._stores.values()):
            if store is not None:
                store.forget(categories)
        return len(doomed)

    def release(self, project: Project) -> None:
        """Let go of a project's file; answers in memory stay, for when it comes back."""
        if (store := self._stores.pop(project.id, None)) is not None:
            store.close()

    def close(self) -> None:
        """Let go of the files, and of answers that nobody waits for."""
        for task in self._renewals.values():
            if not task.get_loop().is_closed():
                task.get_loop().call_soon_threadsafe(task.cancel)
        for store in self._stores.values():
            if store is not None:
                store.close()

    def _store(self, project: Project) -> CacheStore | None:
        if project.id not in self._stores:
            self._stores[project.id] = self._open_store(project)
        return self._stores[project.id]

    async def _stamp(self, request: Request) -> str:
        if not request.tool.has_stamp:
            return ""
        # In a thread, because the first question loads the tool's module.
        return await asyncio.to_thread(_stamp_of, request, self._environ)

    def _find(self, key: str, request: Request) -> Outcome | None:
        entry = self._entries.get(key)
        if entry is not None:
            return entry.outcome
        store = self._store(request.settled_project)
        kept = store.get(key) if store else None
        if kept is not None:
            self._keep_in_memory(key, request, kept)
        return kept

    def _hit(self, request: Request, outcome: Outcome) -> Outcome:
        self.hits += 1
        request.is_cached = True
        return outcome

    async def _compute(self, key: str, request: Request, step: Next) -> Outcome:
        future: asyncio.Future[Outcome | None] = asyncio.get_running_loop().create_future()
        self._running[key] = future
        epoch, outcome, began = self._epoch, None, self._clock()
        try:
            outcome = await step(request)
            return outcome
        finally:
            # Waiters get the answer, or None after a failure or cancellation: then each tries for itself.
            usable = outcome if outcome is not None and not outcome.is_error else None
            self._running.pop(key, None)
            future.set_result(usable)
            if usable is not None and epoch == self._epoch:
                self._keep(key, request, usable, seconds=self._clock() - began)

    def _keep(self, key: str, request: Request, outcome: Outcome, *, seconds: float) -> None:
        if len(outcome.text) > _MAX_ENTRY_CHARS:
            return
        self._keep_in_memory(key, request, outcome, seconds=seconds)
        store = self._store(request.settled_project)
        if store is not None:
            store.put(key, request.tool.category.name, outcome)

    def _keep_in_memory(self, key: str, request: Request, outcome: Outcome, *, seconds: float = 0.0) -> None:
        tool, project = request.tool, request.settled_project
        self._entries[key] = Entry(
            outcome,
            project.id,
            tool.category.name,
            tool.ttl_seconds,
            kept_at=self._clock(),
            seconds=seconds,
            data_age=request.data_age,
        )
        self._latest[_question(key)] = project.id, key


def _has_memories(project: Project) -> str:
    """Whether there are memories, which decides what can be called next; a tool that tells what they say has a stamp."""
    return str(store_exists(project.memory_db))


def _own_limit(request: Request) -> int | None:
    """The limit of the call where it is another than the usual; tools with a limit of their own may look at it."""
    is_usual = request.tool.max_tokens is None and request.max_tokens == request.usual_limit
    return None if is_usual else request.max_tokens


def _stamp_of(request: Request, environ: Mapping[str, str]) -> str:
    stamp = request.tool.code.stamp
    return stamp(request.settled_project, environ) if stamp is not None else ""


def cache_key(request: Request, stamp: str = "") -> str:
    """A key equal for calls that must get equal answers; `stamp` is the tool's own, where it has one."""
    arguments = orjson.dumps(
        [
            request.arguments,
            _own_limit(request),
            sorted(request.caller.scopes) if request.caller.scopes is not None else None,
            request.caller.is_person,  # a person gets reports whole
        ],
        option=orjson.OPT_SORT_KEYS,
    )
    project = request.settled_project
    parts = (
        project.id,
        _has_memories(project),
        request.tool.name,
        str(request.tool.version),
        str(
            request.surface
        ),  # answers suggest calls in a form it lists, and a disk outlives the choice of one
        stamp,
    )
    question = hashlib.blake2b("\0".join(parts).encode() + b"\0" + arguments, digest_size=16).hexdigest()
    return f"{question}-{request.generation}"


def _question(key: str) -> str:
    """What was asked, whatever the index."""
    return key.partition("-")[0]
