"""Page cursors: where the next page starts, signed, bound to one query, good for an hour.

A cursor is `payload.signature`, both base64url. The payload is a version byte, the time of issue, a hash of the
query and the position as JSON; it is kept short because a model pays for every character it passes back.
"""

import base64
import hashlib
import hmac
import json
import struct
from typing import Final, NoReturn

from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.wire import Json

LIFETIME_SECONDS: Final = 3600

_VERSION: Final = 1
_LONGEST: Final = 16_384  # a position holds at most a path or two; more is not ours
_HEADER: Final = struct.Struct(">BI8s")
_SIGNATURE_BYTES: Final = 16
_PURPOSE: Final = b"drift page cursor\0"  # the project's key may sign other things too
_CLOCK_SKEW_SECONDS: Final = 60


def encode_cursor(key: bytes, position: Json, query: Json, *, now: float) -> str:
    """A cursor for this position in the results of this query. Tuples come back as lists."""
    header = _HEADER.pack(_VERSION, int(now), _hash_query(query))
    payload = _to_base64(header + _to_json(position))
    cursor = f"{payload}.{_sign(key, payload)}"
    if len(cursor) > _LONGEST:
        raise DriftError(ErrorCode.TOO_LARGE, "The position in the list is too long for a cursor")
    return cursor


def decode_cursor(key: bytes, cursor: str, query: Json, *, now: float) -> Json:
    """The position a cursor of ours holds. Raises INVALID_CURSOR, saying why, for any other text."""
    if len(cursor) > _LONGEST:
        _refuse("it is too long to be one of ours")
    payload, dot, signature = cursor.partition(".")
    if not payload or not dot or not cursor.isascii():
        _refuse("it is not in the form of a cursor")
    if not hmac.compare_digest(signature, _sign(key, payload)):
        _refuse("it was altered, or is from another project")
    # Signed by us, so the rest is what some version of this module wrote.
    raw = _from_base64(payload)
    if raw[0] != _VERSION:
        _refuse("it is from another version of Drift")
    _, issued, query_hash = _HEADER.unpack_from(raw)
    if query_hash != _hash_query(query):
        _refuse("it belongs to another query")
    if not -_CLOCK_SKEW_SECONDS <= now - issued <= LIFETIME_SECONDS:
        _refuse("it has expired; cursors are good for one hour")
    decoded: Json = json.loads(raw[_HEADER.size :])
    return decoded


def _sign(key: bytes, payload: str) -> str:
    digest = hmac.digest(key, _PURPOSE + payload.encode("ascii"), "sha256")
    return _to_base64(digest[:_SIGNATURE_BYTES])


def _hash_query(query: Json) -> bytes:
    return hashlib.sha256(_to_json(query)).digest()[:8]


def _to_json(value: Json) -> bytes:
    """One byte string for equal values, whatever the order of their members."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def _to_base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _from_base64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _refuse(reason: str) -> NoReturn:
    raise DriftError(ErrorCode.INVALID_CURSOR, f"The cursor cannot be used: {reason}")
