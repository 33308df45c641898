"""Worker processes that read files side by side and survive whatever a file does to them."""

import atexit
import heapq
import os
import queue
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from drift.index.rows import FileRows
from drift.kernel.own_process import Start, isolated
from drift.scan.describing import Task
from drift.scan.limits import Limits
from drift.scan.reader import Reader

_CHUNK: Final = 16
_CHUNK_BYTES: Final = 256_000
_LARGE_BYTES: Final = 100_000
_WAITING_CHUNKS: Final = 16  # that wait to be written; more would only hold memory
_EARLY_CHUNKS: Final = 8  # that are held back for an earlier one
# Files, or bytes, that are worth another process: they are read in twice the time that one takes to start.
_FEWEST_FOR_EACH: Final = 64
_FEWEST_BYTES_FOR_EACH: Final = 500_000
_LIMITS: Final = Limits()
# Loading makes no garbage worth a search, which would take a twentieth of it.
_RUN_WORKER: Final = "import gc; gc.disable(); from drift.scan.worker import main; main()"


def read_files(
    root: Path,
    tasks: Sequence[Task],
    *,
    jobs: int,
    worker: Start | None = None,
    limits: Limits = _LIMITS,
) -> Iterator[FileRows]:
    """The rows of all files: the large ones first, so that none is waited for at the end, then by their ids.

    Nearly so: what takes long is overtaken. Rows in the order of ids are what the index takes in fastest.
    A file that brings its worker down, or takes more than it may, gets a row that says so.
    """
    if not tasks:
        return
    ordered = sorted(tasks, key=lambda task: (-max(task.size, _LARGE_BYTES), task.file_id))
    count = max(1, min(jobs, _worth(tasks)))
    with _STAND_BY.lend(root, count, worker=worker, limits=limits) as readers:
        yield from _Pool(root, ordered, readers).results()


def prepare_worker(root: Path) -> None:
    """Have a worker start, so that it is ready when there is something to read."""
    _STAND_BY.prepare(root)


def start_without_user(statement: str, root: Path) -> Start:
    """How a process starts that works on strangers' files: without our settings and the user's home."""
    surroundings = {
        name: value
        for name, value in os.environ.items()
        if name != "HOME" and not name.startswith(("DRIFT_", "XDG_"))
    }
    return isolated(statement, environ=surroundings, project=root)


def _worth(tasks: Sequence[Task]) -> int:
    """How many processes gain anything."""
    return max(len(tasks) // _FEWEST_FOR_EACH, sum(task.size for task in tasks) // _FEWEST_BYTES_FOR_EACH)


class _StandBy:
    """Keeps one worker at hand between scans: an edit is seen sooner by a process that has started already.

    It ends by itself when it is not needed for a while, and with this process.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: Reader | None = None
        atexit.register(self.close)

    @contextmanager
    def lend(
        self, root: Path, count: int, *, worker: Start | None, limits: Limits
    ) -> Iterator[Sequence[Reader]]:
        """So many readers; the first of ordinary ones is kept afterwards."""
        is_ordinary = worker is None and limits == _LIMITS
        start = worker or start_without_user(_RUN_WORKER, root)
        kept = self._take(start) if is_ordinary else None
        first = kept or Reader(start, limits)
        readers = [first, *(Reader(start, limits) for _ in range(count - 1))]
        is_whole = False
        try:
            yield readers
            is_whole = True
        finally:
            for reader in readers if not (is_whole and is_ordinary and self._keep(first)) else readers[1:]:
                reader.close()

    def prepare(self, root: Path) -> None:
        """Have an ordinary reader at hand that is started, or starting."""
        start = start_without_user(_RUN_WORKER, root)
        reader = self._take(start) or Reader(start, _LIMITS)
        reader.begin()
        if not self._keep(reader):
            reader.close()

    def close(self) -> None:
        with self._lock:
            kept, self._kept = self._kept, None
        if kept is not None:
            kept.close()

    def _take(self, start: Start) -> Reader | None:
        with self._lock:
            kept, self._kept = self._kept, None
        if kept is not None and kept.start != start:
            kept.close()
            return None
        return kept

    def _keep(self, reader: Reader) -> bool:
        with self._lock:
            if self._kept is None:
                self._kept = reader
            return self._kept is reader


_STAND_BY: Final = _StandBy()


class _Pool:
    """A thread for each worker process, all taking from one list of chunks."""

    def __init__(self, root: Path, tasks: Sequence[Task], readers: Sequence[Reader]) -> None:
        self._root = root
        self._chunks: queue.SimpleQueue[tuple[int, Sequence[Task]]] = queue.SimpleQueue()
        for numbered in enumerate(_chunked(tasks)):
            self._chunks.put(numbered)
        self._results: queue.Queue[_Done | BaseException | None] = queue.Queue(_WAITING_CHUNKS)
        self._stop = threading.Event()
        self._readers = readers
        self._threads = [threading.Thread(target=self._drive, args=(each,), daemon=True) for each in readers]

    def results(self) -> Iterator[FileRows]:
        for thread in self._threads:
            thread.start()
        try:
            yield from _put_in_order(self._finished())
        except BaseException:
            # Where the scan is broken off, the threads are waiting for files.
            self._stop.set()
            for reader in self._readers:
                reader.interrupt()
            raise
        finally:
            for thread in self._threads:
                thread.join()

    def _finished(self) -> Iterator["_Done"]:
        running = len(self._threads)
        while running:
            result = self._results.get()
            if result is None:
                running -= 1
            elif isinstance(result, BaseException):
                raise result
            else:
                yield result

    def _drive(self, reader: Reader) -> None:
        try:
            while not self._stop.is_set():
                try:
                    number, chunk = self._chunks.get_nowait()
                except queue.Empty:
                    break
                rows = []
                for each in reader.read(self._root, chunk):
                    if self._stop.is_set():
                        return
                    rows.append(each)
                self._put(_Done(number, tuple(rows)))
            self._put(None)
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits for the results
            self._put(error)

    def _put(self, result: "_Done | BaseException | None") -> None:
        while not self._stop.is_set():
            try:
                self._results.put(result, timeout=0.2)
            except queue.Full:
                continue
            return


class _Done(NamedTuple):
    """The rows of a chunk, with its number."""

    number: int
    rows: tuple[FileRows, ...]


def _chunked(tasks: Sequence[Task]) -> Iterator[Sequence[Task]]:
    start, size = 0, 0
    for number, task in enumerate(tasks):
        if number - start >= _CHUNK or (number > start and size + task.size > _CHUNK_BYTES):
            yield tasks[start:number]
            start, size = number, 0
        size += task.size
    if start < len(tasks):
        yield tasks[start:]


def _put_in_order(finished: Iterable[_Done]) -> Iterator[FileRows]:
    """The rows in the order of their chunks, but for a chunk that would keep too many others waiting."""
    early: list[_Done] = []
    awaited = 0
    for done in finished:
        heapq.heappush(early, done)
        while early and (early[0].number <= awaited or len(early) > _EARLY_CHUNKS):
            number, rows = heapq.heappop(early)
            awaited = max(awaited, number + 1)
            yield from rows
    while early:
        yield from heapq.heappop(early).rows
