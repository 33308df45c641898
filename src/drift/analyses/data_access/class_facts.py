"""What the index knows of classes, in the form in which models are looked for."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from drift.analyses.data_access.chains import first_text
from drift.analyses.data_access.knowledge import DataLibrary
from drift.analyses.data_access.rows import ModelField
from drift.index import IndexReader
from drift.index.data_queries import ClassRow, FieldRow, MarkRow
from drift.index.ids import SymbolId, file_of_symbol

_SHOWING: Final = ("ViewModel", "Dto", "DTO", "Queries", "Contracts", "ClientApp", "Response", "Request")
_MOST_ABOVE: Final = 4
_SCRIPTS: Final = frozenset({"typescript", "javascript"})


def plain_name(name: str) -> str:
    """A full name with one separator, whatever the language writes."""
    return name.replace("\\", ".").replace("::", ".").lstrip(".")


def family_of(language: str) -> str:
    """Languages that share their classes."""
    return "script" if language in _SCRIPTS else language


class Parent(NamedTuple):
    """A parent of a class, in the project or outside."""

    text: str
    target: SymbolId | None
    external: str | None


class ClassFacts:
    """Classes with their parents, fields, decorators and the tables they say they are kept in."""

    def __init__(self, reader: IndexReader, libraries: Mapping[str, Sequence[DataLibrary]]) -> None:
        self._reader = reader
        self.files = reader.data.source_files()
        self.by_id = {
            each.id: each for each in reader.data.classes() if file_of_symbol(each.id) in self.files
        }
        self.fields: dict[SymbolId, list[FieldRow]] = defaultdict(list)
        for field in reader.data.fields():
            self.fields[field.owner_id].append(field)
        self.parents: dict[SymbolId, list[Parent]] = defaultdict(list)
        for base in reader.data.bases():
            self.parents[base.symbol_id].append(Parent(base.text, base.target_id, base.external_name))
        self._class_names: dict[tuple[str, str], list[ClassRow]] = defaultdict(list)
        for each in self.by_id.values():
            if self.role(each.id) != "test":
                self._class_names[family_of(self.language(each.id)), each.name].append(each)
        self.said = self._said_tables([each for some in libraries.values() for each in some])

    def language(self, symbol: SymbolId) -> str:
        return self.files[file_of_symbol(symbol)][1]

    def role(self, symbol: SymbolId) -> str:
        found = self.files.get(file_of_symbol(symbol))
        return found[2] if found else ""

    def path(self, symbol: SymbolId) -> str:
        return self.files[file_of_symbol(symbol)][0]

    def class_near(self, name: str, language: str, path: str) -> ClassRow | None:
        """The class of a name whose file is nearest to a path."""
        found = self._class_names.get((family_of(language), name), ())
        return max(found, key=lambda one: _nearness(self.path(one.id), path), default=None)

    def fields_of(self, row: ClassRow, depth: int = 0) -> tuple[ModelField, ...]:
        own = [
            ModelField(one.name, one.type, one.column, one.line, one.signature)
            for one in self.fields.get(row.id, ())
        ]
        above: list[ModelField] = []
        for _, target, _ in self.parents.get(row.id, ()) if depth < _MOST_ABOVE else ():
            if target in self.by_id:
                above += self.fields_of(self.by_id[target], depth + 1)
        unique = {one.name: one for one in (*above, *own)}
        return tuple(sorted(unique.values(), key=lambda one: one.line))

    def _said_tables(self, libraries: Sequence[DataLibrary]) -> dict[SymbolId, str]:
        """Names of tables that a class says: a constant, a member of its Meta, a decorator, a method that returns one."""
        keys = {key for each in libraries for key in each.table_keys}
        found: dict[SymbolId, str] = {}
        for value in self._reader.data.named_values({*keys, *(f"${key}" for key in keys)}):
            owner = value.owner_id
            row = self.by_id.get(owner)
            if row is not None and row.name == "Meta" and row.parent_id is not None:
                owner = row.parent_id
            found.setdefault(owner, value.value)
        marks = {mark for each in libraries for mark in (*each.table_decorators, *each.model_decorators)}
        for one in self.marked(marks):
            text = _table_argument(one.text)
            if text is not None:
                found.setdefault(one.symbol_id, text)
        methods = {method for each in libraries for method in each.table_methods}
        found.update(self._returned(methods))
        return found

    def _returned(self, methods: Iterable[str]) -> Iterator[tuple[SymbolId, str]]:
        for name in methods:
            for method in self._reader.symbols.named(name, limit=2_000):
                texts = [
                    each
                    for each in self._reader.facts.constants_of(file_of_symbol(method.id))
                    if each.symbol_id == method.id
                ]
                if len(texts) == 1 and method.parent_id is not None:
                    yield method.parent_id, texts[0].value

    def marked(self, names: Iterable[str]) -> list[MarkRow]:
        wanted = {plain_name(name).rpartition(".")[2] for name in names}
        written = [
            name
            for name in self._reader.data.decorator_names()
            if plain_name(name).rpartition(".")[2] in wanted
        ]
        return self._reader.data.decorated(written)


def _nearness(one: str, other: str) -> tuple[int, bool]:
    """How many characters two paths begin with alike; what only shows data comes after what keeps it."""
    alike = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return alike, not any(word in one for word in _SHOWING)


def _table_argument(text: str) -> str | None:
    """The name of a table in a decorator: its first text, or the one under name, table_name or collection."""
    given = text.partition("(")[2].rpartition(")")[0] or text.partition("=")[2]
    named = re.search(
        r"\b(?:name|table_name|collection|value)\s{0,4}[:=]\s{0,4}([\"'][^\"']{1,100}[\"'])", given
    )
    if named is not None:
        return first_text(named.group(1))
    bare = re.search(r"\btable_name\s{0,4}=\s{0,4}([a-z_]\w{0,80})", given)
    if bare is not None:
        return bare.group(1)
    return first_text(given) if re.match(r"\s{0,4}[\"'`]", given) else None
