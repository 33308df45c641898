"""Which of two C++ methods of one name and the same parameters runs: for objects that may be changed, or not."""

from __future__ import annotations

import re
from typing import Any, Final

from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import method_around

_CONST: Final = re.compile(r"\bconst\b")


def is_constant_object(analysis: Analysis, named: Any, scope: int) -> bool | None:
    """Whether the object that an expression names may not be changed; None where that is not known."""
    if named == ("this",):
        method = method_around(analysis, scope)
        return None if method is None else "const" in analysis.program.symbol(method).modifiers
    if named is None or named[0] != "name":
        return None
    parameters = analysis.program.symbol(scope).parameters
    texts = [one.type_text for one in parameters if one.name == named[1] and one.kind == "plain"]
    return _CONST.search(texts[0]) is not None if texts and texts[0] is not None else None


def is_for_constant(analysis: Analysis, call: Call, scope: int) -> bool | None:
    """Whether a call is of a method of an object that may not be changed; None where that is not known."""
    callee = call.callee
    if callee is None or callee[0] not in {"name", "member"}:
        return None
    return is_constant_object(analysis, ("this",) if callee[0] == "name" else callee[1], scope)


def methods_for(analysis: Analysis, methods: tuple[int, ...], *, is_constant: bool | None) -> tuple[int, ...]:
    """Without methods that cannot run on a constant object; of any other, without those it has a twin for."""
    if len(methods) < 2 or is_constant is None:  # noqa: PLR2004  # one is no choice
        return methods
    symbol = analysis.program.symbol
    constant = {one for one in methods if "const" in symbol(one).modifiers}
    if is_constant:
        return tuple(one for one in methods if one in constant) or methods
    types = {one: [given.type_text for given in symbol(one).parameters] for one in methods}
    changing = [types[one] for one in methods if one not in constant]
    return tuple(one for one in methods if one not in constant or types[one] not in changing)
