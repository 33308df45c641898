"""What repositories give that a framework makes: objects of the class that the project's interface names.

`interface Users extends JpaRepository<User, Long>` has `findById` without a line of code; which methods give one object and
which hold some is data, `words.repositories` in `languages/frameworks/java.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from drift.languages import Call
from drift.languages.expressions import Expression
from drift.languages.frameworks import load_frameworks
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.values import Values, as_instance, is_instance, is_symbol, symbol_of

_GENERIC: Final = re.compile(r"(?:[\w.]{0,200}\.)?(\w{1,100})\s{0,9}<\s{0,9}([\w.]{1,200})")
_MOST_PARENTS: Final = 20


class _Repositories(NamedTuple):
    bases: frozenset[str]
    one: frozenset[str]
    several: frozenset[str]


class _Argument(NamedTuple):
    """A type argument as written, and the class it is written at."""

    text: str
    scope: int


@cache
def _repositories() -> _Repositories:
    words = load_frameworks("java")
    return _Repositories(*(words.names("repositories", key) for key in _Repositories._fields))


def repository_result(analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
    """What a method that a repository has from its framework gives; None for all other methods."""
    owner, _, method = name.rpartition(".")
    known, callee = _repositories(), call.callee
    if owner.rpartition(".")[2] not in known.bases or callee is None or callee[0] != "member":
        return None
    if method not in known.one and method not in known.several:
        return None
    for value in analysis.evaluate(callee[1], scope):
        argument = _entity(analysis, symbol_of(value)) if is_instance(value) else None
        if argument is not None:
            return _given(analysis, argument, is_one=method in known.one)
    return None


def _given(analysis: Analysis, argument: _Argument, *, is_one: bool) -> Values | None:
    objects = tuple(map(as_instance, _classes(analysis, argument)))
    if is_one or not objects:
        return objects or None
    holder, made = analysis.container(("repository", argument), "list", argument.scope)
    if made is not None:
        made.entries.append((None, ("instance", _named(argument.text)), argument.scope))
    return (holder,)


def _entity(analysis: Analysis, repository: int) -> _Argument | None:
    """What a repository is of: the first argument of the framework's interface, or what its heirs give for it."""
    waiting: list[tuple[int, _Argument | None]] = [(repository, None)]
    seen = {repository}
    for _ in range(_MOST_PARENTS):
        if not waiting:
            return None
        owner, given = waiting.pop()
        for base in analysis.program.symbol(owner).bases:
            found = _GENERIC.match(base.text)
            argument = _Argument(found[2], owner) if found is not None else None
            if argument is not None and not list(_classes(analysis, argument)):
                argument = given  # a type variable of its own stands for what the heir says
            if found is not None and found[1] in _repositories().bases:
                return argument
            parents = [symbol_of(one) for one in analysis.evaluate(base.type, owner) if is_symbol(one)]
            waiting += [(one, argument) for one in parents if one not in seen]
            seen.update(parents)
    return None


def _classes(analysis: Analysis, argument: _Argument) -> Iterator[int]:
    for value in analysis.evaluate(_named(argument.text), argument.scope):
        if is_symbol(value) and analysis.program.symbol(symbol_of(value)).kind in TYPE_KINDS:
            yield value


def _named(text: str) -> Expression:
    first, *rest = text.split(".")
    form: Expression = ("name", first)
    for part in rest:
        form = ("member", form, part)
    return form
