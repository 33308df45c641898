"""One worker process: files in by number, rows out, until its input ends.

Frames are a length and a message over pipes nobody else has: tasks come as a pickle, rows go back marshalled,
which is several times as fast and all that plain tuples need. A worker that crashes or hangs
costs the one file it was reading: the pool records it and starts another.
"""

import gc
import marshal
import os
import pickle
import signal
import struct
import sys
from pathlib import Path
from typing import Any, BinaryIO, Final

from drift.index.rows import FileRow, FileRows
from drift.scan.describing import Task, describe, describe_failure, describe_plain
from drift.scan.extractors import READABLE, extractor_of
from drift.scan.hashing import hash_content, read_whole

LENGTH: Final = struct.Struct("<I")
_MOST_SECONDS_PER_FILE: Final = 120  # the parent, if there is one, is through with a file long before
_MARSHAL_VERSION: Final = 2  # later ones look every object up, to send none twice


def read_file(root: Path, task: Task) -> FileRows:
    """The rows of one file; whatever goes wrong is a row that says so."""
    try:
        content = read_whole(root, task.path)
    except OSError as error:
        return describe_failure(task, f"cannot be read ({error.strerror})")
    found = task._replace(size=len(content))
    content_hash = hash_content(content)
    if task.language not in READABLE:
        return describe_plain(found, content_hash)
    try:
        facts = extractor_of(task.language)(content, task.path)
        return describe(found, facts, content_hash)
    except Exception as error:  # noqa: BLE001 - one file must never end the scan; the row says what happened
        reason = f"{type(error).__name__} while reading {task.language}"
        return describe_failure(found, reason, content_hash=content_hash)


def rows_to_bytes(rows: FileRows) -> bytes:
    """The rows as a worker sends them."""
    return marshal.dumps((tuple(rows.file), *rows[1:]), _MARSHAL_VERSION)


def rows_from_bytes(data: bytes) -> FileRows:
    """The rows a worker has sent."""
    file, *facts = marshal.loads(data)  # noqa: S302 - from our own worker, over its pipe
    return FileRows(FileRow._make(file), *facts)


def send(stream: BinaryIO, rows: FileRows) -> None:
    data = rows_to_bytes(rows)
    stream.write(LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """The next message, or None at the end."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    return pickle.loads(stream.read(LENGTH.unpack(head)[0]))  # noqa: S301 - from our own parent, over its pipe


def _limit_life() -> None:
    """End this process where one file takes beyond all measure: a parent that was killed cannot do it."""
    if hasattr(signal, "alarm"):  # Windows has none
        signal.alarm(_MOST_SECONDS_PER_FILE)


def main() -> None:
    """Serve the pool: the first argument is the project's root."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent ends this one
    gc.disable()  # trees and rows live for one file; 5 % of the time
    root = Path(sys.argv[1])
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library's print must not break the frames
    while (tasks := receive(source)) is not None:
        for task in tasks:
            _limit_life()
            try:
                send(sink, read_file(root, task))
            except BrokenPipeError:
                os._exit(1)  # the parent is gone: nobody is there to be told
        gc.collect()
        # What is left is modules and grammars, here to stay: looking through them after each chunk takes 8 % of the time.
        gc.freeze()
