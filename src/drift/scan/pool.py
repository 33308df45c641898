"""Worker processes that read files side by side and survive whatever a file does to them."""

import os
import pickle
import queue
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from drift.index.rows import FileRows
from drift.scan.describing import Task, describe_failure
from drift.scan.worker import LENGTH, read_file

_CHUNK: Final = 16
_SECONDS_PER_FILE: Final = 20.0
_WAITING_RESULTS: Final = 256  # rows that wait to be written; more would only hold memory
_FEWEST_WORTH_A_POOL: Final = 24  # below that, starting processes costs more than it saves


WORKER: Final = (sys.executable, "-c", "from drift.scan.worker import main; main()")


def read_files(
    root: Path,
    tasks: Sequence[Task],
    *,
    jobs: int,
    worker: Sequence[str] = WORKER,
    seconds_per_file: float = _SECONDS_PER_FILE,
) -> Iterator[FileRows]:
    """The rows of all files, as they get ready; the largest go first, so that none is waited for at the end.

    A file that brings its worker down, or keeps it longer than allowed, gets a row that says so.
    """
    ordered = sorted(tasks, key=lambda task: (-task.size, task.path))
    if len(ordered) < _FEWEST_WORTH_A_POOL or jobs < 1:
        yield from (read_file(root, task) for task in ordered)
        return
    workers = [_Worker((*worker, str(root)), seconds_per_file) for _ in range(jobs)]
    yield from _Pool(ordered, workers).results()


class _Pool:
    """A thread for each worker process, all taking from one list of chunks."""

    def __init__(self, tasks: Sequence[Task], workers: Sequence["_Worker"]) -> None:
        self._chunks: queue.SimpleQueue[Sequence[Task]] = queue.SimpleQueue()
        for start in range(0, len(tasks), _CHUNK):
            self._chunks.put(tasks[start : start + _CHUNK])
        self._results: queue.Queue[FileRows | BaseException | None] = queue.Queue(_WAITING_RESULTS)
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._drive, args=(each,), daemon=True) for each in workers]

    def results(self) -> Iterator[FileRows]:
        for thread in self._threads:
            thread.start()
        running = len(self._threads)
        try:
            while running:
                result = self._results.get()
                if result is None:
                    running -= 1
                elif isinstance(result, BaseException):
                    raise result
                else:
                    yield result
        finally:
            self._stop.set()

    def _drive(self, worker: "_Worker") -> None:
        try:
            while not self._stop.is_set():
                try:
                    chunk = self._chunks.get_nowait()
                except queue.Empty:
                    break
                for rows in worker.read(chunk):
                    self._put(rows)
            self._put(None)
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits for the results
            self._put(error)
        finally:
            worker.close()

    def _put(self, result: FileRows | BaseException | None) -> None:
        while not self._stop.is_set():
            try:
                self._results.put(result, timeout=0.2)
            except queue.Full:
                continue
            return


class _Worker:
    """One process, replaced when it crashes or hangs."""

    def __init__(self, command: Sequence[str], seconds_per_file: float) -> None:
        self._command = command
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
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
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
        rows: FileRows | str = body if isinstance(body, str) else pickle.loads(body)  # noqa: S301 - from our own worker
        return rows

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
