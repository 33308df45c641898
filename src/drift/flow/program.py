"""The files of a project as far as data is followed through them: their code, and where their calls lead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from drift.flow.models import Models
from drift.flow.reading import LANGUAGES, SourceFile, form_name
from drift.index import FileId, IndexReader, SymbolId, file_of_symbol, is_file
from drift.index.flow_queries import FileState, OwnSymbol
from drift.index.path_text import text_to_path
from drift.kernel.reading import read_file
from drift.libraries import Library, used_libraries

_MOST_BYTES: Final = 2_000_000
_CODE: Final = frozenset({"function", "method", "constructor", "property", "accessor", "getter", "setter"})
_FIELDS: Final = frozenset({"field", "property", "constant"})
_MOST_TARGETS: Final = 6
_NOT_AS_WRITTEN: Final = (".ipynb", ".vue", ".svelte", ".astro", ".html", ".blade.php")
"""Files whose code stands in something else, out of which it is not taken here."""


class FileContext:
    """What the index knows of one file."""

    def __init__(self, reader: IndexReader, file: FileId, state: FileState) -> None:
        self.state = state
        calls = reader.flow.calls_in(file)
        self.external = {(each.line, each.column): each.external_name for each in calls if each.external_name}
        by_call: dict[int, list[tuple[SymbolId, float]]] = {}
        for target in reader.flow.targets_in(file):
            by_call.setdefault(target.call_id, []).append((target.callee_id, target.confidence))
        self.targets = {
            (each.line, each.column): by_call[each.id][:_MOST_TARGETS] for each in calls if each.id in by_call
        }
        self.symbols: Mapping[SymbolId, OwnSymbol] = {each.id: each for each in reader.flow.symbols_in(file)}
        self.by_start = {each.start_byte: each.id for each in self.symbols.values() if each.kind in _CODE}
        self.fields: dict[SymbolId, dict[str, str]] = {}
        for each in self.symbols.values():
            if each.kind in _FIELDS and each.parent_id is not None:
                self.fields.setdefault(each.parent_id, {})[each.name] = each.type or ""
        self.imported: dict[str, str] = {}
        for found in reader.facts.imports_of(file):
            bound = found.alias or found.name or found.module.rpartition(".")[2]
            if bound and bound != "*" and found.target_symbol_id is None:
                whole = found.name is None or found.name in {"*", "default"}
                self.imported[bound] = found.module if whole else f"{found.module}.{found.name}"

    def unit_of(self, symbol: SymbolId) -> SymbolId:
        """The outermost function a symbol stands in, itself where it is in none; for a class or field the file."""
        found: SymbolId | None = None
        at: SymbolId | None = symbol
        for _ in range(30):
            if at is None or is_file(at):
                break
            own = self.symbols.get(at)
            if own is None:
                break
            if own.kind in _CODE:
                found = own.id
            elif own.kind == "class" and found is not None:
                break  # methods of a class in a function are read on their own
            at = own.parent_id
        return found if found is not None else SymbolId(file_of_symbol(symbol) << 16)

    def class_of(self, symbol: SymbolId) -> SymbolId | None:
        """The type whose method a symbol is."""
        own = self.symbols.get(symbol)
        parent = own.parent_id if own is not None else None
        return parent if parent is not None and not is_file(parent) else None


class Program:
    """A project at one state of its index."""

    def __init__(self, reader: IndexReader, root: Path, own: Iterable[Library] = ()) -> None:
        self._root = root
        self._own = tuple(own)
        self._contexts: dict[int, FileContext] = {}
        self._sources: dict[int, SourceFile | None] = {}
        self._take(reader)

    def _take(self, reader: IndexReader) -> None:
        self._reader = reader
        self.files: dict[int, FileState] = {
            each.id: each for each in reader.flow.files() if each.language in LANGUAGES
        }
        self._packages = {
            *reader.facts.external_packages(),
            *(use.name for use in reader.packages.go_imports()),
        }
        self._models: dict[str, Models] = {}
        self.handlers = self._handlers()

    def renew(self, reader: IndexReader) -> set[int] | None:
        """Take a later state of the index: the files that changed, None where the libraries that are used did."""
        before, models = self.files, self._models
        packages, handlers = self._packages, self.handlers
        old = {id_: (each.hash, each.generation) for id_, each in before.items()}
        states: dict[int, tuple[str, int]] = {
            each.id: (each.hash, each.generation)
            for each in reader.flow.files()
            if each.language in LANGUAGES
        }
        changed = {id_ for id_ in {*old, *states} if old.get(id_) != states.get(id_)}
        for id_ in changed:
            self._contexts.pop(id_, None)
        self._sources.clear()
        self._take(reader)
        if packages != self._packages or handlers != self.handlers:
            return None
        self._models = models
        return changed

    def models(self, language: str) -> Models:
        """What is known of the libraries that files of a language use."""
        name = form_name(language)
        if name not in self._models:
            self._models[name] = Models(used_libraries(name, self._packages, self._own))
        return self._models[name]

    def context(self, file: int) -> FileContext | None:
        if file not in self._contexts:
            state = self.files.get(file)
            if state is None:
                return None
            self._contexts[file] = FileContext(self._reader, FileId(file), state)
        return self._contexts[file]

    def source(self, file: int) -> SourceFile | None:
        """The tree of a file; None where it cannot be read."""
        if file not in self._sources:
            state = self.files.get(file)
            content = self.content(file)
            self._sources[file] = (
                SourceFile(state.language, state.path, content) if state and content is not None else None
            )
        return self._sources[file]

    def content(self, file: int) -> bytes | None:
        state = self.files.get(file)
        if state is None or state.path.endswith(_NOT_AS_WRITTEN):
            return None
        try:
            return read_file(self._root, text_to_path(state.path), _MOST_BYTES)
        except (OSError, ValueError):
            return None

    def callers_of(self, symbols: Iterable[SymbolId]) -> list[SymbolId]:
        return self._reader.flow.calling(symbols)

    def called(self, symbols: Iterable[SymbolId]) -> set[SymbolId]:
        return set(self._reader.flow.called(symbols))

    def forget(self) -> None:
        """Let go of the trees of files, which take most of the memory."""
        self._sources.clear()

    def _handlers(self) -> Mapping[int, str]:
        """The functions that answer requests, with one of their paths; of a class that does, its methods."""
        found: dict[int, str] = {}
        for symbol, kind, path in self._reader.flow.handlers():
            found[symbol] = path
            if kind == "class" and (context := self.context(file_of_symbol(symbol))):
                found |= {
                    each.id: path
                    for each in context.symbols.values()
                    if each.parent_id == symbol and not each.name.startswith("_")
                }
        return found
