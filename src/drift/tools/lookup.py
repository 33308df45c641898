"""Look-ups: the exact declaration of a symbol, the shape of a type, the import that brings a name in."""

from functools import partial
from typing import Annotated

from drift.analyses.definitions import define_all
from drift.analyses.import_rows import ImportAdvices
from drift.analyses.import_style import advise_imports
from drift.analyses.signatures import (
    SignatureData,
    Wanted,
    is_one,
    rank_symbols,
    signature_data,
    signature_summary,
    with_constructors,
)
from drift.analyses.symbol_choice import choose_symbols
from drift.analyses.targets import require_symbols
from drift.analyses.types import TYPE_KINDS, TypeShape, describe_types, say_chosen, say_unfollowed
from drift.index import Layer, SymbolRecord
from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import invalid
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, ProjectFile, Range, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer

_CALLABLE = frozenset({"function", "method", "constructor", "macro"})


@tool(
    category="surgical",
    title="Signature of a symbol",
    tokens=(100, 800),
    needs=Layer.SYMBOLS,
    examples=({"symbol": "Cart.load"}, {"symbol": "total", "file": "shop/pricing.py", "includeBody": True}),
)
def drift_signature(
    call: Call,
    symbol: Annotated[str, Length(500), "Name, Class.method or path:line"],
    file: Annotated[str | None, Length(4096), "Path or its end"] = None,
    include_body: Annotated[bool, "Source, too"] = False,
    include_docs: Annotated[bool, "First paragraph of the documentation"] = True,
    page: Page = Page(limit=10),
) -> Answer[SignatureData]:
    """Exact declaration of a symbol: parameters, types, defaults, result, decorators, lines; body on request."""
    with opened_index(call) as reader:
        found = require_symbols(reader, symbol, file=file)
        if not include_body:  # that of a class has them
            found = with_constructors(reader, found)
        wanted = Wanted(docs=include_docs, body_root=call.project.root if include_body else None)
        defined = define_all(reader, found)
        summary = signature_summary(symbol, found, defined)
        following = _after_signature(call, defined[0]) if is_one(defined) else ()
        data = partial(signature_data, reader, wanted)
        return list_answer(call, page, rank_symbols(found), data, summary=summary, next=following)


def _after_signature(call: Call, symbol: SymbolRecord) -> tuple[NextAction, ...]:
    place = f"{symbol.path}:{symbol.line}"
    if symbol.kind in _CALLABLE:
        return (call.suggest("drift_callers", "see who calls it", symbol=place),)
    return (NextAction("drift_explain", {"target": place}, "see what it is used for"),)


@tool(
    category="surgical",
    title="Shape of a type",
    tokens=(200, 1500),
    needs=Layer.REFERENCES,
    examples=({"type": "Cart"}, {"type": "Store", "depth": 2}),
)
def drift_type(
    call: Call,
    type: Annotated[str, Length(500), "Class, interface, struct, enum, trait or alias"],  # noqa: A002 - the word agents use
    depth: Annotated[int, Range(1, 3), "Steps to parents, subtypes and related types"] = 1,
    file: Annotated[str | None, Length(4096), "Path or its end"] = None,
) -> Answer[TypeShape]:
    """Fields with types, methods (inherited ones, too), parents, subtypes, and types used with it."""
    with opened_index(call) as reader:
        symbols, passed_over = choose_symbols(reader, type, file=file, kinds=TYPE_KINDS)
        shape = describe_types(reader, symbols, depth=depth)
    counts = (
        plural(len(shape.fields), "field"),
        plural(len(shape.methods), "method"),
        plural(len(shape.parents), "parent"),
        plural(shape.subtype_count, "subtype"),
    )
    place = f"{shape.file}:{shape.line}"
    return Answer(
        f"{shape.kind} {shape.symbol} at {place}: {', '.join(counts)}",
        shape,
        next=(NextAction("drift_explain", {"target": place}, "see who uses it", "low"),),
        warnings=(*say_chosen(shape, passed_over), *say_unfollowed(shape, depth)),
    )


@tool(
    category="surgical",
    title="Import statements",
    tokens=(100, 600),
    needs=Layer.IMPORTS,
    examples=({"symbols": ["Cart", "total"], "targetFile": "shop/orders.py"},),
)
def drift_imports(
    call: Call,
    symbols: Annotated[tuple[str, ...], Length(50), "Names to import"],
    target_file: Annotated[ProjectFile, "The file that imports; need not exist yet"],
) -> Answer[ImportAdvices]:
    """Import statements for symbols in a file, in the language and style the files around it use."""
    if not any(map(str.strip, symbols)):
        raise invalid("symbols", "give at least one name")
    with opened_index(call) as reader:
        found = advise_imports(reader, call.project.root, symbols, target_file)
    if found is None:
        raise invalid("targetFile", f"{target_file!r} is of no language whose imports are known")
    needless = sum(row.statement is None for row in found.advice)
    summary = (
        f"{plural(len(found.statements), 'statement')} for {target_file}; {needless} need none, "
        f"{len(found.unresolved)} unresolved"
    )
    doubtful = [row.symbol for row in found.advice if row.alternatives]
    warnings = (
        (f"{', '.join(doubtful[:5])}: other symbols have that name, see alternatives",) if doubtful else ()
    )
    return Answer(summary, found, next=_after_imports(call, found), warnings=warnings)


def _after_imports(call: Call, found: ImportAdvices) -> tuple[NextAction, ...]:
    first = next((row for row in found.advice if not row.source.endswith(")")), None)
    if first is None:
        return ()
    return (call.suggest(drift_signature, "see how it is called", symbol=first.source, priority="low"),)
