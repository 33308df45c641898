"""A document read: its bytes in, what it declares out."""

from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from types import ModuleType
from typing import Final, Protocol, cast

from drift.documents.items import MOST_ITEMS, Document, Item, UnreadableError
from drift.documents.kinds import DocumentKind


class _Reader(Protocol):
    read: Callable[[str, str], Iterator[Item]]
    """The items of a text of a kind, in the order of the text. Raises UnreadableError, after what it could read."""


def read_document(kind: DocumentKind, content: bytes) -> Document:
    """What a document of a kind declares; what cannot be read of it is a problem, and the rest is kept."""
    text = content.decode("utf-8", "replace")
    items: list[Item] = []
    problem = None
    try:
        # What has no name is a slip of the pen, or of a reader: nobody can ask for it.
        named = (item for item in _reader(kind.reader).read(text, kind.name) if item.name)
        items.extend(islice(named, MOST_ITEMS + 1))
    except UnreadableError as error:
        problem = str(error)
    if len(items) > MOST_ITEMS:
        problem = f"more than {MOST_ITEMS:,} items; what follows is left out"
    return Document(kind.name, tuple(items[:MOST_ITEMS]), problem)


def _reader(name: str) -> _Reader:
    # By its name in the table: a project has few kinds, and a new one is a module and a row.
    return cast("_Reader", _loaded(name))


_modules: Final[dict[str, ModuleType]] = {}


def _loaded(name: str) -> ModuleType:
    if name not in _modules:
        _modules[name] = import_module(f"drift.documents.readers.{name}")
    return _modules[name]
