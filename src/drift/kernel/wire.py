"""Python values as plain JSON: dataclasses become objects with camelCase keys.

A field whose default is None is left out while it is None ("not asked for"); a field without
that default is always there, and null then means "not known".
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import lru_cache
from pathlib import PurePath
from typing import Any

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


@lru_cache(maxsize=4096)
def camel(name: str) -> str:
    """`token_estimate` as `tokenEstimate`; names without underscores stay as they are."""
    head, *rest = name.rstrip("_").split("_")
    return head + "".join(part.capitalize() for part in rest)


@lru_cache(maxsize=4096)
def snake(name: str) -> str:
    """`tokenEstimate` as `token_estimate`."""
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name)


_Fields = tuple[tuple[str, str, bool], ...]
_FIELDS: dict[type[Any], _Fields] = {}


def _fields_of(kind: type[Any]) -> _Fields:
    """Each field's name, its name on the wire, and whether it is left out while None."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(
            (field.name, camel(field.name), field.default is None) for field in fields(kind)
        )
    return _FIELDS[kind]


def _object(value: Any) -> dict[str, Any]:
    pairs = ((wire, getattr(value, name), optional) for name, wire, optional in _fields_of(type(value)))
    return {wire: to_wire(item) for wire, item, optional in pairs if not (optional and item is None)}


def to_wire(value: Any) -> Any:
    """The value in types JSON has. Raises TypeError for anything that is no data."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    convert = _CONVERTERS.get(type(value))
    if convert is not None:
        return convert(value)
    return _to_wire_by_kind(value)


def _to_wire_by_kind(value: Any) -> Any:
    if isinstance(value, Enum):
        return to_wire(value.value)
    if is_dataclass(value) and not isinstance(value, type):
        _CONVERTERS[type(value)] = _object  # found at once the next time
        return _object(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {camel(name): to_wire(item) for name, item in zip(value._fields, value, strict=True)}
    if isinstance(value, Mapping):
        return {str(key): to_wire(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_wire(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(to_wire(item) for item in value)
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, PurePath):
        return value.as_posix()
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not data an answer can carry")


_CONVERTERS: dict[type, Callable[[Any], Any]] = {
    str: lambda value: value,
    list: lambda value: [to_wire(item) for item in value],
    tuple: lambda value: [to_wire(item) for item in value],
    dict: lambda value: {str(key): to_wire(item) for key, item in value.items()},
}
