"""What listens to models and to objects that are events, by what registers it in PHP.

Example: `Order::observe(Bookkeeping::class)` and `#[ObservedBy(Bookkeeping::class)]` run `Bookkeeping::saved` for who uses orders;
who makes a `Sent` runs what `$events->listen(Sent::class, …)` says.
Known limits: a model that is only read runs no more than `retrieved`; classes of events that two files name alike.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from drift.analyses.running.called_back import classes_by_name
from drift.analyses.running.edges import Run
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_OBSERVED: Final = 0.6  # a model is made or changed, or only read
_SENT: Final = 0.7  # who makes an event sends it
_EVENTS: Final = frozenset(
    {
        "retrieved", "creating", "created", "updating", "updated", "saving", "saved", "deleting", "deleted", "trashed",
        "forceDeleting", "forceDeleted", "restoring", "restored", "replicating",
    }
)  # fmt: skip
_MARK: Final = re.compile(r"(?:\w{1,80}[.\\]){0,8}ObservedBy")
_CLASS: Final = re.compile(r"(\w{1,80})::class")
_OBSERVE: Final = ".observe"
_KIND: Final = "event"


def observed_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which models run what observes them, and which events what listens to them."""
    pairs = list(_observing(reader))
    heard = _heard(reader)
    classes = classes_by_name(reader) if pairs or heard else {}
    constructors = reader.running.constructors() if heard else {}
    for model, observer in pairs:
        for observing in _only(classes, observer):
            methods = [one.id for one in reader.symbols.members(observing) if one.name in _EVENTS]
            for observed in _only(classes, model):
                yield from (Run(observed, one, _OBSERVED) for one in methods)
    for event, listeners in heard.items():
        for sent in _only(classes, event):
            # Who names the class registers something for it.
            for made in constructors.get(sent, (sent,)):
                yield from (Run(made, one, _SENT) for one in listeners if one != made)


def _only(classes: Mapping[str, list[SymbolId]], name: str) -> list[SymbolId]:
    found = classes.get(name, [])
    return found if len(found) == 1 else []


def _observing(reader: "IndexReader") -> Iterator[tuple[str, str]]:
    """The names of models and of what observes them."""
    words = [word for word, name in reader.running.outside_names() if name.endswith(_OBSERVE)]
    yield from reader.objects.observing(words) if words else ()
    marks = [name for name in reader.running.decorator_names() if _MARK.fullmatch(name)]
    for mark in reader.running.decorated(marks) if marks else ():
        yield from ((mark.name, name) for name in _CLASS.findall(mark.text))


def _heard(reader: "IndexReader") -> Mapping[str, list[SymbolId]]:
    """What listens to events of PHP, by the names of their classes."""
    found: dict[str, list[SymbolId]] = defaultdict(list)
    entries = [one for one in reader.graph.product_entries() if one.kind == _KIND]
    named = {one.symbol_id: one.detail.rpartition("\\")[2] for one in entries}
    methods = [
        one
        for one in reader.symbols.many(named)
        if one.language == "php" and one.kind == "method" and named[one.id][:1].isupper()
    ]
    for one in methods:
        # A listener that is found by its folder is told by its own name.
        if named[one.id] != one.qualname.rpartition(".")[0]:
            found[named[one.id]].append(one.id)
    return found
