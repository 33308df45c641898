"""Some files of an index that is still being linked, linked in a copy of it: enough to answer about what they mention."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from drift.index import IndexReader, IndexWriter
from drift.index.layers import ALL_LAYERS
from drift.index.path_text import text_to_path
from drift.scan.garbage import garbage_left_alone
from drift.scan.row_linker import RowLinker
from drift.scan.stored import StoredFacts


def link_part(
    root: Path,
    source: IndexReader,
    into: Path,
    choose: Callable[[Sequence[str]], Sequence[str]],
    *,
    most_seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> int:
    """Write a copy of an index with the links of the chosen files, in their order; how many were linked.

    Of the files with facts `choose` says which. What is not done in `most_seconds` is left out.
    """
    ends = clock() + most_seconds
    with IndexWriter(into) as writer, writer.copy(source) as copy, IndexReader(copy.path) as reader:
        stamps = {text_to_path(stamp.path): stamp for stamp in reader.files.stamps()}
        facts = StoredFacts.of_index(reader, stamps)
        chosen = choose(sorted(facts.readable()))
        with garbage_left_alone(), closing(RowLinker(root, facts)) as rows:
            halfway = clock() + max(ends - clock(), 0) / 2
            # Before any is linked: where a call may lead depends on what all of them override.
            ready = []
            for path in _until(halfway, clock, chosen):
                rows.linker.take_overrides(path, rows.linker.find_overrides(path))
                ready.append(path)
            linked = 0
            with copy.update(ALL_LAYERS) as transaction:
                for linked, path in enumerate(_until(ends, clock, ready), 1):  # noqa: B007 - how far it came
                    transaction.set_links(rows.link(path).rows)
        return linked


def _until(end: float, clock: Callable[[], float], paths: Sequence[str]) -> Iterator[str]:
    """The first path, and those after it as long as there is time."""
    for number, path in enumerate(paths):
        if number and clock() > end:
            return
        yield path
