"""The authorization server's public keys: fetched, kept for a while, and fetched again when a new one is named."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from drift.protocol.http.oauth.token_form import SignedToken
from drift.protocol.http.refusals import Reason, TokenRefusedError, UnverifiableError

KEPT_SECONDS: Final = 300.0
"""For so long a key that the server has withdrawn may still be believed."""
_STALE_SECONDS: Final = 3600.0  # while the server cannot be asked
_PAUSE_SECONDS: Final = 10.0  # between questions: names of keys come from anyone
_MOST_KEYS: Final = 100
_LEAST_RSA_BITS: Final = 2048

# The kind of key each algorithm needs, and of that kind the curve. What is not here is never believed.
_NEEDED: Final[Mapping[str, tuple[str, str | None]]] = {
    **{f"{family}{bits}": ("RSA", None) for family in ("RS", "PS") for bits in (256, 384, 512)},
    "ES256": ("EC", "P-256"),
    "ES384": ("EC", "P-384"),
    "ES512": ("EC", "P-521"),
    "EdDSA": ("OKP", "Ed25519"),
}
# Only what makes a public key: a private part has no business there.
_MEMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    "RSA": ("kty", "n", "e"),
    "EC": ("kty", "crv", "x", "y"),
    "OKP": ("kty", "crv", "x"),
}

Fetch = Callable[[], Awaitable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class PublicKey:
    """One key as the server published it."""

    name: str | None
    algorithm: str | None
    members: tuple[tuple[str, str], ...]

    def fits(self, algorithm: str) -> bool:
        kind, curve = _NEEDED[algorithm]
        own = dict(self.members)
        is_kind = own["kty"] == kind and (curve is None or own["crv"] == curve)
        return is_kind and self.algorithm in {None, algorithm}


class KeySet:
    """The keys of one server."""

    def __init__(self, fetch: Fetch, clock: Callable[[], float] = time.monotonic) -> None:
        self._fetch = fetch
        self._clock = clock
        self._keys: tuple[PublicKey, ...] = ()
        self._fetched_at = float("-inf")
        self._tried_at = float("-inf")
        self._asking = asyncio.Lock()

    async def verify(self, token: SignedToken) -> None:
        """Raise TokenRefusedError unless one of the keys signed the token."""
        key = await self._find(token)
        _check_signature(token, key)

    async def _find(self, token: SignedToken) -> PublicKey:
        if self._clock() - self._fetched_at >= KEPT_SECONDS:
            await self._refresh(asked_at=self._clock())
        found = self._choose(token)
        if found is None:
            # Perhaps the server has made a new key since.
            await self._refresh(asked_at=self._clock())
            found = self._choose(token)
        if found is None:
            raise TokenRefusedError(Reason.KEY)
        return found

    def _choose(self, token: SignedToken) -> PublicKey | None:
        fitting = [key for key in self._keys if key.fits(token.algorithm)]
        if token.key_name is not None:
            fitting = [key for key in fitting if key.name == token.key_name]
        # Among several, trying one after the other would make a wrong one as good as the right one.
        return fitting[0] if len(fitting) == 1 else None

    async def _refresh(self, *, asked_at: float) -> None:
        async with self._asking:
            # Whoever waited here may have what they came for already.
            if self._fetched_at >= asked_at or self._clock() - self._tried_at < _PAUSE_SECONDS:
                return self._require_fresh()
            self._tried_at = self._clock()
            try:
                document = await self._fetch()
            except UnverifiableError:
                if self._clock() - self._fetched_at < _STALE_SECONDS:
                    return None
                raise
            self._keys = read_keys(document)
            self._fetched_at = self._clock()
            return None

    def _require_fresh(self) -> None:
        if self._clock() - self._fetched_at >= _STALE_SECONDS:
            raise UnverifiableError("the authorization server's keys could not be fetched")


def read_keys(document: Mapping[str, Any]) -> tuple[PublicKey, ...]:
    """The keys of a JWK set that can check signatures; others are left out, as the standard wants it."""
    listed = document.get("keys")
    if not isinstance(listed, list) or len(listed) > _MOST_KEYS:
        raise UnverifiableError("the authorization server's keys are not a set of keys")
    return tuple(key for each in listed if isinstance(each, dict) and (key := _read_key(each)) is not None)


def _read_key(given: Mapping[str, Any]) -> PublicKey | None:
    wanted = _MEMBERS.get(str(given.get("kty")))
    operations = given.get("key_ops", ["verify"])
    if wanted is None or given.get("use", "sig") != "sig":
        return None
    if not isinstance(operations, list) or "verify" not in operations:
        return None
    if not all(isinstance(given.get(name), str) for name in wanted):
        return None
    name, algorithm = given.get("kid"), given.get("alg")
    if not isinstance(name, str | None) or not isinstance(algorithm, str | None):
        return None
    return PublicKey(name, algorithm, tuple((member, given[member]) for member in wanted))


def _check_signature(token: SignedToken, key: PublicKey) -> None:
    import jwt  # brings a cryptographic library of many megabytes; only who checks signatures needs it

    try:
        public = _prepare(key, token.algorithm)
        # The form was read already; the library's own reader would take three times as long as the signature.
        is_signed = jwt.get_algorithm_by_name(token.algorithm).verify(token.signed, public, token.signature)
    except (jwt.PyJWTError, ValueError, TypeError) as error:
        raise TokenRefusedError(Reason.SIGNATURE) from error
    if not is_signed:
        raise TokenRefusedError(Reason.SIGNATURE)


@lru_cache(maxsize=_MOST_KEYS)  # to make a key of its numbers takes longer than to check a signature
def _prepare(key: PublicKey, algorithm: str) -> Any:
    import jwt  # see above
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

    public = jwt.PyJWK(dict(key.members), algorithm=algorithm).key
    if isinstance(public, RSAPublicKey) and public.key_size < _LEAST_RSA_BITS:
        raise TokenRefusedError(Reason.KEY)
    return public
