"""The places of a project that reach its data.

What it does: finds calls of libraries that keep data, and texts that are SQL, with the table, the operation and fields.
Why it matters: where data lives and who touches it is the first question of every review of security.
Example: `User.objects.filter(email=x).delete()` deletes from the table of `User` by `email`.
Known limits: which table a variable stands for is told from what stands in the same function, the types of fields and
names; a query that is put together over several functions has no table.
"""

import re
import string
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from drift.analyses.data_access.chains import all_texts, first_text, read_chain
from drift.analyses.data_access.class_facts import ClassFacts, family_of, plain_name
from drift.analyses.data_access.judging import Asked, Judge
from drift.analyses.data_access.knowledge import DataLibrary, data_libraries, is_used
from drift.analyses.data_access.makers import find_made, listed_fields
from drift.analyses.data_access.migrations import read_migrations
from drift.analyses.data_access.models import Catalogue
from drift.analyses.data_access.rows import AccessPoint, DataMap
from drift.analyses.data_access.sources import Source, open_source
from drift.analyses.data_access.sql_text import Touch, read_sql
from drift.analyses.data_access.targeting import GUESSED, SURE, Site
from drift.analyses.index_cache import PerState
from drift.index import IndexReader
from drift.index.data_queries import CandidateCall, MarkRow
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.records import SymbolRecord

_CALLED: Final = re.compile(r"([A-Za-z_$]\w{0,100}[!?]?)(?:<[^<>]{0,200}(?:<[^<>]{0,100}>[^<>]{0,100})?>)?$")
_SIGNS_OF_NAMES: Final = string.ascii_letters + string.digits + "_"
_SIGNS: Final = frozenset(f"{_SIGNS_OF_NAMES}!?")
_BEGINNINGS: Final = frozenset(f"{string.ascii_letters}_")
_LONGEST: Final = 100
_WORD: Final = re.compile(r"[A-Za-z_$]\w{0,100}")
_VERBS: Final = (
    "select",
    "insert",
    "update",
    "delete",
    "replac",
    "merge ",
    "trunca",
    "with r",
    "with t",
    "with c",
)
_KEPT: Final[PerState[DataMap]] = PerState()
_MOST_POINTS: Final = 50_000


def find_data(reader: IndexReader, root: Path) -> DataMap:
    """The models of a project and the places that reach them, by file and line."""
    packages = [*reader.facts.external_packages()]
    languages = sorted({language for _, language, _ in reader.data.source_files().values()})
    libraries = {
        language: tuple(each for each in data_libraries(language) if is_used(each, packages))
        for language in languages
    }
    catalogue = Catalogue(reader, ClassFacts(reader, libraries), libraries)
    for family, model in find_made(reader, root, catalogue.facts, libraries):
        catalogue.add(family, model)
    for model in catalogue.all_models():
        if model.framework == "eloquent" and model.file:
            catalogue.extend(model, listed_fields(root, model))
    catalogue.complete(
        read_migrations(root, [*(path for path, _, _ in catalogue.facts.files.values()), "db/schema.rb"])
    )
    finder = _Finder(reader, root, catalogue, libraries)
    points = sorted(finder.points(), key=lambda one: (one.file, one.line, one.table or "", one.operation))
    frameworks = sorted(
        {one.framework for one in points} | {one.framework for one in catalogue.all_models() if one.file}
    )
    models = tuple(one for one in catalogue.all_models() if one.file)
    return DataMap(models, tuple(points[:_MOST_POINTS]), tuple(frameworks))


def data_of(reader: IndexReader, root: Path) -> DataMap:
    """What `find_data` finds, kept while the index stays as it is."""
    return _KEPT.get(reader, lambda: find_data(reader, root))


@lru_cache(maxsize=65_536)
def reaches_data(language: str, external_name: str, method: str) -> bool:
    """Whether a call of a method outside the project is one that a library which keeps data is known for."""
    return any(method in each.methods and _receives(each, external_name) for each in data_libraries(language))


class _Finder:
    def __init__(
        self,
        reader: IndexReader,
        root: Path,
        catalogue: Catalogue,
        libraries: Mapping[str, Sequence[DataLibrary]],
    ) -> None:
        self._reader = reader
        self._root = root
        self._catalogue = catalogue
        self._libraries = libraries
        self._sources: dict[FileId, Source | None] = {}
        self._symbols: dict[SymbolId, SymbolRecord] = {}
        methods = reader.data.methods_of([*catalogue.repository_ids])
        self._repository_methods = {one.id: one for one in methods}
        self._repository_calls = reader.data.calls_of_methods([*self._repository_methods])
        self._marks = self._queries()
        # What a query of a repository says is told where it is asked.
        self._seen_lines = {(file_of_symbol(one.symbol_id), one.line) for one in self._marks.values()}

    def points(self) -> list[AccessPoint]:
        texts = dict(self._reader.data.called_texts())
        wanted = self._wanted_texts(texts)
        calls = [each for each in self._reader.data.calls(wanted) if self._may_be(each, texts[each.text_id])]
        self._symbols = {one.id: one for one in self._reader.symbols.many({each.caller_id for each in calls})}
        by_chain: dict[tuple[FileId, int], list[Site]] = defaultdict(list)
        for call in calls:
            site = self._site(call)
            if site is not None:
                by_chain[file_of_symbol(call.caller_id), site.chain.start].append(site)
        found = [point for sites in by_chain.values() for point in self._judged(sites)]
        found += [*self._marked(), *self._written()]
        told = {point.symbol_id for point in found if point.is_raw_sql and point.operation != "unknown"}
        # A call that is given a text from elsewhere says nothing more where that text was found beside it.
        return [
            point
            for point in found
            if not (point.operation == "unknown" and point.is_raw_sql and point.symbol_id in told)
        ]

    def _wanted_texts(self, texts: Mapping[int, str]) -> set[int]:
        names = {name for some in self._libraries.values() for each in some for name in each.methods}
        names |= {one.name for one in self._repository_methods.values()}
        starts = tuple(
            start for some in self._libraries.values() for each in some
            for start in (*each.magic_reads, *each.magic_writes, *each.magic_deletes)
        )  # fmt: skip
        found = set()
        for number, text in texts.items():
            called = _called_name(text)
            if called and (called in names or (starts and called.startswith(starts))):
                found.add(number)
        return found

    def _may_be(self, call: CandidateCall, text: str) -> bool:
        """Whether it is worth to read the source around a call."""
        file = self._catalogue.facts.files.get(file_of_symbol(call.caller_id))
        if file is None or file[2] != "source":
            return False
        libraries = self._libraries.get(file[1], ())
        if call.id in self._repository_calls or any(
            _receives(each, call.external_name) for each in libraries
        ):
            return True
        words = _WORD.findall(text)
        if not words:
            return False
        models = self._catalogue.models[family_of(file[1])]
        if call.outcome == "resolved":
            return False
        if words[0] in models or any(word in self._catalogue.sets for word in words):
            return True
        if any(word in each.accessors for each in libraries for word in words[1:3]):
            return True
        method = words[-1]
        named = any(
            word in each.receiver_names or f"${word}" in each.receiver_names
            for each in libraries for word in words[:4]
        )  # fmt: skip
        is_function = any(method in each.functions or f"{method}!" in each.functions for each in libraries)
        if named or is_function:
            return True
        return call.external_name is None and any(
            method in each.instance_writes or method in each.instance_deletes for each in libraries
        )

    def _site(self, call: CandidateCall) -> Site | None:
        file = file_of_symbol(call.caller_id)
        path, language, role = self._catalogue.facts.files[file]
        if file not in self._sources:
            self._sources[file] = open_source(self._root, path)
        source, caller = self._sources[file], self._symbols.get(call.caller_id)
        if source is None or caller is None:
            return None
        place = source.place(call.line, call.column)
        if place is None:
            return None
        return Site(call, read_chain(source.text, place), source, caller, language, path, role)

    def _judged(self, sites: Sequence[Site]) -> Iterator[AccessPoint]:
        """What the calls of one chain come to: the library that knows most of them tells."""
        site = max(sites, key=lambda one: len(one.chain.links))
        best: list[AccessPoint] = []
        for library in self._libraries.get(site.language, ()):
            received = any(_receives(library, each.call.external_name) for each in sites)
            repository = next(
                (
                    self._repository_calls[each.call.id]
                    for each in sites
                    if each.call.id in self._repository_calls
                ),
                None,
            )
            judge = Judge(self._catalogue, site, library, received=received)
            found = list(judge.points(self._repository_of(repository)))
            self._seen_lines.update((file_of_symbol(site.caller.id), line) for line in judge.used_lines)
            if sum(one.confidence for one in found) > sum(one.confidence for one in best):
                best = found
        for one in best:
            file = file_of_symbol(one.symbol_id)
            last = site.source.line_of(site.chain.end) if one.is_raw_sql else one.line
            self._seen_lines.update((file, line) for line in range(one.line, last + 1))
            yield one

    def _repository_of(self, method: SymbolId | None) -> Asked | None:
        if method is None:
            return None
        row = self._repository_methods[method]
        repository = self._catalogue.repository_ids[row.owner_id]
        language = self._catalogue.facts.language(row.owner_id)
        model = self._catalogue.model_named(repository.model, language) if repository.model else None
        return Asked(repository.library.framework, model, self._statement_of(method))

    def _queries(self) -> dict[SymbolId, MarkRow]:
        """The annotations of methods of repositories that hold a query."""
        names = {name for some in self._libraries.values() for each in some for name in each.query_decorators}
        found = self._reader.data.decorated(names) if names else []
        return {one.symbol_id: one for one in found if one.symbol_id in self._repository_methods}

    def _statement_of(self, method: SymbolId) -> tuple[Touch, ...]:
        mark = self._marks.get(method)
        source = self._source_of(method) if mark is not None else None
        if mark is None or source is None:
            return ()
        text = first_text(source.text[source.start_of(mark.line) :][:8_000])
        return read_sql((text or "").strip())

    def _marked(self) -> Iterator[AccessPoint]:
        """Statements that annotations of methods hold: @Select("…"), @Query("…")."""
        for language, libraries in self._libraries.items():
            for library in libraries:
                names = library.statement_decorators
                for mark in self._reader.data.decorated(names) if names else ():
                    found = self._reader.symbols.get(mark.symbol_id)
                    if found is None or found.language != language:
                        continue
                    source = self._source_of(mark.symbol_id)
                    text = first_text(source.text[source.start_of(mark.line) :][:8_000]) if source else None
                    self._seen_lines.add((file_of_symbol(mark.symbol_id), mark.line))
                    for touch in read_sql((text or "").strip()):
                        yield self._point(touch, found, mark.line, library.framework)

    def _written(self) -> Iterator[AccessPoint]:
        """Statements that stand in texts nobody told of yet."""
        found: dict[tuple[FileId, int], tuple[SymbolId, tuple[Touch, ...]]] = {}
        for statement in self._reader.data.statements({each[:6] for each in _VERBS} | {"with\n", "select"}):
            key = (file_of_symbol(statement.symbol_id), statement.line)
            if key in self._seen_lines or key in found:
                continue
            text = statement.text.strip()
            texts = all_texts(text) if text[:1] in "\"'`" or text[1:2] in {'"', "'"} else ""
            touches = read_sql((texts or text).strip("( \n\t"))
            if touches:
                found[key] = (statement.symbol_id, touches)
        symbols = {one.id: one for one in self._reader.symbols.many({symbol for symbol, _ in found.values()})}
        for (_, line), (symbol, touches) in found.items():
            record = symbols.get(symbol)
            if record is None or record.role != "source":
                continue
            for touch in touches:
                yield self._point(touch, record, line, "sql")

    def _source_of(self, symbol: SymbolId) -> Source | None:
        file = file_of_symbol(symbol)
        if file not in self._sources:
            self._sources[file] = open_source(self._root, self._catalogue.facts.files[file][0])
        return self._sources[file]

    def _point(self, touch: Touch, symbol: SymbolRecord, line: int, framework: str) -> AccessPoint:
        model = self._catalogue.like(touch.table, symbol.language or "") if touch.table else None
        table = model.table if model is not None and model.name == touch.table else touch.table
        return AccessPoint(
            table, touch.operation, framework, symbol.path, line, True, model.name if model else None,  # noqa: FBT003 - a field of a row
            touch.columns, SURE if touch.table else GUESSED, symbol.qualname, symbol.id, symbol.role,
        )  # fmt: skip


def _receives(library: DataLibrary, external_name: str | None) -> bool:
    """Whether a call is one of something that the library gives."""
    if external_name is None:
        return False
    return f"{plain_name(external_name)}.".startswith(_plain_receivers(library.receivers))


@cache
def _plain_receivers(names: frozenset[str]) -> tuple[str, ...]:
    return tuple(f"{plain_name(name)}." for name in names)


def _called_name(text: str) -> str | None:
    """The name that a text ends with; types that are given to it do not count."""
    if text[-1:] in _SIGNS:  # a pattern is tried at every place of a text, which is dear
        bare = text.rstrip("!?")
        start = len(bare.rstrip(_SIGNS_OF_NAMES))
        before = bare[start - 1 : start] if start else ""
        is_plain = bare[start : start + 1] in _BEGINNINGS and not before.isalnum()
        if is_plain and len(text) - len(bare) <= 1 and len(bare) - start <= _LONGEST:
            return f"${text[start:]}" if before == "$" else text[start:]
    found = _CALLED.search(text)
    return found[1] if found else None
