"""Similarity: existing code to follow."""

from typing import Annotated

from drift.analyses.similarity import SimilarData, find_alike
from drift.analyses.symbol_choice import choose_symbols
from drift.conventions.glance import glance_stamp, read_glance
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural
from drift.registry import Call, Length, Range, tool
from drift.registry.indexes import opened_index

_READ = "read the best match"
_NOTHING_ALIKE = "nothing shares enough; other words or a symbol may find more"


@tool(
    category="surgical",
    title="Similar code",
    tokens=(150, 800),
    needs=Layer.CALLS,
    stamp=glance_stamp,
    examples=({"description": "load an item of the cart"}, {"symbol": "Cart.load", "limit": 3}),
)
def drift_similar(
    call: Call,
    description: Annotated[str | None, Length(1000), "What the code should do"] = None,
    symbol: Annotated[str | None, Length(500), "Code to find the like of"] = None,
    file: Annotated[str | None, Length(4096), "The symbol's path or its end"] = None,
    limit: Annotated[int, Range(1, 20)] = 5,
) -> Answer[SimilarData]:
    """Find code like a symbol or a description, by structure, calls, decorators, parameters and names, with why; what conforms first."""
    if not ((description or "").strip() or symbol):
        message = "description or symbol: one of the two is required"
        details = {"argument": "description"}
        raise DriftError(ErrorCode.MISSING_REQUIRED_PARAM, message, Recovery(details=details))
    with opened_index(call) as reader:
        targets, passed_over = choose_symbols(reader, symbol, file=file) if symbol else ((), ())
        deviating = read_glance(call.project, reader.generation()).deviating
        matches = find_alike(reader, targets, description, limit=limit, deviating=deviating)
    return Answer(
        f"{plural(len(matches), 'symbol')} like {targets[0].qualname if targets else repr(description)}",
        SimilarData(matches),
        next=tuple(
            call.suggest("drift_signature", _READ, symbol=f"{row.file}:{row.line}", include_body=True)
            for row in matches[:1]
        ),
        warnings=(*passed_over, *(() if matches else (_NOTHING_ALIKE,))),
    )
