"""Text of a project's files as the index knows them, or the reason why it cannot be given."""

import os
from pathlib import Path
from typing import Final, NamedTuple

from drift.index import IndexReader
from drift.index.ids import file_of_symbol
from drift.index.path_text import text_to_path
from drift.index.records import SymbolRecord
from drift.kernel.reading import opened, read_text
from drift.kernel.text import plural

_MOST_FILE_BYTES: Final = 20_000_000


class Excerpt(NamedTuple):
    """A piece of source; without text the reason."""

    text: str | None
    problem: str | None = None


def read_symbol_text(
    reader: IndexReader, root: Path, symbol: SymbolRecord, *, max_characters: int
) -> Excerpt:
    """The source of a symbol, whole lines up to a length."""
    record = reader.files.get(file_of_symbol(symbol.id))
    if record is None:
        return Excerpt(None, "its file is not in the index any more")
    try:
        with opened(root, text_to_path(record.path)) as file:
            stamp = os.fstat(file.fileno())
            if (stamp.st_size, stamp.st_mtime_ns) != (record.size, record.mtime_ns):
                return Excerpt(None, "the file has changed since it was read")
            if stamp.st_size > _MOST_FILE_BYTES:
                return Excerpt(None, "the file is too large")
            content = file.read(_MOST_FILE_BYTES)
    except OSError as error:
        return Excerpt(None, f"the file cannot be read: {error}")
    line_start = content.rfind(b"\n", 0, symbol.start_byte) + 1
    lead = content[line_start : symbol.start_byte]
    # A first line keeps its indent, so that the lines below stand right under it.
    start = line_start if not lead.strip() else symbol.start_byte
    return Excerpt(cut_lines(content[start : symbol.end_byte].decode("utf-8", "replace"), max_characters))


def cut_lines(text: str, max_characters: int) -> str:
    """The text up to a length, cut at a line, with a word about what is left out."""
    if len(text) <= max_characters:
        return text
    kept = text[:max_characters].rpartition("\n")[0] or text[:max_characters]
    left = text.count("\n") - kept.count("\n")
    return f"{kept}\n… {plural(left, 'more line')}"


def read_lines(root: Path, path: str, *, first: int, count: int) -> list[str]:
    """Some lines of a file as it is now, from line `first`; none where it cannot be read."""
    try:
        content = read_text(root, text_to_path(path), _MOST_FILE_BYTES)
    except OSError:
        return []
    return content.splitlines()[first - 1 : first - 1 + count]
