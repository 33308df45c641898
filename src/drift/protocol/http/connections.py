"""Who may hold a connection, and how long one may take to say what it wants."""

import asyncio
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar, Final

from drift.protocol.http.settings import HttpSettings

if TYPE_CHECKING:
    # What the mixin stands before: either of uvicorn's protocols.
    from uvicorn.protocols.http.h11_impl import H11Protocol as HttpProtocol
else:
    HttpProtocol = asyncio.Protocol

_KEPT_DESCRIPTORS: Final = 128  # for stores, workers, logs and the sockets that are just being closed
_FEWEST: Final = 16
_FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
)


class Door:
    """Counts the connections of a server, in all and by address.

    One too many takes the place of the oldest that has not yet sent a whole request, so that a crowd of silent
    ones keeps nobody out; where there is none, it is told to come again.
    """

    def __init__(self, settings: HttpSettings) -> None:
        self.head_seconds = settings.head_timeout_seconds
        self._most = max(_FEWEST, min(settings.max_connections, _descriptors() - _KEPT_DESCRIPTORS))
        self._most_per_address = settings.max_connections_per_address
        self._open: dict[GuardedConnection, None] = {}
        self._counts: Counter[str] = Counter()

    def admit(self, connection: "GuardedConnection") -> bool:
        """Whether it may stay."""
        is_address_full = self._counts[connection.address] >= self._most_per_address
        if is_address_full or len(self._open) >= self._most:
            waiting = (
                each
                for each in self._open
                if each.is_waiting and (not is_address_full or each.address == connection.address)
            )
            oldest = next(waiting, None)
            if oldest is None:
                return False
            self.leave(oldest)
            oldest.drop()
        self._open[connection] = None
        self._counts[connection.address] += 1
        return True

    def leave(self, connection: "GuardedConnection") -> None:
        """Count it no more; one that was refused or dropped was not counted."""
        if connection in self._open:
            del self._open[connection]
            self._counts[connection.address] -= 1
            if not self._counts[connection.address]:
                del self._counts[connection.address]


class GuardedConnection(HttpProtocol):
    """Before uvicorn's protocol: a place at the door, and a time within which each request's head must be there."""

    door: ClassVar[Door]
    address = ""
    _timer: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether nothing is being answered on it: there is no request, or not the whole of one."""
        return self._awaits_head or self.cycle.more_body

    @property
    def _awaits_head(self) -> bool:
        # uvicorn makes a cycle when a head is complete. Its type is not optional, and before the first it is None.
        cycle: Any = self.cycle
        return cycle is None or cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Take a place, or be told that there is none."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        if self.door.admit(self):
            self._arm()
        else:
            transport.write(_FULL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._disarm()
        self.door.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take a piece; the time runs from the first byte of a head to its last."""
        if self._timer is None and self._awaits_head:
            self._arm()
        super().data_received(data)
        if not self._awaits_head:
            self._disarm()

    def drop(self) -> None:
        """End it at once."""
        self._disarm()
        self.transport.abort()

    def _arm(self) -> None:
        self._timer = self.loop.call_later(self.door.head_seconds, self.drop)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _descriptors() -> int:
    """How many files and sockets this process may have open."""
    if sys.platform == "win32":
        return sys.maxsize
    import resource  # there is none on Windows

    most, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if most == resource.RLIM_INFINITY else most
