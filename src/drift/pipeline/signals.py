"""Signals: what a caller did after an answer, which says something of its worth though nobody said a word.

Asking the same tool again with other arguments speaks against the answer, calling what it suggested or its next page for
it; another tool speaks for nothing, and no further call at all may mean either. A failed call is no answer, so what comes
after it says nothing.
"""

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

import orjson

from drift.pipeline.request import Request
from drift.registry import Outcome

Signal = Literal["followed", "moved_on", "retried", "ended"]

SIGNALS: Final = frozenset(get_args(Signal))
_IDLE_SECONDS: Final = 600.0  # after it the next call is about something else
_MOST_CALLERS: Final = 1_000
_CURSOR: Final = "cursor"


@dataclass(frozen=True, slots=True)
class _Last:
    tool: str
    arguments: bytes
    at: float
    suggested: frozenset[str]
    is_answer: bool


class SignalTracker:
    """Remembers the last call of each caller, without what it said."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._last: OrderedDict[tuple[Path, str, str], _Last] = OrderedDict()

    def note(self, store: Path, request: Request, outcome: Outcome) -> tuple[str, Signal] | None:
        """The tool that answered before, and what this call says of it; None where it says nothing.

        `store` is where the project's counts are, and stands for it.
        """
        if not _is_own_wish(request):
            return None
        key = (store, request.caller.id, request.client.name or "")
        now = self._clock()
        this = _Last(
            request.tool.name, _digest(request.arguments), now, _suggested(outcome), not outcome.is_error
        )
        with self._lock:
            last = self._last.pop(key, None)
            self._last[key] = this
            if len(self._last) > _MOST_CALLERS:
                self._last.popitem(last=False)
        if last is None or not last.is_answer:
            return None
        signal = _judge(last, this, has_cursor=bool(request.arguments.get(_CURSOR)))
        return None if signal is None else (last.tool, signal)

    def end(self, *, idle_seconds: float = _IDLE_SECONDS) -> list[tuple[Path, str]]:
        """The tools after whose answers nothing came for as long, each once, with the store of their project."""
        latest = self._clock() - idle_seconds
        with self._lock:  # those who ask for numbers come from threads of their own
            over = [key for key, last in self._last.items() if last.at <= latest]
            gone = [(key[0], self._last.pop(key)) for key in over]
        return [(store, last.tool) for store, last in gone if last.is_answer]


def _judge(last: _Last, this: _Last, *, has_cursor: bool) -> Signal | None:
    if this.at - last.at > _IDLE_SECONDS:
        return "ended"
    if last.tool == this.tool:
        if last.arguments == this.arguments:
            return None  # a look at whether something has changed
        return "followed" if has_cursor else "retried"
    return "followed" if this.tool in last.suggested else "moved_on"


def _is_own_wish(request: Request) -> bool:
    """Whether a client chose the tool, itself or through a door; not a call that another tool made, nor a person's."""
    if request.tool.is_relay or request.caller.is_person:
        return False
    return request.depth == 0 or (request.depth == 1 and request.may_ask)


def _suggested(outcome: Outcome) -> frozenset[str]:
    listed = outcome.body.get("nextActions")
    named = (
        [each.get("tool") for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []
    )
    return frozenset(name for name in named if isinstance(name, str))


def _digest(arguments: Mapping[str, Any]) -> bytes:
    told = orjson.dumps(arguments, default=str, option=orjson.OPT_SORT_KEYS)
    return hashlib.blake2b(told, digest_size=16).digest()
