"""Manifests of Kubernetes: resources, and the variables of containers, config maps and secrets."""

from collections.abc import Iterator

from drift.documents.items import Item, short
from drift.documents.nodes import Node, read_nodes


def read(text: str, _kind: str) -> Iterator[Item]:
    """The resources in their order. A text of YAML that holds none says nothing."""
    for document in read_nodes(text):
        kind = document.get("kind").text
        for each in document.get("items").children() if kind == "List" else [document]:
            yield from _resource(each)


def _resource(node: Node) -> Iterator[Item]:
    kind, name = node.get("kind").text, node.get("metadata", "name").text
    if not kind or node.get("apiVersion").is_empty:
        return
    owner = short(name or kind)
    yield Item(node.line, "resource", owner, type=short(kind))
    if kind in {"ConfigMap", "Secret"}:
        for section in ("data", "stringData"):
            for key, value in node.get(section).pairs():
                yield Item(value.line, "variable", short(key), owner, type=kind, has_value=not value.is_empty)
    spec = node.get("spec")
    templates = (spec, spec.get("template", "spec"), spec.get("jobTemplate", "spec", "template", "spec"))
    for template in templates:
        for section in ("initContainers", "containers"):
            for container in template.get(section).children():
                yield from _container(container, owner)


def _container(node: Node, owner: str) -> Iterator[Item]:
    for each in node.get("env").children():
        name, source = each.get("name").text, each.get("valueFrom")
        if name:
            kind = next((key for key, _ in source.pairs()), None)
            has_value = kind is not None or not each.get("value").is_empty
            yield Item(
                each.line,
                "variable",
                short(name),
                owner,
                type=short(kind) if kind else None,
                has_value=has_value,
            )
    for each in node.get("ports").children():
        port = each.get("containerPort").text
        if port:
            yield Item(each.line, "port", short(port), owner)
