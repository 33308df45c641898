"""The one symbol a caller means, where a class and its constructor share the name."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.tools.targets import require_defined, require_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.records import SymbolRecord


def require_single(
    reader: "IndexReader", wanted: str, *, file: str | None = None, kinds: Collection[str] | None = None
) -> "SymbolRecord":
    """The symbol a text means, the class rather than its constructors; an error where several remain."""
    found = require_defined(reader, wanted, file=file, kinds=kinds)
    ids = {one.id for one in found}
    outer = [one for one in found if one.kind != "constructor" or one.parent_id not in ids]
    symbol = outer[0] if len(outer) == 1 else require_symbol(reader, wanted, file=file, kinds=kinds)
    # A place means whatever stands there.
    if kinds is not None and symbol.kind not in kinds:
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"{wanted!r} is the {symbol.kind} {symbol.qualname}; wanted is a {' or '.join(sorted(kinds))}.",
            Recovery(alternative_tools=("drift_explain",)),
        )
    return symbol
