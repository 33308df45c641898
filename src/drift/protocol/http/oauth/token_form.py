"""The form of a signed token, read strictly and before any key is looked for."""

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from drift.protocol.http.refusals import Reason, TokenRefusedError

MOST_TOKEN_CHARS: Final = 8_192
_SEGMENT = r"[A-Za-z0-9_-]{1,8192}"
_TOKEN = re.compile(rf"({_SEGMENT})\.({_SEGMENT})\.({_SEGMENT})")
_TYPES: Final = frozenset({"at+jwt", "application/at+jwt"})
_LOOSE_TYPES: Final = _TYPES | {"jwt", ""}
# A key, or where to get one, from the token itself would let anyone sign; what is critical, packed or not encoded as
# usual is read by one program in one way and by another in another.
_REFUSED_MEMBERS: Final = frozenset({"jwk", "jku", "x5u", "x5c", "crit", "b64", "zip", "enc"})
_KEY_NAME = re.compile(r"[\x21-\x7e]{1,256}")


@dataclass(frozen=True, slots=True)
class SignedToken:
    """A token's parts; nothing in it is believed yet."""

    signed: bytes
    signature: bytes
    algorithm: str
    key_name: str | None
    claims: dict[str, Any]


def read_token(token: str, *, algorithms: Sequence[str], is_strict: bool) -> SignedToken:
    """The parts of a token in the compact form. Raises TokenRefusedError."""
    found = _TOKEN.fullmatch(token) if len(token) <= MOST_TOKEN_CHARS else None
    if found is None:
        raise TokenRefusedError(Reason.MALFORMED)
    header, claims = (_read_part(found[part]) for part in (1, 2))
    signature = _decode(found[3])
    algorithm = header.get("alg")
    if not isinstance(algorithm, str) or algorithm not in algorithms:
        raise TokenRefusedError(Reason.ALGORITHM)
    if _REFUSED_MEMBERS & header.keys():
        raise TokenRefusedError(Reason.KEY)
    kind = header.get("typ", "")
    if not isinstance(kind, str) or kind.lower() not in (_TYPES if is_strict else _LOOSE_TYPES):
        raise TokenRefusedError(Reason.TYPE)
    name = header.get("kid")
    if name is not None and not (isinstance(name, str) and _KEY_NAME.fullmatch(name)):
        raise TokenRefusedError(Reason.KEY)
    return SignedToken(f"{found[1]}.{found[2]}".encode(), signature, algorithm, name, claims)


def unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose members have names of their own: of doubled ones two readers may take different ones."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name comes twice")
    return found


def _read_part(segment: str) -> dict[str, Any]:
    try:
        part = json.loads(_decode(segment), object_pairs_hook=unique_members, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise TokenRefusedError(Reason.MALFORMED) from None
    if not isinstance(part, dict):
        raise TokenRefusedError(Reason.MALFORMED)
    return part


def _decode(segment: str) -> bytes:
    try:
        decoded = base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4))
    except ValueError:
        raise TokenRefusedError(Reason.MALFORMED) from None
    # The last character has bits that count for nothing: one token could be written in several ways.
    if base64.urlsafe_b64encode(decoded).rstrip(b"=") != segment.encode():
        raise TokenRefusedError(Reason.MALFORMED)
    return decoded


def _refuse_constant(name: str) -> object:
    raise ValueError(name)
