"""The index of a call's project, opened for one answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from drift.registry.call import Call

if TYPE_CHECKING:
    from drift.index import IndexReader


@contextmanager
def opened_index(call: Call) -> Iterator["IndexReader"]:
    """The index of the call's project, as one unchanging state."""
    from drift.index import IndexReader  # brings SQLite, which a server that starts does not need

    state = call.index or call.runtime.index_state(call.project)
    with IndexReader(state.path) as reader, reader.snapshot():
        yield reader
