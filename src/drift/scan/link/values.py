"""The values that expressions are found to have, in a form that is cheap to compare and to keep.

    number << 2 | SYMBOL       a module, class or function of the project; number is file << 16 | symbol
    number << 2 | INSTANCE     an object of that class
    number << 2 | BOUND        that method, of some object
    number << 2 | GENERATED    what calling that generator function gives
    "os.path.join"             something outside the project, or an object of that class
    "?requests.get"            what came of something outside in a way that does not tell of what class it is, which
                               may be one of the project: what a function gave, an element, and their members
    ("container", i)           container i of the analysis
    ("literal", kind, prefix)  a value of a built-in type, and what the language's own names begin with; of C++ with
                               the type in full behind, and a mark where that type has a name of its own
    ("method", value, name)    a method of a container or generator
    ("super", class)           an object, seen as the parent of its class
    ("package", language, key) a package that is more than one file, or none
    ("partial", value)         a callable that calls the value with other arguments
    ("extension", value)       a function that is called as a method of its first argument
    ("raised", value, name)    what a function outside of that name gives which waits for an error, the value
    ("component", i)           the method without text that reads field i of its object: `order.total()` of a record
    ("setter", i)              the method without text that writes it, such as Lombok's
    ("property", get, set)     what reads and sets a member of objects: functions by number, None where not known

A set of values is a tuple without repetition, in the order of finding: the order of a set would depend on
the hashes of strings, which differ from one process to the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Final, Literal, TypeGuard

from drift.languages.expressions import Expression

ContainerValue = tuple[Literal["container"], int]
LiteralValue = tuple[Literal["literal"], str, str, *tuple[str, ...]]
MethodValue = tuple[Literal["method"], int | ContainerValue, str]
SuperValue = tuple[Literal["super"], int]
PackageValue = tuple[Literal["package"], str, str]
WrappedValue = tuple[Literal["partial", "extension"], "Value"]
RaisedValue = tuple[Literal["raised"], int, str]
ComponentValue = tuple[Literal["component", "setter"], int]
PropertyValue = tuple[Literal["property"], int | None, int | None]

Composed = (
    ContainerValue | LiteralValue | MethodValue | SuperValue | PackageValue | WrappedValue | RaisedValue
    | ComponentValue | PropertyValue
)  # fmt: skip
"""A value that is neither a thing of the project nor a name of something outside it."""

Value = int | str | Composed
Values = tuple[Value, ...]

OfForm = tuple[Literal["of"], Value, str]
ParameterForm = tuple[Literal["parameter"], int]
KeyForm = tuple[Literal["key"], "Form", str]
HeldForm = tuple[Literal["held"], int]
PairsForm = tuple[Literal["list"], HeldForm]
SpreadForm = tuple[Literal["item"], "Form"]

Form = Expression | OfForm | ParameterForm | KeyForm | HeldForm | PairsForm | SpreadForm
"""What is evaluated: the expressions of extraction, and forms that arise in linking alone.

    ("of", value, n)       the member n of a value that is already known
    ("parameter", i)       parameter i of the function that is the scope
    ("key", e, n)          what e holds under the key n
    ("held", i)            an element of container i
    ("list", held)         a key and an element of a container, as going through its pairs gives them
    ("item", form)         an element of any of these
"""

Arguments = tuple[tuple[str | None, Form], ...]
"""What a call gives: each with its keyword, None where it has none."""

SYMBOL: Final = 0
INSTANCE: Final = 1
BOUND: Final = 2
GENERATED: Final = 3

_REFERENCES: Final = frozenset({SYMBOL, BOUND})

NOTHING: Final[Values] = ()

FILE_SHIFT: Final = 16
SYMBOL_MASK: Final = (1 << FILE_SHIFT) - 1
CALL_SHIFT: Final = 20

_MOST_EXTERNAL_PARTS: Final = 8
_UNSURE: Final = "?"


def symbol_of(value: int) -> int:
    """The number of the symbol that a value of the project is, is an object of, or is the method or generator of."""
    return value >> 2


def tag_of(value: int) -> int:
    """In which of these ways a value is of its symbol."""
    return value & 3


def is_symbol(value: Value) -> TypeGuard[int]:
    """Whether a value is a module, class or function of the project itself."""
    return isinstance(value, int) and value & 3 == SYMBOL


def is_instance(value: Value) -> TypeGuard[int]:
    """Whether a value is an object of a class of the project."""
    return isinstance(value, int) and value & 3 == INSTANCE


def is_bound(value: Value) -> TypeGuard[int]:
    """Whether a value is a method of an object."""
    return isinstance(value, int) and value & 3 == BOUND


def is_generated(value: Value) -> TypeGuard[int]:
    """Whether a value is what calling a generator function gives."""
    return isinstance(value, int) and value & 3 == GENERATED


def is_reference(value: Value) -> TypeGuard[int]:
    """Whether a value is something of the project by its name, or a method of an object: what can be called."""
    return isinstance(value, int) and value & 3 in _REFERENCES


def tagged_value(symbol: int, tag: int) -> int:
    """A value that is of a symbol in one of these ways."""
    return symbol << 2 | tag


def symbol_value(symbol: int) -> int:
    """A symbol as a value."""
    return symbol << 2 | SYMBOL


def instance_value(symbol: int) -> int:
    """An object of a class."""
    return symbol << 2 | INSTANCE


def bound_value(symbol: int) -> int:
    """A method of some object."""
    return symbol << 2 | BOUND


def generated_value(symbol: int) -> int:
    """What calling a generator function gives."""
    return symbol << 2 | GENERATED


def as_symbol(value: int) -> int:
    """The class of an object, or a symbol as it is."""
    return value & ~3


def as_instance(value: int) -> int:
    """An object of a class, or an object as it is."""
    return value & ~3 | INSTANCE


def as_bound(value: int) -> int:
    """A function of a class as a method of its objects."""
    return value & ~3 | BOUND


def merge(parts: Iterable[Values]) -> Values:
    """All values of the parts, each once."""
    return tuple(dict.fromkeys(chain.from_iterable(parts)))


def is_internal(value: Value) -> bool:
    """Whether the value is a thing of the project."""
    return type(value) is int


def external_member(owner: str, name: str) -> Values:
    """A member of something outside; of a chain so long that it says no more, only its beginning and end."""
    if owner.count(".") >= _MOST_EXTERNAL_PARTS:
        owner = owner.rpartition(".")[0]
    return (f"{owner}.{name}",)


def unsure_value(name: str) -> str:
    """What came of something outside, though it may be of the project."""
    return name if name.startswith(_UNSURE) else _UNSURE + name


def is_unsure(name: str) -> bool:
    """Whether something that came from outside may be of the project, or is a member of such a thing."""
    return name.startswith(_UNSURE)


def plain_name(name: str) -> str:
    """The name of something outside, however it was come by."""
    return name.removeprefix(_UNSURE)
