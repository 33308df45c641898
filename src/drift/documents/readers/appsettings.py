"""Settings of .NET: the path of each as its configuration names it, with colons."""

from collections.abc import Iterator

from drift.documents.items import Item
from drift.documents.nodes import read_nodes
from drift.documents.readers.settings import walk_settings


def read(text: str, _kind: str) -> Iterator[Item]:
    """The settings in their order."""
    for document in read_nodes(text):
        yield from walk_settings(document, "", ":")
