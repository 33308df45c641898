"""What a file of C or C++ exports: what linkers go by, fields, and the names that `using` declares."""

from __future__ import annotations

from collections.abc import Iterator

from drift.languages import FileFacts, Symbol
from drift.scan.link.file_semantics import FileSemantics, Piece
from drift.scan.link.keys import connecting_key, space_key
from drift.scan.link.languages.cpp.connections import connections_of


class CppFiles(FileSemantics):
    """A file of C or C++ is asked for its fields too, which operators may be called on."""

    declares_types_by_name = True
    exports_fields = True

    def linkage(self, symbol: Symbol) -> tuple[object, ...]:
        return symbol.visibility, "declaration" in symbol.modifiers

    def open_constants(self, facts: FileFacts) -> Iterator[int]:
        symbols = facts.symbols
        for number, symbol in enumerate(symbols):
            if symbol.kind == "constant":
                parent = symbols[symbol.parent]
                if parent.kind == "enum" and "scoped" not in parent.modifiers:
                    yield number

    def shared_imports(self, path: str, facts: FileFacts) -> Iterator[Piece]:
        for number in self.open_constants(facts):
            constant = facts.symbols[number]
            enum = facts.symbols[constant.parent]
            if facts.symbols[enum.parent].kind in {"module", "namespace"}:
                yield space_key(facts.language, "", constant.name), (path, enum.name)
        for connection in connections_of(facts):
            yield connecting_key(facts.language, connection.name), (path, tuple(connection))
        for one in facts.imports:
            if one.name is not None and one.name != "*":
                yield space_key(facts.language, "", one.alias or one.name), (path, one.module)
