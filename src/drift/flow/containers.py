"""Lists and mappings whose elements are all known: what their methods give and change."""

from __future__ import annotations

from typing import NamedTuple

from drift.flow.checking import words
from drift.flow.models import Given
from drift.flow.sources import key_of
from drift.flow.values import EMPTY, Unknown, Value


class Changed(NamedTuple):
    """What a method gives, and what its receiver is afterwards; None: as before."""

    result: Value
    receiver: Value | None = None


def call_container(name: str, given: Given) -> Changed | None:
    """What a method of a container does; None where it is none, or is not known well enough."""
    receiver = given.receiver
    values = given.values
    if receiver is None:
        return None
    if receiver.fields is None or not receiver.is_whole:
        return _started(receiver, name, values)
    if name in words("appends") and len(values) == 1:
        return Changed(EMPTY, receiver.with_part(str(len(receiver.fields)), values[0]))
    if name in words("puts") and len(values) in {2, 3}:
        return Changed(EMPTY, receiver.with_part(_key(values[:-1]), values[-1]))
    if name in words("gets") and values:
        sections = "." in next(iter(receiver.fields), "")  # of sections and keys
        return Changed(receiver.part(_key(values[: 2 if sections else 1])))
    if name in words("removes") and len(values) <= 1:
        return _removed(receiver, values)
    return None


def is_container(type_name: str) -> bool:
    """Whether objects of a type keep what they are given, as far as its name says."""
    return type_name.endswith(tuple(words("containers")))


def _started(receiver: Value, name: str, values: tuple[Value, ...]) -> Changed | None:
    """An object that was just made and is used as a container from here on."""
    if receiver.taints or receiver.fields is not None or not isinstance(receiver.constant, Unknown):
        return None
    if not is_container(receiver.type):
        return None
    empty = Value(fields={}, is_whole=True, type_name=receiver.type)
    if name in words("appends") and len(values) == 1:
        return Changed(EMPTY, empty.with_part("0", values[0]))
    if name in words("puts") and len(values) in {2, 3}:
        return Changed(EMPTY, empty.with_part(_key(values[:-1]), values[-1]))
    return None


def _key(values: tuple[Value, ...]) -> str | None:
    """A key, or a section and a key in it."""
    parts = [key_of(each.constant) for each in values]
    return None if None in parts else ".".join(str(each) for each in parts)


def _removed(receiver: Value, values: tuple[Value, ...]) -> Changed | None:
    fields = receiver.fields or {}
    count = len(fields)
    if not count or any(not each.isdecimal() for each in fields):
        key = key_of(values[0].constant) if values else None
        if key is None or key not in fields:
            return None
        kept = {name: each for name, each in fields.items() if name != key}
        return Changed(
            fields[key], Value(receiver.taints, fields=kept, is_whole=True, type_name=receiver.type)
        )
    place: object = values[0].constant if values else count - 1
    if not isinstance(place, int) or not 0 <= place < count:
        return None
    ordered = [fields[str(number)] for number in range(count) if str(number) in fields]
    if len(ordered) != count:
        return None
    taken = ordered.pop(place)
    rest = {str(number): each for number, each in enumerate(ordered)}
    return Changed(taken, Value(receiver.taints, fields=rest, is_whole=True, type_name=receiver.type))
