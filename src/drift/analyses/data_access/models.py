"""Models of a project and their tables: from parents, decorators, fields, calls that make them, migrations and documents."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from posixpath import basename, dirname
from typing import Final, NamedTuple

from drift.analyses.data_access.class_facts import ClassFacts, Parent, family_of, plain_name
from drift.analyses.data_access.knowledge import DataLibrary
from drift.analyses.data_access.migrations import Column
from drift.analyses.data_access.naming import folded, table_name
from drift.analyses.data_access.rows import Model, ModelField
from drift.index import IndexReader
from drift.index.data_queries import ClassRow, FieldRow
from drift.index.ids import FileId, SymbolId, file_of_symbol

_WORD: Final = re.compile(r"[A-Za-z_]\w{0,100}")
_PART: Final = "Mixin"  # of models
_TRANSFERRED: Final = ("Dto", "DTO", "Request", "Input")  # what is carried to a model
_QUOTES: Final = '`"[]'  # around the name of a table
# A struct that holds a model for one of these is no model.
_NO_MODELS: Final = (
    "Serializer", "Response", "Request", "Validator", "DTO", "Dto", "Form", "View", "Params", "Factory",
)  # fmt: skip


class Repository(NamedTuple):
    """A class through which a model is reached."""

    symbol_id: SymbolId
    name: str
    model: str | None
    library: DataLibrary


class Catalogue:
    """Models, repositories and sets of one project, by the names that code calls them by."""

    def __init__(
        self, reader: IndexReader, facts: ClassFacts, libraries: Mapping[str, Sequence[DataLibrary]]
    ) -> None:
        self._reader = reader
        self.facts = facts
        self._libraries = libraries
        self._outside: dict[FileId, frozenset[str]] = {}
        self.models: dict[str, dict[str, Model]] = defaultdict(dict)
        self.sets: dict[str, Model] = {}
        self.contexts: set[str] = set()
        self.repositories: dict[str, Repository] = {}
        self.repository_ids: dict[SymbolId, Repository] = {}
        self._find()
        self.tables = self._tables()

    def all_models(self) -> list[Model]:
        found = [model for models in self.models.values() for model in models.values()]
        return sorted(found, key=lambda one: (one.file, one.line, one.name))

    def is_outside(self, name: str, symbol: SymbolId) -> bool:
        """Whether the file of a symbol imports a name from a library."""
        file = file_of_symbol(symbol)
        if file not in self._outside:
            rows = self._reader.facts.imports_of(file)
            self._outside[file] = frozenset(one.alias or one.name or "" for one in rows if one.is_external)
        return name in self._outside[file]

    def model_named(self, name: str, language: str) -> Model | None:
        return self.models[family_of(language)].get(name)

    def field_target(self, model: Model, field: str, language: str) -> Model | None:
        """The model that a field of another leads to, as its declaration says."""
        for one in self.facts.fields.get(model.symbol_id, ()) if model.symbol_id is not None else ():
            if one.name == field:
                found = self.model_in(f"{one.type or ''} {one.signature}", language)
                return (
                    model
                    if found is None and ("'self'" in one.signature or '"self"' in one.signature)
                    else found
                )
        return None

    def model_in(self, text: str, language: str) -> Model | None:
        """The first model, or model of a repository, that a text names."""
        models = self.models[family_of(language)]
        for word in _WORD.findall(text[:400]):
            if word in models:
                return models[word]
            if word in self.repositories and (found := self.repositories[word].model):
                return models.get(found)
        return None

    def like(self, name: str, language: str) -> Model | None:
        """The model whose name or table is spelled like this, whatever the case and the number."""
        return self.tables.get((family_of(language), folded(name)))

    def stand_in(self, name: str, library: DataLibrary, path: str) -> Model | None:
        """A class that is no model by itself, but is given to a library as one."""
        row = self.facts.class_near(name, library.language, path)
        if row is None or name.endswith(_TRANSFERRED):
            return None
        if library.language == "go" and name.endswith(_NO_MODELS):
            return None
        model = self._model(row, library)
        self.models[family_of(library.language)].setdefault(name, model)
        self.tables.setdefault((family_of(library.language), folded(model.table)), model)
        return model

    def _find(self) -> None:
        for language, libraries in self._libraries.items():
            family = family_of(language)
            for library in libraries:
                for name, table in library.known_models.items():
                    self.models[family].setdefault(
                        name, Model(name, table, library.framework, "", 0, (), None, is_table_said=True)
                    )
        self._by_parents()
        self._by_marks()
        self._by_tags()
        self._by_contexts()
        self._by_sets()
        self._by_documents()
        self._by_repositories()

    def _libraries_of(self, symbol: SymbolId) -> Sequence[DataLibrary]:
        return self._libraries.get(self.facts.language(symbol), ())

    def _add(self, row: ClassRow, library: DataLibrary) -> None:
        if row.name.endswith(_PART) and row.id not in self.facts.said:
            return
        known = self.models[family_of(self.facts.language(row.id))]
        old = known.get(row.name)
        # Of two of a name the one of the product counts, and of the product the first.
        if (
            old is None
            or old.symbol_id is None
            or (self.facts.role(old.symbol_id) == "test" and self.facts.role(row.id) != "test")
        ):
            known[row.name] = self._model(row, library)

    def _model(self, row: ClassRow, library: DataLibrary) -> Model:
        said = self.facts.said.get(row.id)
        said = said.strip(_QUOTES) if said is not None else None
        app = basename(dirname(self.facts.path(row.id))) if library.table_names == "app" else ""
        if app in {"models", "migrations"}:
            app = basename(dirname(dirname(self.facts.path(row.id))))
        table = said or table_name(library.table_names, row.name, app=app)
        return Model(
            row.name,
            table,
            library.framework,
            self.facts.path(row.id),
            row.line,
            self.facts.fields_of(row),
            row.id,
            said is not None,
        )

    def _by_parents(self) -> None:
        children: dict[SymbolId, list[SymbolId]] = defaultdict(list)
        pending: list[tuple[SymbolId, DataLibrary]] = []
        for child, parents in self.facts.parents.items():
            if child not in self.facts.by_id:
                continue
            for text, target, external in parents:
                if target is not None:
                    children[target].append(child)
                    continue
                names = {plain_name(external or ""), plain_name(text.partition("<")[0].partition("(")[0])}
                for library in self._libraries_of(child):
                    if not names.isdisjoint(map(plain_name, library.model_bases)):
                        pending.append((child, library))
                        break
        seen: set[SymbolId] = set()
        while pending:
            symbol, library = pending.pop()
            if symbol in seen:
                continue
            seen.add(symbol)
            if self.facts.language(symbol) == "go" and self.facts.by_id[symbol].name.endswith(_NO_MODELS):
                continue
            below = [(child, library) for child in children[symbol]]
            self._add_child(symbol, library, has_children=bool(below))
            pending += below

    def _add_child(self, symbol: SymbolId, library: DataLibrary, *, has_children: bool) -> None:
        """Add what descends from a base; one of Python may be there for that alone: `class Base(DeclarativeBase): pass`."""
        is_bare = symbol not in self.facts.said and not self.facts.fields.get(symbol)
        if not (has_children and is_bare and self.facts.language(symbol) == "python"):
            self._add(self.facts.by_id[symbol], library)

    def _by_marks(self) -> None:
        wanted = {
            name for some in self._libraries.values() for each in some for name in each.model_decorators
        }
        for symbol, name, text, _ in self.facts.marked(wanted):
            if symbol not in self.facts.by_id:
                continue
            for library in self._libraries_of(symbol):
                names = {plain_name(each).rpartition(".")[2] for each in library.model_decorators}
                if plain_name(name).rpartition(".")[2] not in names:
                    continue
                if library.model_sign and not any(sign in text for sign in library.model_sign):
                    continue
                self._add(self.facts.by_id[symbol], library)
                break

    def _by_tags(self) -> None:
        """Structs whose fields are tagged for a library, and classes whose fields are made by one."""
        for owner, fields in self.facts.fields.items():
            row = self.facts.by_id.get(owner)
            if row is None:
                continue
            for library in self._libraries_of(owner):
                tagged = library.model_tags and any(
                    f'{tag}:"' in one.signature for one in fields for tag in library.model_tags
                )
                made = (
                    library.model_sign
                    and not library.model_decorators
                    and any(
                        (one.type or "").rpartition(".")[2].partition("[")[0] in library.model_sign
                        for one in fields
                    )
                )
                if tagged or made:
                    self._add(row, library)
                    break

    def _by_contexts(self) -> None:
        """Classes that hold sets, by their parents."""
        for symbol, parents in self.facts.parents.items():
            if symbol not in self.facts.by_id:
                continue
            wanted = {plain_name(each) for library in self._libraries_of(symbol) for each in library.contexts}
            for text, _, external in parents:
                bare, _, inner = text.partition("<")
                if plain_name(external or bare) not in wanted:
                    continue
                self.contexts.add(self.facts.by_id[symbol].name)
                row = self.facts.class_near(
                    inner.partition(",")[0].strip("> "), self.facts.language(symbol), self.facts.path(symbol)
                )
                library = next(each for each in self._libraries_of(symbol) if each.contexts)
                if row is not None and "Identity" in bare:
                    users = Model(
                        row.name,
                        "AspNetUsers",
                        library.framework,
                        self.facts.path(row.id),
                        row.line,
                        self.facts.fields_of(row),
                        row.id,
                    )
                    self.models[family_of(self.facts.language(symbol))][row.name] = users

    def _by_sets(self) -> None:
        """Properties that are sets of a model, as DbSet<Order> Orders."""
        for owner, fields in self.facts.fields.items():
            if owner not in self.facts.by_id or self.facts.role(owner) == "test":
                continue
            for library in self._libraries_of(owner):
                for one in fields if library.set_types else ():
                    kind, _, inner = (one.type or "").partition("<")
                    if kind.rpartition(".")[2] not in library.set_types:
                        continue
                    self._add_set(one, inner.strip(">? "), library, owner)

    def _add_set(self, field: FieldRow, inner: str, library: DataLibrary, owner: SymbolId) -> None:
        name = inner.rpartition(".")[2]
        row = self.facts.class_near(name, library.language, self.facts.path(owner))
        table = (self.facts.said.get(row.id) if row else None) or field.name
        fields = self.facts.fields_of(row) if row else ()
        file, line = (self.facts.path(row.id), row.line) if row else (self.facts.path(owner), field.line)
        model = Model(
            name, table, library.framework, file, line, fields, row.id if row else None, is_table_said=True
        )
        self.models[family_of(library.language)][name] = model
        self.sets[field.name] = model

    def _by_documents(self) -> None:
        columns: dict[tuple[str, str], list[ModelField]] = defaultdict(list)
        items = self._reader.documents.items(("table", "column"))
        for one in items:
            if one.kind == "column" and one.owner:
                columns[one.file, one.owner].append(ModelField(one.name, one.type, one.path, one.line))
        for one in items:
            if one.kind != "table" or one.document not in {"prisma", "sql"}:
                continue
            fields = tuple(columns[one.file, one.name])
            name = one.name.rpartition(".")[2]
            model = Model(
                name, one.path or name, one.document, one.file, one.line, fields, None, is_table_said=True
            )
            family = "script" if one.document == "prisma" else "sql"
            self.models[family].setdefault(name, model)

    def complete(self, columns: Mapping[str, Sequence[Column]]) -> None:
        """Add columns that migrations and documents tell of to the models of their tables, and tables nobody has a model for."""
        documents = self.models.pop("sql", {})
        made = {
            table: Model(
                table,
                table,
                "migration",
                some[0].file,
                some[0].field.line,
                tuple(one.field for one in some),
                None,
                is_table_said=True,
            )
            for table, some in columns.items()
        }
        for other in (*documents.values(), *made.values()):
            owner = next(
                (
                    found
                    for family in [*self.models]
                    if (found := self.tables.get((family, folded(other.table))))
                ),
                None,
            )
            if owner is None or (owner.table == other.name and owner.symbol_id is None):
                self.models["sql"].setdefault(other.name, other)
                continue
            if owner.file:
                self.extend(owner, other.fields)

    def add(self, family: str, model: Model) -> None:
        """Add a model that is no class."""
        self.models[family].setdefault(model.name, model)
        for name in (model.name, model.table):
            self.tables.setdefault((family, folded(name)), model)

    def extend(self, model: Model, fields: Sequence[ModelField]) -> None:
        """Add fields that a model does not have yet."""
        known = {folded(name) for one in model.fields for name in (one.name, one.column or one.name)}
        extra = tuple(one for one in fields if folded(one.name) not in known)
        if extra:
            self._replace(model, replace(model, fields=(*model.fields, *extra)))

    def _replace(self, old: Model, new: Model) -> None:
        for models in (*self.models.values(), self.sets):
            models.update({key: new for key, value in models.items() if value is old})
        self.tables.update({key: new for key, value in self.tables.items() if value is old})

    def _by_repositories(self) -> None:
        """Classes that descend from a repository of a library, with the model they are for."""
        for _ in range(3):  # a repository may descend from one of the project
            before = len(self.repositories)
            for symbol, parents in self.facts.parents.items():
                if symbol in self.facts.by_id and symbol not in self.repository_ids:
                    self._add_repository(symbol, parents)
            if len(self.repositories) == before:
                break

    def _add_repository(self, symbol: SymbolId, parents: Sequence[Parent]) -> None:
        row = self.facts.by_id[symbol]
        for text, target, external in parents:
            bare = text.partition("<")[0].strip()
            above = self.repository_ids.get(target) if target is not None else None
            for library in self._libraries_of(symbol):
                wanted = {plain_name(each) for each in library.repositories}
                outside = plain_name(external or "")
                if (
                    above is None
                    and bare not in wanted
                    and outside not in wanted
                    and not any(outside.startswith(f"{each}.") for each in wanted)
                ):
                    continue
                arguments = [each.strip() for each in text.partition("<")[2].strip("> ").split(",")]
                model = next(
                    (each for each in arguments if self.model_named(each, self.facts.language(symbol))), None
                )
                if model is None:
                    found = self.stand_in(arguments[0], library, self.facts.path(symbol))
                    model = found.name if found else None
                found_here = Repository(
                    symbol,
                    row.name,
                    model or (above.model if above else None),
                    above.library if above else library,
                )
                self.repositories.setdefault(row.name, found_here)
                self.repository_ids.setdefault(symbol, found_here)
                return

    def _tables(self) -> dict[tuple[str, str], Model]:
        found: dict[tuple[str, str], Model] = {}
        for family, models in self.models.items():
            for model in models.values():
                for name in (model.name, model.table):
                    found.setdefault((family, folded(name)), model)
        return found
