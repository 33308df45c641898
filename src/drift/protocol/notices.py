"""News for clients: lists that changed, resources that changed, in both protocol eras."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal

import mcp_types as types
from mcp.server.connection import Connection
from mcp.server.context import CallNext, HandlerResult
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)

from drift.protocol.sources import Context

logger = logging.getLogger(__name__)

ListName = Literal["tools", "prompts", "resources"]
_MAX_SUBSCRIPTIONS = 1_000
_PATIENCE_SECONDS = 2.0
_CHANGED: Mapping[ListName, Callable[[], ToolsListChanged | PromptsListChanged | ResourcesListChanged]] = {
    "tools": ToolsListChanged,
    "prompts": PromptsListChanged,
    "resources": ResourcesListChanged,
}


class _CountingBus(InMemorySubscriptionBus):
    """The SDK's bus, which knows how many listen."""

    listener_count = 0

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        unsubscribe = super().subscribe(listener)
        self.listener_count += 1
        is_open = True

        def end() -> None:
            nonlocal is_open
            unsubscribe()
            self.listener_count -= is_open
            is_open = False

        return end


class Notices:
    """Who wants to hear what. Since 2026-07-28 a bus feeds listen streams; before, sessions are told one by one."""

    def __init__(self, can_watch: Callable[[str], Awaitable[bool]]) -> None:
        self.bus = _CountingBus()
        self._can_watch = can_watch
        self._before_watching: list[Callable[[], Awaitable[None]]] = []
        self._on_listener: list[Callable[[], None]] = []
        self._listened: Counter[str] = Counter()
        self._listen = ListenHandler(self.bus)
        self._known: set[int] = set()
        self._sessions: dict[int, Connection] = {}
        self._watched: dict[str, dict[int, Connection]] = {}

    async def track(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """Server middleware: remember a session from its handshake until it ends."""
        result = await call_next(ctx)
        if ctx.method == "notifications/initialized":
            connection = self._remember(ctx)
            self._sessions[id(connection)] = connection
            self._tell_of_listener()
        return result

    @property
    def has_watchers(self) -> bool:
        """Whether anyone wants to hear of a resource, or has a stream open for news."""
        return bool(self._watched) or self.bus.listener_count > 0

    @property
    def has_listeners(self) -> bool:
        """Whether there is anyone to be told of a new list."""
        return bool(self._sessions) or self.bus.listener_count > 0

    @property
    def watched(self) -> frozenset[str]:
        """The resources that anyone wants to hear of."""
        return frozenset(self._watched) | frozenset(self._listened)

    def on_listener(self, hear: Callable[[], None]) -> None:
        """Have something done whenever somebody comes who is to be told of news."""
        self._on_listener.append(hear)

    def before_watching(self, prepare: Callable[[], Awaitable[None]]) -> None:
        """Have something done before a client is told that it will hear of changes."""
        self._before_watching.append(prepare)

    async def prepare_watching(self) -> None:
        """Do what must be done before a client is told that it will hear of changes."""
        for prepare in self._before_watching:
            await prepare()

    async def listen(
        self, context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Serve a stream of news, since 2026-07-28."""
        wanted = params.notifications
        uris = [uri for uri in wanted.resource_subscriptions or () if await self._can_watch(uri)]
        if wanted.resource_subscriptions:
            # The acknowledgement names what is honoured, so what is not known is left out of it.
            wanted = wanted.model_copy(update={"resource_subscriptions": uris or None})
            params = params.model_copy(update={"notifications": wanted})
        await self.prepare_watching()
        self._tell_of_listener()
        self._listened.update(uris)
        try:
            return await self._listen(context, params)
        finally:
            self._listened.subtract(uris)
            self._listened = +self._listened

    def close(self) -> None:
        """End every stream of news with a last frame that says so."""
        self._listen.close()

    def watch(self, context: Context, uri: str) -> bool:
        """Tell this session of changes to a resource; False when it watches too many."""
        connection = self._remember(context)
        watching = sum(id(connection) in watchers for watchers in self._watched.values())
        if watching >= _MAX_SUBSCRIPTIONS:
            return False
        self._watched.setdefault(uri, {})[id(connection)] = connection
        return True

    def unwatch(self, context: Context, uri: str) -> None:
        watchers = self._watched.get(uri, {})
        watchers.pop(id(_connection(context)), None)
        if not watchers:
            self._watched.pop(uri, None)

    async def list_changed(self, name: ListName) -> None:
        """Tell everyone that a list is new."""
        await self.bus.publish(_CHANGED[name]())
        await self._tell(self._sessions, f"notifications/{name}/list_changed", None)

    async def resource_updated(self, uri: str) -> None:
        """Tell those who watch a resource."""
        await self.bus.publish(ResourceUpdated(uri=uri))
        await self._tell(self._watched.get(uri, {}), "notifications/resources/updated", {"uri": uri})

    def _tell_of_listener(self) -> None:
        for hear in self._on_listener:
            hear()

    async def _tell(
        self, connections: dict[int, Connection], method: str, params: dict[str, Any] | None
    ) -> None:
        # All at once, so that a client that stopped reading delays nobody else.
        async with asyncio.TaskGroup() as group:
            for connection in list(connections.values()):
                group.create_task(self._tell_one(connection, method, params))

    async def _tell_one(self, connection: Connection, method: str, params: dict[str, Any] | None) -> None:
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await connection.outbound.notify(method, params)
        except TimeoutError:
            logger.debug("a client does not read; it missed %s", method)
        except Exception as error:  # noqa: BLE001 - a session that went away must not keep the others from hearing
            logger.debug("a client is gone (%s); it is told nothing more", type(error).__name__)
            self._forget(id(connection))

    def _remember(self, context: Context) -> Connection:
        connection = _connection(context)
        if id(connection) not in self._known:
            self._known.add(id(connection))
            connection.exit_stack.callback(self._forget, id(connection))
        return connection

    def _forget(self, identity: int) -> None:
        self._known.discard(identity)
        self._sessions.pop(identity, None)
        for uri in list(self._watched):
            self._watched[uri].pop(identity, None)
            if not self._watched[uri]:
                del self._watched[uri]


def _connection(context: Context) -> Connection:
    # The SDK has no public name for the connection behind a session, nor a disconnect hook.
    return context.session._connection  # noqa: SLF001 - see above; the SDK version is pinned
