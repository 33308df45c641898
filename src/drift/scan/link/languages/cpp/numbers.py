"""Numbers and strings of C++ as values: what type they are in full, and how well one stands for another."""

from __future__ import annotations

from typing import Final, TypeGuard

from drift.languages.expressions import Expression, Known
from drift.scan.link.analysis import Analysis
from drift.scan.link.values import LiteralValue, Value, Values, is_reference, symbol_of

AS_IT_IS: Final = 0
AS_KIN: Final = 1  # a small number as a larger one, an object as one of a class above
AS_OTHER: Final = 2  # a number as any other
CONVERTED: Final = 3  # by a constructor, or one that is made outside the project
REFUSED: Final = 4  # a number is no string

_FULL: Final = {"int": "int", "float": "double", "bool": "bool", "str": "char*"}
_SMALL: Final = frozenset({"bool", "char", "short", "signed char", "unsigned char", "unsigned short"})
_PROMOTED: Final = {**dict.fromkeys(_SMALL, "int"), "float": "double"}
_PLAIN_PARTS: Final = (
    3  # "literal", kind and prefix; behind them the type, and a mark where it has a name of its own
)
_NAMED: Final = "named"


def named_number(value: Value) -> Value:
    """A number of a type that has another name: what is declared by it may be a pointer to one."""
    assert is_number(value)
    return ("literal", value[1], value[2], full_type(value), _NAMED)


def full_type(value: LiteralValue, text: str = "") -> str:
    """The type of a number or string; `text` is that of what is declared, with the star of a pointer."""
    full = value[_PLAIN_PARTS] if len(value) > _PLAIN_PARTS else _FULL.get(value[1], value[1])
    if value[-1] != _NAMED or "*" not in text:
        return full
    return "char*" if full in {"char", "wchar_t"} else f"{full}*"


def is_number(value: Value) -> TypeGuard[LiteralValue]:
    """Whether a value is a number, a truth or a string of the language."""
    return isinstance(value, tuple) and value[0] == "literal"


def certain_values(analysis: Analysis, argument: Expression, values: Values, *, scope: int) -> Values:
    """What an argument may be, without numbers of which it is not told whether a pointer to them is given."""
    if argument is None or not any(map(is_number, values)):
        return values
    is_pointed = argument[0] == "awaited"  # `*p` and `&x`
    if not is_pointed and not any(isinstance(value, tuple) and value[-1] == _NAMED for value in values):
        return values
    if is_pointed or _may_point(analysis, argument, scope):
        return tuple(value for value in values if not is_number(value))
    return values


def _may_point(analysis: Analysis, argument: Known, scope: int) -> bool:
    """Whether an argument is a pointer, or may be one."""
    program = analysis.program
    if argument[0] == "name":
        parameters = program.symbol(scope).parameters
        texts = [one.type_text for one in parameters if one.name == argument[1] and one.kind == "plain"]
    elif argument[0] == "result":
        callee = program.table_of(scope).facts.calls[argument[1]].callee
        values = [value for value in analysis.evaluate(callee, scope) if isinstance(value, int)]
        texts = [program.symbol(symbol_of(value)).return_text for value in values if is_reference(value)]
    else:
        texts = []
    return not texts or any(text is None or "*" in text for text in texts)


def rank_of_number(value: LiteralValue, declared: Values, text: str) -> int:
    """How well a number or string does for a parameter of these types, which is declared by this text."""
    full = full_type(value)
    return min(
        _rank_of_type(full, full_type(kind, text)) if is_number(kind) else CONVERTED for kind in declared
    )


def _rank_of_type(given: str, wanted: str) -> int:
    if given == wanted:
        return AS_IT_IS
    if given.endswith("*") or wanted.endswith("*"):
        return AS_OTHER if wanted == "bool" else REFUSED
    return AS_KIN if _PROMOTED.get(given) == wanted else AS_OTHER
