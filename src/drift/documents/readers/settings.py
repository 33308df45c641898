"""Settings in YAML, such as Spring's and those of a Helm chart: the path of each that has no others below it."""

from collections.abc import Iterator
from typing import Final

from drift.documents.items import Item, UnreadableError, short
from drift.documents.kinds import route_prefix
from drift.documents.nodes import Node, read_nodes
from drift.documents.readers.variables import asked_variables

_MOST_DEPTH: Final = 50


def read(text: str, kind: str) -> Iterator[Item]:
    """The settings in their order, then the variables that are asked for."""
    for document in read_nodes(text):
        yield from walk_settings(document, "", ".")
    if kind == "spring":
        yield from asked_variables(text)


def walk_settings(node: Node, path: str, mark: str, *, depth: int = 0) -> Iterator[Item]:
    """The settings below a path; a list is one setting, whatever is in it."""
    if depth > _MOST_DEPTH:  # aliases of aliases
        raise UnreadableError(f"nested more than {_MOST_DEPTH} levels deep")
    for key, value in node.entries or ():
        name = f"{path}{mark}{key}" if path else key
        if value.entries:
            yield from walk_settings(value, name, mark, depth=depth + 1)
        else:
            has_value = not value.is_empty and value.items != [] and value.entries != []
            said, place = route_prefix(name, value.text or "") or (None, None)
            yield Item(value.line, "setting", short(name), type=place, path=said, has_value=has_value)
