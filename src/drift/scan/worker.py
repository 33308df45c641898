"""One worker process: files in by number, rows out, until its input ends.

Every file is read in one: a parser may crash, hang or take all memory there is, and here it takes its own. It
serves whichever project the message names. It ends with its parent, whose end closes its input; when it has had
nothing to do for a while; and when a file has left it large.
"""

import gc
import os
import pickle
import select
import signal
import sys
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from drift.documents import document_kind, read_document
from drift.index.rows import FileRows
from drift.languages.facts import FileFacts, Problem
from drift.languages.overruns import CUT_SHORT, LEFT_OUT, describe_overrun
from drift.languages.sites import use_own_queries
from drift.scan.describing import Task, describe, describe_document, describe_failure, describe_plain
from drift.scan.extractors import READABLE, extractor_of
from drift.scan.hashing import hash_content, read_whole
from drift.scan.limits import Guard, Limits, resident_bytes
from drift.scan.transfer import LENGTH, rows_to_bytes

READY: Final = b"r"
"""What a worker sends first: whatever ends it from then on, it had started."""
OUT_OF_MEMORY: Final = 3
"""The exit code of a worker that had no memory left to say more."""
_IDLE_SECONDS: Final = 60
_LARGE_BYTES: Final = 300_000_000  # ordinary files leave it below 100 MB
_SMALLEST_BEGINNING: Final = 2_000
# What takes a grammar minutes grows with the square of the text, or faster: an eighth is through in seconds.
_BEGINNING_PARTS: Final = 8


class Work(NamedTuple):
    """What a worker is given at a time."""

    root: str
    limits: Limits
    tasks: list[Task]
    own: tuple[str, ...] = ()
    """The dimensions of the project itself, as their files say."""


def read_file(root: Path, task: Task, guard: Guard, *, limits: Limits) -> FileRows:
    """The rows of one file; whatever goes wrong is a row that says so.

    Of a file that takes too much, or that has brought a worker down before, the beginning is read.
    """
    try:
        content = task.content if task.content is not None else read_whole(root, task.path)
    except OSError as error:
        return describe_failure(task, f"cannot be read ({error.strerror})")
    found = task._replace(size=len(content))
    content_hash = hash_content(content)
    allowed = limits.for_size(len(content))
    if task.language not in READABLE:
        return _read_other(found, content, guard, hashed=content_hash, allowed=allowed)
    problem = task.overrun
    for source in [_beginning(content)] if problem else [content, _beginning(content)]:
        try:
            with guard.hold(allowed.for_beginning() if problem else allowed):
                facts = extractor_of(task.language)(source, task.path)
                return describe(found, _cut(facts, problem, source) if problem else facts, content_hash)
        except MemoryError:
            os._exit(OUT_OF_MEMORY)  # what is left would not do for an answer; the parent knows what to say
        except CUT_SHORT as error:
            problem = problem or describe_overrun(error)
        except Exception as error:  # noqa: BLE001 - one file must never end the scan; the row says what happened
            reason = f"{type(error).__name__} while reading {task.language}"
            return describe_failure(found, reason, content_hash=content_hash)
    return describe_failure(found, f"{problem}, and its beginning alone, too", content_hash=content_hash)


def _read_other(task: Task, content: bytes, guard: Guard, *, hashed: str, allowed: Limits) -> FileRows:
    """The rows of a file that is no code: what it declares if it is a document, else that it is there."""
    directory, _, name = task.path.rpartition("/")
    kind = document_kind(directory, name)
    if kind is None:
        return describe_plain(task, hashed)
    if task.overrun:
        return describe_failure(task, task.overrun, content_hash=hashed)
    try:
        with guard.hold(allowed):
            return describe_document(task, read_document(kind, content), hashed)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)  # as above
    except CUT_SHORT as error:
        return describe_failure(task, describe_overrun(error), content_hash=hashed)
    except Exception as error:  # noqa: BLE001 - as above, one file must never end the scan
        return describe_failure(
            task, f"{type(error).__name__} while reading {kind.name}", content_hash=hashed
        )


def _beginning(content: bytes) -> bytes:
    """The first lines of a file; of one that is a single line, the first bytes."""
    start = content[: max(len(content) // _BEGINNING_PARTS, _SMALLEST_BEGINNING)]
    return start[: start.rfind(b"\n") + 1] or start


def _cut(facts: FileFacts, problem: str, source: bytes) -> FileFacts:
    left_out = Problem(source.count(b"\n") + 1, f"{problem}: what follows {LEFT_OUT}")
    return facts._replace(problems=(left_out, *facts.problems))


def send(stream: BinaryIO, rows: FileRows) -> None:
    data = rows_to_bytes(rows)
    stream.write(LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def receive(stream: BinaryIO) -> Work | None:
    """The next message, or None at the end, which is also when none has come for long."""
    if not select.select([stream], [], [], _IDLE_SECONDS)[0]:
        return None
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    return Work._make(pickle.loads(stream.read(LENGTH.unpack(head)[0])))  # noqa: S301 - from our own parent, over its pipe


def _limit_life(seconds: float) -> None:
    """End this process where one file takes beyond all measure: a parent that was killed cannot do it. 0: never."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


def main() -> None:
    """Serve the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent ends this one
    gc.disable()  # trees and rows live for one file; 5 % of the time
    guard = Guard()
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library's print must not break the frames
    sink.write(READY)
    sink.flush()
    while resident_bytes() < _LARGE_BYTES and (work := receive(source)) is not None:
        use_own_queries(work.own)
        for task in work.tasks:
            # The parent waits as long for each part of the answer, and tries once more with the beginning.
            _limit_life(2 * work.limits.wall_seconds)
            try:
                send(sink, read_file(Path(work.root), task, guard, limits=work.limits))
            except BrokenPipeError:
                os._exit(1)  # the parent is gone: nobody is there to be told
        _limit_life(0)
        gc.collect()
        # What is left is modules and grammars, here to stay: looking through them after each chunk takes 8 % of the time.
        gc.freeze()
