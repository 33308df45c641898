"""Python values as plain JSON: dataclasses become objects with camelCase keys.

A field whose default is None is left out while it is None ("not asked for"); a field without
that default is always there, and null then means "not known".
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from pathlib import PurePath
from types import NoneType
from typing import Any, Final, NamedTuple

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


class PlainRows(tuple[dict[str, Any], ...]):
    """Objects that are plain JSON already and pass to the wire as they are. Nobody may change them."""

    __slots__ = ()


# Most of an answer is such values, which stay as they are; to ask here is quicker than to call a function for each.
_PLAIN: Final[frozenset[type]] = frozenset({NoneType, bool, int, float, str})


class _Plan(NamedTuple):
    """How the objects of a class are read: all fields at once, then each name on the wire and whether it may be left out."""

    read: Callable[[Any], tuple[Any, ...]]
    names: tuple[tuple[str, bool], ...]


_PLANS: dict[type[Any], _Plan] = {}


def _plan_of(kind: type[Any]) -> _Plan:
    if kind not in _PLANS:
        found = [field for field in fields(kind) if field.metadata.get("is_on_wire", True)]
        _PLANS[kind] = _Plan(
            _reader([field.name for field in found]),
            tuple((camel(field.name), field.default is None) for field in found),
        )
    return _PLANS[kind]


def _reader(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    # Of a single name, attrgetter gives the value itself.
    return lambda value: tuple(getattr(value, name) for name in names)


def _object(value: Any) -> dict[str, Any]:
    read, names = _plan_of(type(value))
    return {
        wire: item if type(item) in _PLAIN else to_wire(item)
        for (wire, is_optional), item in zip(names, read(value), strict=True)
        if item is not None or not is_optional
    }


def _list(value: Iterable[Any]) -> list[Any]:
    return [item if type(item) in _PLAIN else to_wire(item) for item in value]


def _dict(value: Mapping[Any, Any]) -> dict[str, Any]:
    return {
        key if type(key) is str else str(key): item if type(item) in _PLAIN else to_wire(item)
        for key, item in value.items()
    }


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
        return _dict(value)
    if isinstance(value, (list, tuple)):
        return _list(value)
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
    list: _list,
    tuple: _list,
    dict: _dict,
    PlainRows: list,
}
