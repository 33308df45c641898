"""How a process loads that serves many short calls afterwards: little, and without the garbage collector."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from drift.protocol.sdk import load_on_demand

# A call makes some thousand objects, nearly all of which go with it by their reference counts. With
# Python's own 700 the collector walks those of all calls in flight several times per call, for nothing:
# 15 % of a call over HTTP with 32 clients (benchmarks/protocol.py).
_THRESHOLDS: Final = (10_000, 20, 50)


@contextmanager
def loading() -> Iterator[None]:
    """Load modules and build servers inside, without collecting; what is there at the end stays for good.

    For programs that serve until they end, once: what was loaded is never looked through again.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    load_on_demand()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(*_THRESHOLDS)
        if was_enabled:
            gc.enable()
