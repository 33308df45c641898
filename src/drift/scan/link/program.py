"""All files of a project, by number, unpacked when first asked for, with note taken of what is read of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

from drift.languages.facts import Call, Symbol
from drift.scan.link.faults import FAULTS, note_fault, stand_in
from drift.scan.link.keys import (
    body_key,
    calls_key,
    interface_key,
    members_key,
    name_key_in,
    names_key,
    presence_key,
    stars_key,
    stores_key,
)
from drift.scan.link.links import Place
from drift.scan.link.semantics import Semantics
from drift.scan.link.sources import Sources, WatchedSources
from drift.scan.link.tables import Definition, FileTable
from drift.scan.link.values import CALL_SHIFT, FILE_SHIFT, SYMBOL_MASK

_CALL_MASK = (1 << CALL_SHIFT) - 1
_NO_TABLES: Final[Mapping[str, FileTable]] = {}

Found = TypeVar("Found")

MakeSemantics = Callable[[str, WatchedSources], Semantics]
"""What a language means in a project, by its name."""


class Program:
    """The files of a project in a fixed order, so that a symbol has the same number however one gets there.

    Whoever asks for something of a file leaves its key in `reads`.
    """

    def __init__(
        self, sources: Sources, make_semantics: MakeSemantics, tables: Mapping[str, FileTable] = _NO_TABLES
    ) -> None:
        self.reads: set[Any] = set()
        self.paths = sources.paths()
        self.files = {path: file for file, path in enumerate(self.paths)}
        self._sources = sources
        self._tables: list[FileTable | None] = [None] * len(self.paths)
        for path, table in tables.items():
            self._tables[self.files[path]] = table
        self.faults: dict[str, str] = {}  # files that have no table but one with nothing in it, and why
        self._make_semantics = make_semantics
        self._semantics: dict[str, Semantics] = {}
        # The same by the number of the file: asked for with nearly every question.
        self._semantics_of_files: list[Semantics | None] = [None] * len(self.paths)

    def made_tables(self) -> Iterator[FileTable]:
        """The tables that were asked for, but of files whose facts make none."""
        return (table for table in self._tables if table is not None and table.path not in self.faults)

    def table(self, file: int) -> FileTable:
        table = self._tables[file]
        if table is None:
            table = self._tables[file] = self._make_table(file)
        return table

    def _make_table(self, file: int) -> FileTable:
        """The table of a file; one with nothing in it where its facts make none, which costs no other file."""
        path = self.paths[file]
        try:
            table = FileTable(file, path, self._sources.facts_of(path))
            _ = (table.identities, table.units)  # whoever asks for them later is another file
        except FAULTS as error:
            self.faults[path] = note_fault(path, error)
            return FileTable(file, path, stand_in())
        return table

    def table_of(self, symbol: int) -> FileTable:
        return self._tables[symbol >> FILE_SHIFT] or self.table(symbol >> FILE_SHIFT)

    def symbol(self, number: int) -> Symbol:
        # Asked for most of all, so without a further call where the table is there.
        table = self._tables[number >> FILE_SHIFT] or self.table(number >> FILE_SHIFT)
        own = number & SYMBOL_MASK
        key = table.interface_keys[own] or self._interface_key(table, own)
        self.reads.add(key)
        return table.symbols[own]

    def _interface_key(self, table: FileTable, own: int) -> int:
        key = table.interface_keys[own] = interface_key(table.path, table.identities[own])
        return key

    def definitions(self, table: FileTable, scope: int, name: str) -> list[Definition] | None:
        """What a name is given in a scope of a file; None where the scope has no such name."""
        # As `note_name` does, without a further call: no other question is asked as often.
        unit = table.units[scope]
        if unit:
            self.reads.add(table.body_keys[unit] or self._body_key(table, unit))
        else:
            self.reads.add(table.name_keys.get((scope, name)) or self._name_key(table, scope, name))
        return table.names[scope].get(name)

    def note_name(self, table: FileTable, scope: int, name: str) -> None:
        """Take note that the meaning of a name in a scope was looked up."""
        unit = table.units[scope]
        if unit:
            key = table.body_keys[unit] or self._body_key(table, unit)
        else:
            key = table.name_keys.get((scope, name)) or self._name_key(table, scope, name)
        self.reads.add(key)

    def _body_key(self, table: FileTable, unit: int) -> int:
        key = table.body_keys[unit] = body_key(table.path, table.identities[unit])
        return key

    def _name_key(self, table: FileTable, scope: int, name: str) -> int:
        names = table.names_keys.get(scope)
        if names is None:
            names = table.names_keys[scope] = names_key(table.path, table.identities[scope])
        key = table.name_keys[scope, name] = name_key_in(names, name)
        return key

    def note_members(self, table: FileTable, scope: int) -> None:
        """Take note that the names of a class, or the namespaces of a file, were gone through."""
        if table.units[scope]:
            self.note_name(table, scope, "")
        else:
            self.reads.add(self._key(table, members_key, table.identities[scope]))

    def is_in_function(self, scope: int) -> bool:
        """Whether a scope is a function or in one."""
        return self.table_of(scope).units[scope & SYMBOL_MASK] != 0

    def note_body(self, function: int) -> None:
        """Take note that what a function gives back was looked at."""
        self.note_name(self.table_of(function), function & SYMBOL_MASK, "")

    def note_calls(self, table: FileTable, name: str) -> None:
        """Take note that the calls of what has a name were looked at."""
        self.reads.add(self._key(table, calls_key, name))

    def note_stores(self, table: FileTable, name: str) -> None:
        """Take note that the members given from outside were looked at."""
        self.reads.add(self._key(table, stores_key, name))

    def _key(self, table: FileTable, make: Callable[[str, str], int], name: str) -> int:
        key = table.other_keys.get((make, name))
        if key is None:
            key = table.other_keys[make, name] = make(table.path, name)
        return key

    def note_stars(self, table: FileTable) -> None:
        """Take note that what a file imports whole was looked at."""
        if not table.stars_key:
            table.stars_key = stars_key(table.path)
        self.reads.add(table.stars_key)

    def note(self, key: int) -> None:
        """Take note of a key that was asked for elsewhere."""
        self.reads.add(key)

    def read_apart(self, find: Callable[..., Found], *arguments: Any) -> tuple[Found, tuple[Any, ...]]:
        """What `find` gives, with the keys of what it read, which are noted nowhere else."""
        outer, self.reads = self.reads, set()
        found = find(*arguments)
        read, self.reads = tuple(self.reads), outer
        return found, read

    def providing(self, key: int) -> tuple[str, ...]:
        """The files that have what a project-wide key names, in order."""
        self.reads.add(key)
        return self._sources.providing(key)

    def is_provided(self, key: int) -> bool:
        """Whether any file has what a project-wide key names; which ones those are does not matter to who asks so."""
        self.reads.add(presence_key(key))
        return bool(self._sources.providing(key))

    def overriders(self, place: Place, *, most: int) -> tuple[Place, ...] | None:
        """The methods known to override one; None where they are more than `most`."""
        return self._sources.overriders(place, most=most)

    def call(self, number: int) -> Call:
        return self.table(number >> CALL_SHIFT).facts.calls[number & _CALL_MASK]

    def place(self, symbol: int) -> Place:
        return Place(self.paths[symbol >> FILE_SHIFT], symbol & SYMBOL_MASK)

    def number(self, place: Place) -> int:
        """The project's number of a symbol."""
        return (self.files[place.path] << FILE_SHIFT) + place.symbol

    def parent(self, symbol: int) -> int:
        return (symbol & ~SYMBOL_MASK) | self.symbol(symbol).parent

    def tables_at(self, paths: Iterable[str]) -> Iterable[FileTable]:
        """The tables of those of these files that are linked here."""
        files = self.files
        return (self.table(files[path]) for path in paths if path in files)

    def semantics(self, table: FileTable) -> Semantics:
        """What the language of a file means."""
        return self._semantics_of_files[table.file] or self._semantics_of_file(table.file)

    def semantics_at(self, number: int) -> Semantics:
        """The same, of the file of a symbol."""
        file = number >> FILE_SHIFT
        return self._semantics_of_files[file] or self._semantics_of_file(file)

    def _semantics_of_file(self, file: int) -> Semantics:
        found = self._semantics_of_files[file] = self.semantics_of(self.table(file).facts.language)
        return found

    def semantics_of(self, language: str) -> Semantics:
        found = self._semantics.get(language)
        if found is None:
            sources = WatchedSources(self._sources, self.note)
            found = self._semantics[language] = self._make_semantics(language, sources)
        return found

    def close(self) -> None:
        """Let go of what languages mean, which holds on to the program: so all of it is freed at once, not searched for."""
        self._semantics.clear()
        self._semantics_of_files.clear()
