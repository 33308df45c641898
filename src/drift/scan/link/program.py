"""All files that are linked together, by number, unpacked when first asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from drift.languages.facts import Call, Symbol
from drift.scan.link.links import Place
from drift.scan.link.rules import Rules, read_calls, read_declared_types, rules_for
from drift.scan.link.tables import CLASS_KINDS, FileTable
from drift.scan.link.values import CALL_SHIFT, FILE_SHIFT, SYMBOL_MASK

if TYPE_CHECKING:
    from drift.scan.link.rules import Destination
    from drift.scan.link.sources import Sources

_CALL_MASK = (1 << CALL_SHIFT) - 1


class Program:
    """The files of a project in a fixed order, so that a symbol has the same number however one gets there."""

    def __init__(self, sources: Sources, paths: Iterable[str]) -> None:
        self._sources = sources
        self.paths = tuple(sorted(paths))
        self.files = {path: file for file, path in enumerate(self.paths)}
        self._tables: list[FileTable | None] = [None] * len(self.paths)
        self._rules: dict[str, Rules] = {}
        self._destinations: dict[tuple[int, int], Destination] = {}
        self.owners: dict[int, int] = {}  # methods that stand outside their class, to the class
        self.attached: dict[int, dict[str, list[int]]] = {}  # and back, by name

    def table(self, file: int) -> FileTable:
        table = self._tables[file]
        if table is None:
            path = self.paths[file]
            facts = read_calls(read_declared_types(self._sources.facts_of(path)))
            table = self._tables[file] = FileTable(file, path, facts)
        return table

    def table_of(self, symbol: int) -> FileTable:
        return self._tables[symbol >> FILE_SHIFT] or self.table(symbol >> FILE_SHIFT)

    def tables(self) -> Iterable[FileTable]:
        return (self.table(file) for file in range(len(self.paths)))

    def symbol(self, number: int) -> Symbol:
        # Asked for most of all, so without a further call where the table is there.
        table = self._tables[number >> FILE_SHIFT] or self.table(number >> FILE_SHIFT)
        return table.symbols[number & SYMBOL_MASK]

    def call(self, number: int) -> Call:
        return self.table(number >> CALL_SHIFT).facts.calls[number & _CALL_MASK]

    def place(self, symbol: int) -> Place:
        return Place(self.paths[symbol >> FILE_SHIFT], symbol & SYMBOL_MASK)

    def parent(self, symbol: int) -> int:
        return (symbol & ~SYMBOL_MASK) | self.symbol(symbol).parent

    def tables_at(self, paths: Iterable[str]) -> Iterable[FileTable]:
        """The tables of those of these files that are linked here."""
        files = self.files
        return (self.table(files[path]) for path in paths if path in files)

    def rules(self, table: FileTable) -> Rules:
        return self.rules_of(table.facts.language)

    def rules_of(self, language: str) -> Rules:
        rules = self._rules.get(language)
        if rules is None:
            rules = self._rules[language] = rules_for(language, self._sources)
        return rules

    def destination(self, table: FileTable, number: int) -> Destination:
        """Where import `number` of a file leads."""
        key = (table.file, number)
        found = self._destinations.get(key)
        if found is None:
            written = table.facts.imports[number]
            found = self.rules(table).destination(table.path, table.facts, written)
            self._destinations[key] = found
        return found

    def class_of(self, function: int) -> int | None:
        """The class a function is a member of."""
        owner = self.owners.get(function)
        if owner is not None:
            return owner
        table = self.table_of(function)
        parent = table.symbols[function & SYMBOL_MASK].parent
        return table.first + parent if parent and table.symbols[parent].kind in CLASS_KINDS else None

    def method_around(self, scope: int) -> int | None:
        """The method that a scope is in, or is."""
        table = self.table_of(scope)
        number = scope & SYMBOL_MASK
        method = table.method_around(number)
        if method is not None:
            return table.first + method
        while number and self.owners:
            if table.first + number in self.owners:
                return table.first + number
            number = table.symbols[number].parent
        return None

    def class_around(self, scope: int) -> int | None:
        """The class that a scope is in, or is."""
        table = self.table_of(scope)
        found = table.class_around(scope & SYMBOL_MASK)
        if found is not None:
            return table.first + found
        method = self.method_around(scope)
        return None if method is None else self.owners.get(method)
