"""The one small form that functions of every language are brought into before data is followed through them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

Constant: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant."""

    value: Constant


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, function, class or module by its name."""

    name: str
    line: int = 0
    column: int = -1  # where a name alone may be a call


@dataclass(frozen=True, slots=True)
class Member:
    """A field or method of something."""

    owner: Expression
    name: str
    line: int


@dataclass(frozen=True, slots=True)
class Index:
    """An element of something; no key: one of them, or the next."""

    owner: Expression
    key: Expression | None
    line: int


class Argument(NamedTuple):
    """An argument of a call."""

    value: Expression
    keyword: str | None = None
    is_spread: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A call; line and column are those of the name that is called, as in the index."""

    callee: Expression
    arguments: tuple[Argument, ...]
    line: int
    column: int
    is_new: bool = False
    is_tagged: bool = False  # a text with a function before it: sql`…`


@dataclass(frozen=True, slots=True)
class Text:
    """A text put together of parts."""

    parts: tuple[Expression, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator with two sides."""

    operator: str
    left: Expression
    right: Expression
    line: int


@dataclass(frozen=True, slots=True)
class Not:
    """What is true where something is not."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Choice:
    """One of two values."""

    test: Expression
    then: Expression
    other: Expression


@dataclass(frozen=True, slots=True)
class Items:
    """A list, a tuple, an array, a set."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping, an object, a struct; an entry without a key is spread into it."""

    entries: tuple[tuple[Expression | None, Expression], ...]
    line: int
    type: str = ""


@dataclass(frozen=True, slots=True)
class Cast:
    """A value that is said or made to be of a type."""

    type: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Assign:
    """A value that is given a name; an operator joins it with what was there."""

    target: Expression
    value: Expression
    line: int
    operator: str = ""
    type: str = ""


@dataclass(frozen=True, slots=True)
class Opaque:
    """Something that is not understood, made of parts that are."""

    parts: tuple[Expression, ...] = ()


class Parameter(NamedTuple):
    """A parameter of a function."""

    name: str
    type: str = ""
    decorators: tuple[str, ...] = ()
    default: Expression | None = None
    is_rest: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function; of one that stands in another, the body, of others where it begins."""

    name: str
    start_byte: int
    line: int
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...] | None = None
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Do:
    """An expression for its effects."""

    value: Expression
    line: int


@dataclass(frozen=True, slots=True)
class Return:
    """The end of a function."""

    value: Expression | None
    line: int


@dataclass(frozen=True, slots=True)
class Jump:
    """The end of a block: `raise`, `break` or `continue`."""

    kind: str
    value: Expression | None = None


@dataclass(frozen=True, slots=True)
class If:
    """One of two blocks."""

    test: Expression
    then: tuple[Statement, ...]
    other: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """A block that runs again and again."""

    body: tuple[Statement, ...]
    test: Expression | None = None
    target: Expression | None = None
    iterable: Expression | None = None
    key: Expression | None = None
    line: int = 0
    runs_first: bool = False  # the body runs before the test


@dataclass(frozen=True, slots=True)
class Try:
    """A block with handlers."""

    body: tuple[Statement, ...]
    handlers: tuple[tuple[str, tuple[Statement, ...]], ...]
    final: tuple[Statement, ...]


class Case(NamedTuple):
    """A case of a switch; no tests: the default."""

    tests: tuple[Expression, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Switch:
    """One block of many."""

    subject: Expression
    cases: tuple[Case, ...]
    falls: bool


@dataclass(frozen=True, slots=True)
class Define:
    """A function with a name, or a class of these functions."""

    name: str
    function: Function


@dataclass(frozen=True, slots=True)
class Block:
    """Statements that stand together."""

    body: tuple[Statement, ...]


Expression: TypeAlias = (
    Literal
    | Name
    | Member
    | Index
    | Call
    | Text
    | Operation
    | Not
    | Choice
    | Items
    | Table
    | Cast
    | Assign
    | Opaque
    | Function
)
Statement: TypeAlias = Do | Return | Jump | If | Loop | Try | Switch | Define | Block
NOTHING: Final = Opaque()


def is_stub(function: Function) -> bool:
    """Whether a function does nothing but throw, as that of a reference assembly or an abstract class: what it is for is elsewhere."""
    body = function.body or ()
    if len(body) != 1:
        return False
    only = body[0]
    if isinstance(only, Return):  # `=> throw null`
        return isinstance(only.value, Opaque) and only.value.parts == (Literal(None),)
    return isinstance(only, Jump) and only.kind == "raise"
