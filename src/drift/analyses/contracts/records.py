"""What contracts are made of: endpoints, calls, and the shapes of what they send and get."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from drift.index.ids import SymbolId

Side = Literal["response", "request"]


class TypeUse(NamedTuple):
    """A type as it is written at a place; names in it mean what they mean in that file.

    `side` is told where what is read and what is written of a type differ.
    """

    text: str
    file: str
    side: Side = "response"


class FieldShape(NamedTuple):
    """A field: its type, whether it may be missing, whether it may be null; None where that is not said."""

    name: str
    type: str | None
    is_optional: bool | None
    is_nullable: bool | None


class Fields(NamedTuple):
    """The fields that a part of a type has, and why these are not all."""

    fields: dict[str, FieldShape]
    extra: frozenset[str] = frozenset()  # names that methods may give
    why: str | None = None
    file: str | None = None  # where its types mean what they are called
    is_partial: bool = False  # what was made to have nothing that must be there


@dataclass(frozen=True, slots=True)
class Shape:
    """The fields of an answer or of a request. Only a whole one can be compared."""

    name: str
    fields: tuple[FieldShape, ...]
    is_whole: bool
    is_list: bool
    file: str
    why: str | None = None  # it is not whole
    is_partial: bool = False


class Endpoint(NamedTuple):
    """Code, or a description of it, that answers requests."""

    method: str  # ANY where all are answered
    path: str
    framework: str
    file: str
    line: int
    name: str
    symbol: SymbolId | None
    response: TypeUse | None
    request: TypeUse | None


class ClientCall(NamedTuple):
    """Code that makes a request. `inline` are the names of an object that is written where it is sent."""

    method: str
    path: str
    library: str
    file: str
    line: int
    function: str
    response: TypeUse | None = None
    request: TypeUse | None = None
    inline: tuple[str, ...] | None = None
    chosen: tuple[str, ...] | None = None
    """The names taken of the answer, where the call says them one by one; empty where that is a plain value."""
