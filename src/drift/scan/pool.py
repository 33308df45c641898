"""Worker processes that read files side by side and survive whatever a file does to them."""

import heapq
import os
import pickle
import queue
import select
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from drift.index.rows import FileRows
from drift.kernel.own_process import Start, isolated
from drift.scan.describing import Task, describe_failure
from drift.scan.extractors import READABLE
from drift.scan.worker import LENGTH, read_file, rows_from_bytes

_CHUNK: Final = 16
_CHUNK_BYTES: Final = 256_000
_SECONDS_PER_FILE: Final = 20.0
_LARGE_BYTES: Final = 100_000
_WAITING_CHUNKS: Final = 16  # that wait to be written; more would only hold memory
# Ctrl-C at a terminal reaches the scan alone, which ends its workers, also where they only start.
_OWN_GROUP: Final = 0
_EARLY_CHUNKS: Final = 8  # that are held back for an earlier one
_FEWEST_WORTH_A_POOL: Final = 24  # below that, starting processes costs more than it saves
_RUN_WORKER: Final = "from drift.scan.worker import main; main()"


def read_files(
    root: Path,
    tasks: Sequence[Task],
    *,
    jobs: int,
    worker: Start | None = None,
    seconds_per_file: float = _SECONDS_PER_FILE,
) -> Iterator[FileRows]:
    """The rows of all files: the large ones first, so that none is waited for at the end, then by their ids.

    Nearly so: what takes long is overtaken. Rows in the order of ids are what the index takes in fastest.
    A file that brings its worker down, or keeps it longer than allowed, gets a row that says so.
    """
    ordered = sorted(tasks, key=lambda task: (-max(task.size, _LARGE_BYTES), task.file_id))
    apart = _read_apart(ordered) if jobs > 0 else []
    if apart:
        count = min(jobs, len(apart))
        start = worker or isolated(_RUN_WORKER, environ=os.environ, project=root)
        start = start._replace(command=(*start.command, str(root.absolute())))
        workers = [_Worker(start, seconds_per_file) for _ in range(count)]
        yield from _Pool(apart, workers).results()
    given_away = {task.file_id for task in apart}
    yield from (read_file(root, task) for task in ordered if task.file_id not in given_away)


def _read_apart(tasks: Sequence[Task]) -> Sequence[Task]:
    """What workers read: all of many files; of few the large ones, as only these can keep a grammar for minutes."""
    if len(tasks) >= _FEWEST_WORTH_A_POOL:
        return tasks
    return [task for task in tasks if task.size > _LARGE_BYTES and task.language in READABLE]


class _Pool:
    """A thread for each worker process, all taking from one list of chunks."""

    def __init__(self, tasks: Sequence[Task], workers: Sequence["_Worker"]) -> None:
        self._chunks: queue.SimpleQueue[tuple[int, Sequence[Task]]] = queue.SimpleQueue()
        for numbered in enumerate(_chunked(tasks)):
            self._chunks.put(numbered)
        self._results: queue.Queue[_Done | BaseException | None] = queue.Queue(_WAITING_CHUNKS)
        self._stop = threading.Event()
        self._workers = workers
        self._threads = [threading.Thread(target=self._drive, args=(each,), daemon=True) for each in workers]

    def results(self) -> Iterator[FileRows]:
        for thread in self._threads:
            thread.start()
        try:
            yield from _put_in_order(self._finished())
        finally:
            self._stop.set()
            # Where the scan is broken off, the threads may be waiting for a file and get no time to end their workers.
            for worker in self._workers:
                worker.interrupt()

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

    def _drive(self, worker: "_Worker") -> None:
        try:
            while not self._stop.is_set():
                try:
                    number, chunk = self._chunks.get_nowait()
                except queue.Empty:
                    break
                rows = []
                for each in worker.read(chunk):
                    if self._stop.is_set():
                        return
                    rows.append(each)
                self._put(_Done(number, tuple(rows)))
            self._put(None)
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits for the results
            self._put(error)
        finally:
            worker.close()

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


class _Worker:
    """One process, replaced when it crashes or hangs."""

    def __init__(self, start: Start, seconds_per_file: float) -> None:
        self._start = start
        self._seconds_per_file = seconds_per_file
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, tasks: Sequence[Task]) -> Iterator[FileRows]:
        """The rows of these files, one for each, also for those that brought the process down."""
        left = list(tasks)
        while left:
            process = self._running()
            self._send(process, left)
            while left:
                rows = self._receive(process)
                if isinstance(rows, str):
                    yield describe_failure(left.pop(0), rows)
                    self.close()
                    break
                left.pop(0)
                yield rows

    def interrupt(self) -> None:
        """End the process, if there is one; for another thread than the one that reads."""
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - our own module, no shell
                self._start.command,
                env=self._start.environ,
                cwd=self._start.cwd,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                process_group=_OWN_GROUP,
            )
        return self._process

    def _send(self, process: subprocess.Popen[bytes], tasks: Sequence[Task]) -> None:
        assert process.stdin is not None
        data = pickle.dumps(list(tasks), pickle.HIGHEST_PROTOCOL)
        try:
            process.stdin.write(LENGTH.pack(len(data)) + data)
        except BrokenPipeError:
            return  # the reading side finds out, and says so of the file

    def _receive(self, process: subprocess.Popen[bytes]) -> FileRows | str:
        """The next file's rows, or what became of the process in its place."""
        assert process.stdout is not None
        deadline = time.monotonic() + self._seconds_per_file
        head = self._read_exactly(process.stdout.fileno(), LENGTH.size, deadline)
        if isinstance(head, str):
            return head
        body = self._read_exactly(process.stdout.fileno(), LENGTH.unpack(head)[0], deadline)
        return body if isinstance(body, str) else rows_from_bytes(body)

    def _read_exactly(self, descriptor: int, count: int, deadline: float) -> bytes | str:
        """So many bytes, or a sentence about why not."""
        parts: list[bytes] = []
        while count:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                return f"took longer than {self._seconds_per_file:g} s"
            part = os.read(descriptor, min(count, 1 << 20))
            if not part:
                return "brought the reading process down"
            parts.append(part)
            count -= len(part)
        return b"".join(parts)
