"""Links of the files that mention a symbol, for an answer before a first scan has linked everything.

What it does: finds the files whose text has the symbol's name, and links those in a copy of the index. Why it matters:
a large project is read long before it is linked, and who asks for the callers of one symbol need not wait for all.
Example: the callers of `Cart.total` rest on the files that say `total`. Known limits: what runs without being named
(operators, iteration, callers of callers) is found only in these files; of a very common name not all are linked.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from drift.analyses.lookup import find_symbols
from drift.index import IndexReader
from drift.index.path_text import text_to_path
from drift.index.records import SymbolRecord
from drift.kernel.reading import ProjectFiles
from drift.scan.part_linking import link_part

_MOST_FILES: Final = 500  # more are not linked in time
_MOST_SECONDS: Final = 8.0  # a call has waited for the files to be read already
_MOST_BYTES: Final = 1_000_000


class FirstLinks(NamedTuple):
    """How many files mention what was asked for, and how many of them are linked."""

    mentioning: int
    linked: int


def write_first_links(root: Path, index: Path, wanted: str, into: Path) -> FirstLinks | None:
    """Write a copy of the index with the links of files that mention a symbol; None where no symbol is meant."""
    with IndexReader(index) as source:
        found = find_symbols(source, wanted).symbols
        if not found:
            return None
        names = sorted({name for symbol in found for name in _written_names(source, symbol)})
        declaring = {text_to_path(symbol.path) for name in names for symbol in source.symbols.named(name)}
        tests = {text_to_path(stamp.path) for stamp in source.files.stamps() if stamp.role == "test"}
        mentioning: list[str] = []

        def choose(paths: Sequence[str]) -> Sequence[str]:
            mentioning.extend(_find_mentions(root, paths, names))
            # Those that declare the name come first, since nobody else knows what is called; then the product.
            return sorted(mentioning, key=lambda path: (path not in declaring, path in tests, path))[
                :_MOST_FILES
            ]

        linked = link_part(root, source, into, choose, most_seconds=_MOST_SECONDS)
    return FirstLinks(len(mentioning), linked)


def _written_names(reader: IndexReader, symbol: SymbolRecord) -> set[str]:
    """What a caller writes: the symbol's name, for a constructor that of its class."""
    has_class = symbol.kind == "constructor" and symbol.parent_id is not None
    owner = reader.symbols.get(symbol.parent_id) if has_class and symbol.parent_id is not None else None
    return {symbol.name, owner.name} if owner is not None else {symbol.name}


def _find_mentions(root: Path, paths: Sequence[str], names: Sequence[str]) -> list[str]:
    """The files whose text has one of the names."""
    wanted = [name.encode() for name in names]
    found = []
    with ProjectFiles(root) as files:
        for path in paths:
            try:
                content = files.read_beginning(path, _MOST_BYTES, follow_links=False)
            except OSError:
                continue  # gone since it was read: the scan will see to it
            if any(name in content for name in wanted):
                found.append(path)
    return found


def main() -> None:
    """Write first links as a process of its own, and say on standard output what they are."""
    root, index, wanted, into = sys.argv[1:]
    found = write_first_links(Path(root), Path(index), wanted, Path(into))
    sys.stdout.buffer.write(orjson.dumps(found and found._asdict()))
