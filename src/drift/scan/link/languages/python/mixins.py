"""Members that classes of Python have after all: those of classes below, and of what a mixin is used with."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent, own_members
from drift.scan.link.keys import given_below_key, mixing_key
from drift.scan.link.subclass_members import MOST_BELOW, MOST_FILES, MOST_FILES_OF_TRAITS, user_members
from drift.scan.link.values import NOTHING, Values, instance_value, merge, symbol_value

WITHOUT_MEMBERS: Final = frozenset(
    {"abc.ABC", "builtins.object", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol"}
)
"""Parents outside that have no member but what any object has."""


def late_members(analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
    """The methods of that name that classes below have, or those that a mixin is used with."""
    if not line or isinstance(line[0], str) or name.startswith("__") or not is_known_whole(line):
        return NOTHING
    below = user_members(analysis, line[0], name, most_files=MOST_FILES)
    found = _asked_below(analysis, [*below, *_members_beside(analysis, line[0], name)])
    return tuple(symbol_value(symbol) for symbol in found) or _given_below(analysis, line[0], name)


def _given_below(analysis: Analysis, owner: int, name: str) -> Values:
    """What the classes below one give themselves or their objects under a name that it has not, if they are few."""
    program = analysis.program
    paths = program.providing(given_below_key(program.table_of(owner).facts.language, name))
    if not paths or len(paths) > MOST_FILES:
        return NOTHING
    below = [
        table.first + number
        for table in program.tables_at(paths)
        for number, symbol in enumerate(table.symbols)
        if symbol.bases
        and (name in table.names[number] or name in table.fields.get(number, ()))
        and owner in line_of_descent(analysis, table.first + number)
    ]
    if len(below) > MOST_BELOW:
        return NOTHING
    return merge(analysis.evaluate(("of", instance_value(one), name), one) for one in below)


def parent_members_beside(analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
    """What `super()` leads to in a mixin of Python that has no such parent: the classes that use it have another."""
    owner = line[0]
    if isinstance(owner, str) or not is_known_whole(line):
        return NOTHING
    found = _asked_below(analysis, _members_beside(analysis, owner, name, is_after=True))
    return tuple(symbol_value(symbol) for symbol in found)


def _members_beside(analysis: Analysis, mixin: int, name: str, *, is_after: bool = False) -> list[int]:
    """The methods that classes which name a mixin among several parents get from another of these."""
    program = analysis.program
    paths = program.providing(mixing_key(program.table_of(mixin).facts.language, program.symbol(mixin).name))
    if not paths or len(paths) > MOST_FILES_OF_TRAITS:
        return []
    lines: tuple[tuple[int, ...], ...] = analysis.cached(
        ("beside", mixin, is_after), _find_lines_beside, mixin, is_after, paths
    )
    return list(dict.fromkeys(one for line in lines for one in _first_methods(analysis, line, name)))


def _find_lines_beside(
    analysis: Analysis,
    mixin: int,
    is_after: bool,  # noqa: FBT001 - handed on by position
    paths: Collection[str],
) -> tuple[tuple[int, ...], ...]:
    """For each class that names a mixin among several parents the ancestors that the mixin has not, each line once."""
    program = analysis.program
    own = line_of_descent(analysis, mixin)
    found: dict[tuple[int, ...], None] = {}
    for table in program.tables_at(paths):
        for number, symbol in enumerate(table.symbols):
            if symbol.kind not in TYPE_KINDS or len(program.symbol(table.first + number).bases) <= 1:
                continue
            line = line_of_descent(analysis, table.first + number)
            if mixin in line:
                others = line[line.index(mixin) + 1 :] if is_after else line
                found[tuple(one for one in others if isinstance(one, int) and one not in own)] = None
    return tuple(found)


def _first_methods(analysis: Analysis, owners: Iterable[int], name: str) -> list[int]:
    """The methods of that name of the first class that has any."""
    for owner in owners:
        members = own_members(analysis, owner, name)
        methods = [one for one in members if analysis.program.symbol(one).kind in CODE_KINDS]
        if methods:
            return methods
    return []


def methods_below(analysis: Analysis, method: int) -> list[int]:
    """The methods that write out an abstract one; none where they are many."""
    program = analysis.program
    owner = program.parent(method)
    if program.symbol(owner).kind not in TYPE_KINDS:
        return []
    found = user_members(analysis, owner, program.symbol(method).name, most_files=MOST_FILES)
    written = [one for one in found if "abstract" not in program.symbol(one).modifiers]
    return written if len(written) <= MOST_BELOW else []


def is_known_whole(line: tuple[int | str, ...]) -> bool:
    """Whether all that a line of descent has is in the project; a parent outside may have the member."""
    return all(isinstance(owner, int) or owner in WITHOUT_MEMBERS for owner in line)


def _asked_below(analysis: Analysis, methods: list[int]) -> list[int]:
    """The methods that a class asks of those below it, if they are few; what overrides another comes with it."""
    owners = {one: line_of_descent(analysis, analysis.program.parent(one))[1:] for one in methods}
    parents = {analysis.program.parent(one) for one in methods}
    highest = [one for one in methods if not parents.intersection(owners[one])]
    return highest if len(highest) <= MOST_BELOW else []
