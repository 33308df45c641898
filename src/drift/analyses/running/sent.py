"""Handlers that run for what a test makes and hands to a function that tests share to send it: `await SendAsync(command)`.

What such a function hands to the mediator is no one class, so its call leads to no handler; the tests that make
something and call it say which are meant.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from drift.analyses.callables import CLASS_KINDS
from drift.analyses.running.edges import Run
from drift.index.ids import SymbolId, file_of_symbol
from drift.scan.link.handlers import Dispatch, dispatches

if TYPE_CHECKING:
    from drift.index import IndexReader

_SENT: Final = 0.7  # the test makes it, and its file calls what sends
_MOST_CALLS: Final = 1_000
_LANGUAGES: Final = ("csharp", "java", "typescript")
_GENERIC: Final = re.compile(r"(?:\w{1,80}\.){0,8}(\w{1,80})\s{0,9}<\s{0,9}(?:\w{1,80}\.){0,8}(\w{1,80})")


def sent_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which tests run which handlers through a function of tests that sends what it is given."""
    for language in _LANGUAGES:
        for row in dispatches(language):
            if row.takes == "base" and row.bases and (files := _sending_files(reader, row)):
                yield from _handled(reader, row, files)


def _sending_files(reader: "IndexReader", row: Dispatch) -> set[int]:
    """The files of tests that call a function of tests which hands something over that is no one class."""
    calls = [call for name in row.senders for call in reader.calls.calls_to_external(name, limit=_MOST_CALLS)]
    senders = reader.symbols.many({call.caller_id for call in calls})
    shared = [one.id for one in senders if one.role == "test"]
    places = reader.callers.places(shared, named=None) if shared else []
    return {file_of_symbol(place.caller_id) for place in places if place.is_test}


def _handled(reader: "IndexReader", row: Dispatch, files: Collection[int]) -> Iterator[Run]:
    handlers: dict[str, list[SymbolId]] = defaultdict(list)
    texts = [text for text in reader.listings.base_texts() if _handled_name(text, row)]
    for handler, text, _ in reader.listings.based_on(texts) if texts else ():
        handlers[_handled_name(text, row)].append(handler)
    for name, owners in handlers.items():
        methods = [
            one.id for owner in owners for one in reader.symbols.members(owner) if one.name in row.methods
        ]
        made = [one.id for one in reader.symbols.named(name) if one.kind in {*CLASS_KINDS, "constructor"}]
        for place in reader.callers.places(made, named=None) if made and methods else ():
            if place.is_test and file_of_symbol(place.caller_id) in files:
                yield from (Run(place.caller_id, method, _SENT) for method in methods)


def _handled_name(text: str, row: Dispatch) -> str:
    """The type that a parent of a handler names as handled; nothing where it is no such parent."""
    found = _GENERIC.match(text)
    return found[2] if found is not None and found[1] in row.bases else ""
