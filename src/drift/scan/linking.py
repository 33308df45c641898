"""Links as rows of the index: where imports, parents, calls and references lead, by the index's numbers."""

from collections.abc import Mapping

from drift.index.ids import CallId, FileId, SymbolId, call_id, symbol_id
from drift.index.rows import BaseRow, CallRow, EdgeRow, ImportRow, LinkRows, ReferenceRow
from drift.languages.facts import FileFacts
from drift.scan.link.links import CallLink, FileLinks, ImportLink, Place, Target

Ids = Mapping[str, FileId]


def link_rows(path: str, facts: FileFacts, links: FileLinks, ids: Ids) -> LinkRows:
    """The rows of one file's links."""
    file = ids[path]
    return LinkRows(
        file_id=file,
        imports=tuple(_import_row(file, n, facts, link, ids) for n, link in enumerate(links.imports)),
        bases=_base_rows(file, facts, links, ids),
        calls=tuple(_call_row(file, n, facts, link) for n, link in enumerate(links.calls)),
        edges=tuple(edge for n, link in enumerate(links.calls) for edge in _edges(file, n, facts, link, ids)),
        references=_reference_rows(file, facts, links, ids),
    )


def _import_row(file: FileId, number: int, facts: FileFacts, link: ImportLink, ids: Ids) -> ImportRow:
    each = facts.imports[number]
    target = link.symbols[0] if len(link.symbols) == 1 else None
    return ImportRow(
        symbol_id(file, each.scope),
        number,
        each.line,
        each.module,
        each.name,
        each.alias,
        each.is_reexport,
        each.is_type_only,
        ids.get(link.file) if link.file is not None else None,
        _symbol(target, ids) if target else None,
        link.external_package is not None,
        link.external_package,
    )


def _base_rows(file: FileId, facts: FileFacts, links: FileLinks, ids: Ids) -> tuple[BaseRow, ...]:
    found = {(link.symbol, link.position): link for link in links.bases}
    rows = []
    for number, symbol in enumerate(facts.symbols):
        for position, base in enumerate(symbol.bases):
            link = found.get((number, position))
            target = _symbol(link.targets[0], ids) if link and len(link.targets) == 1 else None
            external = link.external_name if link else None
            rows.append(BaseRow(symbol_id(file, number), position, base.text, base.kind, target, external))
    return tuple(rows)


def _call_row(file: FileId, number: int, facts: FileFacts, link: CallLink) -> CallRow:
    each = facts.calls[number]
    return CallRow(
        call_id(file, number),
        symbol_id(file, each.scope),
        each.line,
        each.column,
        each.text,
        len(each.arguments),
        each.kind,
        link.outcome,
        link.external_name,
    )


def _edges(file: FileId, number: int, facts: FileFacts, link: CallLink, ids: Ids) -> tuple[EdgeRow, ...]:
    each = facts.calls[number]
    caller, call = symbol_id(file, each.scope), call_id(file, number)
    found: dict[SymbolId, EdgeRow] = {}
    for target in (*link.targets, *link.overriders):
        row = _edge(caller, call, each.line, target, ids)
        # A symbol can be found in two ways; the surer one is told.
        if row.callee_id not in found or found[row.callee_id].confidence < row.confidence:
            found[row.callee_id] = row
    return tuple(found.values())


def _edge(caller: SymbolId, call: CallId, line: int, target: Target, ids: Ids) -> EdgeRow:
    return EdgeRow(_symbol(target.place, ids), caller, call, line, round(target.confidence, 4), target.reason)


def _reference_rows(file: FileId, facts: FileFacts, links: FileLinks, ids: Ids) -> tuple[ReferenceRow, ...]:
    rows: list[ReferenceRow] = []
    for number, link in enumerate(links.references):
        each = facts.references[number]
        for target in link.targets:
            rows.append(
                ReferenceRow(
                    symbol_id(file, each.scope),
                    len(rows),
                    each.line,
                    each.column,
                    each.kind,
                    _symbol(target.place, ids),
                    round(target.confidence, 4),
                    target.reason,
                )
            )
    return tuple(rows)


def _symbol(place: Place, ids: Ids) -> SymbolId:
    return symbol_id(ids[place.path], place.symbol)
