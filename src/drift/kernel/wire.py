"""Python values as plain JSON: dataclasses become objects with camelCase keys, or snake_case ones for tools that speak so.

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


def plain(name: str) -> str:
    """`token_estimate` as it is; only the underscore that keeps a name from being a keyword goes."""
    return name.rstrip("_")


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


class _Wire:
    """Makes plain JSON of values; how the names of fields are written is one rule for all of them."""

    def __init__(self, write_name: Callable[[str], str]) -> None:
        self._write_name = write_name
        self._plans: dict[type[Any], _Plan] = {}
        self._converters: dict[type, Callable[[Any], Any]] = {
            str: lambda value: value,
            list: self._list,
            tuple: self._list,
            dict: self._dict,
            PlainRows: list,
        }

    def convert(self, value: Any) -> Any:
        if value is None or isinstance(value, (bool, int, float)):
            return value
        known = self._converters.get(type(value))
        return self._convert_by_kind(value) if known is None else known(value)

    def _make_plan(self, kind: type[Any]) -> _Plan:
        found = [field for field in fields(kind) if field.metadata.get("is_on_wire", True)]
        plan = self._plans[kind] = _Plan(
            _reader([field.name for field in found]),
            tuple((self._write_name(field.name), field.default is None) for field in found),
        )
        return plan

    def _object(self, value: Any) -> dict[str, Any]:
        convert = self.convert
        read, names = self._plans.get(type(value)) or self._make_plan(type(value))
        return {
            wire: item if type(item) in _PLAIN else convert(item)
            for (wire, is_optional), item in zip(names, read(value), strict=True)
            if item is not None or not is_optional
        }

    def _list(self, value: Iterable[Any]) -> list[Any]:
        convert = self.convert
        return [item if type(item) in _PLAIN else convert(item) for item in value]

    def _dict(self, value: Mapping[Any, Any]) -> dict[str, Any]:
        convert = self.convert
        return {
            key if type(key) is str else str(key): item if type(item) in _PLAIN else convert(item)
            for key, item in value.items()
        }

    def _convert_by_kind(self, value: Any) -> Any:
        if isinstance(value, Enum):
            return self.convert(value.value)
        if is_dataclass(value) and not isinstance(value, type):
            self._converters[type(value)] = self._object  # found at once the next time
            return self._object(value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return {
                self._write_name(name): self.convert(item)
                for name, item in zip(value._fields, value, strict=True)
            }
        if isinstance(value, Mapping):
            return self._dict(value)
        if isinstance(value, (list, tuple)):
            return self._list(value)
        if isinstance(value, (set, frozenset)):
            return sorted(self.convert(item) for item in value)
        if isinstance(value, (datetime, date)):
            return value.isoformat()
        if isinstance(value, PurePath):
            return value.as_posix()
        if isinstance(value, str):
            return str(value)
        raise TypeError(f"{type(value).__name__} is not data an answer can carry")


def _reader(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    # Of a single name, attrgetter gives the value itself.
    return lambda value: tuple(getattr(value, name) for name in names)


_CAMEL: Final = _Wire(camel)
_PLAIN_NAMES: Final = _Wire(plain)


def to_wire(value: Any, *, is_snake: bool = False) -> Any:
    """The value in types JSON has, its names in camelCase or as they are. Raises TypeError for anything that is no data."""
    return (_PLAIN_NAMES if is_snake else _CAMEL).convert(value)
