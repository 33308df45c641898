"""Where a client says that it calls from: in `_meta` of its request, or over HTTP in a header."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from drift.kernel.trace_parent import TRACE_PARENT
from drift.protocol.sources import Context

_NAMES: Final = ("traceparent", "tracestate")
_LONGEST: Final = 512  # what the standard asks everybody to pass on
_SESSION: Final = "mcp-session-id"


@contextmanager
def carrying(context: Context) -> Iterator[None]:
    """Remember it for what the call leads to."""
    carried = _read(context)
    if not carried:
        yield
        return
    kept = TRACE_PARENT.set(carried)
    try:
        yield
    finally:
        TRACE_PARENT.reset(kept)


def _read(context: Context) -> dict[str, str]:
    headers = getattr(context.request, "headers", {})
    meta = context.meta or {}
    found = {}
    for name in _NAMES:
        value = meta.get(name) or headers.get(name)
        if isinstance(value, str) and len(value) <= _LONGEST:
            found[name] = value
    if session := headers.get(_SESSION):
        # Whoever knows the id itself could take part in the session.
        found["session"] = hashlib.blake2b(session.encode(), digest_size=8).hexdigest()
    return found
