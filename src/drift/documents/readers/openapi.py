"""OpenAPI and Swagger: operations, and schemas with their fields."""

import re
from collections.abc import Iterator
from typing import Final

from drift.documents.items import Item, short
from drift.documents.nodes import Node, read_nodes

_METHODS: Final = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace"})
_HOST: Final = re.compile(r"^(?:[a-z]{2,8}:)?//[^/]*")


def read(text: str, _kind: str) -> Iterator[Item]:
    """The operations in their order, each with what it is sent, then the schemas."""
    for document in read_nodes(text):
        base = document.get("basePath").text or ""
        yield from _server(document)
        for path, item in document.get("paths").pairs():
            for method, operation in item.pairs():
                if method.lower() in _METHODS:
                    whole = short(f"{base.rstrip('/')}{path}")
                    yield from _operation(document, operation, method.upper(), whole)
        for schemas in (document.get("components", "schemas"), document.get("definitions")):
            for name, schema in schemas.pairs():
                yield from _schema(short(name), schema)


def _server(document: Node) -> Iterator[Item]:
    """What the first server puts before all paths; that of Swagger is in the paths of its operations already."""
    base = document.get("basePath")
    first = next(iter(document.get("servers").children()), None)
    told = base if first is None else first.get("url")
    path = _HOST.sub("", told.text or "").rstrip("/")
    if path.startswith("/"):
        yield Item(told.line, "server", short(told.text or ""), path=short(path))


def _operation(document: Node, operation: Node, method: str, path: str) -> Iterator[Item]:
    name = short(operation.get("operationId").text or f"{method} {path}")
    answers = [node for status, node in operation.get("responses").pairs() if status.startswith("2")]
    answer = _content(document, answers[0]) if answers else None
    told = f"{name} response"
    kind = _type_or(answer, told)
    yield Item(operation.line, "operation", name, type=kind, method=method, path=path)
    if answer is not None and kind == told:
        yield from _schema(told, answer)
    sent = _content(document, operation.get("requestBody")) or _in_body(document, operation)
    if sent is not None:
        told = f"{name} request"
        kind = _type_or(sent, told)
        yield Item(sent.line, "request", name, type=kind, method=method, path=path)
        if kind == told:
            yield from _schema(told, sent)


def _type_or(schema: Node | None, told: str) -> str | None:
    """The type of a schema; one that is written where it is used has a name of its own."""
    if schema is None:
        return None
    is_own = not schema.get("properties").is_empty or not schema.get("allOf").is_empty
    return short(told) if is_own else type_of(schema)


def _content(document: Node, node: Node) -> Node | None:
    """The schema of an answer or of a body: of JSON where there is one, else the first."""
    node = _pointed(document, node)
    told = dict(node.get("content").pairs())
    kind = next((key for key in told if "json" in key), next(iter(told), None))
    schema = told[kind].get("schema") if kind is not None else node.get("schema")
    return None if schema.is_empty else schema


def _in_body(document: Node, operation: Node) -> Node | None:
    """The schema of Swagger's parameter that is the body."""
    given = [_pointed(document, each) for each in operation.get("parameters").children()]
    bodies = [each.get("schema") for each in given if each.get("in").text == "body"]
    return bodies[0] if bodies and not bodies[0].is_empty else None


def _pointed(document: Node, node: Node) -> Node:
    """What a reference within the document leads to."""
    reference = node.get("$ref").text or ""
    return document.get(*reference[2:].split("/")) if reference.startswith("#/") else node


def _schema(name: str, schema: Node) -> Iterator[Item]:
    yield Item(schema.line, "schema", name, type=type_of(schema))
    parts = [schema, *schema.get("allOf").children()]
    for part in parts:
        above = part.get("$ref").text
        if above:
            yield Item(part.line, "parent", short(above.rpartition("/")[2]), name)
        required = {each.text for each in part.get("required").children()}
        for field, node in part.get("properties").pairs():
            has_default = not node.get("default").is_empty
            yield Item(
                node.line,
                "field",
                short(field),
                name,
                type_of(node),
                has_value=has_default,
                is_required=field in required,
            )


def type_of(node: Node) -> str | None:
    """The type of a schema: a name, `[]` behind it for a list of such, or a format."""
    reference = node.get("$ref").text
    if reference:
        return short(reference.rpartition("/")[2])
    kind = node.get("type").text
    if kind == "array":
        return short(f"{type_of_item(node)}[]")
    form = node.get("format").text
    return short(f"{kind}:{form}" if kind and form else kind) if kind else None


def type_of_item(node: Node) -> str:
    """The type of a list's items; a list of lists is not looked into."""
    item = node.get("items")
    reference = item.get("$ref").text
    return reference.rpartition("/")[2] if reference else item.get("type").text or ""
