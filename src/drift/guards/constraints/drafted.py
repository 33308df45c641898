"""The rows of texts that are not on disk, in the form in which constraints read those of the index."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from drift.index.ids import CallId, FileId, SymbolId, file_of_symbol, file_symbol, is_file
from drift.index.path_text import path_to_text
from drift.index.records import GuardRecord
from drift.index.rows import (
    BaseRow,
    CallDetailRow,
    CallRow,
    CommentRow,
    DecoratorRow,
    EdgeRow,
    EntryPointRow,
    GuardRow,
    HandlerRow,
    HandlingRow,
    ImportRow,
    ReferenceRow,
    RouterRow,
    SymbolRow,
)
from drift.index.site_records import (
    SiteBase,
    SiteClass,
    SiteComment,
    SiteFile,
    SiteHandling,
    SiteImport,
)
from drift.index.use_queries import FileLink, MadeCall, NamedPlace

if TYPE_CHECKING:
    from drift.guards.overlay import Overlay
    from drift.index import IndexReader
    from drift.index.rows import FileRows, LinkRows

_TYPES = frozenset({"class", "struct", "interface", "trait", "enum", "type"})


class DraftRoute(NamedTuple):
    """A route of a draft: where it is registered, what handles it, and what it is added to."""

    entry: EntryPointRow
    handler: SymbolId
    router: SymbolId | None


class Drafted:
    """One text, by the rows that the index would hold of it."""

    def __init__(self, rows: "FileRows", links: "LinkRows", reader: "IndexReader") -> None:
        row = rows.file
        self._reader = reader
        self.file = SiteFile(
            row.id, path_to_text(row.path), row.language, row.role, row.generation, row.code_lines or 0
        )
        self._links = links
        self.symbols = {each.id: each for each in _made(SymbolRow, rows.symbols)}
        self.decorators: list[DecoratorRow] = _made(DecoratorRow, rows.decorators)
        self._handlings: list[HandlingRow] = _made(HandlingRow, rows.handlings)
        self._comments: list[CommentRow] = _made(CommentRow, rows.comments)
        self._details = {each.id: each for each in _made(CallDetailRow, rows.call_details)}
        self._entries: list[EntryPointRow] = _made(EntryPointRow, rows.entry_points)
        self._guards: list[GuardRow] = _made(GuardRow, rows.guards)

    def file_links(self, least: float) -> Iterator[FileLink]:
        """Which files it uses, each once, and where first."""
        found: dict[int, tuple[int, int]] = {}
        for target, line, is_type_only in self._targets(least):
            if target != self.file.id:
                before = found.get(target, (line, 1))
                found[target] = (min(before[0], line), min(before[1], is_type_only))
        for target, (line, is_type_only) in found.items():
            yield FileLink(self.file.id, FileId(target), line, is_type_only)

    def _targets(self, least: float) -> Iterator[tuple[int, int, int]]:
        for one in _made(ImportRow, self._links.imports):
            if one.target_file_id is not None:
                yield one.target_file_id, one.line, int(one.is_type_only)
        edges = [
            each
            for each in _made(EdgeRow, self._links.edges)
            if each.confidence >= least and each.call_id and file_of_symbol(each.callee_id) != self.file.id
        ]
        # As in the index: who calls through an interface knows nothing of what runs in its place.
        pairs = self._reader.graph.overrides_of({each.callee_id for each in edges})
        overriders = {overrider for _, overrider in pairs}
        for edge in edges:
            if edge.callee_id not in overriders:
                yield file_of_symbol(edge.callee_id), edge.line, 0
        for ref in _made(ReferenceRow, self._links.references):
            if ref.confidence >= least and ref.kind != "string":
                yield file_of_symbol(ref.target_symbol_id), ref.line, 0

    def imports(self) -> Iterator[SiteImport]:
        for one in _made(ImportRow, self._links.imports):
            yield SiteImport(
                self.file.id, one.line, one.line, one.module, one.name, one.alias, int(one.is_reexport),
                int(one.is_type_only), int(one.is_external), one.external_package, one.target_file_id,
            )  # fmt: skip

    def handlings(self) -> Iterator[SiteHandling]:
        for one in self._handlings:
            yield SiteHandling(
                self.file.id, one.line, one.end_line, one.kind, one.types, int(one.is_empty), one.variable, one.traits
            )  # fmt: skip

    def comments_with(self, mark: str) -> Iterator[SiteComment]:
        for one in self._comments:
            if mark in one.text:
                yield SiteComment(self.file.id, one.line, one.end_line, one.text)

    def calls(self) -> list[MadeCall]:
        made = []
        for one in _made(CallRow, self._links.calls):
            detail = self._details.get(one.id)
            traits, literal = (detail.traits, detail.literal) if detail is not None else (0, None)
            made.append(
                MadeCall(one.id, one.caller_id, one.line, one.text, one.external_name, traits, literal)
            )
        return made

    def callees(self, least: float) -> dict[CallId, SymbolId]:
        edges = _made(EdgeRow, self._links.edges)
        return {each.call_id: each.callee_id for each in edges if each.confidence >= least and each.call_id}

    def places(self) -> dict[SymbolId, NamedPlace]:
        return {
            id_: NamedPlace(
                id_, one.kind, one.name, one.qualname, one.line, one.end_line, one.code_lines or 0, self._owner(one)
            )
            for id_, one in self.symbols.items()
        }  # fmt: skip

    def _owner(self, symbol: SymbolRow) -> str | None:
        parent = self.symbols.get(symbol.parent_id) if symbol.parent_id is not None else None
        return parent.name if parent is not None and parent.kind != "module" else None

    def classes(self) -> Iterator[SiteClass]:
        for id_, one in self.symbols.items():
            if one.kind in _TYPES:
                yield SiteClass(self.file.id, one.line, one.end_line, id_, one.kind, one.name, one.modifiers)

    def bases(self) -> Iterator[SiteBase]:
        for one in _made(BaseRow, self._links.bases):
            yield SiteBase(one.symbol_id, one.text, one.kind, one.target_symbol_id, one.external_name)

    def class_decorators(self) -> Iterator[tuple[int, str]]:
        for one in self.decorators:
            if self.symbols[one.symbol_id].kind in _TYPES:
                yield one.symbol_id, one.name

    def routes(self) -> Iterator[DraftRoute]:
        handlers = {
            (each.symbol_id, each.position): each.handler_id
            for each in _made(HandlerRow, self._links.handlers)
        }
        routers = {
            (each.symbol_id, each.position): each.router_id for each in _made(RouterRow, self._links.routers)
        }
        for entry in self._entries:
            if entry.kind == "http" and entry.method != "PAGE":
                key = (entry.symbol_id, entry.position)
                yield DraftRoute(entry, handlers.get(key, entry.symbol_id), routers.get(key))

    def guards_of(self, route: DraftRoute) -> Iterator[GuardRecord]:
        """What stands before a route in this text: said of it, at its handler, or at the type around that."""
        for each in self._guards:
            if each.symbol_id == route.entry.symbol_id and each.entry == route.entry.position:
                yield GuardRecord(each.how, each.text, each.symbol_id, each.line)
        for around in self._around(route.handler):
            for each in self._guards:
                if each.symbol_id == around and each.entry is None:
                    yield GuardRecord(each.how, each.text, around, each.line)
            for one in self.decorators:
                if one.symbol_id == around:
                    yield GuardRecord("decorator", one.text, around, one.line)

    def _around(self, symbol: SymbolId) -> Iterator[SymbolId]:
        """A symbol of this text and what it stands in, but for the file, which stands in itself."""
        while not is_file(symbol) and symbol in self.symbols:
            yield symbol
            symbol = self.symbols[symbol].parent_id or file_symbol(self.file.id)

    def parents_of(self, symbol: SymbolId) -> Iterator[SymbolId]:
        """The types of other files that the types around a symbol descend from."""
        around = set(self._around(symbol))
        for one in _made(BaseRow, self._links.bases):
            if one.symbol_id in around and one.target_symbol_id is not None:
                yield one.target_symbol_id


def drafts_of(overlay: "Overlay") -> dict[FileId, Drafted]:
    """The texts of an overlay that could be read, by the ids of their files."""
    found = {}
    for path, file in overlay.files.items():
        if file.draft.fault is None:
            made = Drafted(file.draft.rows, overlay.linking.rows_of(path), overlay.reader)
            found[made.file.id] = made
    return found


def _made(record: Any, rows: Any) -> list[Any]:
    return list(map(record._make, rows))
