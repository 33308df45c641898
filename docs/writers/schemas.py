"""JSON Schemas in the words of a table."""

from collections.abc import Iterator
from typing import Any, NamedTuple

Schema = dict[str, Any]


def type_of(schema: Schema) -> str:
    """What a value may be, in a few words."""
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(type_of(option) for option in schema["anyOf"])
    named = schema.get("type")
    if isinstance(named, list):
        return " or ".join(named)
    if named == "array":
        inner = schema.get("items", {})
        return f"list of {type_of(inner)}" if inner else "list"
    return _bounded(str(named), schema) if named else "anything"


def _bounded(name: str, schema: Schema) -> str:
    if "minimum" in schema:
        return f"{name} from {schema['minimum']:,} to {schema['maximum']:,}"
    if "maxLength" in schema:
        return f"{name}, at most {schema['maxLength']:,} characters"
    return name


class Member(NamedTuple):
    """One member of an object, at any depth."""

    path: str
    type: str
    is_required: bool
    about: str


def members_of(schema: Schema, prefix: str = "") -> Iterator[Member]:
    """Every member at any depth, outer ones first."""
    required = schema.get("required", ())
    for name, inner in schema.get("properties", {}).items():
        path = f"{prefix}{name}"
        yield Member(path, type_of(inner), name in required, inner.get("description", ""))
        yield from _inner_members(inner, path)


def _inner_members(schema: Schema, path: str) -> Iterator[Member]:
    for option in (schema, *schema.get("anyOf", ())):
        if option.get("type") == "array":
            yield from members_of(option.get("items", {}), f"{path}[].")
        elif "properties" in option:
            yield from members_of(option, f"{path}.")
        elif isinstance(option.get("additionalProperties"), dict):
            yield from members_of(option["additionalProperties"], f"{path}.NAME.")
