"""Lines of descent: a class, then its ancestors in the order in which members are looked for."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection
from typing import Final

from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.keys import receiver_key
from drift.scan.link.partials import other_parts
from drift.scan.link.tables import Definition, FileTable, is_outside_method, named_owner
from drift.scan.link.type_counts import with_arguments
from drift.scan.link.values import SYMBOL_MASK, Values, is_symbol, symbol_of

_MOST_ANCESTORS: Final = 200
# Generations of which lines are found from those of parents: each is a question in a question.
_MOST_GENERATIONS: Final = 40

_MIXING: Final = frozenset({"mixes", "prepends"})

Ancestor = int | str
Line = tuple[Ancestor, ...]


def line_of_descent(analysis: Analysis, owner: int) -> Line:
    """The class and its ancestors by C3 linearisation; those outside the project by their names.

    Where no consistent order exists, the order of writing decides. Of a class that descends from itself, or from
    more than anybody wrote by hand, the ancestors are those nearest to it, step by step.
    """
    line: Line = analysis.cached(("line", owner), _find_line, owner)
    return line or (owner,)  # what a class that descends from itself sees


def _find_line(analysis: Analysis, owner: int) -> Line:
    parents = [parent for parent in _find_parents(analysis, owner) if parent != owner]
    nearest = None if _are_in_order(analysis, parents) else _unordered_ancestors(analysis, owner)
    if nearest is not None:
        return (owner, *nearest)
    lines: list[list[Ancestor]] = [
        list(line_of_descent(analysis, parent)) if isinstance(parent, int) else [parent] for parent in parents
    ]
    if len(lines) == 1:
        return (owner, *[one for one in lines[0] if one != owner][:_MOST_ANCESTORS])
    return (owner, *_merge_lines([*lines, list(parents)], owner))


def _are_in_order(analysis: Analysis, parents: Collection[Ancestor]) -> bool:
    """Whether the lines of all parents have been found for good, so that none leads in a circle, and are short."""
    lines = [analysis.cached_answer(("line", parent)) for parent in parents if isinstance(parent, int)]
    if None in lines or any(len(line) > _MOST_GENERATIONS for line in lines):
        return False
    return sum(len(line) for line in lines) < _MOST_ANCESTORS


def _unordered_ancestors(analysis: Analysis, owner: int) -> Line | None:
    """The nearest ancestors of a class that is among them, or has too many to put in order or too old ones, else None.

    Lines that lead in circles would each be found from those of all others, again and again.
    """
    found: dict[Ancestor, int] = {owner: 0}
    waiting: deque[Ancestor] = deque([owner])
    is_circular = False
    generation = 0
    while waiting and len(found) <= _MOST_ANCESTORS:
        ancestor = waiting.popleft()
        generation = found[ancestor]
        for parent in _parents(analysis, ancestor) if isinstance(ancestor, int) else ():
            is_circular |= parent == owner and ancestor != owner
            if parent not in found:
                found[parent] = generation + 1
                waiting.append(parent)
    if not is_circular and len(found) <= _MOST_ANCESTORS and generation <= _MOST_GENERATIONS:
        return None
    return tuple(found)[1 : _MOST_ANCESTORS + 1]


def base_values(analysis: Analysis, owner: int, position: int) -> Values:
    """What one named parent of a class is."""
    symbol = analysis.program.symbol(owner)
    base = symbol.bases[position]
    return analysis.evaluate(with_arguments(base.type, base.text), analysis.program.parent(owner))


def _parents(analysis: Analysis, owner: int) -> Line:
    found: Line = analysis.cached(("parents", owner), _find_parents, owner)
    return found


def _find_parents(analysis: Analysis, owner: int) -> Line:
    parents: list[Ancestor] = []
    mixed: list[Ancestor] = []  # traits of the project: what they have comes before what parents have
    program = analysis.program
    for position in range(len(program.symbol(owner).bases)):
        for value in base_values(analysis, owner, position):
            if isinstance(value, str):
                parents.append(value)
            elif is_symbol(value) and program.symbol(symbol_of(value)).kind in TYPE_KINDS:
                kind = program.symbol(owner).bases[position].kind
                (mixed if kind in _MIXING else parents).append(symbol_of(value))
    return tuple(dict.fromkeys([*other_parts(analysis, owner), *mixed, *parents]))


def _merge_lines(lines: list[list[Ancestor]], owner: int) -> Line:
    # Each line from its end, so that what is taken from its beginning costs nothing: lines are long where descent is.
    waiting = [line[::-1] for line in lines if line]
    later = Counter(ancestor for line in waiting for ancestor in line[:-1])
    merged: dict[Ancestor, None] = {}
    taken: set[Ancestor] = set()
    while waiting and len(merged) < _MOST_ANCESTORS:
        chosen = next((line[-1] for line in waiting if not later[line[-1]]), waiting[0][-1])
        if chosen != owner:
            merged[chosen] = None
        taken.add(chosen)
        waiting = [line for line in waiting if _drop_taken(line, taken, later)]
    return tuple(merged)


def _drop_taken(line: list[Ancestor], taken: set[Ancestor], later: Counter[Ancestor]) -> bool:
    """Take from a line what comes first and is taken; whether anything is left of it."""
    while line and line[-1] in taken:
        line.pop()
        if line:
            later[line[-1]] -= 1
    return bool(line)


def class_of(analysis: Analysis, function: int) -> int | None:
    """The class a function is a member of, also where it stands outside."""
    table = analysis.program.table_of(function)
    own = function & SYMBOL_MASK
    parent = table.symbols[own].parent
    if parent and table.symbols[parent].kind in TYPE_KINDS:
        return table.first + parent
    if not is_outside_method(table.facts, own):
        return None
    found = analysis.cached(("owner", function), _outside_owner, function)
    return found[0] if found else None


def _outside_owner(analysis: Analysis, function: int) -> tuple[int, ...]:
    program = analysis.program
    symbol, holder = program.symbol(function), program.parent(function)
    values = analysis.evaluate(named_owner(symbol, program.symbol(holder)), holder)
    owners = [
        symbol_of(value)
        for value in values
        if isinstance(value, int) and program.symbol(symbol_of(value)).kind in TYPE_KINDS
    ]
    if symbol.kind == "function":
        # A test names its fixture as one names a class: another name of it stands for the class itself.
        owners.sort(key=lambda owner: program.symbol(owner).kind == "type")
    return tuple(owners[:1])


def method_around(analysis: Analysis, scope: int) -> int | None:
    """The method that a scope is in, or is."""
    table = analysis.program.table_of(scope)
    number = scope & SYMBOL_MASK
    method = table.method_around(number)
    if method is not None:
        return table.first + method
    while number:
        if is_outside_method(table.facts, number):
            return table.first + number
        number = table.symbols[number].parent
    return None


def class_around(analysis: Analysis, scope: int) -> int | None:
    """The class that a scope is in, or is."""
    table = analysis.program.table_of(scope)
    found = table.class_around(scope & SYMBOL_MASK)
    if found is not None:
        return table.first + found
    method = method_around(analysis, scope)
    return None if method is None else class_of(analysis, method)


def outside_members(analysis: Analysis, owner: int) -> dict[str, list[int]]:
    """The methods of a class that stand outside it, by name."""
    if not analysis.program.semantics_at(owner).has_outside_methods:
        return {}
    found: dict[str, list[int]] | tuple[()] = analysis.cached(("outside", owner), _outside_members, owner)
    return found or {}  # nothing is known of them while they are being looked for


def _outside_members(analysis: Analysis, owner: int) -> dict[str, list[int]]:
    program = analysis.program
    table = program.table_of(owner)
    name = program.symbol(owner).name
    found: dict[str, list[int]] = {}
    for other in program.tables_at(program.providing(receiver_key(table.facts.language, name))):
        for number in other.outside_methods.get(name, ()):
            if class_of(analysis, other.first + number) == owner:
                found.setdefault(other.symbols[number].name, []).append(other.first + number)
    return found


def definitions_in(analysis: Analysis, table: FileTable, scope: int, name: str) -> list[Definition] | None:
    """What a name is given in a scope; a method that stands there, outside its class, is no name of it."""
    found = analysis.program.definitions(table, scope, name)
    if found is None or not table.outside_methods:
        return found
    return [one for one in found if one.kind != "symbol" or _is_name_there(table, one.number)] or None


def _is_name_there(table: FileTable, number: int) -> bool:
    """Whether a symbol is a name where it stands; a function of an impl without an object is one, if of nothing else."""
    return "static" in table.symbols[number].modifiers or not is_outside_method(table.facts, number)


def bare_definitions(analysis: Analysis, table: FileTable, scope: int, name: str) -> list[Definition] | None:
    """What a bare name in a scope is given there. Members are only seen through their object, but in some languages."""
    found = definitions_in(analysis, table, scope, name)
    if found is None:
        return None
    return analysis.program.semantics(table).bare_definitions(analysis, table, scope, found)


def own_members(analysis: Analysis, owner: int, name: str) -> list[int]:
    """The symbols of that name that a class itself declares, in its body or outside."""
    table = analysis.program.table_of(owner)
    definitions = analysis.program.definitions(table, owner & SYMBOL_MASK, name) or ()
    found = [table.first + definition.number for definition in definitions if definition.kind == "symbol"]
    if not analysis.program.semantics(table).has_outside_methods:
        return found
    return [*found, *outside_members(analysis, owner).get(name, ())]


def declared_members(analysis: Analysis, owner: int, name: str) -> tuple[int, ...]:
    """The symbols of that name that the first class in a line of descent declares which declares any."""
    found: tuple[int, ...] = analysis.cached(("declared", owner, name), _find_declared, owner, name)
    return found


def _find_declared(analysis: Analysis, owner: int, name: str) -> tuple[int, ...]:
    for ancestor in line_of_descent(analysis, owner):
        if isinstance(ancestor, int):
            found = own_members(analysis, ancestor, name)
            if found:
                return tuple(found)
    return ()


def constructors_of(analysis: Analysis, owner: int) -> list[int]:
    """The constructors a class itself has; of several names the one that comes first in the language."""
    program = analysis.program
    semantics = program.semantics_at(owner)
    if not semantics.has_constructors:
        return []
    names = semantics.constructors
    for name in (*names, program.symbol(owner).name):
        found = [
            member
            for member in own_members(analysis, owner, name)
            if program.symbol(member).kind in {"constructor", "method"}
        ]
        if found:
            return found
    return []
