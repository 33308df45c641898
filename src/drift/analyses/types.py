"""The shape of a type: fields, methods, parents, descendants, and the types it is made of."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from drift.analyses.lookup import is_implied, without_implied
from drift.analyses.signatures import first_paragraph, signature_text
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import ReferenceRecord, SymbolRecord
from drift.kernel.text import shorten
from drift.languages import LANGUAGES

TYPE_KINDS: Final = frozenset({"class", "interface", "trait", "struct", "enum", "type"})
_FIELD_KINDS: Final = frozenset({"field", "property", "constant", "variable"})
_METHOD_KINDS: Final = frozenset({"method", "constructor", "function", "macro"})
_INHERITED: Final = _FIELD_KINDS | {"method"}
_LONGEST_DECLARATION: Final = 200
_MOST_DERIVED: Final = 5_000
_MOST_SHOWN: Final = 25
_MOST_PARTS: Final = 200  # places that open one type
_REOPENING: Final = frozenset(each.name for each in LANGUAGES if each.reopens_types)
_MOST_MEMBERS_READ: Final = 500
_MOST_STEPS_UP: Final = 20


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A field or method as declared; `file` where it stands in another one than the type."""

    name: str
    declaration: str
    line: int
    visibility: str
    file: str | None = None
    inherited_from: str | None = None


@dataclass(frozen=True, slots=True)
class ParentRow:
    """A parent as named. In the project it has a place; `external` is its full name where that is known."""

    name: str
    relation: str
    depth: int
    file: str | None = None
    line: int | None = None
    external: str | None = None


@dataclass(frozen=True, slots=True)
class RelativeRow:
    """A type at the other end of a relation. `relation` is subtype, contains, holds, parameter, return or uses."""

    type: str
    relation: str
    file: str
    line: int
    depth: int
    via: str | None = None


@dataclass(frozen=True, slots=True)
class OtherType:
    """Another type of the name that was asked about, by the names of what it consists of."""

    symbol: str
    kind: str
    file: str
    line: int
    fields: tuple[str, ...]
    methods: tuple[str, ...]
    parents: tuple[str, ...]
    subtype_count: int


@dataclass(frozen=True, slots=True)
class TypeShape:
    """What a type consists of and what it stands next to; of many relatives the nearest, product before tests."""

    symbol: str
    kind: str
    file: str
    line: int
    end_line: int
    signature: str
    doc: str | None
    decorators: tuple[str, ...]
    fields: tuple[MemberRow, ...]
    methods: tuple[MemberRow, ...]
    parents: tuple[ParentRow, ...]
    subtype_count: int
    subtypes: tuple[RelativeRow, ...]
    related: tuple[RelativeRow, ...]
    others: tuple[OtherType, ...] | None = None
    opened_at: tuple[str, ...] | None = None
    """All places that declare a part of the type, where its language lets several do so."""


def describe_types(reader: IndexReader, symbols: Sequence[SymbolRecord], *, depth: int) -> TypeShape:
    """A type with all its parts, and what others of its name consist of."""
    first = symbols[0]
    alike = reader.symbols.named(first.name, limit=_MOST_PARTS) if first.language in _REOPENING else symbols
    parts = [one for one in alike if _is_part(one, first)] or [first]
    ids = {one.id for one in parts}
    others = [describe_type(reader, one, depth=depth) for one in symbols if one.id not in ids]
    opened = tuple(f"{one.path}:{one.line}" for one in parts if not is_implied(one))
    shape = _whole([describe_type(reader, one, depth=depth) for one in parts], opened=opened)
    if not opened and first.language in _REOPENING:
        shape = replace(shape, related=(*_held(reader, parts), *shape.related)[:_MOST_SHOWN])
    return replace(shape, others=tuple(map(_other, others))) if others else shape


def _held(reader: IndexReader, parts: Sequence[SymbolRecord]) -> Iterator[RelativeRow]:
    """What a module has that stands in the paths of its classes alone: those classes."""
    inside = [each for one in parts for each in reader.symbols.members(one.id) if each.kind in TYPE_KINDS]
    for each in without_implied(inside):
        yield RelativeRow(each.qualname, "holds", each.path, each.line, 1)


def _is_part(one: SymbolRecord, first: SymbolRecord) -> bool:
    """Whether two declarations are of one type."""
    is_open = one.language == first.language and one.language in _REOPENING and one.kind in TYPE_KINDS
    return one.id == first.id or (is_open and one.qualname == first.qualname)


def _whole(shapes: Sequence[TypeShape], *, opened: tuple[str, ...]) -> TypeShape:
    """A type that several places declare, told by the one that names a parent or has most members."""
    main = max(shapes, key=lambda one: (bool(one.parents), len(one.methods) + len(one.fields)))
    if len(shapes) == 1:
        return main
    parents = {(row.name, row.relation): row for one in (main, *shapes) for row in one.parents}
    subtypes = {(row.file, row.line): row for one in shapes for row in one.subtypes}
    related = {(row.file, row.line): row for one in shapes for row in one.related}
    return replace(
        main,
        fields=tuple(_at(row, one, main) for one in shapes for row in one.fields),
        methods=tuple(_at(row, one, main) for one in shapes for row in one.methods),
        parents=tuple(parents.values()),
        subtype_count=max(len(subtypes), *(one.subtype_count for one in shapes)),
        subtypes=tuple(subtypes.values())[:_MOST_SHOWN],
        related=tuple(related.values())[:_MOST_SHOWN],
        opened_at=opened or None,
    )


def _at(row: MemberRow, part: TypeShape, main: TypeShape) -> MemberRow:
    return row if row.file or part.file == main.file else replace(row, file=part.file)


def _other(shape: TypeShape) -> OtherType:
    return OtherType(
        shape.symbol,
        shape.kind,
        shape.file,
        shape.line,
        tuple(one.name for one in shape.fields),
        tuple(one.name for one in shape.methods),
        tuple(one.name for one in shape.parents),
        shape.subtype_count,
    )


def describe_type(reader: IndexReader, symbol: SymbolRecord, *, depth: int) -> TypeShape:
    """A type's own members, those of its parents up to `depth`, and the types around it."""
    own = reader.symbols.members(symbol.id)
    parents, inherited = _ancestry(reader, symbol, own, depth)
    members = [(_member(each, symbol), each.kind) for each in own] + inherited
    subtypes = sorted(_descendants(reader, symbol, depth), key=lambda row: row.depth)
    return TypeShape(
        symbol=symbol.qualname,
        kind=symbol.kind,
        file=symbol.path,
        line=symbol.line,
        end_line=symbol.end_line,
        signature=signature_text(symbol),
        doc=first_paragraph(symbol.doc) or None,
        decorators=tuple(
            shorten(one.text, _LONGEST_DECLARATION) for one in reader.symbols.decorators(symbol.id)
        ),
        fields=tuple(row for row, kind in members if kind in _FIELD_KINDS),
        methods=tuple(row for row, kind in members if kind in _METHOD_KINDS),
        parents=tuple(parents),
        subtype_count=len(subtypes),
        subtypes=tuple(subtypes[:_MOST_SHOWN]),
        related=tuple(islice(_related(reader, symbol, depth), _MOST_SHOWN)),
    )


def _member(symbol: SymbolRecord, holder: SymbolRecord, *, inherited_from: str | None = None) -> MemberRow:
    declaration = shorten(symbol.signature or symbol.name, _LONGEST_DECLARATION)
    file = symbol.path if symbol.path != holder.path else None
    return MemberRow(symbol.name, declaration, symbol.line, symbol.visibility, file, inherited_from)


def _ancestry(
    reader: IndexReader, symbol: SymbolRecord, own: Sequence[SymbolRecord], depth: int
) -> tuple[list[ParentRow], list[tuple[MemberRow, str]]]:
    """All parents, nearest first, and the members with their kinds that come from those within the depth and are not replaced below."""
    parents: list[ParentRow] = []
    inherited: list[tuple[MemberRow, str]] = []
    seen, names = {symbol.id}, {each.name for each in own}
    level = [symbol.id]
    for step in range(1, _MOST_STEPS_UP + 1):
        above: list[SymbolId] = []
        for base in (each for child in level for each in reader.symbols.bases(child)):
            target = reader.symbols.get(base.target_symbol_id) if base.target_symbol_id else None
            if target is None:
                parents.append(ParentRow(base.text, base.kind, step, external=base.external_name))
            elif target.id not in seen:
                seen.add(target.id)
                above.append(target.id)
                parents.append(ParentRow(target.qualname, base.kind, step, target.path, target.line))
                for each in reader.symbols.members(target.id)[:_MOST_MEMBERS_READ] if step <= depth else ():
                    if each.kind in _INHERITED and each.visibility != "private" and each.name not in names:
                        names.add(each.name)
                        inherited.append((_member(each, symbol, inherited_from=target.qualname), each.kind))
        level = above
    return parents, inherited


def _descendants(reader: IndexReader, symbol: SymbolRecord, depth: int) -> Iterator[RelativeRow]:
    seen, level, count = {symbol.id}, [symbol.id], 0
    for step in range(1, depth + 1):
        below: list[SymbolId] = []
        found = [each for parent in level for each in reader.symbols.derived(parent)]
        for child in sorted(found, key=lambda each: each.role == "test"):
            if child.id in seen or count >= _MOST_DERIVED:
                continue
            seen.add(child.id)
            below.append(child.id)
            count += 1
            yield RelativeRow(child.qualname, "subtype", child.path, child.line, step)
        level = below


def _related(reader: IndexReader, symbol: SymbolRecord, depth: int) -> Iterator[RelativeRow]:
    seen = {symbol.id, *_ids_above(reader, symbol)}
    level = [symbol]
    for step in range(1, depth + 1):
        further: list[SymbolRecord] = []
        for holder in level:
            for row, target in _named_types(reader, holder, step):
                if target.id not in seen:
                    seen.add(target.id)
                    further.append(target)
                    yield row
        level = further


def _ids_above(reader: IndexReader, symbol: SymbolRecord) -> set[SymbolId]:
    return {base.target_symbol_id for base in reader.symbols.bases(symbol.id) if base.target_symbol_id}


def _named_types(
    reader: IndexReader, holder: SymbolRecord, depth: int
) -> Iterator[tuple[RelativeRow, SymbolRecord]]:
    """The project's types that a type names in its fields and in the signatures of its methods."""
    members = reader.symbols.members(holder.id)[:_MOST_MEMBERS_READ]
    uses: list[tuple[SymbolRecord, ReferenceRecord]] = [
        (member, use)
        for member in (holder, *members)
        for use in reader.facts.references_in(member.id)
        if use.kind == "type"
    ]
    targets = {each.id: each for each in reader.symbols.many({use.target_symbol_id for _, use in uses})}
    for member, use in uses:
        target = targets.get(use.target_symbol_id)
        if target is None or target.kind not in TYPE_KINDS:
            continue
        place = _member_at(members, use.line) if member.id == holder.id else member
        relation = _relation(place, target.name)
        via = place.name if place is not None else None
        yield RelativeRow(target.qualname, relation, target.path, target.line, depth, via), target


def _member_at(members: Sequence[SymbolRecord], line: int) -> SymbolRecord | None:
    """The innermost member around a line: types of fields are kept with the type that has the field."""
    around = [each for each in members if each.line <= line <= each.end_line]
    return min(around, key=lambda each: each.end_line - each.line, default=None)


def _relation(member: SymbolRecord | None, name: str) -> str:
    if member is None:
        return "uses"
    if member.kind in _FIELD_KINDS:
        return "contains"
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    if member.return_text and word.search(member.return_text):
        return "return"
    if any(each.type_text and word.search(each.type_text) for each in member.parameters):
        return "parameter"
    return "uses"


def say_chosen(shape: TypeShape, warnings: tuple[str, ...]) -> tuple[str, ...]:
    """The warnings of a choice, which are none where all that was found is one type."""
    if shape.opened_at is None or shape.others:
        return warnings
    return (f"{shape.symbol} is declared in {len(shape.opened_at)} places, and is told as one type",)


def say_unfollowed(shape: TypeShape, depth: int) -> tuple[str, ...]:
    """Of which parents the members are not among those that are shown."""
    outside = sorted({row.name for row in shape.parents if row.file is None})
    farther = [row.name for row in shape.parents if row.file is not None and row.depth > depth]
    said = (
        (outside, "outside the project or not resolved"),
        (farther, f"more than {depth} up, see depth"),
    )
    return tuple(
        f"members of {', '.join(names[:5])} are not shown: {reason}" for names, reason in said if names
    )
