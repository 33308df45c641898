"""Which C++ functions of one name take an argument by how it is written: a name, a temporary, a list of arguments."""

from __future__ import annotations

import re
from typing import Final

from drift.languages.expressions import Expression
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.languages.cpp.numbers import is_number
from drift.scan.link.values import Values, is_reference, symbol_of

_REFERENCE: Final = re.compile(r"\bconst\b|[&\s]")
_POINTING: Final = frozenset("&*<")
_VARIADIC: Final = "va_list"
_NO_VARIADIC: Final = frozenset({"literal", "member", "result"})  # such a list is a variable


def overloads_for_forms(
    analysis: Analysis,
    functions: tuple[int, ...],
    forms: list[Expression],
    *,
    given: list[Values],
    scope: int,
) -> tuple[int, ...]:
    """Those of the functions that take arguments written so; all where that leaves none."""
    texts = {one: _type_texts(analysis, one) for one in functions}
    found = functions
    for place, form in enumerate(forms):
        if len(found) < 2:  # noqa: PLR2004  # one is no choice
            return found
        if form is not None and form[0] in _NO_VARIADIC:
            found = tuple(one for one in found if _VARIADIC not in _text_at(texts[one], place)) or found
        stolen = {one for one in found if _text_at(texts[one], place).endswith("&&")}
        if stolen and len(stolen) < len(found):
            is_temporary = _is_converted(analysis, stolen, place, given[place]) or _is_temporary(
                analysis, form, scope
            )
            found = _without_twins(found, stolen, texts, place=place, is_temporary=is_temporary)
    return found


def _without_twins(
    functions: tuple[int, ...],
    stolen: set[int],
    texts: dict[int, list[str]],
    *,
    place: int,
    is_temporary: bool | None,
) -> tuple[int, ...]:
    """Without functions that differ from another only in taking what will be gone, or only in not doing so."""
    if is_temporary is None:
        return functions
    kinds = {one: _REFERENCE.sub("", _text_at(texts[one], place)) for one in functions}
    wanted = {kinds[one] for one in functions if (one in stolen) == is_temporary}
    return tuple(one for one in functions if (one in stolen) == is_temporary or kinds[one] not in wanted)


def _type_texts(analysis: Analysis, function: int) -> list[str]:
    parameters = analysis.program.symbol(function).parameters
    return [(one.type_text or "").strip() for one in parameters if one.kind == "plain"]


def _text_at(texts: list[str], place: int) -> str:
    return texts[place] if place < len(texts) else ""


def _is_converted(analysis: Analysis, functions: set[int], place: int, given: Values) -> bool:
    """Whether an argument is none of the project's objects, so that one has to be made that is gone after the call."""
    if not given or not all(isinstance(value, str) or is_number(value) for value in given):
        return False
    program = analysis.program
    for one in functions:
        plain = [parameter for parameter in program.symbol(one).parameters if parameter.kind == "plain"]
        declared = analysis.evaluate(plain[place].type, program.parent(one))
        if declared:
            return all(isinstance(kind, int) for kind in declared)
    return False


def _is_temporary(analysis: Analysis, form: Expression, scope: int) -> bool | None:
    """Whether an argument is gone after the call; None where that is not known."""
    if form is None:
        return None
    if form[0] in {"name", "member", "this"}:
        return False
    if form[0] in {"either", "literal"}:
        return form[0] == "literal" or len(form) == 2 or None  # noqa: PLR2004  # what `std::move` gives
    if form[0] != "result":
        return None
    program = analysis.program
    call = program.table_of(scope).facts.calls[form[1]]
    values = [value for value in analysis.evaluate(call.callee, scope) if isinstance(value, int)]
    symbols = [program.symbol(symbol_of(value)) for value in values if is_reference(value)]
    if not symbols:
        return None
    return all(
        symbol.kind in TYPE_KINDS or not _POINTING & set(symbol.return_text or "&") for symbol in symbols
    )
