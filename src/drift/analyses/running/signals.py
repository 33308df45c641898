"""Functions that listen to a signal of the project: who sends the signal runs them.

What it does: leads from who sends a signal that a decorator names (`@receiver(order_paid)`, `@order_paid.connect`) to what stands
under the decorator, and from a model to what listens to the signals that its mapper sends (`@receiver(post_save, sender=Order)`).
Known limits: Python alone; signals that are connected by a call, or that two files name alike.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import Run
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_SENT: Final = 0.9
_BY_MAPPER: Final = 0.6  # a model is made or changed, or only read
_NAMING: Final = re.compile(r"(?:\w{1,80}\.){0,4}(?:receiver|listens_for)")
_CONNECTING: Final = re.compile(r"(?:\w{1,80}\.){0,4}(\w{1,80})\.(?:connect|connect_via|connect_to)")
_FIRST: Final = re.compile(r"\(\s{0,9}[\[(]?([\w.,\s]{1,300})")
_SENDER: Final = re.compile(r"\bsender\s{0,9}=\s{0,9}(?:\w{1,80}\.){0,4}(\w{1,80})")
_SENDING: Final = re.compile(
    r"(?:\w{1,80}\.){0,6}\w{0,80}[Ss]ignal\w{0,80}\.(?:send|send_robust|asend|asend_robust|send_async)"
)
_MOST_CALLS: Final = 1_000


def find_listeners(reader: "IndexReader", *, of_any_sender: bool = False) -> Mapping[str, set[SymbolId]]:
    """What listens to the signals of each name, whoever sends them or to those of one sender."""
    listening, models = _read(reader)
    if not of_any_sender:
        return listening
    bound = {one for listeners in models.values() for one in listeners}
    return {name: listeners - bound for name, listeners in listening.items()}


def _read(reader: "IndexReader") -> tuple[dict[str, set[SymbolId]], dict[str, set[SymbolId]]]:
    """What decorators make listen, by the name of the signal and by the model that sends it."""
    listening: dict[str, set[SymbolId]] = defaultdict(set)
    models: dict[str, set[SymbolId]] = defaultdict(set)
    names = reader.running.decorator_names()
    wanted = [each for each in names if _NAMING.fullmatch(each) or _CONNECTING.fullmatch(each)]
    for mark in reader.running.decorated(wanted) if wanted else ():
        connected = _CONNECTING.fullmatch(mark.decorator)
        first = _FIRST.search(mark.text)
        said = connected[1] if connected else first[1] if first else ""
        for part in said.split(",")[: 1 if connected else None]:
            listening[part.strip().rpartition(".")[2]].add(mark.symbol_id)
        if (sender := _SENDER.search(mark.text)) is not None:
            models[sender[1]].add(mark.symbol_id)
    return listening, models


def signal_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which functions run what listens to the signals they send."""
    listening, models = _read(reader)
    if listening:
        for user, name in _senders(reader):
            yield from (Run(user, one, _SENT) for one in listening.get(name, ()) if one != user)
    for name, listeners in models.items():
        for model in [one.id for one in reader.symbols.named(name) if one.kind == "class"]:
            yield from (Run(model, one, _BY_MAPPER) for one in listeners)


def _senders(reader: "IndexReader") -> Iterator[tuple[SymbolId, str]]:
    """Who sends which signals, by their names."""
    for _, name in reader.running.outside_names():
        if _SENDING.fullmatch(name):
            for call in reader.calls.calls_to_external(name, limit=_MOST_CALLS):
                yield call.caller_id, call.text.rpartition(".")[0].rpartition(".")[2]
