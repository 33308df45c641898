"""What Rust's library and derived traits give that is of the project: what a wrapper holds, and objects that traits make."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import Call
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.container_methods import called_values
from drift.scan.link.values import NOTHING, Values, as_instance, is_instance, is_symbol, merge, symbol_of

_DERIVE: Final = re.compile(r"\bderive\s{0,20}\(([^()]{0,2000})\)")
_WORD: Final = re.compile(r"\w+")
# What deriving a trait gives a type that makes objects of it, by the last name of the trait as a derive writes it.
_DERIVED: Final[Mapping[str, tuple[str, frozenset[str]]]] = MappingProxyType(
    {
        "Arbitrary": ("arbitrary.Arbitrary", frozenset({"arbitrary"})),
        "Builder": ("bon.Builder", frozenset({"builder"})),
        "Default": ("std.Default", frozenset({"default"})),
        "Deserialize": ("serde.Deserialize", frozenset({"deserialize"})),
        "EnumString": ("std.FromStr", frozenset({"from_str", "try_from"})),
        "From": ("std.From", frozenset({"from"})),
        "FromRow": ("sqlx.FromRow", frozenset({"from_row"})),
        "FromStr": ("std.FromStr", frozenset({"from_str"})),
        "Message": ("prost.Message", frozenset({"decode", "decode_length_delimited"})),
        "Parser": (
            "clap.Parser", frozenset({"parse", "parse_from", "try_parse", "try_parse_from"}),
        ),
        "SmartDefault": ("std.Default", frozenset({"default"})),
        "StructOpt": ("structopt.StructOpt", frozenset({"from_args", "from_args_safe", "from_iter"})),
        "TypedBuilder": ("typed_builder.TypedBuilder", frozenset({"builder"})),
        "TryFrom": ("std.TryFrom", frozenset({"try_from"})),
    }
)  # fmt: skip
_BEGINNING, _BUILDING = "builder", "build"  # of a chain that says what an object is made of, and its end
_MOST_LINKS: Final = 100  # of such a chain
_DERIVING: Final = frozenset({name for _, names in _DERIVED.values() for name in names})
_MAKING: Final = _DERIVING - {_BEGINNING} | {"from_iter"}
# Of an Option or a Result, which reads as what it holds: methods that give another with the same in it,
KEEPING: Final = frozenset(
    """
    attach attach_printable change_context context filter inspect inspect_err map_err ok_or ok_or_else or or_else
    take with_context wrap_err wrap_err_with
    """.split()  # noqa: SIM905  # a list of strings is harder to read
)
_MAPPING: Final = frozenset({"and_then", "map"})  # and those that give what a function makes of it


def known_result(analysis: Analysis, call: Call, scope: int) -> Values | None:
    """What a call gives of something outside; None where that is not known."""
    callee = call.callee
    if callee is None or callee[0] != "member" or callee[1] is None:
        return None
    name = callee[2]
    if name in _MAKING:
        return _made(analysis, analysis.evaluate(callee[1], scope)) or None
    if name == _BUILDING:
        return _built(analysis, callee[1], scope) or None
    if name in KEEPING:
        return _held(analysis.evaluate(callee[1], scope)) or None
    if name in _MAPPING and call.arguments and _held(analysis.evaluate(callee[1], scope)):
        return called_values(analysis, call.arguments[0][1], scope) or None
    return None


def _built(analysis: Analysis, receiver: Expression, scope: int) -> Values:
    """What `T::builder().size(1).build()` makes: a T."""
    calls = analysis.program.table_of(scope).facts.calls
    for _ in range(_MOST_LINKS):
        callee = calls[receiver[1]].callee if receiver is not None and receiver[0] == "result" else None
        if callee is None or callee[0] != "member":
            break
        if callee[2] == _BEGINNING:
            return _made(analysis, analysis.evaluate(callee[1], scope))
        receiver = callee[1]
    return NOTHING


def _made(analysis: Analysis, values: Values) -> Values:
    """Objects of the types that a path names; of a type parameter's bound one that has the trait."""
    return tuple(
        as_instance(value)
        for value in values
        if is_symbol(value) and analysis.program.symbol(symbol_of(value)).kind in TYPE_KINDS
    )


def _held(values: Values) -> Values:
    return tuple(value for value in values if is_instance(value))


def derived_members(analysis: Analysis, owner: int, name: str) -> Values:
    """The function of that name that a type has by deriving a trait."""
    if name not in _DERIVING:
        return NOTHING
    found: list[Values] = []
    for decorator in analysis.program.symbol(owner).decorators:
        for listed in _DERIVE.finditer(decorator.text):
            known = (_DERIVED[word] for word in _WORD.findall(listed[1]) if word in _DERIVED)
            found += [(f"{trait}.{name}",) for trait, names in known if name in names]
    return merge(found)
