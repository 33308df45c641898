"""Work that makes millions of tuples and no cycles, and is not to be searched for those."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def garbage_left_alone() -> Iterator[None]:
    """Without a search for cycles: what a scan makes lives to its end, and would be looked through again and again.

    That would take a quarter of the time of linking.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
