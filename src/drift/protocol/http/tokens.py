"""Bearer tokens from a file that holds only their hashes."""

import hashlib
import hmac
import json
import logging
import os
import stat
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from mcp.server.auth.provider import AccessToken

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.similar import similar_names
from drift.registry.scopes import Scope

logger = logging.getLogger(__name__)

_KEYS = frozenset({"sha256", "subject", "scopes", "expires"})
_REQUIRED_KEYS = _KEYS - {"expires"}
_HINT = 'Each entry is {"sha256": hex, "subject": name, "scopes": [...], "expires": ISO time or left out}.'
_OTHERS_MAY_ACCESS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True)
class TokenEntry:
    """One known token: its SHA-256, whom it stands for, what it allows and until when."""

    digest: bytes
    access: AccessToken


class Verifier(Protocol):
    """What judges tokens; it may have to ask others, and to let go of them in the end."""

    async def verify_token(self, token: str) -> AccessToken | None: ...
    async def close(self) -> None: ...


class EitherTokens:
    """Takes what is in a file of tokens, and what another verifier takes."""

    def __init__(self, first: "StaticTokens | None", other: Verifier) -> None:
        self._first = first
        self._other = other

    async def verify_token(self, token: str) -> AccessToken | None:
        known = None if self._first is None else await self._first.verify_token(token)
        return known or await self._other.verify_token(token)

    async def close(self) -> None:
        await self._other.close()


class StaticTokens:
    """Verifies bearer tokens against a fixed list, behind the SDK's `TokenVerifier` interface."""

    def __init__(self, entries: Iterable[TokenEntry], clock: Callable[[], float] = time.time) -> None:
        self._entries = tuple(entries)
        self._clock = clock

    @classmethod
    def from_file(cls, path: Path, clock: Callable[[], float] = time.time) -> "StaticTokens":
        """The tokens of a JSON file. Raises CONFIG_INVALID when it is missing or not as it should be."""
        try:
            text = path.read_bytes()
            mode = path.stat().st_mode
        except OSError as error:
            raise _malformed(path, f"cannot be read ({error.strerror})") from error
        if os.name == "posix" and mode & _OTHERS_MAY_ACCESS:
            logger.warning("Token file %s is open to other users; run: chmod 600 %s", path, path)
        return cls(_read_entries(path, text), clock)

    async def verify_token(self, token: str) -> AccessToken | None:
        """What the token allows, or None when it is not known or no longer valid."""
        digest = hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
        found: AccessToken | None = None
        # Every entry is compared, so the time taken does not tell which one was near.
        for entry in self._entries:
            if hmac.compare_digest(entry.digest, digest):
                found = entry.access
        if found is not None and found.expires_at is not None and found.expires_at <= self._clock():
            return None
        return found

    async def close(self) -> None:
        """Nothing is held."""


def _read_entries(path: Path, text: bytes) -> list[TokenEntry]:
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _malformed(path, "is not JSON in UTF-8") from error
    if not isinstance(listed, list) or not listed:
        raise _malformed(path, "must be a list of at least one entry")
    entries = [_read_entry(path, position, entry) for position, entry in enumerate(listed)]
    if len({entry.digest for entry in entries}) < len(entries):
        raise _malformed(path, "has two entries for the same token")
    return entries


def _read_entry(path: Path, position: int, entry: object) -> TokenEntry:
    # Unknown keys are refused: a misspelt `expires` would make a token that never ends.
    if not isinstance(entry, dict) or not set(entry) >= _REQUIRED_KEYS or not set(entry) <= _KEYS:
        raise _malformed(
            path, f"entry {position} must have the keys {', '.join(sorted(_REQUIRED_KEYS))} and no others"
        )
    subject = entry["subject"]
    if not isinstance(subject, str) or not subject:
        raise _malformed(path, f"entry {position}: subject must be a name")
    digest = _read_digest(path, position, entry["sha256"])
    access = AccessToken(
        # The hash stands for the token, so that no log or traceback can hold the secret itself.
        token=digest.hex(),
        client_id=subject,
        subject=subject,
        scopes=_read_scopes(path, position, entry["scopes"]),
        expires_at=_read_expiry(path, position, entry),
    )
    return TokenEntry(digest, access)


def _read_digest(path: Path, position: int, text: object) -> bytes:
    try:
        digest = bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        digest = b""
    if len(digest) != hashlib.sha256().digest_size:
        raise _malformed(path, f"entry {position}: sha256 must be 64 hexadecimal digits")
    return digest


def _read_scopes(path: Path, position: int, scopes: object) -> list[str]:
    if not isinstance(scopes, list) or not all(isinstance(scope, str) for scope in scopes):
        raise _malformed(path, f"entry {position}: scopes must be a list of names")
    known = [str(scope) for scope in Scope]
    for scope in scopes:
        if scope not in known:
            raise _malformed(
                path,
                f"entry {position}: there is no scope {scope[:80]!r}",
                similar=similar_names(scope, known),
            )
    return sorted(set(scopes))


def _read_expiry(path: Path, position: int, entry: Mapping[str, Any]) -> int | None:
    expires = entry.get("expires")
    if expires is None:
        return None
    try:
        moment = datetime.fromisoformat(expires)
    except (TypeError, ValueError) as error:
        raise _malformed(path, f"entry {position}: expires must be an ISO time") from error
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def _malformed(path: Path, problem: str, *, similar: tuple[str, ...] = ()) -> DriftError:
    return DriftError(
        ErrorCode.CONFIG_INVALID, f"Token file {path} {problem}", Recovery(hint=_HINT, similar=similar)
    )
