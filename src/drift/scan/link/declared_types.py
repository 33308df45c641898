"""Types as Java and C# code declares them, told apart as far as the choice among methods of one name needs it."""

from __future__ import annotations

from typing import Final, NamedTuple

from drift.languages.expressions import Expression
from drift.languages.facts import Parameter
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hidden_types import named_types
from drift.scan.link.own_types import own_values
from drift.scan.link.type_counts import count_arguments
from drift.scan.link.type_reading import value_of_type
from drift.scan.link.values import Values, is_symbol, symbol_of

_PRIMITIVES: Final = frozenset(
    {
        "bool", "byte", "char", "decimal", "double", "float", "int", "long", "nint", "nuint", "sbyte", "short",
        "uint", "ulong", "ushort",
    }
)  # fmt: skip
_WITH_TEXT: Final = 2  # parts of a form, of which one more is the text of a type
_OBJECTS: Final = frozenset({"dynamic", "object"})  # as C# writes them


class DeclaredType(NamedTuple):
    """A type: one of the language, a class of the project or outside, an array, or that of a lambda or null."""

    kind: str  # primitive, class, outside, array, sequence (an array or a collection), function, null, either
    name: str = ""  # of a primitive; of a class outside without its package
    symbol: int = 0  # of a class of the project
    arity: int = -1  # of a lambda, unknown for a method reference; of C#'s `Func` and `Action`
    element: DeclaredType | None = None
    parts: tuple[DeclaredType, ...] = ()  # of one of several types


DELEGATES: Final = frozenset({"Action", "Func"})  # types of C# that say how many arguments a function takes
OBJECT: Final = DeclaredType("outside", "Object")
_STRING: Final = DeclaredType("outside", "String")


def parameter_type(analysis: Analysis, function: int, parameter: Parameter) -> DeclaredType | None:
    """The type of a parameter, of one element where it takes the rest; a type variable stands for any object."""
    if parameter.type is None:
        return OBJECT if parameter.type_text is not None else None
    text = None if parameter.kind == "rest" else parameter.type_text
    found = type_of_form(analysis, parameter.type, analysis.program.parent(function), text)
    if found is not None and found.kind == "outside" and found.name in DELEGATES and text is not None:
        return found._replace(arity=_delegate_arity(found.name, text))
    return found


def _delegate_arity(name: str, text: str) -> int:
    """How many arguments a function takes that is of such a type; the last of `Func<A, B>` is what it gives back."""
    count = count_arguments(text.partition(f"{name}<")[2])
    return count - 1 if name == "Func" else count


def type_of_form(
    analysis: Analysis, form: Expression, scope: int, text: str | None = None
) -> DeclaredType | None:
    """The type that a declared type names; its text tells arrays from collections, which are alike to linking."""
    if form is None:
        return None
    match form[0]:
        case "literal":
            return _literal_type(form[1])
        case "list" | "dict":
            return _container_type(analysis, form, scope, text)
        case "own":
            return _own_type(analysis, form[1], scope) or type_of_form(analysis, form[2], scope, text)
        case "instance" if form[1] is not None:
            inner = form[1]
            if inner[0] == "own":
                own = _own_type(analysis, inner[1], scope)
                held: Expression = ("instance", inner[2])
                if len(form) > _WITH_TEXT:
                    held = ("instance", inner[2], form[2])
                return own or type_of_form(analysis, held, scope, text)
            if inner[0] in {"list", "dict"}:
                written = form[2] if len(form) > _WITH_TEXT else "[]"
                return _container_type(analysis, value_of_type(inner), scope, text or written)
            if inner[0] == "literal":
                return _literal_type(inner[1])
            return class_type(analysis, named_types(analysis, inner, scope))
    return None


def _own_type(analysis: Analysis, named: Expression, scope: int) -> DeclaredType | None:
    return class_type(analysis, own_values(analysis, named, scope, as_types=True))


def _literal_type(kind: str) -> DeclaredType | None:
    if kind == "str":
        return _STRING
    if kind in _PRIMITIVES:
        return DeclaredType("primitive", "boolean" if kind == "bool" else kind)
    return DeclaredType("null") if kind == "none" else None


def _container_type(
    analysis: Analysis, form: Expression, scope: int, text: str | None
) -> DeclaredType | None:
    text = text.rstrip("?") if text is not None else None
    if text is not None and not text.endswith("]"):
        name = text.partition("<")[0].strip().rpartition(".")[2]
        return DeclaredType("outside", name.rpartition(" ")[2])  # `util.@NonNull List<T>`
    if form is not None and form[0] == "dict":
        return DeclaredType("outside", "Map")
    inner = text[: text.rfind("[")] if text else None
    held = form[1] if form is not None and form[0] == "list" and len(form) > 1 else None
    element = type_of_form(analysis, held, scope, inner or None)
    if element is None and inner:
        element = OBJECT  # of a type variable
    is_array = text is not None or (element is not None and element.kind == "primitive")
    return DeclaredType("array" if is_array else "sequence", element=element)


def class_type(analysis: Analysis, values: Values) -> DeclaredType | None:
    """The type whose name has these values."""
    if not values:
        return None
    value = values[0]
    if len(values) > 1 and not _are_one_outside(values):
        return None
    if isinstance(value, int):
        is_class = is_symbol(value) and analysis.program.symbol(symbol_of(value)).kind in TYPE_KINDS
        return DeclaredType("class", symbol=symbol_of(value)) if is_class else None
    if isinstance(value, str):
        name = value.rpartition(".")[2]
        if name in _OBJECTS:
            return OBJECT
        return DeclaredType("outside", name) if name[:1].isupper() else None
    return None


def _are_one_outside(values: Values) -> bool:
    """Whether values are one class outside, of which it is open which imported package has it."""
    names = {value.rpartition(".")[2] if isinstance(value, str) else None for value in values}
    return len(names) == 1 and None not in names
