"""A few connections for all threads of a process; those that broke are replaced when they are next needed."""

import atexit
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import psycopg
from psycopg.pq import TransactionStatus

from drift.kernel.postgres.connection import Raw, connect

_MOST_CONNECTIONS: Final = 8
_WAIT_SECONDS: Final = (
    30.0  # a machine that is too busy is waited for; no call may take longer than some minutes
)

_lock: Final = threading.Lock()
_pools: Final[dict[tuple[int, str], "Pool"]] = {}


class PoolBusyError(psycopg.OperationalError):
    """All connections are in use, and have been for a while."""


class Pool:
    """The connections to one database."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._free = threading.BoundedSemaphore(_MOST_CONNECTIONS)
        self._lock = threading.Lock()
        self._idle: list[Raw] = []

    @contextmanager
    def begun(self, begin: str) -> Iterator[Raw]:
        """A connection for one block, with a transaction begun; the block ends it. Raises psycopg.Error."""
        if not self._free.acquire(timeout=_WAIT_SECONDS):
            raise PoolBusyError("all connections are in use")
        try:
            raw = self._begin(begin)
            try:
                yield raw
            finally:
                self._give_back(raw)
        finally:
            self._free.release()

    def close(self) -> None:
        """Let go of the connections that wait."""
        with self._lock:
            idle, self._idle = self._idle, []
        for raw in idle:
            raw.close()

    def _begin(self, begin: str) -> Raw:
        with self._lock:
            raw = self._idle.pop() if self._idle else None
        if raw is not None:
            try:
                raw.execute(begin.encode())
            except psycopg.OperationalError:
                # The server was started again since, and the others that wait are gone as well.
                raw.close()
                self.close()
            else:
                return raw
        raw = connect(self._address)
        raw.execute(begin.encode())
        return raw

    def _give_back(self, raw: Raw) -> None:
        if not raw.closed and raw.info.transaction_status is not TransactionStatus.IDLE:
            with suppress(psycopg.Error):
                raw.execute("ROLLBACK")
        if raw.closed or raw.info.transaction_status is not TransactionStatus.IDLE:
            raw.close()
            return
        with self._lock:
            self._idle.append(raw)


def pool_of(address: str) -> Pool:
    """The pool of a database, one for each process: a connection does not survive a fork."""
    with _lock:
        if not _pools:
            atexit.register(close_pools)
        key = (os.getpid(), address)
        pool = _pools.get(key)
        if pool is None:
            pool = _pools[key] = Pool(address)
        return pool


def close_pools() -> None:
    """Let go of all connections of this process."""
    with _lock:
        own = [pool for (process, _address), pool in _pools.items() if process == os.getpid()]
    for pool in own:
        pool.close()
