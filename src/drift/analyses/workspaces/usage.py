"""What of a package others use: its symbols, its files, and who they are."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from drift.analyses.prominence import is_showing
from drift.analyses.workspaces.relations import Landscape
from drift.index import FileId, IndexReader, SymbolId, SymbolRecord, file_of_symbol
from drift.index.package_queries import FileSize, SymbolUse

# Below this, names that many classes share would count for a package that nobody means.
MIN_CONFIDENCE: Final = 0.8
_MOST_SYMBOLS: Final = 3


class UsedSymbol(NamedTuple):
    """A symbol at the top of its file: files of other packages and of its own that use it or what stands in it."""

    symbol: SymbolRecord
    outside_files: int
    inside_files: int
    uses: int


class UsedFile(NamedTuple):
    """A file, by how many others it is used, and by how many of those from other packages."""

    path: str
    files: int
    from_outside: int


class Usage(NamedTuple):
    """What of a package product code uses: symbols by use from outside, then inside; and who tests it elsewhere."""

    symbols: tuple[UsedSymbol, ...]
    files: tuple[UsedFile, ...]
    symbols_by_user: dict[int, tuple[str, ...]]
    tests_elsewhere: tuple[str, ...]


def survey_usage(reader: IndexReader, landscape: Landscape, package: int) -> Usage:
    """What of a package is used, by other packages that declare or import it and by its own files."""
    own = landscape.files_of(package)
    ids = {each.id for each in own}
    offered = _without_examples(own)
    users = {each.source for each in landscape.links if each.target == package and each.standing != "unused"}
    uses = [
        each
        for each in reader.packages.uses_into(ids, min_confidence=MIN_CONFIDENCE)
        if each.source in ids or landscape.owners.get(each.source) in users
    ]
    tops = _tops(reader, uses)
    return Usage(
        tuple(_used_symbols(uses, tops, ids, {each.id for each in offered})),
        tuple(_used_files(offered, uses, ids)),
        _by_user(landscape, [each for each in uses if each.source not in ids], tops),
        tuple(_tests_elsewhere(reader, landscape, ids, users)),
    )


def _without_examples(own: Sequence[FileSize]) -> Sequence[FileSize]:
    """The files a package offers; one that is an example itself has no others."""
    return [each for each in own if not is_showing(each.path)] or own


def _tests_elsewhere(
    reader: IndexReader, landscape: Landscape, ids: Collection[FileId], users: Collection[int]
) -> list[str]:
    if not users:
        return []
    found = set(reader.packages.tests_into(ids, min_confidence=MIN_CONFIDENCE))
    return [
        each.path for each in landscape.files if each.id in found and landscape.owners.get(each.id) in users
    ]


def _tops(reader: IndexReader, uses: Iterable[SymbolUse]) -> dict[SymbolId, SymbolRecord]:
    """Of every symbol used the one at the top of its file that it stands in."""
    wanted = {each.target for each in uses}
    known = {each.id: each for each in reader.symbols.many(sorted(wanted))}
    while missing := {
        each.parent_id
        for each in known.values()
        if each.parent_id is not None and each.parent_id not in known
    }:
        found = reader.symbols.many(sorted(missing))
        known |= {each.id: each for each in found}
        if not found:
            break
    return {target: top for target in wanted if (top := _top(known, target)) is not None}


def _top(known: dict[SymbolId, SymbolRecord], symbol: SymbolId) -> SymbolRecord | None:
    at = known.get(symbol)
    while at is not None and at.parent_id is not None:
        around = known.get(at.parent_id)
        if around is None or around.kind == "module":
            return at
        at = around
    return None  # the file itself


def _used_symbols(
    uses: Iterable[SymbolUse],
    tops: dict[SymbolId, SymbolRecord],
    ids: Collection[FileId],
    offered: Collection[FileId],
) -> list[UsedSymbol]:
    outside: dict[SymbolId, set[FileId]] = defaultdict(set)
    inside: dict[SymbolId, set[FileId]] = defaultdict(set)
    times: Counter[SymbolId] = Counter()
    records: dict[SymbolId, SymbolRecord] = {}
    for each in uses:
        top = tops.get(each.target)
        if top is not None and top.visibility != "private" and file_of_symbol(top.id) in offered:
            records[top.id] = top
            (inside if each.source in ids else outside)[top.id].add(each.source)
            times[top.id] += each.times
    found = [UsedSymbol(records[one], len(outside[one]), len(inside[one]), times[one]) for one in records]
    return sorted(
        found,
        key=lambda one: (-one.outside_files, -one.inside_files, -one.uses, one.symbol.path, one.symbol.line),
    )


def _used_files(
    own: Sequence[FileSize], uses: Iterable[SymbolUse], ids: Collection[FileId]
) -> list[UsedFile]:
    """The files of a package that others use, most first; who uses a symbol uses its file."""
    users: dict[FileId, set[FileId]] = defaultdict(set)
    for each in uses:
        users[file_of_symbol(each.target)].add(each.source)
    found = [
        UsedFile(each.path, len(users[each.id]), len(users[each.id] - set(ids)))
        for each in own
        if each.role != "test" and users.get(each.id)
    ]
    return sorted(found, key=lambda one: (-one.files - one.from_outside, one.path))


def _by_user(
    landscape: Landscape, uses: Iterable[SymbolUse], tops: dict[SymbolId, SymbolRecord]
) -> dict[int, tuple[str, ...]]:
    """The symbols that each other package uses most."""
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for each in uses:
        top = tops.get(each.target)
        if top is not None:
            counts[landscape.owners[each.source]][top.qualname] += each.times
    return {
        user: tuple(
            name for name, _ in sorted(found.items(), key=lambda one: (-one[1], one[0]))[:_MOST_SYMBOLS]
        )
        for user, found in counts.items()
    }
