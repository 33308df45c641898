"""Where the client of a call says that it calls from, for those who trace calls."""

from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Final

TRACE_PARENT: Final[ContextVar[Mapping[str, str]]] = ContextVar(
    "drift_trace_parent", default=MappingProxyType({})
)
"""`traceparent` and `tracestate` as W3C has them, and `session`; empty where nobody said so."""
