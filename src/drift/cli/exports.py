"""The whole graph, the list of symbols, and what files use of each other, in forms other programs read, a line at a time."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from xml.sax.saxutils import escape

from drift.analyses.modules.graph import MIN_CONFIDENCE
from drift.index import EdgeRecord, IndexReader, SymbolId, SymbolRecord

Symbols = Mapping[SymbolId, SymbolRecord]
Export = Callable[[IndexReader], Iterator[str]]

_EDGES_AT_ONCE: Final = 10_000
_FILES_AT_ONCE: Final = 500
_CTAGS_KINDS: Final = {
    "class": "c", "constant": "C", "constructor": "m", "enum": "e", "field": "f", "function": "f", "interface": "i",
    "macro": "d", "method": "m", "namespace": "n", "property": "p", "struct": "s", "trait": "t", "type": "t",
    "variable": "v",
}  # fmt: skip


def all_symbols(reader: IndexReader) -> Iterator[SymbolRecord]:
    """Every symbol, file by file in the order of paths."""
    after = ""
    while files := reader.files.page(after=after, limit=_FILES_AT_ONCE):
        for file in files:
            yield from reader.symbols.of_file(file.id)
        after = files[-1].path


def all_edges(reader: IndexReader) -> Iterator[EdgeRecord]:
    """Every edge, page by page."""
    after = (-1, -1, -1)
    while edges := reader.calls.edges(after=after, limit=_EDGES_AT_ONCE):
        yield from edges
        last = edges[-1]
        after = (last.callee_id, last.caller_id, last.call_id)


def graph_as_jsonl(reader: IndexReader) -> Iterator[str]:
    """Nodes, then edges, one JSON object a line."""
    symbols = {symbol.id: symbol for symbol in all_symbols(reader)}
    for symbol in symbols.values():
        yield _json({"type": "node", "kind": symbol.kind, **_place(symbol)})
    for edge in all_edges(reader):
        yield _json(
            {
                "type": "edge",
                "caller": _place(symbols[edge.caller_id]),
                "callee": _place(symbols[edge.callee_id]),
                "line": edge.line,
                "confidence": edge.confidence,
                "reason": edge.reason,
            }
        )


def graph_as_graphml(reader: IndexReader) -> Iterator[str]:
    """GraphML; attributes are escaped, control characters XML cannot hold are left out."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    keys = (("name", "node"), ("qualname", "node"), ("kind", "node"), ("file", "node"), ("reason", "edge"))
    for name, owner in keys:
        yield f'<key id="{name}" for="{owner}" attr.name="{name}" attr.type="string"/>'
    yield '<key id="line" for="node" attr.name="line" attr.type="int"/>'
    yield '<key id="confidence" for="edge" attr.name="confidence" attr.type="double"/>'
    yield '<graph id="calls" edgedefault="directed">'
    for symbol in all_symbols(reader):
        data = {**_place(symbol), "kind": symbol.kind}
        inner = "".join(f'<data key="{key}">{_xml(value)}</data>' for key, value in data.items())
        yield f'<node id="n{symbol.id}">{inner}</node>'
    for edge in all_edges(reader):
        inner = (
            f'<data key="confidence">{edge.confidence}</data><data key="reason">{_xml(edge.reason)}</data>'
        )
        yield f'<edge source="n{edge.caller_id}" target="n{edge.callee_id}">{inner}</edge>'
    yield "</graph>"
    yield "</graphml>"


def graph_as_dot(reader: IndexReader) -> Iterator[str]:
    """Graphviz; only symbols that call or are called."""
    yield "digraph calls {"
    yield from _called(
        reader,
        node=lambda symbol: f"  n{symbol.id} [label={json.dumps(f'{symbol.qualname} ({symbol.path})')}];",
        edge=lambda edge: f"  n{edge.caller_id} -> n{edge.callee_id};",
    )
    yield "}"


def graph_as_mermaid(reader: IndexReader) -> Iterator[str]:
    """Mermaid; only symbols that call or are called."""
    yield "flowchart LR"
    yield from _called(
        reader,
        node=lambda symbol: f'  n{symbol.id}["{_mermaid(symbol.qualname)}"]',
        edge=lambda edge: f"  n{edge.caller_id} --> n{edge.callee_id}",
    )


def symbols_as_jsonl(reader: IndexReader) -> Iterator[str]:
    """Symbols with their signatures, one JSON object a line."""
    for symbol in all_symbols(reader):
        about = {
            "kind": symbol.kind,
            **_place(symbol),
            "endLine": symbol.end_line,
            "signature": symbol.signature,
            "visibility": symbol.visibility,
            "modifiers": list(symbol.modifiers),
        }
        yield _json(about)


def symbols_as_ctags(reader: IndexReader) -> Iterator[str]:
    """A tags file in the extended format, sorted by name."""
    yield "!_TAG_FILE_FORMAT\t2\t/extended format/"
    yield "!_TAG_FILE_SORTED\t1\t/0=unsorted, 1=sorted, 2=foldcase/"
    tags = [
        f'{_tag(symbol.name)}\t{_tag(symbol.path)}\t{symbol.line};"\t{_CTAGS_KINDS[symbol.kind]}\tline:{symbol.line}'
        for symbol in all_symbols(reader)
        if symbol.kind in _CTAGS_KINDS
    ]
    yield from sorted(tags)


def uses_as_jsonl(reader: IndexReader) -> Iterator[str]:
    """Files of code, what they offer, and every name that one uses of another, one JSON object a line."""
    files = {int(file.id): file for file in reader.files.stamps() if file.language is not None}
    for file in files.values():
        yield _json({"type": "file", "file": file.path, "language": file.language, "role": file.role})
    for offer in reader.coupling.offered():
        if offer.file_id in files:
            about = {"kind": offer.kind, "visibility": offer.visibility, "modifiers": offer.modifiers.split()}
            yield _json({"type": "offer", "file": files[offer.file_id].path, **about})
    uses = reader.coupling.uses(files, min_confidence=MIN_CONFIDENCE)
    names = reader.coupling.outer_names({use.used for use in uses if use.used is not None})
    for use in uses:
        if use.target_id in files:
            yield _json(
                {
                    "type": "use",
                    "file": files[use.source_id].path,
                    "target": files[use.target_id].path,
                    "name": None if use.used is None else names.get(use.used),
                    "line": use.line,
                    "isImport": bool(use.is_import),
                    "isTypeOnly": bool(use.is_type_only),
                }
            )


EXPORTS: Final[dict[str, dict[str, Export]]] = {
    "graph": {
        "jsonl": graph_as_jsonl,
        "graphml": graph_as_graphml,
        "dot": graph_as_dot,
        "mermaid": graph_as_mermaid,
    },
    "symbols": {"jsonl": symbols_as_jsonl, "ctags": symbols_as_ctags},
    "uses": {"jsonl": uses_as_jsonl},
}


def _called(
    reader: IndexReader, *, node: Callable[[SymbolRecord], str], edge: Callable[[EdgeRecord], str]
) -> Iterator[str]:
    edges = list(all_edges(reader))
    involved = {each.caller_id for each in edges} | {each.callee_id for each in edges}
    yield from (node(symbol) for symbol in all_symbols(reader) if symbol.id in involved)
    # Several calls between the same two are one arrow.
    yield from dict.fromkeys(map(edge, edges))


def _place(symbol: SymbolRecord) -> dict[str, Any]:
    return {"file": symbol.path, "name": symbol.name, "qualname": symbol.qualname, "line": symbol.line}


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _xml(value: object) -> str:
    return escape("".join(char for char in str(value) if char >= " " or char in "\t\n"))


def _mermaid(text: str) -> str:
    return "".join(f"#{ord(char)};" if char in '"<>[]{}()|#;&`' else char for char in text)


def _tag(text: str) -> str:
    """A field of a tags file: what would end the field or the line is shown as its escape."""
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
