"""What a file sees of things with one name: those of the files it includes, in languages that include."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from drift.scan.link.analysis import Analysis, Reads
from drift.scan.link.destinations import import_destination
from drift.scan.link.keys import space_key
from drift.scan.link.namespaces import defining_scopes
from drift.scan.link.tables import FileTable
from drift.scan.link.values import Value, Values


class Sight(NamedTuple):
    """The files that one includes, directly or through others, by those that include them."""

    includes: Mapping[str, tuple[str, ...]]
    packages: Mapping[str, Values]  # the namespaces that they use whole
    reads: Reads


def symbols_in_sight(analysis: Analysis, symbols: list[int], scope: int) -> list[int]:
    """Without other names of a type beside the type itself, and without what the file does not include.

    All of them where that leaves none.
    """
    if len(symbols) < 2:  # noqa: PLR2004  # one is no choice
        return symbols
    program = analysis.program
    named = [one for one in symbols if program.symbol(one).kind != "type"] or symbols
    table = program.table_of(scope)
    if not program.semantics(table).has_open_namespaces:
        return named
    sight = sight_of(analysis, table)
    program.reads.add(sight.reads)
    return [one for one in named if program.table_of(one).path in sight.includes] or named


def places_in_sight(analysis: Analysis, table: FileTable, name: str) -> Iterator[int | Value]:
    """Where a file finds a name in what it includes, directly or through others that have no such name themselves.

    Scopes that define it, and namespaces that are used whole.
    """
    program, sight = analysis.program, sight_of(analysis, table)
    declaring = frozenset(program.providing(space_key(table.facts.language, "", name)))
    program.reads.add(sight.reads)
    if not declaring and not sight.packages:
        return
    seen, waiting = {table.path}, [table.path]
    while waiting:
        path = waiting.pop()
        yield from sight.packages.get(path, ())
        for one in sight.includes[path]:
            if one in seen:
                continue
            seen.add(one)
            is_declared = one in declaring
            scopes = defining_scopes(analysis, program.table(program.files[one]), name) if is_declared else ()
            yield from scopes
            if not scopes:
                waiting.append(one)


def sight_of(analysis: Analysis, table: FileTable) -> Sight:
    """What a file includes. Whoever uses it takes note of `reads`."""
    if table.sight is None:
        found, read = analysis.program.read_apart(_find_sight, analysis, table)
        table.sight = found._replace(reads=Reads(set(read)))
    sight: Sight = table.sight
    return sight


def _find_sight(analysis: Analysis, table: FileTable) -> Sight:
    program = analysis.program
    includes: dict[str, tuple[str, ...]] = {}
    packages: dict[str, tuple[Value, ...]] = {}
    waiting = [table]
    while waiting:
        one = waiting.pop()
        if one.path in includes:
            continue
        program.note_stars(one)
        numbers = (number for numbers in one.stars.values() for number in numbers)
        destinations = [import_destination(analysis, one, number) for number in numbers]
        found = [each.file for each in destinations if each.file is not None and each.file in program.files]
        used: Values = tuple(
            ("package", one.facts.language, each.package) for each in destinations if each.package is not None
        )
        includes[one.path] = tuple(found)
        if used:
            packages[one.path] = used
        waiting += [program.table(program.files[path]) for path in found]
    return Sight(includes, packages, Reads(set()))
