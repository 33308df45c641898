"""JSON Schema from Python types, and typed values back from checked JSON."""

import types
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache
from pathlib import Path, PurePath
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NewType,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from drift.kernel.arguments import MAX_ITEMS, MAX_STRING_CHARS, Length, Range
from drift.kernel.wire import camel, plain

Schema = dict[str, Any]

_SCALARS: Mapping[Any, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
_TEXT_TYPES = (datetime, date, Path, PurePath)


def input_schema_of(annotation: Any, *, is_snake: bool = False) -> Schema:
    """What a caller may send. Lengths are bounded even where the definition names none."""
    return _schema(annotation, _Style(is_input=True, is_snake=is_snake), seen=())


def output_schema_of(annotation: Any, *, is_snake: bool = False) -> Schema:
    """What an answer carries. Fields that default to None may be absent; all others are always there."""
    return _schema(annotation, _Style(is_input=False, is_snake=is_snake), seen=())


class _Style(NamedTuple):
    """Whether a schema is of arguments or of an answer, and how names are written in it."""

    is_input: bool
    is_snake: bool

    def name(self, field: str) -> str:
        return plain(field) if self.is_snake else camel(field)


def _schema(annotation: Any, style: _Style, *, seen: tuple[Any, ...]) -> Schema:
    origin = get_origin(annotation)
    if origin is Annotated:
        return _annotated(annotation, style, seen=seen)
    if annotation is Any or isinstance(annotation, TypeVar):
        return {}
    if isinstance(annotation, NewType):
        return _schema(annotation.__supertype__, style, seen=seen)
    if annotation in _SCALARS:
        schema: Schema = {"type": _SCALARS[annotation]}
        return {**schema, "maxLength": MAX_STRING_CHARS} if style.is_input and annotation is str else schema
    if origin is Literal:
        return _choices(get_args(annotation))
    if origin in (Union, types.UnionType):
        return _union(get_args(annotation), style, seen=seen)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _choices([member.value for member in annotation])
    if isinstance(annotation, type) and issubclass(annotation, _TEXT_TYPES):
        return {"type": "string"}
    return _container(annotation, origin, style=style, seen=seen)


def _container(annotation: Any, origin: Any, *, style: _Style, seen: tuple[Any, ...]) -> Schema:
    kind = origin or annotation
    arguments = get_args(annotation)
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        return _object(annotation, style, seen=seen)
    if isinstance(kind, type) and issubclass(kind, Mapping):
        values = _schema(arguments[1], style, seen=seen) if arguments else {}
        return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
    if isinstance(kind, type) and issubclass(kind, (Sequence, set, frozenset)):
        items = _schema(arguments[0], style, seen=seen) if arguments else {}
        schema: Schema = {"type": "array", "items": items}
        return {**schema, "maxItems": MAX_ITEMS} if style.is_input else schema
    raise TypeError(f"{annotation!r} has no JSON form; use data types in tool signatures")


def _annotated(annotation: Any, style: _Style, *, seen: tuple[Any, ...]) -> Schema:
    inner, *notes = get_args(annotation)
    schema = _schema(inner, style, seen=seen)
    for note in notes:
        if isinstance(note, str):
            schema["description"] = note
        elif isinstance(note, Range):
            schema |= {"minimum": note.minimum, "maximum": note.maximum}
        elif isinstance(note, Length):
            schema["maxItems" if schema.get("type") == "array" else "maxLength"] = note.maximum
    return schema


def _choices(values: Sequence[Any]) -> Schema:
    kinds = {_SCALARS[type(value)] for value in values}
    return {"type": kinds.pop(), "enum": list(values)} if len(kinds) == 1 else {"enum": list(values)}


def _union(options: Sequence[Any], style: _Style, *, seen: tuple[Any, ...]) -> Schema:
    # An optional argument is simply absent; the pipeline drops nulls before checking.
    wanted = [option for option in options if not (style.is_input and option is type(None))]
    schemas = [_schema(option, style, seen=seen) for option in wanted]
    if len(schemas) == 1:
        return schemas[0]
    if all(set(schema) == {"type"} for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return {"anyOf": schemas}


def _object(annotation: Any, style: _Style, *, seen: tuple[Any, ...]) -> Schema:
    kind = get_origin(annotation) or annotation
    if kind in seen:
        raise TypeError(f"{kind.__name__} contains itself; flatten it with ids and references")
    hints = get_type_hints(kind, include_extras=True)
    bound = dict(zip(getattr(kind, "__parameters__", ()), get_args(annotation), strict=False))
    properties, required = {}, []
    if hasattr(kind, "_fields"):  # a NamedTuple, all of whose fields are always told
        members = {style.name(name): _schema(hints[name], style, seen=(*seen, kind)) for name in kind._fields}
        return {"type": "object", "properties": members, "required": list(members)}
    for field in fields(kind):
        if not field.metadata.get("is_on_wire", True):
            continue
        hint = hints[field.name]
        properties[style.name(field.name)] = _schema(bound.get(hint, hint), style, seen=(*seen, kind))
        has_default = field.default is not MISSING or field.default_factory is not MISSING
        if not has_default or (not style.is_input and field.default is not None):
            required.append(style.name(field.name))
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return {**schema, "additionalProperties": False} if style.is_input else schema


def decode(annotation: Any, value: Any) -> Any:
    """A checked JSON value as the Python type a tool asked for."""
    if value is None:
        return None
    origin = get_origin(annotation)
    if origin is Annotated:
        return decode(get_args(annotation)[0], value)
    if origin in (Union, types.UnionType):
        options = [option for option in get_args(annotation) if option is not type(None)]
        return decode(options[0], value) if len(options) == 1 else value
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return annotation(value)
    if is_dataclass(annotation) and isinstance(annotation, type):
        members = _members_of(annotation)
        return annotation(**{members[key][0]: decode(members[key][1], item) for key, item in value.items()})
    if annotation is int:
        return int(value)  # JSON Schema counts 2.0 as an integer
    if isinstance(value, list):
        item_type = (get_args(annotation) or (Any,))[0]
        items = [decode(item_type, item) for item in value]
        return tuple(items) if origin is tuple else items
    return value


@cache
def _members_of(kind: type[Any]) -> dict[str, tuple[str, Any]]:
    """By its name on the wire each field's own name and type; to find the types takes longer than a call may."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        name: (field.name, hints[field.name])
        for field in fields(kind)
        for name in (
            camel(field.name),
            plain(field.name),
        )  # whichever of the two the tool's schema lets through
    }


def listed(schema: Schema) -> Schema:
    """The schema as tools/list shows it: bounds every string and list has are not repeated for each."""
    quiet = {"maxLength": MAX_STRING_CHARS, "maxItems": MAX_ITEMS, "additionalProperties": False}
    shown = {key: value for key, value in schema.items() if key not in quiet or value != quiet[key]}
    if isinstance(shown.get("properties"), dict):
        shown["properties"] = {name: listed(inner) for name, inner in shown["properties"].items()}
    if isinstance(shown.get("items"), dict):
        shown["items"] = listed(shown["items"])
    if "anyOf" in shown:
        shown["anyOf"] = [listed(option) for option in shown["anyOf"]]
    return shown
