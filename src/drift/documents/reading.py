"""A document read: its bytes in, what it declares out."""

from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from types import ModuleType
from typing import Final, NamedTuple, Protocol, cast

from drift.documents.elements import PageElement
from drift.documents.items import MOST_ITEMS, Item, UnreadableError
from drift.documents.kinds import DocumentKind


class Document(NamedTuple):
    """What a file of a kind declares; `problem` says why that is not all of it."""

    kind: str
    items: tuple[Item, ...]
    problem: str | None = None
    elements: tuple[PageElement, ...] = ()
    """Of a page."""


class _Reader(Protocol):
    read: Callable[[str, str], Iterator[Item | PageElement]]
    """The items and elements of a text of a kind, in the order of the text. Raises UnreadableError, after what it could read."""


def read_document(kind: DocumentKind, content: bytes) -> Document:
    """What a document of a kind declares; what cannot be read of it is a problem, and the rest is kept."""
    text = content.decode("utf-8", "replace")
    found: list[Item | PageElement] = []
    problem = None
    try:
        # What has no name is a slip of the pen, or of a reader: nobody can ask for it.
        told = _reader(kind.reader).read(text, kind.name)
        found.extend(
            islice((each for each in told if isinstance(each, PageElement) or each.name), MOST_ITEMS + 1)
        )
    except UnreadableError as error:
        problem = str(error)
    if len(found) > MOST_ITEMS:
        problem = f"more than {MOST_ITEMS:,} items; what follows is left out"
    items = tuple(each for each in found[:MOST_ITEMS] if isinstance(each, Item))
    elements = tuple(each for each in found[:MOST_ITEMS] if isinstance(each, PageElement))
    return Document(kind.name, items, problem, elements)


def _reader(name: str) -> _Reader:
    # By its name in the table: a project has few kinds, and a new one is a module and a row.
    return cast("_Reader", _loaded(name))


_modules: Final[dict[str, ModuleType]] = {}


def _loaded(name: str) -> ModuleType:
    if name not in _modules:
        _modules[name] = import_module(f"drift.documents.readers.{name}")
    return _modules[name]
