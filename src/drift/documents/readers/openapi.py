"""OpenAPI and Swagger: operations, and schemas with their fields."""

from collections.abc import Iterator
from typing import Final

from drift.documents.items import Item, short
from drift.documents.nodes import Node, read_nodes

_METHODS: Final = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace"})


def read(text: str, _kind: str) -> Iterator[Item]:
    """The operations in their order, then the schemas."""
    for document in read_nodes(text):
        base = document.get("basePath").text or ""
        for path, item in document.get("paths").pairs():
            for method, operation in item.pairs():
                if method.lower() in _METHODS:
                    name = operation.get("operationId").text
                    whole = short(f"{base.rstrip('/')}{path}")
                    yield Item(
                        operation.line,
                        "operation",
                        short(name or f"{method.upper()} {whole}"),
                        method=method.upper(),
                        path=whole,
                    )
        for schemas in (document.get("components", "schemas"), document.get("definitions")):
            for name, schema in schemas.pairs():
                yield from _schema(short(name), schema)


def _schema(name: str, schema: Node) -> Iterator[Item]:
    yield Item(schema.line, "schema", name, type=type_of(schema))
    parts = [schema, *schema.get("allOf").children()]
    for part in parts:
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
