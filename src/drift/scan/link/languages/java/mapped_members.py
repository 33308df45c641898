"""What a mapper runs that MapStruct writes: getters of what a method is given, setters of what it gives, other mappings.

`AudienceDto toDto(Audience audience)` has no line of code. A member is read where the other side has one of its name, or
where `@Mapping` names it; what has another class of the project on the other side is mapped by a method of this mapper or
of those it uses, else member by member, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from drift.languages.facts import Access
from drift.languages.frameworks import load_frameworks
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent, own_members
from drift.scan.link.links import CallLink, Target
from drift.scan.link.values import SYMBOL_MASK, is_symbol, symbol_of

_MOST_MEMBERS: Final = 200  # of one class
_MOST_TARGETS: Final = 300
_MOST_DEPTH: Final = 3  # of mappings in mappings
_ACCESSOR: Final = re.compile(r"(get|is|set)([A-Z]\w*)")
_INNERMOST: Final = re.compile(r"(?:[\w.]{0,200}\.)?(\w{1,100})[\s>?\[\]]*\Z")
_GIVEN: Final = re.compile(r"\b(target|source|ignore|qualifiedByName)\s{0,9}=\s{0,9}\"?([\w.]{1,100})")
_USED: Final = re.compile(r"(\w{1,100})\.class")


class _Member(NamedTuple):
    """A member of a class by the name a mapper knows it by: what reads it, what sets it, and of what type it is."""

    reading: int | None = None
    setting: int | None = None
    type_text: str = ""
    scope: int = 0


class _Row(NamedTuple):
    """What `@Mapping` says: from where a member of the result comes, if from anywhere."""

    target: str
    source: str
    is_ignored: bool


@cache
def _rows_named() -> frozenset[str]:
    return load_frameworks("java").names("mappers", "rows")


def mapping_link(analysis: Analysis, access: Access, method: int) -> CallLink | None:
    """What a method of a mapper runs; None where that is nothing of the project."""
    changed = str(access.receiver[2]) if access.receiver and access.receiver[0] == "member" else None
    mapping = _Mapping(analysis, method, changed)
    found = tuple(mapping.find())[:_MOST_TARGETS]
    targets = tuple(Target(analysis.program.place(one), 1.0, "implicit") for one in found if one != method)
    return CallLink("resolved", targets, reason="implicit") if targets else None


class _Mapping:
    """One method that is written for a mapper."""

    def __init__(self, analysis: Analysis, method: int, changed: str | None) -> None:
        self._analysis = analysis
        self._method = method
        self._symbol = analysis.program.symbol(method)
        self._mapper = analysis.program.parent(method)
        self._rows = list(self._read_rows())
        self._changed = changed
        self._seen: set[tuple[int, int]] = set()

    def find(self) -> dict[int, None]:
        """The accessors, constructors and other mappings that run, in the order in which they are met."""
        found: dict[int, None] = {}
        parameters = [one for one in self._symbol.parameters if one.name != self._changed]
        changed = [one for one in self._symbol.parameters if one.name == self._changed]
        result = changed[0].type_text if changed else self._symbol.return_text
        target = _class(self._analysis, result or "", self._method)
        for one in parameters if target is not None else ():
            source = _class(self._analysis, one.type_text or "", self._method)
            if source is None or target is None:
                continue
            if "<" in (one.type_text or ""):  # each of them is mapped by the method for one
                found |= dict.fromkeys(self._between(source, target, but=self._method))
                continue
            found |= dict.fromkeys(
                self._members(source, target, rows=self._rows, depth=0, is_made=not changed)
            )
            for row in self._rows:
                found |= dict.fromkeys(self._path(source, row.source.removeprefix(f"{one.name}.")))
        return found

    def _read_rows(self) -> Iterator[_Row]:
        for one in self._symbol.decorators:
            if one.name.rpartition(".")[2] in _rows_named():
                said: dict[str, str] = dict(_GIVEN.findall(one.text))
                yield _Row(said.get("target", ""), said.get("source", ""), said.get("ignore") == "true")

    def _members(
        self, source: int, target: int, *, rows: list[_Row], depth: int, is_made: bool
    ) -> Iterator[int]:
        """What runs to make an object of one class from one of another."""
        if (source, target) in self._seen or depth > _MOST_DEPTH:
            return
        self._seen.add((source, target))
        given, taken = _properties(self._analysis, source), _properties(self._analysis, target)
        if is_made:
            yield from self._constructors(target)
        ignored = {one.target for one in rows if one.is_ignored}
        named = {one.target for one in rows} - ignored
        for name, member in taken.items():
            if name in ignored or (name not in given and name not in named):
                continue
            if member.setting is not None:
                yield member.setting
            other = given.get(name)
            if other is None or any(one.target == name and one.source for one in rows):
                continue
            if other.reading is not None:
                yield other.reading
            yield from self._inner(other, member, depth=depth + 1)

    def _inner(self, given: _Member, taken: _Member, *, depth: int) -> Iterator[int]:
        """What maps a member whose classes differ: a method for it, else its own members."""
        source = _class(self._analysis, given.type_text, given.scope)
        target = _class(self._analysis, taken.type_text, taken.scope)
        if source is None or target is None or source == target:
            return
        between = list(self._between(source, target, but=self._method))
        yield from between or self._members(source, target, rows=[], depth=depth, is_made=True)

    def _between(self, source: int, target: int, *, but: int) -> Iterator[int]:
        """The methods of the mapper, or of one that it uses, that make an object of one class from one of another."""
        for mapper in (self._mapper, *self._used()):
            for one in _children(self._analysis, mapper):
                symbol = self._analysis.program.symbol(one)
                if symbol.kind != "method" or one == but or len(symbol.parameters) != 1:
                    continue
                texts = symbol.parameters[0].type_text or "", symbol.return_text or ""
                if "<" not in "".join(texts) and [_class(self._analysis, each, one) for each in texts] == [
                    source,
                    target,
                ]:
                    yield one
                    return

    def _used(self) -> Iterator[int]:
        for one in self._analysis.program.symbol(self._mapper).decorators:
            for name in _USED.findall(one.text):
                used = _class(self._analysis, name, self._mapper)
                if used is not None:
                    yield used

    def _path(self, source: int, path: str) -> Iterator[int]:
        """The getters that lead along a path: `subject.name`."""
        owner: int | None = source
        for name in path.split(".") if path else ():
            member = _properties(self._analysis, owner).get(name) if owner is not None else None
            if member is None:
                return
            if member.reading is not None:
                yield member.reading
            owner = _class(self._analysis, member.type_text, member.scope)

    def _constructors(self, owner: int) -> list[int]:
        """The constructor without parameters, else the only one."""
        name = self._analysis.program.symbol(owner).name
        found = [
            one
            for one in own_members(self._analysis, owner, name)
            if self._analysis.program.symbol(one).kind == "constructor"
        ]
        empty = [one for one in found if not self._analysis.program.symbol(one).parameters]
        return empty or (found if len(found) == 1 else [])


def _properties(analysis: Analysis, owner: int) -> dict[str, _Member]:
    """The members of a class and those above it, by the names that a mapper knows them by."""
    found: dict[str, _Member] = analysis.cached(("mapped", owner), _find_properties, owner)
    return found or {}


def _find_properties(analysis: Analysis, owner: int) -> dict[str, _Member]:
    found: dict[str, _Member] = {}
    for above in line_of_descent(analysis, owner):
        for one in _children(analysis, above)[:_MOST_MEMBERS] if isinstance(above, int) else ():
            _take_member(analysis, found, one)
    return found


def _take_member(analysis: Analysis, found: dict[str, _Member], number: int) -> None:
    symbol = analysis.program.symbol(number)
    if "static" in symbol.modifiers:
        return
    accessor = _ACCESSOR.fullmatch(symbol.name) if symbol.kind == "method" else None
    if accessor is not None:
        name = accessor[2][:1].lower() + accessor[2][1:]
        known = found.get(name, _Member())
        if accessor[1] == "set" and len(symbol.parameters) == 1 and known.setting is None:
            text = symbol.parameters[0].type_text or ""
            found[name] = known._replace(setting=number, type_text=known.type_text or text, scope=number)
        elif accessor[1] != "set" and not symbol.parameters and known.reading is None:
            found[name] = known._replace(reading=number, type_text=symbol.return_text or "", scope=number)
    elif symbol.kind in {"field", "property"} and symbol.name not in found:
        text = symbol.signature.rpartition(symbol.name)[0]
        is_component = "component" in symbol.modifiers
        found[symbol.name] = _Member(number if is_component else None, None, text, number)


def _children(analysis: Analysis, owner: int) -> list[int]:
    table, own = analysis.program.table_of(owner), owner & SYMBOL_MASK
    analysis.program.note_members(table, own)
    return [table.first + number for number, one in enumerate(table.symbols) if number and one.parent == own]


def _class(analysis: Analysis, text: str, scope: int) -> int | None:
    """The class of the project that a type is, or holds."""
    named = _INNERMOST.search(text.strip())
    if named is None or "," in text:
        return None
    for value in analysis.evaluate(("name", named[1]), scope):
        if is_symbol(value) and analysis.program.symbol(symbol_of(value)).kind in TYPE_KINDS:
            return symbol_of(value)
    return None
