"""Functions of scripts that give promises without saying so, and the requests that they send."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from drift.analyses.source_text import read_lines
from drift.index.records import SymbolRecord

if TYPE_CHECKING:
    from drift.index import IndexReader

_RETURNED: Final = re.compile(
    r"(?:\breturn\s+|=>\s*)(?:this\.)?((?:[\w$]+\.)*[\w$]+)\s*(?:<[^()\n]{0,100}>)?\("
)
_PROMISED: Final = re.compile(r"\breturn\s+new\s+Promise\b|=>\s*new\s+Promise\b|\.then\(")
_REQUESTS: Final = frozenset({"fetch", "$fetch"})
_MOST_CALLS: Final = 200
_MOST_LINES: Final = 400
_MOST_STEPS: Final = 3


def gives_promise(
    reader: "IndexReader", root: Path, function: SymbolRecord, steps: int = _MOST_STEPS
) -> bool:
    """Whether what a function gives has to be waited for: by its word, its body, or the functions it hands on."""
    returns = function.return_text or ""
    if "async" in function.modifiers or returns.startswith("Promise<"):
        return True
    if returns or steps == 0:  # a type that is no promise settles it
        return False
    body = "\n".join(_body(root, function))
    if _PROMISED.search(body):
        return True
    names = {found.rpartition(".")[2] for found in _RETURNED.findall(body)}
    if not _REQUESTS.isdisjoint(names):
        return True
    return any(
        gives_promise(reader, root, one, steps - 1) for one in _callees(reader, function) if one.name in names
    )


def sends_requests(
    reader: "IndexReader", root: Path, function: SymbolRecord, steps: int = _MOST_STEPS
) -> bool:
    """Whether a function, or one that it calls, asks a server by what browsers have for that."""
    if any(re.search(r"(?<![\w.$])\$?fetch\(", line) for line in _body(root, function)):
        return True
    return steps > 0 and any(
        sends_requests(reader, root, one, steps - 1) for one in _callees(reader, function)
    )


def _body(root: Path, function: SymbolRecord) -> list[str]:
    count = min(function.end_line - function.line + 1, _MOST_LINES)
    return read_lines(root, function.path, first=function.line, count=count)


def _callees(reader: "IndexReader", function: SymbolRecord) -> Iterable[SymbolRecord]:
    near = reader.calls.callees(function.id, limit=_MOST_CALLS)
    return {one.symbol.id: one.symbol for one in near if one.symbol.id != function.id}.values()
