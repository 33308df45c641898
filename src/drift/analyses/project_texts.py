"""The project's texts as they are now, to look for names in."""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from drift.analyses.markup import list_markup
from drift.index import IndexReader
from drift.index.path_text import text_to_path
from drift.kernel.reading import ProjectFiles

_MOST_FILE_BYTES: Final = 5_000_000


_MOST_TEXT_BYTES: Final = 200_000_000  # of the whole project; what is beyond is not looked through


def read_texts(
    reader: IndexReader, root: Path, *, check_cancelled: Callable[[], None]
) -> Iterator[tuple[str, bytes]]:
    """Pages with markup and the files the index knows, as they are now; one that cannot be read has nothing to say.

    Pages come first: of a name that stands in many places only the first are kept.
    """
    room = _MOST_TEXT_BYTES
    known = ((one.path, one.size) for one in reader.files.stamps())
    pages = ((path, 0) for path in list_markup(root))
    with ProjectFiles(root) as files:
        for path, size in chain(pages, known):
            if size > room:
                continue
            text = _read(files, text_to_path(path))
            room -= len(text)
            check_cancelled()
            yield path, text


def _read(files: ProjectFiles, path: str) -> bytes:
    try:
        return files.read_beginning(path, _MOST_FILE_BYTES)
    except OSError:  # deleted or forbidden since the scan, or a link that leads out of the project
        return b""
