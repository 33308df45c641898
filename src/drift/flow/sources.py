"""Values that sources give, and constants as keys."""

from __future__ import annotations

from typing import Final

from drift.flow.checking import words
from drift.flow.run import Run
from drift.flow.values import Origin, Step, Taint, Unknown, Value, cleaned
from drift.libraries import Source

_REFERERS: Final = frozenset({"referer", "referrer", "http_referer", "http-referer"})


def source_value(run: Run, source: Source, line: int, type_name: str) -> Value:
    """The value that a source gives."""
    origin = Origin(0, run.unit, (), run.file, line, source.label, source.trust, source.kinds)
    shown = type_name.rpartition("/")[2].lstrip("?.")
    taint = Taint(Step(None, run.file, line, f"{source.label}: {shown}", 1))
    return Value({origin: taint}, type_name=type_name)


def decoded(origin: Origin) -> Origin:
    """Where data comes from that was part of an address: no longer encoded, and on its own."""
    return origin._replace(trust="remote", kinds=()) if origin.trust == "encoded" else origin


def of_address(value: Value, name: str) -> Value:
    """A part of an address: no path fits into a host, and parameters are decoded."""
    if value.taints and name in words("hosts"):
        return value.tainted(cleaned(value.taints, ("path",)))
    if value.taints and name in words("parameters"):
        return value.tainted({decoded(origin): taint for origin, taint in value.taints.items()})
    return value


def of_key(value: Value, key: object) -> Value:
    """A value that is kept under a key: the address somebody came from leads back there."""
    if value.taints and isinstance(key, str) and key.lower() in _REFERERS:
        return value.tainted(cleaned(value.taints, ("redirect",)))
    return value


def key_of(constant: object) -> str | None:
    """A constant as a key."""
    return None if isinstance(constant, Unknown) or constant is None else str(constant)
