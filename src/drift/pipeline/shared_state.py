"""What several servers behind one balancer must agree about: how much each caller called, and whether answers have become old.

Both are asked for in one step of a Valkey or Redis before each call. While it cannot be reached, nothing is answered wrongly:
each server counts for itself, so that a limit holds for each server and not for all together, and no kept answer is given,
since another server may have changed what it says. Both are logged and told by `/health`.
"""

import hashlib
import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

from drift.kernel.errors import DriftError, ErrorCode, Recovery

logger = logging.getLogger(__name__)

_URL: Final = re.compile(r"(?:redis|rediss|valkey|valkeys|unix)://\S+")
_SCHEMES: Final = {"valkey://": "redis://", "valkeys://": "rediss://"}
# A call waits no longer than this for the store, and none waits while it is known to be away.
_TIMEOUT_SECONDS: Final = 0.5
_AWAY_SECONDS: Final = 1.0
# All keys lie on one node of a cluster, since one script reads them together.
_PREFIX: Final = "{drift}"
_EPOCH: Final = f"{_PREFIX}:epoch"
_TAKE: Final = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local epoch = redis.call('GET', KEYS[1]) or '0'
for i = 2, #KEYS do
    redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now - ARGV[1])
    if redis.call('ZCARD', KEYS[i]) >= tonumber(ARGV[i + 1]) then
        local oldest = redis.call('ZRANGE', KEYS[i], 0, 0, 'WITHSCORES')
        return {i - 1, oldest[2] + ARGV[1] - now, epoch}
    end
end
for i = 2, #KEYS do
    redis.call('ZADD', KEYS[i], now, ARGV[2])
    redis.call('PEXPIRE', KEYS[i], ARGV[1])
end
return {0, 0, epoch}
"""


class Window(NamedTuple):
    """So many calls in the last minute, of a caller and a group of tools."""

    name: str
    limit: int


class Taken(NamedTuple):
    """What the store said: which window is full and for how long (None: none), and how often anything was changed."""

    full: int | None
    wait_seconds: float
    epoch: str


class SharedState:
    """The store that several servers share. For one event loop."""

    def __init__(self, url: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = _connect(url)
        self._script = self._client.register_script(_TAKE)
        self._clock = clock
        self._away_until = 0.0
        self._owes_news = False
        self.problem: str | None = None
        """Why it cannot be reached; None while it can."""

    async def take(self, caller: str, windows: Sequence[Window], seconds: float) -> Taken | None:
        """Count one call in all windows, or say which is full; None while the store cannot be reached."""
        who = hashlib.sha256(caller.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        keys = [_EPOCH, *(f"{_PREFIX}:rate:{who}:{window.name}" for window in windows)]
        given = [round(seconds * 1000), secrets.token_hex(8), *(window.limit for window in windows)]
        if self._owes_news and not await self.tell_change():
            return None
        found = await self._ask(lambda: self._script(keys=keys, args=given))
        if found is None:
            return None
        place, wait_ms, epoch = found
        return Taken(int(place) - 1 if place else None, int(wait_ms) / 1000, epoch.decode())

    async def tell_change(self) -> bool:
        """Have all servers make their answers anew; whether they will hear it. What could not be told is told later."""
        self._owes_news = await self._ask(lambda: self._client.incr(_EPOCH)) is None
        return not self._owes_news

    async def close(self) -> None:
        await self._client.aclose()

    async def _ask(self, question: Callable[[], Awaitable[Any]]) -> Any:
        """The answer of the store; None while it cannot be reached."""
        if self._clock() < self._away_until:
            return None
        try:
            answer = await question()
        except Exception as error:  # noqa: BLE001 - whatever the client raises, the call goes on without the store
            if self.problem is None:
                logger.warning("the shared state cannot be reached: %s", type(error).__name__)
            self.problem = f"the shared state cannot be reached ({type(error).__name__})"
            self._away_until = self._clock() + _AWAY_SECONDS
            return None
        if self.problem is not None:
            logger.warning("the shared state can be reached again")
            self.problem = None
        return answer


def _connect(url: str) -> Any:
    if _URL.fullmatch(url) is None:
        raise _wrong("it is no address such as redis://host:6379/0")
    for ours, theirs in _SCHEMES.items():
        url = f"{theirs}{url.removeprefix(ours)}" if url.startswith(ours) else url
    try:
        redis: Any = import_module("redis.asyncio")
    except ImportError as error:
        raise DriftError(
            ErrorCode.CONFIG_INVALID,
            "mcp.state_url is set, and the client it needs is not installed",
            Recovery(command="pip install 'drift-mcp[team]'"),
        ) from error
    try:
        return redis.Redis.from_url(
            url, socket_timeout=_TIMEOUT_SECONDS, socket_connect_timeout=_TIMEOUT_SECONDS, protocol=2
        )
    except ValueError as error:
        raise _wrong("it is no address such as redis://host:6379/0") from error


def _wrong(problem: str) -> DriftError:
    # Not the address itself: it may hold a password.
    return DriftError(
        ErrorCode.CONFIG_INVALID,
        f"mcp.state_url (DRIFT_STATE_URL) cannot be used: {problem}",
        Recovery(hint="docs/team.md tells what it is for."),
    )
