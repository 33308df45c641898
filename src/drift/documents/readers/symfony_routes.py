"""Routes of Symfony in YAML: what is taken in with which prefix, and paths with what answers to them."""

from collections.abc import Iterator
from typing import Final

from drift.documents.items import Item, short
from drift.documents.nodes import Node, read_nodes

_ENVIRONMENT: Final = "when@"


def read(text: str, _kind: str) -> Iterator[Item]:
    """The routes and what is taken in, in their order; what holds in one environment alone comes last."""
    nodes = read_nodes(text)
    for document in nodes:
        for name, entry in document.pairs():
            if not name.startswith(_ENVIRONMENT):
                yield from _items(name, entry)
    for document in nodes:
        for name, entry in document.pairs():
            if name.startswith(_ENVIRONMENT):
                for inner, each in entry.pairs():
                    yield from _items(inner, each)


def _items(name: str, entry: Node) -> Iterator[Item]:
    resource = entry.get("resource")
    taken = resource.text or resource.get("path").text
    if taken:
        yield Item(entry.line, "route-import", short(taken), short(name), path=_path(entry.get("prefix")))
        return
    path = _path(entry.get("path"))
    controller = entry.get("controller").text or entry.get("defaults", "_controller").text
    if path and controller:
        yield Item(
            entry.line, "route", short(name), type=short(controller), method=_methods(entry), path=path
        )


def _path(node: Node) -> str | None:
    """A path; of one for each language the first."""
    text = node.text or next((each.text for _, each in node.pairs() if each.text), None)
    return short(text) if text else None


def _methods(entry: Node) -> str | None:
    methods = entry.get("methods")
    words = [each.text for each in methods.children() if each.text] or (methods.text or "").split("|")
    return ",".join(word.strip().upper() for word in words if word.strip()) or None
