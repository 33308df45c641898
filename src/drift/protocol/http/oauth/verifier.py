"""Who holds a token of the authorization server, and whether it is still good."""

import base64
import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote_plus, urlencode, urlsplit

from cachetools import TTLCache
from mcp.server.auth.provider import AccessToken

from drift.protocol.http.oauth.claims import read_claims, read_introspection
from drift.protocol.http.oauth.keys import KeySet
from drift.protocol.http.oauth.outbound import Outbound
from drift.protocol.http.oauth.settings import OAuthSettings
from drift.protocol.http.oauth.token_form import MOST_TOKEN_CHARS, read_token
from drift.protocol.http.refusals import Reason, TokenRefusedError, UnverifiableError

ANSWER_SECONDS: Final = 30.0
"""For so long an answer about a token is believed, so that a revoked one is refused within a minute."""
_METADATA_SECONDS: Final = 3600.0
_MOST_ANSWERS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Clocks:
    """The time of day, which tokens speak of, and the time that only goes on."""

    now: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic


class OAuthTokens:
    """Verifies access tokens, behind the SDK's `TokenVerifier` interface."""

    def __init__(
        self, settings: OAuthSettings, outbound: Outbound | None = None, clocks: Clocks | None = None
    ) -> None:
        clocks = clocks or Clocks()
        self._settings = settings
        self._outbound = outbound or Outbound()
        self._now = clocks.now
        self._keys = KeySet(self._fetch_keys, clocks.monotonic)
        self._metadata: TTLCache[str, Mapping[str, Any]] = TTLCache(
            1, _METADATA_SECONDS, timer=clocks.monotonic
        )
        self._answers: TTLCache[bytes, Mapping[str, Any]] = TTLCache(
            _MOST_ANSWERS, ANSWER_SECONDS, timer=clocks.monotonic
        )

    async def verify_token(self, token: str) -> AccessToken:
        """The token's owner. Raises TokenRefusedError, and UnverifiableError where nobody can tell."""
        if len(token) > MOST_TOKEN_CHARS or not token.isascii() or not token.isprintable():
            raise TokenRefusedError(Reason.MALFORMED)
        if self._settings.method == "introspection":
            return await self._introspect(token)
        access = await self._verify_signed(token)
        if self._settings.method == "both":
            # Whom a token speaks for says the signature; the server only says whether it still does.
            found = await self._ask(token)
            if found.get("active") is not True or found.get("sub", access.subject) != access.subject:
                raise TokenRefusedError(Reason.INACTIVE)
        return access

    async def close(self) -> None:
        await self._outbound.close()

    async def _verify_signed(self, token: str) -> AccessToken:
        settings = self._settings
        read = read_token(token, algorithms=settings.algorithms, is_strict=settings.is_strict)
        # Before the signature, which costs more, and perhaps a question: most that is refused is refused here.
        access = read_claims(read.claims, settings, token=token, now=self._now())
        await self._keys.verify(read)
        return access

    async def _introspect(self, token: str) -> AccessToken:
        answer = await self._ask(token)
        return read_introspection(answer, self._settings, token=token, now=self._now())

    async def _ask(self, token: str) -> Mapping[str, Any]:
        key = hashlib.sha256(token.encode()).digest()
        known = self._answers.get(key)
        if known is not None:
            return known
        settings = self._settings
        form = {"token": token, "token_type_hint": "access_token"}
        headers = {}
        if settings.client_secret:
            pair = f"{quote_plus(settings.client_id)}:{quote_plus(settings.client_secret)}"
            headers["authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            form["client_id"] = settings.client_id
        url = settings.introspection_url or await self._endpoint("introspection_endpoint")
        answer = await self._outbound.post_form(url, urlencode(form).encode(), headers)
        self._answers[key] = answer
        return answer

    async def _fetch_keys(self) -> Mapping[str, Any]:
        return await self._outbound.get(self._settings.jwks_url or await self._endpoint("jwks_uri"))

    async def _endpoint(self, name: str) -> str:
        """An address from the server's metadata (RFC 8414, or that of OpenID Connect)."""
        found = self._metadata.get(self._settings.issuer)
        if found is None:
            found = self._metadata[self._settings.issuer] = await self._discover()
        address = found.get(name)
        if not isinstance(address, str):
            raise UnverifiableError(f"the authorization server names no {name}")
        return address

    async def _discover(self) -> Mapping[str, Any]:
        failure = UnverifiableError("the authorization server's metadata is of another issuer")
        for url in metadata_addresses(self._settings.issuer):
            try:
                found = await self._outbound.get(url)
            except UnverifiableError as error:
                failure = error
                continue
            if found.get("issuer") == self._settings.issuer:
                return found
        raise failure


def metadata_addresses(issuer: str) -> tuple[str, str]:
    """Where an issuer's metadata may be: the well-known part goes before its path, or in OpenID Connect behind it."""
    parts = urlsplit(issuer)
    origin, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    return (
        f"{origin}/.well-known/oauth-authorization-server{path}",
        f"{origin}{path}/.well-known/openid-configuration",
    )
