"""One process of several that link the files of a project: facts in, rows of links out, until its input ends.

Each has the facts of all files, unpacks those it is asked for or comes upon, and answers one request at a time. What
it says of a file is what any other would say, so it does not matter which is asked. Messages are marshalled plain values.
"""

import gc
import marshal
import os
import signal
import sys
from array import array
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Any, Final

from drift.index.rows import LinkRows
from drift.scan.link.link import Overridden
from drift.scan.link.links import Place
from drift.scan.row_linker import LinkedRows, RowLinker
from drift.scan.stored import StoredFacts
from drift.scan.transfer import LENGTH, load_plain

_MARSHAL_VERSION: Final = 2  # later ones look every object up, to send none twice

PlainOverridden = tuple[tuple[Any, ...], tuple[tuple[int, int], ...], bytes, str | None]


class LinkServer:
    """Answers requests about one project, each by the method of its name."""

    def __init__(self, root: str, facts: tuple[Any, ...]) -> None:
        self._linker = RowLinker(Path(root), StoredFacts.handed_over(facts))

    def find_overrides(self, paths: Iterable[str]) -> list[tuple[str, PlainOverridden]]:
        """What the methods of these files override."""
        return [(path, to_plain(self._linker.linker.find_overrides(path))) for path in paths]

    def take_overrides(self, found: Iterable[tuple[str, PlainOverridden]]) -> None:
        """Believe what was found of all files that are linked, in the order of their paths."""
        for path, plain in found:
            self._linker.linker.take_overrides(path, _from_plain(plain))

    def link(self, paths: Iterable[str]) -> list[tuple[str, tuple[Any, ...], str | None]]:
        """The rows of these files."""
        return [(path, tuple(rows), fault) for path, rows, fault in map(self._linker.link, paths)]

    def tell_beside(self) -> tuple[dict[str, str], dict[str, str]]:
        """The files whose facts are damaged, and what was found of files that the index has not."""
        return self._linker.sources.damaged, self._linker.sources.surroundings


def to_plain(found: Overridden) -> PlainOverridden:
    """What the methods of a file override, as it is sent."""
    pairs = tuple((tuple(method), tuple(overrider)) for method, overrider in found.pairs)
    return pairs, tuple(found.offers), found.reads.tobytes(), found.fault


def _from_plain(plain: PlainOverridden) -> Overridden:
    pairs, offers, packed, fault = plain
    reads = array("I")
    reads.frombytes(packed)
    places = tuple((Place._make(method), Place._make(overrider)) for method, overrider in pairs)
    return Overridden(places, frozenset(offers), reads, fault)


def rows_from_plain(plain: tuple[str, tuple[Any, ...], str | None]) -> LinkedRows:
    """The rows of a file, as they were before they were sent."""
    path, rows, fault = plain
    return LinkedRows(path, LinkRows._make(rows), fault)


def send(stream: IO[bytes], message: Any) -> None:
    """Write one message; an unbuffered stream takes it in parts."""
    data = marshal.dumps(message, _MARSHAL_VERSION)
    rest = memoryview(LENGTH.pack(len(data)) + data)
    while rest:
        rest = rest[stream.write(rest) :]
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """The next message. EOFError at the end."""
    size = LENGTH.unpack(_read_exactly(stream, LENGTH.size))[0]
    return load_plain(_read_exactly(stream, size))


def _read_exactly(stream: IO[bytes], count: int) -> bytes:
    parts = []
    while count:
        part = stream.read(min(count, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def main() -> None:
    """Serve the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent ends this one
    gc.disable()  # linking makes no cycles
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library's print must not break the messages
    try:
        _, *project = receive(source)
        server = LinkServer(*project)
        send(sink, None)
        answers: dict[str, Callable[..., Any]] = {
            "find_overrides": server.find_overrides,
            "take_overrides": server.take_overrides,
            "link": server.link,
            "tell_beside": server.tell_beside,
        }
        while True:
            request, *arguments = receive(source)
            send(sink, answers[request](*arguments))
    except (EOFError, BrokenPipeError):
        os._exit(0)  # the parent needs no more; what is held need not be let go piece by piece
