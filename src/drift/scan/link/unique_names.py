"""Calls of a member nothing is known of, settled by the only method of that name in the project.

Right in nine of ten cases on traced code, so such a target has that confidence. Names that built-in values
have too prove nothing and are left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from drift.scan.link.links import CallLink, FileLinks, Place, Target
from drift.scan.link.reasons import OBJECT_UNKNOWN

UNIQUE_NAME_CONFIDENCE: Final = 0.9

_EVERYDAY: Final = frozenset(
    name
    for kind in (str, bytes, list, dict, set, tuple, int, float, frozenset, bytearray, memoryview, object, type)
    for name in dir(kind)
) | {
    "read", "write", "close", "open", "flush", "seek", "readline", "readlines", "writelines", "fileno",
    "send", "throw", "next", "map", "filter", "reduce", "forEach", "push", "shift", "slice", "concat",
    "then", "catch", "finally", "call", "apply", "bind", "toString", "equals", "hashCode", "length", "size",
    "contains", "add", "put", "start", "stop", "run", "join", "group", "match", "search", "execute", "commit",
    "cursor", "fetchone", "fetchall", "connect", "now", "today", "submit", "result", "wait", "set", "acquire",
    "release", "exists", "is_file", "is_dir", "mkdir", "read_text", "write_text", "resolve", "unlink", "iterdir",
}  # fmt: skip


def settle_by_name(links: Mapping[str, FileLinks]) -> dict[str, FileLinks]:
    """The same links, with calls settled where the name of the member leaves one choice."""
    places = _unique_methods(links)
    return {path: _settle(found, places) for path, found in links.items()}


def _unique_methods(links: Mapping[str, FileLinks]) -> dict[tuple[str, str], Place | None]:
    places: dict[tuple[str, str], Place | None] = {}
    for path, found in links.items():
        for name, number in found.methods:
            key = (found.language, name)
            places[key] = Place(path, number) if key not in places else None
    return places


def _settle(found: FileLinks, places: Mapping[tuple[str, str], Place | None]) -> FileLinks:
    if not any(call.member for call in found.calls):
        return found
    return found._replace(calls=tuple(_settle_call(call, found.language, places) for call in found.calls))


def _settle_call(call: CallLink, language: str, places: Mapping[tuple[str, str], Place | None]) -> CallLink:
    """`member` stays, so that the call can be looked at again when the methods of the project change."""
    if call.member is None:
        return call
    place = None if call.member in _EVERYDAY else places.get((language, call.member))
    if place is None:
        return CallLink("unknown", reason=OBJECT_UNKNOWN, member=call.member)
    target = Target(place, UNIQUE_NAME_CONFIDENCE, "unique-name")
    return CallLink("resolved", (target,), reason="unique-name", member=call.member)
