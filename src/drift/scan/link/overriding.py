"""Which methods override which: what may run in the place of a method, by the classes below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import Symbol
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.bodies import bodies_of
from drift.scan.link.hierarchy import class_of, line_of_descent, outside_members, own_members
from drift.scan.link.keys import method_key, override_key
from drift.scan.link.links import ABSTRACT_CONFIDENCE, OVERRIDE_CONFIDENCE, Place, Target
from drift.scan.link.overloads import may_override
from drift.scan.link.tables import FileTable, is_outside_method
from drift.scan.link.type_reading import PROPERTY
from drift.scan.link.values import SYMBOL_MASK, is_instance, is_symbol, symbol_of

MOST_OVERRIDERS: Final = 10
"""A method overridden more often is a hook: naming all of them says nothing, and none are named."""

_MOST_CROWDED: Final = 200  # methods that override one, among which those of one class are looked for
_MOST_MIXED: Final = 50  # ancestors of a class that is looked at for mixins: each is compared with all others
_MOST_CANDIDATES: Final = 40  # files looked at for classes that fit an interface


def find_overrides(analysis: Analysis, table: FileTable) -> list[tuple[Place, Place]]:
    """The methods that those of a file override, each as (method, overrider).

    A class may have methods in other files, which are told with those files.
    """
    program = analysis.program
    found: dict[tuple[Place, Place], None] = {}
    for owner in _owners(analysis, table):
        ancestors = _overridable(analysis, owner)
        if not ancestors:
            continue
        for overrider, overridden in ((owner, ancestors), *_mixed_in(analysis, owner, ancestors)):
            for pair in _overriding_pairs(analysis, overrider, overridden):
                if program.table_of(pair[1]) is table:
                    found[program.place(pair[0]), program.place(pair[1])] = None
    for method, overrider in program.semantics(table).fitting_overrides(analysis, table):
        found[program.place(method), program.place(overrider)] = None
    return list(found)


def _owners(analysis: Analysis, table: FileTable) -> list[int]:
    """The classes that methods of a file belong to: its own, and those of other files."""
    own = [table.first + number for number, symbol in enumerate(table.symbols) if symbol.kind in TYPE_KINDS]
    elsewhere = {
        owner: None
        for number in range(len(table.symbols))
        if is_outside_method(table.facts, number)
        and (owner := class_of(analysis, table.first + number)) is not None
        and analysis.program.table_of(owner) is not table
    }
    return [*own, *elsewhere]


def _overriding_pairs(
    analysis: Analysis, overrider: int, ancestors: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """The methods of ancestors, each with one of a class that runs in its place."""
    for name, methods in _methods_of(analysis, overrider):
        for ancestor in ancestors:
            for overridden in own_members(analysis, ancestor, name):
                if _may_be_overridden(analysis.program.symbol(overridden)):
                    yield from (
                        (overridden, method)
                        for method in methods
                        if may_override(analysis, method, overridden)
                    )


def _mixed_in(
    analysis: Analysis, owner: int, ancestors: Sequence[int]
) -> Iterator[tuple[int, Sequence[int]]]:
    """The mixins of the file that a class puts before ancestors that are none of theirs, and those.

    What overrides is kept with the file of the overrider, so a mixin from another file is left alone.
    """
    program = analysis.program
    table = program.table_of(owner)
    if not program.semantics(table).has_mixins or len(program.symbol(owner).bases) <= 1:
        return
    if len(ancestors) > _MOST_MIXED:
        return
    all_ancestors = frozenset(ancestors)
    for place, mixin in enumerate(ancestors):
        if program.table_of(mixin) is table:
            foreign = all_ancestors.difference(line_of_descent(analysis, mixin))
            beside = [one for one in ancestors[place + 1 :] if one in foreign] if foreign else []
            if beside:
                yield mixin, beside


def _overridable(analysis: Analysis, owner: int) -> list[int]:
    """The ancestors of a class in the place of whose methods its own may run."""
    program = analysis.program
    ancestors = [one for one in line_of_descent(analysis, owner)[1:] if isinstance(one, int)]
    return program.semantics_at(owner).overridable(analysis, ancestors)


def overriders_of(analysis: Analysis, method: int) -> tuple[int, ...]:
    """What may run in the place of a method; none where that is too many to name."""
    found: tuple[int, ...] = analysis.cached(("overriders", method), _overriders_of, method)
    return found


def crowded_targets(
    analysis: Analysis, methods: tuple[int, ...], *, owners: tuple[int, ...]
) -> tuple[Target, ...]:
    """What may run in the place of methods that too many override to name, by the classes of the object.

    A service of one kind of thing has one implementation, though the methods of all services are declared in one place.
    """
    found = dict.fromkeys(
        one
        for method in methods
        for owner in owners
        for one in analysis.cached(("overriders below", method, owner), _overriders_below, method, owner)
    )
    below = [one for one in found if one not in methods]
    is_abstract = all("abstract" in analysis.program.symbol(one).modifiers for one in methods)
    confidence = ABSTRACT_CONFIDENCE if is_abstract else OVERRIDE_CONFIDENCE
    return sharing_targets(analysis, below, confidence) if len(below) <= MOST_OVERRIDERS else ()


def object_classes(analysis: Analysis, receiver: Expression, scope: int) -> tuple[int, ...]:
    """The classes that an object is of, or that a method is asked of; none where it may be something else as well."""
    values = analysis.evaluate(receiver, scope)
    if not all(is_instance(one) or is_symbol(one) for one in values):
        return ()
    owners = tuple(symbol_of(one) for one in values if isinstance(one, int))
    return owners if all(analysis.program.symbol(one).kind == "class" for one in owners) else ()


def without_siblings(
    analysis: Analysis, methods: tuple[int, ...], targets: tuple[Target, ...], *, owners: tuple[int, ...]
) -> tuple[Target, ...]:
    """What may run in the place of methods, without what classes beside those of the object have instead of them."""
    if not targets or not owners:
        return targets
    program = analysis.program
    holders = {holder for one in methods if (holder := class_of(analysis, one)) is not None}
    kept = []
    for target in targets:
        method = program.number(target.place)
        holder = class_of(analysis, method)
        is_heir = holder is not None and not holders.isdisjoint(line_of_descent(analysis, holder)[1:])
        if not is_heir or _is_below(analysis, method, owners):
            kept.append(method)
    share = sum(one.confidence for one in targets)
    return targets if len(kept) == len(targets) else sharing_targets(analysis, kept, share)


def of_own_line(
    analysis: Analysis, methods: tuple[int, ...], targets: tuple[Target, ...]
) -> tuple[Target, ...]:
    """Of what may run in the place of methods that which their own classes have: what is prepended to them."""
    holders = (class_of(analysis, one) for one in methods)
    above = {each for one in holders if one is not None for each in line_of_descent(analysis, one)[1:]}
    return tuple(one for one in targets if class_of(analysis, analysis.program.number(one.place)) in above)


def is_settled_among_many(analysis: Analysis, method: int, owners: tuple[int, ...]) -> bool:
    """Whether a method that too many override to name them is asked of classes below its own, whose overriders are named."""
    holder = class_of(analysis, method) if owners else None
    if holder is None or holder in owners:
        return False
    place = analysis.program.place(method)
    analysis.program.note(
        override_key(place.path, analysis.program.table_of(method).identities[place.symbol])
    )
    found = analysis.program.overriders(place, most=_MOST_CROWDED)
    if found is None or len(found) <= MOST_OVERRIDERS:
        return False
    below: set[int] = set()
    for owner in owners:
        if holder not in line_of_descent(analysis, owner):
            return False
        below.update(analysis.cached(("overriders below", method, owner), _overriders_below, method, owner))
    return len(below) <= MOST_OVERRIDERS


def _overriders_below(analysis: Analysis, method: int, owner: int) -> tuple[int, ...]:
    program = analysis.program
    holder = class_of(analysis, method)
    if holder is None or holder == owner or holder not in line_of_descent(analysis, owner):
        return ()
    place = program.place(method)
    program.note(override_key(place.path, program.table_of(method).identities[place.symbol]))
    found = program.overriders(place, most=_MOST_CROWDED)
    numbers = [program.number(one) for one in sorted(found or ())]
    return tuple(one for one in numbers if _is_below(analysis, one, (owner,)))


def override_targets(
    analysis: Analysis, methods: tuple[int, ...], *, taken: tuple[int, ...] = (), owners: tuple[int, ...] = ()
) -> tuple[Target, ...]:
    """What may run in the place of methods, apart from themselves and what is taken, with what it shares.

    Where the classes of the object are given, only what they and those below them have may run.
    """
    program = analysis.program
    all_of = taken or methods
    found = dict.fromkeys(one for method in methods for one in overriders_of(analysis, method))
    below = [one for one in found if one not in all_of]
    if owners:
        below = [one for one in below if _is_below(analysis, one, owners)]
    if not below:
        return ()
    is_abstract = all("abstract" in program.symbol(one).modifiers for one in all_of)
    return sharing_targets(analysis, below, ABSTRACT_CONFIDENCE if is_abstract else OVERRIDE_CONFIDENCE)


def sharing_targets(analysis: Analysis, methods: Sequence[int], confidence: float) -> tuple[Target, ...]:
    """Methods of which any may run, each with its share."""
    share = confidence / len(methods) if methods else 0.0
    return tuple(Target(analysis.program.place(one), share, "override") for one in methods)


def _is_below(analysis: Analysis, method: int, owners: tuple[int, ...]) -> bool:
    holder = class_of(analysis, method)
    return holder is not None and not set(owners).isdisjoint(line_of_descent(analysis, holder))


def _overriders_of(analysis: Analysis, method: int) -> tuple[int, ...]:
    program = analysis.program
    place = program.place(method)
    table = program.table_of(method)
    program.note(override_key(place.path, table.identities[place.symbol]))
    # Declarations and definitions of one method are two until they are followed.
    found = program.overriders(place, most=2 * MOST_OVERRIDERS)
    if found is None:
        return ()
    below = dict.fromkeys(program.number(one) for one in sorted(found))
    owner, rules = class_of(analysis, method), program.semantics(table)
    if owner is not None and rules.has_structural_types and program.symbol(owner).kind == "interface":
        for one in _fitting_methods(analysis, owner, method):
            below[one] = None
            if len(below) > 2 * MOST_OVERRIDERS:
                return ()  # the rest need not be looked at, which in a file of very many classes are as many again
    if owner is not None:
        below.update(dict.fromkeys(rules.mixed_overriders(analysis, owner, method)))
    defined = tuple(dict.fromkeys(body for one in below for body in bodies_of(analysis, one)))
    return defined if len(defined) <= MOST_OVERRIDERS else ()


def _fitting_methods(analysis: Analysis, interface: int, method: int) -> Iterator[int]:
    """The methods of that name of classes that have all the interface asks for, without saying so."""
    program = analysis.program
    language = program.table_of(interface).facts.language
    # What an interface has as a property a class may have as a plain field.
    wanted = [
        name
        for name, methods in _methods_of(analysis, interface)
        if not name.startswith("__") and program.symbol(methods[0]).kind != "property"
    ]
    name = program.symbol(method).name
    if name not in wanted:
        return
    paths = min((program.providing(method_key(language, one)) for one in wanted), key=len)
    if len(paths) > _MOST_CANDIDATES:
        return
    for table in program.tables_at(paths):
        for number, symbol in enumerate(table.symbols):
            if symbol.kind in TYPE_KINDS and symbol.kind != "interface":
                found = _member_methods(analysis, table.first + number, name)
                if found and all(_has_member(analysis, table.first + number, one) for one in wanted):
                    yield found[0]


def _member_methods(analysis: Analysis, owner: int, name: str) -> list[int]:
    for ancestor in line_of_descent(analysis, owner):
        if isinstance(ancestor, int):
            members = own_members(analysis, ancestor, name)
            methods = [one for one in members if analysis.program.symbol(one).kind in CODE_KINDS]
            if methods:
                return methods
    return []


def _has_member(analysis: Analysis, owner: int, name: str) -> bool:
    for ancestor in line_of_descent(analysis, owner):
        if isinstance(ancestor, int):
            table = analysis.program.table_of(ancestor)
            if analysis.program.definitions(table, ancestor & SYMBOL_MASK, name) is not None:
                return True
            if name in outside_members(analysis, ancestor):
                return True
    return False


def _methods_of(analysis: Analysis, owner: int) -> list[tuple[str, list[int]]]:
    program = analysis.program
    table = program.table_of(owner)
    program.note_members(table, owner & SYMBOL_MASK)
    names = [*table.names[owner & SYMBOL_MASK], *outside_members(analysis, owner)]
    found = []
    for name in dict.fromkeys(names):
        methods = [
            symbol
            for symbol in own_members(analysis, owner, name)
            if _may_be_overridden(program.symbol(symbol))
        ]
        if methods:
            found.append((name, methods))
    return found


def _may_be_overridden(symbol: Symbol) -> bool:
    return symbol.kind in CODE_KINDS or PROPERTY in symbol.modifiers
