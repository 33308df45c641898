"""Compose files: services, their images, ports and variables, and the variables the file itself asks for."""

from collections.abc import Iterator

from drift.documents.items import Item, short
from drift.documents.nodes import Node, read_nodes
from drift.documents.readers.variables import asked_variables, set_variables


def read(text: str, _kind: str) -> Iterator[Item]:
    """The services in their order, then what is asked for."""
    for document in read_nodes(text):
        for name, service in document.get("services").pairs():
            yield from _service(short(name), service)
    yield from asked_variables(text)


def _service(name: str, service: Node) -> Iterator[Item]:
    image = service.get("image").text
    yield Item(service.line, "service", name, type=short(image) if image else None)
    yield from set_variables(service.get("environment"), name)
    yield from set_variables(service.get("build", "args"), name, kind="argument")
    files = service.get("env_file")
    for each in files.children() or [files]:
        path = each.text or each.get("path").text
        if path:
            yield Item(each.line, "env-file", short(path), name)
    for each in service.get("ports").children():
        port = each.text or each.get("target").text
        if port:
            yield Item(each.line, "port", short(port), name)
