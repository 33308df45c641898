"""Linking on all cores: processes that each have the facts of all files, and link those they are given.

Neighbours are linked by the same process, since they share answers: each has a stretch of the paths, and whoever is
done with its own takes from the end of another's. What a process says of a file does not depend on what it linked before.
"""

import subprocess
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, Final

from drift.kernel.own_process import Start
from drift.scan.link.link import Overridden
from drift.scan.link_worker import receive, rows_from_plain, send, to_plain
from drift.scan.pool import start_without_user
from drift.scan.row_linker import LinkedRows
from drift.scan.stored import StoredFacts

# Loading makes no garbage worth a search, which would take a twentieth of it.
_RUN_WORKER: Final = "import gc; gc.disable(); from drift.scan.link_worker import main; main()"
_OWN_GROUP: Final = 0  # Ctrl-C at a terminal reaches the scan alone, which ends its processes
# Packed facts that are linked in twice the time that a process takes to start and to find what others have found.
_WORTH_BYTES: Final = 1_000_000
# Each holds what its files and those they read are about; beyond these they repeat more than they take over.
_MOST_PROCESSES: Final = 4
_CHUNKS: Final = 40  # of each process: so much is left to one alone at the end
_AHEAD: Final = 2  # chunks that a process has been given: it need not wait until the last is written


class LostProcessError(Exception):
    """A process has ended before its work, or could not be started."""


def count_processes(packed_bytes: int, jobs: int) -> int:
    """How many processes gain anything for files with so many bytes of packed facts."""
    return max(1, min(jobs, packed_bytes // _WORTH_BYTES, _MOST_PROCESSES))


class LinkPool:
    """Processes that link files of one project. They end with its `close`."""

    def __init__(self, root: Path, count: int, *, start: Start | None = None) -> None:
        self._root = str(root.absolute())
        try:
            self._processes = [_Process(start or start_without_user(_RUN_WORKER, root)) for _ in range(count)]
        except OSError as error:
            raise LostProcessError(str(error)) from error
        self.damaged: dict[str, str] = {}
        """Files whose facts cannot be read, with what to say of them; known once all is linked."""
        self.surroundings: dict[str, str] = {}
        """Files that linking asked for and the index has not, as StoredSources has them; known once all is linked."""

    def link(
        self, facts: StoredFacts, paths: Sequence[str], overridden: Mapping[str, Overridden] | None = None
    ) -> Iterator[LinkedRows]:
        """The rows of these files, in no particular order; with what they override, where that is known.

        LostProcessError where a process fails; what was given until then is true.
        """
        stretches = _stretches(paths, facts, len(self._processes))
        self._each("begin", [(self._root, facts.hand_over(linked=paths))] * len(self._processes))
        if overridden is None:
            parts = self._each("find_overrides", [(stretch,) for stretch in stretches])
            found = [each for part in parts for each in part]
        else:
            found = [(path, to_plain(each)) for path, each in overridden.items()]
        self._each("take_overrides", [(found,)] * len(self._processes))
        yield from self._link([deque(_chunked(stretch)) for stretch in stretches])
        for damaged, surroundings in self._each("tell_beside", [()] * len(self._processes)):
            self.damaged |= damaged
            self.surroundings |= surroundings

    def close(self) -> None:
        for process in self._processes:
            process.close()

    def _each(self, request: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """What each process answers, all of them at work at once."""
        asked = zip(self._processes, arguments, strict=True)
        return [_answer(each) for each in [process.ask(request, *given) for process, given in asked]]

    def _link(self, waiting: list[deque[Sequence[str]]]) -> Iterator[LinkedRows]:
        asked: dict[Future[Any], int] = {}
        for _ in range(_AHEAD):
            for number in range(len(self._processes)):
                self._ask_next(asked, number, waiting)
        while asked:
            for answered in wait(asked, return_when=FIRST_COMPLETED).done:
                self._ask_next(asked, asked.pop(answered), waiting)
                yield from map(rows_from_plain, _answer(answered))

    def _ask_next(
        self, asked: dict[Future[Any], int], number: int, waiting: list[deque[Sequence[str]]]
    ) -> None:
        """Give a process the next of its own chunks, or the last of whoever has most of them."""
        most = max(waiting, key=len)
        if waiting[number]:
            asked[self._processes[number].ask("link", waiting[number].popleft())] = number
        elif most:
            asked[self._processes[number].ask("link", most.pop())] = number


class _Process:
    """One process, and a thread that speaks with it."""

    def __init__(self, start: Start) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
            start.command,
            env=start.environ,
            cwd=start.cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            process_group=_OWN_GROUP,
        )
        self._thread = ThreadPoolExecutor(1)

    def ask(self, request: str, *arguments: Any) -> Future[Any]:
        return self._thread.submit(self._converse, (request, *arguments))

    def _converse(self, message: tuple[Any, ...]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        send(self._process.stdin, message)
        return receive(self._process.stdout)

    def close(self) -> None:
        self._process.kill()  # before the thread, which may be waiting for it
        self._thread.shutdown(cancel_futures=True)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()


def _answer(asked: Future[Any]) -> Any:
    try:
        return asked.result()
    except (OSError, EOFError, ValueError) as error:
        raise LostProcessError(str(error)) from error


def _stretches(paths: Sequence[str], facts: StoredFacts, count: int) -> list[list[str]]:
    """The paths in so many parts, neighbours together, with about as many bytes of facts in each."""
    sizes = [len(facts.packed(path)) for path in paths]
    most, taken = sum(sizes) / count, 0
    stretches: list[list[str]] = [[] for _ in range(count)]
    for path, size in zip(paths, sizes, strict=True):
        stretches[min(int(taken / most), count - 1) if most else 0].append(path)
        taken += size
    return stretches


def _chunked(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    size = max(1, len(paths) // _CHUNKS)
    return (paths[start : start + size] for start in range(0, len(paths), size))
