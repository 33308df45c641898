"""Work that the product puts into a queue, and the tests that run what is in it.

What it does: who puts a job into a queue does not run it; a test that comes to it does so where it has the queue worked
off, or where the settings of the tests put nothing off.
Why it matters: every request of an application puts jobs off, and its tests would be told for the code of all of them.
Known limits: which jobs a test works off is not looked at.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.index_cache import PerState
from drift.index.ids import SymbolId, is_file

if TYPE_CHECKING:
    from drift.index import IndexReader

PUT_OFF: Final = 0.2
"""That what is put into a queue runs in a test that is not seen to work it off."""
A_QUEUE: Final = SymbolId(-1)
"""What a test must have for a way through a queue to count: no class has this number."""
_LAST_PART: Final = re.compile(r"[.:>]")
_RUNS: Final = 1.0


class Queued(NamedTuple):
    """What is put off, with those who put it there and do nothing else with it; and who works queues off."""

    putting: Mapping[SymbolId, frozenset[SymbolId]]
    running: Mapping[SymbolId, float]


NOTHING_QUEUED: Final = Queued({}, {})


_queued: Final = PerState[Queued]()


def queued_work(reader: "IndexReader") -> Queued:
    """What the project puts off; nothing of languages whose tests put nothing off."""
    return _queued.get(reader, lambda: _find_queued(reader))


def _find_queued(reader: "IndexReader") -> Queued:
    putting: dict[SymbolId, frozenset[SymbolId]] = {}
    running: dict[SymbolId, float] = {}
    for queue in _queues():
        found = _putting(reader, queue)
        runners = _running(reader, queue) if found else set()
        if runners is not None:
            putting |= found
            running |= dict.fromkeys(runners, _RUNS)
    return Queued(putting, running)


def _putting(reader: "IndexReader", queue: "_Queue") -> dict[SymbolId, frozenset[SymbolId]]:
    """What is put off by whom, but where the same also calls it at once."""
    words = {
        word: text
        for word, text in reader.queues.written(queue.languages).items()
        if queue.putting.fullmatch(_last(text)) or queue.putting_behind.fullmatch(_last(text))
    }
    behind: dict[SymbolId, list[str]] = defaultdict(list)
    callers: set[SymbolId] = set()
    for caller, word in reader.queues.callers(queue.languages, words) if words else ():
        callers.add(caller)
        if queue.putting_behind.fullmatch(_last(words[word])):
            behind[caller].append(words[word])
    off: dict[SymbolId, set[SymbolId]] = defaultdict(set)
    at_once: set[tuple[SymbolId, SymbolId]] = set()
    for caller, callee, text in reader.queues.calls_of(callers) if callers else ():
        is_put_off = queue.putting.fullmatch(_last(text)) or any(
            whole.startswith((f"{text}(", f"{text}.")) for whole in behind[caller]
        )
        if is_put_off:
            off[callee].add(caller)
        else:
            at_once.add((callee, caller))
    return {
        callee: frozenset(caller for caller in some if (callee, caller) not in at_once)
        for callee, some in off.items()
    }


def _running(reader: "IndexReader", queue: "_Queue") -> set[SymbolId] | None:
    """Who works the queue off; None where all tests do."""
    found: set[SymbolId] = set()
    for symbol, path, is_test in reader.queues.settings(queue.languages, queue.setting, queue.value):
        if queue.files.fullmatch(path):
            return None
        found |= {symbol} if is_test else set()
    tests = reader.testing.test_files()
    texts = reader.testing.call_texts(tests) if tests else {}
    words = {word: text for word, text in texts.items() if queue.running.fullmatch(_last(text))}
    found |= {call.caller_id for call in reader.testing.calls_written(tests, words)} if words else set()
    return None if any(map(is_file, found)) else found  # what helpers of tests do while they are loaded


def _last(text: str) -> str:
    return _LAST_PART.split(text)[-1]


class _Queue(NamedTuple):
    languages: tuple[str, ...]
    putting: re.Pattern[str]
    putting_behind: re.Pattern[str]
    running: re.Pattern[str]
    setting: str
    value: str
    files: re.Pattern[str]


@cache
def _queues() -> tuple[_Queue, ...]:
    tables = tomllib.loads(files("drift.analyses.testing").joinpath("queued.toml").read_text("utf-8"))
    return tuple(
        _Queue(
            tuple(row["languages"]),
            re.compile(row["putting"]),
            re.compile(row["putting_behind"]),
            re.compile(row["running"]),
            row["setting"],
            row["value"],
            re.compile(row["files"]),
        )
        for row in tables["queues"]
    )
