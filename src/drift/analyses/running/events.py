"""Functions that listen to an event by its name: who sends the name runs them.

Example: `socket.emit("add", order)` in a page runs what `socket.on("add", …)` was given in the server.
Known limits: names that are put together; names that libraries send as well; whether both ends share a channel is not looked at.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.edges import Run
from drift.index.ids import SymbolId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader

_SENT: Final = 0.7  # the name alone says that both are of one channel
_SHARED: Final = 0.4  # several listen to it, maybe each to another sender
_MOST_LISTENERS: Final = 8  # beyond, the name says little
_KIND: Final = "event"
_LAST_PART: Final = re.compile(r"[.:>]")

Listeners = Mapping[str, frozenset[SymbolId]]
"""What listens to an event, by its name."""


def event_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which functions run what listens to the events they send by name."""
    listeners = _listeners(reader)
    for sender, name in _senders(reader, listeners):
        sure = _SENT if len(listeners[name]) == 1 else _SHARED
        yield from (Run(sender, one, sure) for one in listeners[name] if one != sender)


def sent_to(reader: "IndexReader") -> frozenset[SymbolId]:
    """What listens to events that the project sends by name, and so does not run where it is registered."""
    listeners = _listeners(reader)
    return frozenset(one for _, name in _senders(reader, listeners) for one in listeners[name])


def _listeners(reader: "IndexReader") -> Listeners:
    found: dict[str, set[SymbolId]] = defaultdict(set)
    for entry in reader.graph.product_entries():
        if entry.kind == _KIND and (name := entry.detail.rpartition(" ")[2]) not in _rules().common:
            found[name].add(entry.symbol_id)
    return {name: frozenset(some) for name, some in found.items() if len(some) <= _MOST_LISTENERS}


def _senders(reader: "IndexReader", listeners: Listeners) -> Iterator[tuple[SymbolId, str]]:
    """Who sends which of these events."""
    saying = sorted({file_of_symbol(symbol) for _, symbol in reader.objects.saying(listeners)})
    sending = _rules().sending
    words = [
        word
        for word, text in (reader.testing.call_texts(saying) if saying else {}).items()
        if sending.fullmatch(_LAST_PART.split(text)[-1])
    ]
    if words:
        yield from reader.running.calls_saying(saying, words, listeners)


class _Rules(NamedTuple):
    sending: re.Pattern[str]
    common: frozenset[str]


@cache
def _rules() -> _Rules:
    table = tomllib.loads(files("drift.analyses.running").joinpath("events.toml").read_text("utf-8"))
    return _Rules(re.compile(table["sending"]), frozenset(table["common"]))
