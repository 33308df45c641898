"""Members that classes have after all: PHP's in another case, and those of classes below or that use a trait."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent, own_members
from drift.scan.link.keys import method_key, mixing_key
from drift.scan.link.values import NOTHING, SYMBOL, SYMBOL_MASK, Values

_OF_OBJECTS: Final = frozenset({"method", "property"})
_MOST_BELOW: Final = 10  # classes below that each have a method of their own: a hook, of which none is named
_WITHOUT_MEMBERS: Final = frozenset(
    {"abc.ABC", "builtins.object", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol"}
)
# Files that have a method of one name: beyond that the name says nothing. A trait, and a class that is abstract, says
# itself that it needs others.
_MOST_FILES_OF_TRAITS: Final = 40
_MOST_FILES: Final = 10


def late_members(analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
    """The methods of that name that a line of descent has after all, as functions of their classes."""
    if not line or isinstance(line[0], str):
        return NOTHING
    language = analysis.program.table_of(line[0]).facts.language
    if language == "php":
        found = _folded_members(analysis, line, name)
        if not found and analysis.program.symbol(line[0]).kind == "trait":
            found = _user_members(analysis, line[0], name, most_files=_MOST_FILES_OF_TRAITS)
    elif language == "python" and not name.startswith("__") and is_known_whole(line):
        below = _user_members(analysis, line[0], name, most_files=_MOST_FILES)
        found = _asked_below(analysis, [*below, *_members_beside(analysis, line[0], name)])
    else:
        return NOTHING
    return tuple(symbol << 2 | SYMBOL for symbol in found)


def parent_members_beside(analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
    """What `super()` leads to in a mixin of Python that has no such parent: the classes that use it have another."""
    owner = line[0]
    if isinstance(owner, str) or analysis.program.table_of(owner).facts.language != "python":
        return NOTHING
    if not is_known_whole(line):
        return NOTHING
    found = _asked_below(analysis, _members_beside(analysis, owner, name, is_after=True))
    return tuple(symbol << 2 | SYMBOL for symbol in found)


def _members_beside(analysis: Analysis, mixin: int, name: str, *, is_after: bool = False) -> list[int]:
    """The methods that classes which name a mixin among several parents get from another of these."""
    program = analysis.program
    paths = program.providing(mixing_key("python", program.symbol(mixin).name))
    if not paths or len(paths) > _MOST_FILES_OF_TRAITS:
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


def members_below(analysis: Analysis, owner: int, name: str) -> tuple[int, ...]:
    """The methods that classes below an abstract one have under a name that it has not; none where they are many."""
    program = analysis.program
    if "abstract" not in program.symbol(owner).modifiers:
        return ()
    found: tuple[int, ...] = analysis.cached(("below", owner, name), _members_below, owner, name)
    return found


def _members_below(analysis: Analysis, owner: int, name: str) -> tuple[int, ...]:
    found = _user_members(analysis, owner, name, most_files=_MOST_FILES_OF_TRAITS)
    return tuple(found) if len(found) <= _MOST_BELOW else ()


def methods_below(analysis: Analysis, method: int) -> list[int]:
    """The methods that write out an abstract one of Python; none where they are many."""
    program = analysis.program
    owner = program.parent(method)
    table = program.table_of(method)
    if table.facts.language != "python" or program.symbol(owner).kind not in TYPE_KINDS:
        return []
    found = _user_members(analysis, owner, program.symbol(method).name, most_files=_MOST_FILES)
    written = [one for one in found if "abstract" not in program.symbol(one).modifiers]
    return written if len(written) <= _MOST_BELOW else []


def is_known_whole(line: tuple[int | str, ...]) -> bool:
    """Whether all that a line of descent has is in the project; a parent outside may have the member."""
    return all(isinstance(owner, int) or owner in _WITHOUT_MEMBERS for owner in line)


def _asked_below(analysis: Analysis, methods: list[int]) -> list[int]:
    """The methods that a class asks of those below it, if they are few; what overrides another comes with it."""
    owners = {one: line_of_descent(analysis, analysis.program.parent(one))[1:] for one in methods}
    parents = {analysis.program.parent(one) for one in methods}
    highest = [one for one in methods if not parents.intersection(owners[one])]
    return highest if len(highest) <= _MOST_BELOW else []


def _folded_members(analysis: Analysis, line: tuple[int | str, ...], name: str) -> list[int]:
    """The method whose name differs in case alone, of the first class that has one."""
    program = analysis.program
    wanted = name.lower()
    for owner in line:
        if isinstance(owner, str):
            continue
        table, number = program.table_of(owner), owner & SYMBOL_MASK
        program.note_members(table, number)
        for other in table.names[number]:
            if other.lower() != wanted or other == name:
                continue
            for definition in program.definitions(table, number, other) or ():
                symbol = table.first + definition.number
                if definition.kind == "symbol" and program.symbol(symbol).kind in CODE_KINDS:
                    return [symbol]
    return []


def _user_members(analysis: Analysis, trait: int, name: str, *, most_files: int) -> list[int]:
    """The methods of that name that classes have which use a trait or are below: its code runs as theirs."""
    program = analysis.program
    paths = program.providing(method_key(program.table_of(trait).facts.language, name))
    if len(paths) > most_files:
        return []
    return [
        table.first + number
        for table in program.tables_at(paths)
        for number, symbol in enumerate(table.symbols)
        if symbol.kind in _OF_OBJECTS
        and symbol.name == name
        and trait in line_of_descent(analysis, table.first + symbol.parent)
    ]
