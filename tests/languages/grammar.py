"""Facts held at run time against the very types that mypy reads: what is in them that no type allows."""

from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Any, ForwardRef, Literal, NamedTuple, Union, get_args, get_origin

from drift.languages import expressions


def faults(value: Any, kind: Any) -> list[str]:
    """What is not of its type in a value made of plain values, tuples of any shape, unions and named tuples."""
    found: list[str] = []
    waiting = [(value, _read(kind))]
    while waiting:  # no recursion: expressions of hostile sources are nested deeply
        value, kinds = waiting.pop()
        fitting = [each for each in kinds.alternatives if _fits(value, each)]
        if len(fitting) != 1:
            found.append(f"{value!r:.300} is not of {kinds.written}")
        else:
            waiting += _parts(value, fitting[0])
    return found


class _Kind:
    """A type as it is written. To read it takes long, and a source has few kinds of many parts: each is read once."""

    def __init__(self, written: Any) -> None:
        self.written = written
        self._alternatives: tuple[_Alternative, ...] | None = None

    @property
    def alternatives(self) -> "tuple[_Alternative, ...]":
        if self._alternatives is None:  # not before it is asked for: types name themselves
            self._alternatives = tuple(_describe(each) for each in _alternatives_of(self.written))
        return self._alternatives


class _Alternative(NamedTuple):
    """One kind of value: of a class, one of some words, or a tuple of parts."""

    of: type
    words: frozenset[str] | None = None
    tags: frozenset[str] | None = None  # one of which the first part of a tuple has to be
    parts: tuple[_Kind, ...] = ()
    rest: _Kind | None = None  # of all further parts, of which there may be any number
    is_counted: bool = False  # a tuple of just its parts


# By identity: to hash a type reads all of it. What is in here stays, so that no other gets its identity.
_KINDS: dict[int, _Kind] = {}


def _read(written: Any) -> _Kind:
    return _KINDS.get(id(written)) or _KINDS.setdefault(id(written), _Kind(written))


def _alternatives_of(kind: Any) -> list[Any]:
    if isinstance(kind, str | ForwardRef):  # how a type names itself
        kind = getattr(expressions, kind if isinstance(kind, str) else kind.__forward_arg__)
    if get_origin(kind) in {Union, UnionType}:
        return [one for each in get_args(kind) for one in _alternatives_of(each)]
    return [NoneType if kind is None else kind]


def _describe(kind: Any) -> _Alternative:
    if hasattr(kind, "_fields"):
        # As written: typing.get_type_hints loses the star of tuples of any length.
        return _Alternative(kind, parts=tuple(_read(kind.__annotations__[name]) for name in kind._fields))
    origin, kinds = get_origin(kind), get_args(kind)
    if origin is Literal:
        return _Alternative(str, words=frozenset(kinds))
    if origin is not tuple:
        return _Alternative(kind)
    if kinds[-1] is Ellipsis:
        return _Alternative(tuple, rest=_read(kinds[0]))
    tags = frozenset(get_args(kinds[0])) if get_origin(kinds[0]) is Literal else None
    if getattr(kinds[-1], "__unpacked__", False):  # `*tuple[kind, ...]`
        fixed = tuple(map(_read, kinds[:-1]))
        return _Alternative(tuple, tags=tags, parts=fixed, rest=_read(get_args(kinds[-1])[0]))
    return _Alternative(tuple, tags=tags, parts=tuple(map(_read, kinds)), is_counted=True)


def _fits(value: Any, kind: _Alternative) -> bool:
    """Whether a value can only be meant to be of a kind: by its class, or by its tag and length."""
    if type(value) is not kind.of:
        return False
    if kind.words is not None:
        return value in kind.words
    if kind.tags is not None and not (value and type(value[0]) is str and value[0] in kind.tags):
        return False
    return not kind.is_counted or len(value) == len(kind.parts)


def _parts(value: Any, kind: _Alternative) -> Iterator[tuple[Any, _Kind]]:
    """What is in a value, each with its own type."""
    if kind.parts:
        yield from zip(value, kind.parts, strict=kind.rest is None)
    if kind.rest is not None:
        yield from ((each, kind.rest) for each in value[len(kind.parts) :])
