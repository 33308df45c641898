"""Facts held at run time against the very types that mypy reads: what is in them that no type allows."""

from collections.abc import Iterator
from functools import cache
from types import NoneType, UnionType
from typing import Any, ForwardRef, Literal, Union, get_args, get_origin

from drift.languages import expressions


def faults(value: Any, kind: Any) -> list[str]:
    """What is not of its type in a value made of plain values, tuples of any shape, unions and named tuples."""
    found: list[str] = []
    waiting = [(value, kind)]
    while waiting:  # no recursion: expressions of hostile sources are nested deeply
        value, kind = waiting.pop()
        fitting = [each for each in _alternatives(kind) if _fits(value, each)]
        if len(fitting) != 1:
            found.append(f"{value!r:.300} is not of {kind}")
        else:
            waiting += _parts(value, fitting[0])
    return found


@cache  # asked for every part of a source, which has few kinds of them
def _alternatives(kind: Any) -> tuple[Any, ...]:
    if isinstance(kind, str | ForwardRef):  # how a type names itself
        kind = getattr(expressions, kind if isinstance(kind, str) else kind.__forward_arg__)
    if get_origin(kind) in {Union, UnionType}:
        return tuple(one for each in get_args(kind) for one in _alternatives(each))
    return (NoneType if kind is None else kind,)


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value can only be meant to be of a kind: by its class, or by its tag and length."""
    origin, kinds = _made_of(kind)
    if origin is Literal:
        return type(value) is str and value in kinds
    if origin is not tuple:
        return type(value) is kind
    if type(value) is not tuple:
        return False
    if kinds[-1] is Ellipsis:
        return True
    if _made_of(kinds[0])[0] is Literal and not (value and _fits(value[0], kinds[0])):
        return False
    return _is_open(kinds) or len(value) == len(kinds)


@cache
def _made_of(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(kind), get_args(kind)


@cache
def _is_open(kinds: tuple[Any, ...]) -> bool:
    """Whether a tuple ends in any number of elements: `*tuple[kind, ...]`."""
    return bool(getattr(kinds[-1], "__unpacked__", False))


def _parts(value: Any, kind: Any) -> Iterator[tuple[Any, Any]]:
    """What is in a value, each with its own type."""
    if hasattr(kind, "_fields"):
        yield from zip(value, _field_types(kind), strict=True)
    elif _made_of(kind)[0] is tuple:
        kinds = _made_of(kind)[1]
        if kinds[-1] is Ellipsis:
            yield from ((each, kinds[0]) for each in value)
        elif _is_open(kinds):
            fixed = len(kinds) - 1
            yield from zip(value[:fixed], kinds, strict=False)
            yield from ((each, get_args(kinds[-1])[0]) for each in value[fixed:])
        else:
            yield from zip(value, kinds, strict=True)


def _field_types(record: Any) -> list[Any]:
    # As written: typing.get_type_hints loses the star of tuples of any length.
    return [record.__annotations__[name] for name in record._fields]
