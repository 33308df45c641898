"""What a use of a macro of C++ calls that the macro's own text does not tell: methods of what it is given, or of its user."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from drift.languages.cpp.macro_calls import ALL_THE_REST
from drift.languages.expressions import Expression
from drift.languages.facts import Call
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.calling import follow_call
from drift.scan.link.hierarchy import class_of

_MOST_MACROS: Final = 4  # one in another
_MOST_CALLS: Final = 40  # of one use
_MOST_LEVELS: Final = 8  # of a value in another

_REST: Final[Expression] = ("name", ALL_THE_REST)
_Given = Mapping[str, Expression]


def expanded_calls(analysis: Analysis, call: Call, scope: int, macros: Collection[int]) -> tuple[int, ...]:
    """The methods that a use of a macro calls, by what it is given and by what is in sight where it is used."""
    given = tuple(value for _, value in call.arguments)
    found = (
        one
        for macro in macros
        for one in _calls_in(analysis, call, scope, (macro, given), levels=_MOST_MACROS)
    )
    return tuple(dict.fromkeys(one for _, one in zip(range(_MOST_CALLS), found, strict=False)))


def _calls_in(
    analysis: Analysis, call: Call, scope: int, use: tuple[int, Sequence[Expression]], *, levels: int
) -> Iterator[int]:
    symbol = analysis.program.symbol(use[0])
    opened = symbol.value_type[1] if symbol.value_type and symbol.value_type[0] == "partial" else None
    if opened is None or opened[0] != "list" or not levels:
        return
    names = [one.name for one in symbol.parameters if one.kind == "plain"]
    given, rest = dict(zip(names, use[1], strict=False)), use[1][len(names) :]
    for one in opened[1:]:
        assert one is not None
        assert one[0] == "list"
        parts = (rest if part == _REST else (_filled(part, given, _MOST_LEVELS),) for part in one[1:])
        callee, *arguments = chain.from_iterable(parts)
        if callee is None:
            continue
        written_callee = one[1:][0]
        is_named = written_callee is not None and written_callee[0] == "name" and written_callee[1] in given
        made = callee[1] if callee[0] == "instance" else None
        written = call._replace(
            callee=made or callee,
            arguments=tuple((None, value) for value in arguments),
            kind="call" if made is None else "new",
        )
        for run in follow_call(analysis, written, scope):
            if run.symbol is None:
                continue
            kind = analysis.program.symbol(run.symbol).kind
            if kind == "macro" and run.symbol != use[0]:
                yield from _calls_in(analysis, call, scope, (run.symbol, arguments), levels=levels - 1)
            elif (kind in CODE_KINDS and (is_named or class_of(analysis, run.symbol) is not None)) or (
                made is not None and kind in TYPE_KINDS
            ):
                yield run.symbol


def _filled(form: Expression, given: _Given, levels: int) -> Expression:
    """A value in the words of a macro as its user would write it; None where it takes what is not known."""
    if form is None or not levels:
        return None
    if form[0] == "name":
        return given.get(form[1], form)
    if form[0] == "member":
        inner = _filled(form[1], given, levels - 1)
        return None if inner is None else ("member", inner, form[2])
    if form[0] in {"called", "instance"}:
        inner = _filled(form[1], given, levels - 1)
        return None if inner is None else ("instance", inner) if form[0] == "instance" else ("called", inner)
    return form
